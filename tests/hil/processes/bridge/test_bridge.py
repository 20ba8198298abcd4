"""Two bridges over loopback: what passes, what is refused, and that strangers disturb nothing."""

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from socket import SOCK_STREAM

import numpy as np
import pytest
import zmq

from hil.common.errors import LinkError
from hil.common.free_port import free_port
from hil.loop.judging.state_machine import Machine, State
from hil.messaging.bus import Bus
from hil.messaging.codec import encode
from hil.messaging.link_messages import LinkState
from hil.messaging.messages import Heartbeat, ImpulseSlice, Mode, SimTimes
from hil.processes.bridge.carrier import Bridge
from hil.processes.bridge.guard import zap_reply
from hil.processes.bridge.keys import Keys, load_keys, make_keys
from hil.processes.bridge.link import Link
from hil.processes.bridge.link_judge import LinkJudge
from hil.processes.bridge.sites import COMPUTE, ROBOT, carried_from, other_site

PATIENCE_S = 20.0


class Host:
    """A bus of its own and a bridge that turns in a thread."""

    def __init__(self, folder: Path, site: str, ends: dict[str, str], keys: Keys) -> None:
        other = other_site(site)
        self.keys = keys
        self.bus = Bus(folder / site)
        self.link = Link((f"network.{site}", ends[site]), (f"network.{other}", ends[other]), keys)
        self.bridge = Bridge(self.bus, self.link, LinkJudge(ends[other], "stamp"), site)
        self._states = self.bus.subscriber("link", LinkState)
        self._state: LinkState | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            self.bridge.turn()

    @property
    def state(self) -> LinkState | None:
        """The newest state of the link."""
        self._state = self._states.newest() or self._state
        return self._state

    @property
    def live(self) -> bool:
        return self.state is not None and self.state.live

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self.link.close()
        self.bus.close()


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.01)


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Host]]:
    """Both hosts, their link alive."""
    folder = tmp_path_factory.mktemp("hosts")
    make_keys(folder / "keys")
    ends = {site: f"tcp://127.0.0.1:{free_port(SOCK_STREAM)}" for site in (ROBOT, COMPUTE)}
    made = {site: Host(folder, site, ends, load_keys(folder / "keys", site)) for site in (ROBOT, COMPUTE)}
    try:
        wait_for(lambda: all(host.live for host in made.values()))
        yield made
    finally:
        for host in made.values():
            host.close()


def endpoint(host: Host) -> str:
    """Where a host listens."""
    return str(host.link._out.last_endpoint.decode())


def impulse(number: int) -> ImpulseSlice:
    """A slice that carries a number."""
    return ImpulseSlice(10**12, number, 0, 0, True, True, False, False, 0, 0, 0, np.zeros(6), np.zeros(6))


def burst(publisher, reader) -> list[ImpulseSlice]:
    """Send two thousand impulses and return what arrives until nothing more does."""
    found: list[ImpulseSlice] = []
    for number in range(2000):
        publisher.send(impulse(number))
        if number % 200 == 199:
            time.sleep(0.05)
    while reader.socket.poll(1000):
        found += reader.drain()
    return found


def test_queued_topics_lose_nothing_and_keep_their_order(hosts: dict[str, Host]) -> None:
    """Two thousand impulses in bursts arrive, each once, in order, their instants right."""
    publisher = hosts[ROBOT].bus.publisher("impulse")
    reader = hosts[COMPUTE].bus.subscriber("impulse", ImpulseSlice)

    def arrived() -> bool:
        publisher.send(impulse(-1))
        time.sleep(0.01)
        return bool(reader.drain())

    for _ in range(5):
        wait_for(lambda: all(host.live for host in hosts.values()) and arrived())
        breaks = hosts[COMPUTE].bridge.breaks
        found = burst(publisher, reader)
        if hosts[COMPUTE].bridge.breaks == breaks:  # a starved machine breaks the link; that is seen
            break
    assert [m.impulse_id for m in found if m.impulse_id >= 0] == list(range(2000))
    state = hosts[COMPUTE].state
    assert state is not None
    # both hosts share one clock here: what is left is the estimate's error, which the uncertainty bounds
    assert all(abs(m.t_ns - 10**12) <= 1e9 * 10 * state.uncertainty for m in found)
    assert all(m.t_start_ns == 0 for m in found), "0 means none and is not shifted"


