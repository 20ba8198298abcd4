"""ZeroMQ between the processes: one single-part socket a topic, in the run-time directory.

A queued topic keeps every message, for a reader that pauses up to `ROOM_S`: one that hangs for longer
must not fill its publisher's memory. Of the others only the newest is kept (`CONFLATE`, which is why
messages are single-part). The publisher binds, readers connect
and find it again after a restart by themselves.
"""

import json
import logging
import select
import time
from pathlib import Path
from typing import Any, Generic

import zmq

from hil.common.errors import BadMessage, LinkError
from hil.messaging.codec import Kind, Message, decode, encode
from hil.messaging.messages import Reply, Request
from hil.messaging.runtime_directory import EVERY, REQUEST_SOCKET, make_directory
from hil.messaging.topics import TOPICS

log = logging.getLogger("zerog.bus")
ROOM_S = 30.0  # [s] for which a reader of every message may pause before any is lost
ASKED_EVERY = 50  # looks at a topic after which its socket is asked whatever its descriptor says


class Publisher:
    """Sends the messages of one topic."""

    def __init__(self, sockets: "list[zmq.Socket[bytes]]", topic: str) -> None:
        self._sockets, self._kind, self._seq = sockets, TOPICS[topic].message, 0

    def send(self, msg: Message) -> None:
        """Send a message to whoever reads; never blocks."""
        if type(msg) is not self._kind:
            raise TypeError(f"this topic carries {self._kind.__name__}, not {type(msg).__name__}")
        data = encode(msg, self._seq)
        for socket in self._sockets:
            socket.send(data, zmq.NOBLOCK)
        self._seq += 1


class Subscriber(Generic[Kind]):
    """Reads the messages of one topic; what is no message of this version is counted and named once.

    Attributes:
        refused: messages that were not of the topic's kind and version.
        lost: messages of a queued topic that are missing between those that came.
    """

    def __init__(self, socket: "zmq.Socket[bytes]", topic: str, kind: type[Kind]) -> None:
        self._socket, self._topic, self._kind = socket, topic, kind
        self._next: int | None = None
        self._bell: select.poll | None = select.poll()
        self._bell.register(int(socket.getsockopt(zmq.FD)), select.POLLIN)
        self._looks = -1
        self.refused = self.lost = 0

    @property
    def socket(self) -> "zmq.Socket[bytes]":
        """The ZeroMQ socket, for whoever reads its bytes himself."""
        return self._socket

    def watch_with(self, poller: zmq.Poller) -> None:
        """Let a poller wait for the topic's messages.

        A poller takes the descriptor's news for itself: from now on every look asks the socket.
        """
        poller.register(self._socket, zmq.POLLIN)
        self._bell = None

    def drain(self) -> list[Kind]:
        """Return all messages that have come, oldest first, without waiting."""
        return [msg for msg, _ in self.numbered()]

    def numbered(self) -> list[tuple[Kind, int]]:
        """Return the same, each with its publisher's count."""
        found: list[tuple[Kind, int]] = []
        # The descriptor tells for a microsecond whether anything came since the last look; a refused receive
        # costs ten. It tells of changes only, so now and then the socket itself is asked.
        self._looks += 1
        if self._bell is not None and self._looks % ASKED_EVERY and not self._bell.poll(0):
            return found
        while True:
            try:
                data = self._socket.recv(zmq.NOBLOCK)
            except zmq.Again:
                return found
            try:
                msg, seq = decode(data)
                if not isinstance(msg, self._kind):
                    raise BadMessage(f"bus: {type(msg).__name__} does not belong on topic {self._topic}")
            except BadMessage as error:
                self.refused += 1
                if self.refused == 1:
                    log.error("topic %s: %s", self._topic, error)
                continue
            found.append((msg, seq))
            if self._next is not None:  # a publisher that was started again counts from 0
                self.lost += max(0, seq - self._next)
            self._next = seq + 1

    def newest(self) -> Kind | None:
        """Return the newest message that has come since the last call, or None."""
        found = self.drain()
        return found[-1] if found else None


