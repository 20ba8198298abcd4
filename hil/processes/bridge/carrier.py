"""The bridge of one host: its topics out to the other host, the other's topics in, their instants shifted.

Locally it is a reader like any other, and the publisher of what comes from the other host: no other process
notices the network. Queued topics pass whole and in order; of the others only the newest of what has come.
"""

import logging
import time

import zmq

from hil.common.errors import BadMessage
from hil.messaging.bus import Bus
from hil.messaging.codec import Message, decode, encode
from hil.messaging.instants import shifted
from hil.messaging.link_messages import LinkAnswer, LinkQuestion, LinkState
from hil.messaging.topics import TOPICS
from hil.processes.bridge.link import Frame, Link
from hil.processes.bridge.link_judge import LinkJudge
from hil.processes.bridge.sites import carried_from, other_site

WAIT_MS = 10  # at most, for something to come
STATE_NS = 100_000_000  # between states of the link, sooner when it changes
MOST_MESSAGES = 1000  # of a topic in one turn
QUESTION, ANSWER = "question", "answer"
log = logging.getLogger("zerog.bridge")


class Bridge:
    """Carries topics between the bus of a site and a link."""

    def __init__(self, bus: Bus, link: Link, judge: LinkJudge, site: str) -> None:
        self._link, self._judge = link, judge
        self._out = {t.name: bus.subscriber(t.name, Message).socket for t in carried_from(site)}
        self._in = {t.name: bus.publisher(t.name) for t in carried_from(other_site(site))}
        self._states = bus.publisher("link")
        self._state: LinkState | None = None
        self._poller = zmq.Poller()
        for socket in (*self._out.values(), *link.sockets):
            self._poller.register(socket, zmq.POLLIN)
        self.bad = self.breaks = 0  # messages refused; times that the link has ceased to live

    def turn(self, wait_ms: int = WAIT_MS) -> None:
        """Wait until something comes, and pass on everything that has come."""
        ready = {socket for socket, _ in self._poller.poll(wait_ms)}
        now_ns = time.monotonic_ns()
        question = self._judge.tick(now_ns)
        if question is not None:
            self._link.send(QUESTION, encode(question))
        self._send(ready)
        if self._link.inbox in ready:
            self._receive(self._link.receive())
        self._link.door.serve(ready, now_ns)
        self._tell(time.monotonic_ns())

    def _send(self, ready: set[object]) -> None:
        """Send what this host has published: bytes as they are, the receiver looks into them."""
        for topic, socket in self._out.items():
            for _ in range(MOST_MESSAGES if socket in ready else 0):
                try:
                    data = socket.recv(zmq.NOBLOCK)
                except zmq.Again:
                    break
                self._link.send(topic, data)

    def _receive(self, frames: list[Frame]) -> None:
        """Pass on what the other host has published; of topics that are not queued the newest."""
        newest: dict[str, Frame] = {}
        for frame in frames:
            passes = self._judge.frame(frame.session, frame.number, frame.came_ns)
            if frame.topic in (QUESTION, ANSWER):
                self._converse(frame)
            elif not passes:
                continue
            elif frame.topic in self._in and TOPICS[frame.topic].queued:
                self._pass_on(frame)
            else:
                newest[frame.topic] = frame
        for frame in newest.values():
            self._pass_on(frame)

    def _converse(self, frame: Frame) -> None:
        try:
            msg, _ = decode(frame.data)
        except BadMessage as error:
            self._refuse(error)
            return
        if isinstance(msg, LinkQuestion):
            answer = self._judge.answer(msg, frame.came_ns, time.monotonic_ns())
            self._link.send(ANSWER, encode(answer))
        elif isinstance(msg, LinkAnswer):
            self._judge.hear(msg, frame.came_ns)

    def _pass_on(self, frame: Frame) -> None:
        """Publish a message of the other host on ours, its instants in our clock."""
        try:
            if frame.topic not in self._in:
                raise BadMessage(f"bridge: topic {frame.topic!r} does not come from the other host")
            msg, _ = decode(frame.data)
            if type(msg) is not TOPICS[frame.topic].message:
                raise BadMessage(f"bridge: {type(msg).__name__} does not belong on topic {frame.topic}")
            known = self._judge.estimate(frame.came_ns)
            assert known is not None  # the judge lets nothing pass before
            self._in[frame.topic].send(shifted(msg, -known.offset_ns))
        except BadMessage as error:
            self._refuse(error)

    def _refuse(self, error: BadMessage) -> None:
        self.bad += 1
        if self.bad == 1:
            log.error("bridge: %s", error)

    def _tell(self, now_ns: int) -> None:
        """Publish the state of the link now and then, and at once when it changes."""
        state = self._judge.state(now_ns, self._link.door.refused)
        before = self._state
        if before is None or state.live != before.live or now_ns - before.t_ns >= STATE_NS:
            self._state = state
            self._states.send(state)
        if before is not None and state.live != before.live:
            self.breaks += before.live
            log.warning("bridge: the link %s", "lives" if state.live else f"is broken: {state.reason}")
