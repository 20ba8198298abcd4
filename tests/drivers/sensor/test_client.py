"""The client against a peer that was written from the sensor's manual, byte by byte, and knows no codec."""

import socket
from collections.abc import Iterator

import pytest

from drivers.sensor.client import ASK_AGAIN_NS, RdtClient
from hil.common.run_clock import RunClock
from hil.configuration.schema import Sensor

START, STOP = bytes.fromhex("1234 0002 00000000"), bytes.fromhex("1234 0000 00000000")
LOOPBACK = "127.0.0.1"


class Hands(RunClock):
    """A clock that a test sets."""

    ns = 1_000_000_000

    def now_ns(self) -> int:
        return self.ns


class Peer:
    """A sensor's socket: says what it was asked, and sends what it is told."""

    def __init__(self) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((LOOPBACK, 0))
        self.socket.settimeout(2.0)
        self.client: tuple[str, int] | None = None

    @property
    def port(self) -> int:
        return int(self.socket.getsockname()[1])

    def asked(self) -> list[bytes]:
        """What has come since the last call."""
        self.socket.setblocking(False)
        found = []
        while True:
            try:
                data, self.client = self.socket.recvfrom(100)
            except BlockingIOError:
                return found
            found.append(data)

    def send(self, sequence: int, force_x: int) -> None:
        """A record: nine words, the highest byte first."""
        assert self.client is not None
        words = [sequence, sequence + 70, 0, force_x, -2, 3, -4, 5, -6]
        self.socket.sendto(b"".join((w & 0xFFFFFFFF).to_bytes(4, "big") for w in words), self.client)


@pytest.fixture
def peer() -> Iterator[Peer]:
    made = Peer()
    yield made
    made.socket.close()


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
def client(peer: Peer, clock: Hands) -> Iterator[RdtClient]:
    made = RdtClient(Sensor(kind="netft", address=LOOPBACK, port=peer.port), clock)
    yield made
    made.close()


def test_it_asks_for_the_stream_and_takes_what_comes(peer: Peer, client: RdtClient, clock: Hands) -> None:
    """One request; then every record since the last poll, oldest first, stamped as it is taken."""
    assert client.poll() == []
    assert peer.asked() == [START]
    clock.ns += 2_000_000
    for n in (1, 2, 3):
        peer.send(n, -1000 * n)
    records = client.poll()
    assert [(r.sequence, r.measurement, r.counts) for r in records] == [
        (n, n + 70, (-1000 * n, -2, 3, -4, 5, -6)) for n in (1, 2, 3)
    ]
    assert {r.arrival_ns for r in records} == {clock.ns}
    assert client.poll() == [] and peer.asked() == []


def test_it_asks_again_while_nothing_comes(peer: Peer, client: RdtClient, clock: Hands) -> None:
    """Every half a second of silence, not sooner; never while records come; a stop in the end."""
    for _ in range(5):
        client.poll()
    assert peer.asked() == [START]
    clock.ns += ASK_AGAIN_NS
    client.poll()
    client.poll()
    assert peer.asked() == [START]
    for n in range(20):
        clock.ns += ASK_AGAIN_NS // 2
        peer.send(n, 0)
        assert len(client.poll()) == 1
    assert peer.asked() == []
    clock.ns += ASK_AGAIN_NS
    client.poll()
    client.close()
    assert peer.asked() == [START, STOP]


def test_strangers_and_garbage_are_counted_and_dropped(peer: Peer, client: RdtClient) -> None:
    """A record from another port, and bytes that are no record from the right one."""
    client.poll()
    peer.asked()
    stranger = Peer()
    stranger.client = peer.client
    stranger.send(9, 9)
    assert peer.client is not None
    peer.socket.sendto(b"\x00" * 35, peer.client)
    peer.send(1, 1)
    assert [r.sequence for r in client.poll()] == [1]
    assert client.refused == 2
    stranger.socket.close()


def test_nobody_there_is_no_error(clock: Hands) -> None:
    """A port that nobody has: polls go on, whatever the network answers."""
    gone = Peer()
    port = gone.port
    gone.socket.close()
    client = RdtClient(Sensor(kind="netft", address=LOOPBACK, port=port), clock)
    for _ in range(10):
        clock.ns += ASK_AGAIN_NS
        assert client.poll() == []
    client.close()


def test_a_flood_is_taken_in_pieces(peer: Peer, client: RdtClient) -> None:
    """No poll takes more than its share; nothing is lost by it."""
    client.poll()
    peer.asked()
    for n in range(700):
        peer.send(n, n)
    first, second = client.poll(), client.poll()
    assert len(first) == 512
    assert [r.sequence for r in first + second] == list(range(512 + len(second))) and len(second) > 100