class Bus:
    """The sockets of one process."""

    def __init__(self, directory: Path) -> None:
        make_directory(directory)
        self._directory = directory
        self._context = zmq.Context()
        self._sockets: list[zmq.Socket[bytes]] = []

    def publisher(self, topic: str) -> Publisher:
        """Bind the topic's socket, and one for readers of every message if that is another."""
        line = TOPICS[topic]
        endpoints = [(topic, line.queued)]
        if line.logged and not line.queued:
            endpoints.append((f"{topic}.{EVERY}", True))
        sockets = []
        for name, all_of_them in endpoints:
            socket = self._socket(zmq.PUB)
            if all_of_them:
                socket.setsockopt(zmq.SNDHWM, round(ROOM_S * line.most_hz))
            else:
                socket.setsockopt(zmq.CONFLATE, 1)
            socket.bind(self.endpoint(name))
            sockets.append(socket)
        return Publisher(sockets, topic)

    def subscriber(self, topic: str, kind: type[Kind], every: bool = False) -> Subscriber[Kind]:
        """Connect to the topic's socket, whether or not its publisher is there yet.

        `kind` is the topic's message class, or a base of it, and what readers then get. With `every` no
        message of a logged topic is left out, though only the newest be wanted by others.
        """
        assert issubclass(TOPICS[topic].message, kind), f"{topic} carries {TOPICS[topic].message.__name__}"
        socket = self._socket(zmq.SUB)
        apart = every and not TOPICS[topic].queued
        socket.setsockopt(zmq.CONFLATE, 0 if TOPICS[topic].queued or apart else 1)
        socket.setsockopt(zmq.RECONNECT_IVL, 20)
        socket.subscribe(b"")
        socket.connect(self.endpoint(f"{topic}.{EVERY}" if apart else topic))
        return Subscriber(socket, topic, kind)

    def endpoint(self, topic: str) -> str:
        """Return the address of a topic."""
        return f"ipc://{self._directory / topic}"

    def request_server(self) -> "zmq.Socket[bytes]":
        """Bind the socket on which operators' requests come."""
        socket = self._socket(zmq.REP)
        socket.bind(self.endpoint(REQUEST_SOCKET))
        return socket

    def ask(self, request: Request, timeout_s: float = 2.0) -> Reply:
        """Send a request to the daemon and return its reply.

        Raises:
            LinkError: no daemon answers in this run-time directory.
        """
        socket = self._socket(zmq.REQ)
        socket.connect(self.endpoint(REQUEST_SOCKET))
        try:
            socket.send(encode(request))
            if not socket.poll(int(timeout_s * 1000)):
                raise LinkError(
                    f"no daemon answers at {self._directory} within {timeout_s:g} s: is `zerog run` running, "
                    "and with the same run-time directory?"
                )
            reply, _ = decode(socket.recv())
        finally:  # one question, one socket: who asks often must not run out of them
            self._sockets.remove(socket)
            socket.close()
        assert isinstance(reply, Reply)
        return reply

    def status(self) -> dict[str, Any]:
        """Return the running daemon's status.

        Raises:
            LinkError: no daemon answers in this run-time directory.
        """
        reply = self.ask(Request(time.monotonic_ns(), "status", "{}"))
        return dict(json.loads(reply.status))

    def close(self, linger_ms: int = 0) -> None:
        """Close all sockets; what is unsent is dropped after so long."""
        for socket in self._sockets:
            socket.close(linger=linger_ms)
        self._context.term()

    def _socket(self, kind: int) -> "zmq.Socket[bytes]":
        socket = self._context.socket(kind)
        socket.setsockopt(zmq.LINGER, 0)
        socket.setsockopt(zmq.SNDHWM, 0)
        socket.setsockopt(zmq.RCVHWM, 0)
        self._sockets.append(socket)
        return socket