def test_of_other_topics_the_newest_arrives(hosts: dict[str, Host]) -> None:
    """A reader that comes late finds the newest order, and the newest one always arrives."""
    publisher = hosts[ROBOT].bus.publisher("mode")
    reader = hosts[COMPUTE].bus.subscriber("mode", Mode)
    newest: list[int] = []
    epoch = 0

    def arrived() -> bool:
        nonlocal epoch
        epoch += 1
        publisher.send(Machine(State.READY, epoch).mode(epoch))
        time.sleep(0.01)
        newest.extend(m.epoch for m in reader.drain())
        return bool(newest)

    wait_for(arrived)
    for epoch in range(1000, 3000):
        publisher.send(Machine(State.READY, epoch).mode(epoch))
    wait_for(lambda: bool(newest.extend(m.epoch for m in reader.drain()) or newest[-1] == 2999))
    assert newest == sorted(newest), "never an older one after a newer one"


def test_the_daemons_host_gets_heartbeats_and_logged_topics(hosts: dict[str, Host]) -> None:
    """What the compute host publishes for daemon and tools is found on the robot's host."""
    bus, there = hosts[COMPUTE].bus, hosts[ROBOT].bus
    alive, times = bus.publisher("alive_sim"), bus.publisher("times_sim")
    hears, measures = there.subscriber("alive_sim", Heartbeat), there.subscriber("times_sim", SimTimes)
    heard: list[object] = []

    def arrived() -> bool:
        alive.send(Heartbeat(1, "sim", "ready", "", 1, ""))
        times.send(SimTimes(1, np.ones((1, 3), int), np.ones((1, 3), int), np.ones(1, int)))
        time.sleep(0.01)
        heard.extend(hears.drain() + measures.drain())
        return {type(item) for item in heard} == {Heartbeat, SimTimes}

    wait_for(arrived)


def test_every_topic_that_a_process_reads_of_the_other_site_is_carried(root: Path) -> None:
    """Read off the source: subscriptions of the processes of a site, against what the bridge carries."""
    import re

    from hil.messaging.topics import TOPICS
    from hil.processes.table import PROCESSES

    for site in (ROBOT, COMPUTE):
        here = {p.name for p in PROCESSES.values() if site in p.sites} | (
            {"daemon"} if site == ROBOT else set()
        )
        carried = {topic.name for topic in carried_from(other_site(site))}
        for name in here - {"bridge", "daemon"}:
            text = Path(find_spec(PROCESSES[name].module).origin).read_text(encoding="utf-8")
            for topic in re.findall(r'subscriber\(\s*"(\w+)"', text):
                # an outside program speaks to the host of the process that reads it
                near = TOPICS[topic].publisher in here | {"outside"}
                assert near or topic in carried, f"{name} reads {topic}"
        assert all(TOPICS[topic].publisher not in here for topic in carried)


def stranger(context: zmq.Context, host: Host, keys: Keys | None) -> zmq.Socket:
    """A subscriber who is not the other bridge."""
    made = context.socket(zmq.SUB)
    made.linger = 0
    if keys is not None:
        made.curve_publickey, made.curve_secretkey = keys.public, keys.secret
        made.curve_serverkey = keys.other_public
    made.subscribe(b"")
    made.connect(endpoint(host))
    return made


def test_strangers_are_refused_counted_and_disturb_nothing(hosts: dict[str, Host]) -> None:
    """No key, a wrong key of their own, a wrong key of ours, raw bytes: no message, and the link lives."""
    host = hosts[ROBOT]
    before = host.link.door.refused
    public, secret = zmq.curve_keypair()
    wrong_server, _ = zmq.curve_keypair()
    ours = host.keys.public
    context = zmq.Context()
    strangers = [
        stranger(context, host, None),
        stranger(context, host, Keys(public, secret, ours)),
        stranger(context, host, Keys(public, secret, wrong_server)),
    ]
    address, port = endpoint(host).removeprefix("tcp://").split(":")
    for size in (1, 10, 64, 5000):
        with socket.create_connection((address, int(port))) as raw:
            raw.sendall(os.urandom(size))
    reserving = b"\xff" + bytes(8) + b"\x7f" + b"\x03" + bytes(53) + b"\x06" + b"\x7f" * 8
    with socket.create_connection((address, int(port))) as raw:
        raw.sendall(reserving)  # a frame that claims to be immense
        wait_for(lambda: host.link.door.refused >= before + 3)
        assert all(not one.poll(200) for one in strangers), "the bridge's topics are not for strangers"
    context.destroy(0)
    assert all(one.live for one in hosts.values())
    state = host.state
    assert state is not None
    wait_for(lambda: host.state is not None and host.state.refused >= before + 3)


def test_a_false_robot_is_not_heard(hosts: dict[str, Host], tmp_path: Path) -> None:
    """A bridge with keys of its own, put in the place of the real one, gets nothing through."""
    make_keys(tmp_path / "keys")
    keys = load_keys(tmp_path / "keys", ROBOT)
    false_ends = {ROBOT: f"tcp://127.0.0.1:{free_port(SOCK_STREAM)}", COMPUTE: endpoint(hosts[COMPUTE])}
    false = Host(tmp_path, ROBOT, false_ends, keys)
    try:
        time.sleep(1.0)
        assert false.state is not None and "no answer" in false.state.reason
        assert hosts[COMPUTE].live
    finally:
        false.close()


def test_garbage_from_the_other_bridge_is_refused(hosts: dict[str, Host]) -> None:
    """Foreign topics, other messages and broken bytes of a peer with the right key end at the bridge."""
    bridge = hosts[COMPUTE].bridge
    frames = [("nonsense", b"x"), ("impulse", b"x"), ("impulse", encode(Machine(epoch=1).mode(1)))]
    frames += [("answer", b"x"), ("plan", encode(Machine(epoch=1).mode(1)))]

    def all_are_refused() -> bool:
        """Send all at once; while a busy machine has the link broken some of them are lost."""
        before, until = bridge.bad, time.monotonic() + 1.0
        for topic, data in frames:
            hosts[ROBOT].link.send(topic, data)
        while bridge.bad < before + len(frames) and time.monotonic() < until:
            time.sleep(0.01)
        return bridge.bad == before + len(frames)

    wait_for(all_are_refused)
    wait_for(lambda: hosts[COMPUTE].live)


def test_only_the_one_key_gets_in() -> None:
    """The answers of the doorkeeper by themselves: CURVE with the right key, and nothing else."""
    right, wrong = os.urandom(32), os.urandom(32)
    ask = [b"1.0", b"7", b"zerog", b"10.0.0.2", b"", b"CURVE"]
    assert zap_reply([*ask, right], right)[1:3] == [b"7", b"200"]
    refused = [[*ask, wrong], ask, [*ask[:5], b"NULL"], [*ask[:5], b"PLAIN", b"a", b"b"], [b"1.0"], []]
    refused += [[*ask[:5], b"GSSAPI", right]]  # it has one credential too: a name that anybody may claim
    assert all(zap_reply(request, right)[2] == b"400" for request in refused)


def test_endpoints_that_cannot_be(tmp_path: Path) -> None:
    """A name that does not resolve, an address of another host, a port taken: key, value and remedy."""
    make_keys(tmp_path / "keys")
    keys = load_keys(tmp_path / "keys", ROBOT)
    other = ("f.toml: network.compute", "tcp://127.0.0.1:47999")
    with pytest.raises(
        LinkError, match=r"f.toml: network.robot = 'tcp://no.such.host.invalid:1'.*/etc/hosts"
    ):
        Link(("f.toml: network.robot", "tcp://no.such.host.invalid:1"), other, keys)
    with pytest.raises(LinkError, match=r"'tcp://192.0.2.1:47100' cannot be bound: .*address of this host"):
        Link(("f.toml: network.robot", "tcp://192.0.2.1:47100"), other, keys)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        end = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(LinkError, match=f"'{end}' cannot be bound: Address already in use"):
            Link(("f.toml: network.robot", end), other, keys)
