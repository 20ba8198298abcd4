"""The bus: queued topics lose nothing, others keep the newest, other versions are refused."""

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import msgpack
import numpy as np
import pytest
import zmq

from hil.common.errors import LinkError
from hil.loop.judging.state_machine import Machine, State
from hil.messaging.bus import ROOM_S, Bus, Subscriber
from hil.messaging.codec import encode
from hil.messaging.messages import ImpulseSlice, Mode, Push, Request
from hil.messaging.topics import TOPICS


def impulse(number: int) -> ImpulseSlice:
    """A slice that carries a number."""
    return ImpulseSlice(0, number, 0, 0, True, True, False, False, 0, 0, 0, np.zeros(6), np.zeros(6))


def wait_for(condition, timeout_s: float = 5.0) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.005)


@pytest.fixture
def bus(tmp_path: Path):
    """A bus in a folder of its own."""
    made = Bus(tmp_path)
    yield made
    made.close()


def connected(bus: Bus, topic: str, first) -> tuple:
    """A publisher and a subscriber of a topic that see each other."""
    publisher, subscriber = bus.publisher(topic), bus.subscriber(topic, type(first))

    def arrived() -> bool:
        publisher.send(first)
        time.sleep(0.01)
        return bool(subscriber.drain())

    wait_for(arrived)
    time.sleep(0.05)
    subscriber.drain()
    return publisher, subscriber


def test_what_a_poller_has_seen_is_there_at_the_first_look(bus: Bus) -> None:
    """A poller wakes for a message, and the next look finds it: no turn is spent on an empty hand."""
    publisher, subscriber = connected(bus, "impulse", impulse(0))
    poller = zmq.Poller()
    subscriber.watch_with(poller)
    for number in range(1, 40):
        publisher.send(impulse(number))
        assert poller.poll(5000)
        assert [m.impulse_id for m in subscriber.drain()] == [number]


def test_impulses_are_never_lost(bus: Bus) -> None:
    """Ten thousand messages queue while the reader does not read."""
    publisher, subscriber = connected(bus, "impulse", impulse(0))
    for number in range(10_000):
        publisher.send(impulse(number))
    numbers: list[int] = []
    wait_for(lambda: numbers.extend(m.impulse_id for m in subscriber.drain()) or len(numbers) >= 10_000)
    assert numbers == list(range(10_000))


def test_only_the_newest_mode_counts(bus: Bus) -> None:
    """A reader that comes late finds the newest order alone."""
    publisher, subscriber = connected(bus, "mode", Machine(State.READY, 0).mode(0))
    for epoch in range(100):
        publisher.send(Machine(State.READY, epoch).mode(0))
    time.sleep(0.1)
    found = subscriber.drain()
    assert [m.epoch for m in found] == [99]


def test_other_version_is_refused_and_counted(bus: Bus, caplog: pytest.LogCaptureFixture) -> None:
    """Bytes of another version, of another topic and garbage never reach the program."""
    raw = bus._socket(zmq.PUB)
    raw.bind(bus.endpoint("mode"))
    subscriber: Subscriber[Mode] = bus.subscriber("mode", Mode)
    parts = msgpack.unpackb(encode(Machine(State.FLOATING, 1).mode(0)))
    parts[1] = "f" * 16

    def refused(data: bytes) -> bool:
        before = subscriber.refused
        raw.send(data)
        time.sleep(0.02)
        assert subscriber.drain() == []
        return subscriber.refused > before

    wait_for(lambda: refused(msgpack.packb(parts)))
    assert "different versions" in caplog.text
    assert refused(encode(impulse(1)))
    assert refused(b"\x00garbage")


def test_no_daemon_is_said(bus: Bus) -> None:
    """A request without a daemon ends after its time-out with a remedy."""
    with pytest.raises(LinkError, match="is `zerog run` running"):
        bus.ask(Request(0, "status", "{}"), timeout_s=0.05)


@pytest.fixture
def wired(bus: Bus) -> tuple:
    """A socket, and a subscriber to impulses that has in hand what is sent through it, at once."""
    sender, receiver = bus._socket(zmq.PUSH), bus._socket(zmq.PULL)
    receiver.bind("inproc://wired")
    sender.connect("inproc://wired")
    subscriber = Subscriber(receiver, "impulse", ImpulseSlice)
    subscriber.watch_with(zmq.Poller())
    return sender, subscriber


def test_a_publisher_that_starts_again_has_lost_nothing(wired: tuple) -> None:
    """Two of six are missing, then it counts from 0 again: two are lost; then one more is."""
    sender, subscriber = wired
    for counts, lost in (((7, 8, 11, 12), 2), ((0, 1, 2), 2), ((4,), 3)):
        for count in counts:
            sender.send(encode(impulse(count), count))
        assert [count for _, count in subscriber.numbered()] == list(counts)
        assert subscriber.lost == lost


def test_the_newest_of_several_counts(wired: tuple) -> None:
    """Of three that wait the last is returned; then there is none."""
    sender, subscriber = wired
    for number in range(3):
        sender.send(encode(impulse(number), number))
    assert subscriber.newest().impulse_id == 2
    assert subscriber.newest() is None


HANGING = """
import sys, time
from pathlib import Path
from hil.messaging.bus import Bus
from hil.messaging.messages import Push
pushes = Bus(Path(sys.argv[1])).subscriber("push", Push)
heard = 0
while True:
    found = pushes.drain()
    heard += len(found)
    if found and found[-1].duration == 2.0:
        break
    if found and found[0].duration == 0.0:
        print("hears", flush=True)
    time.sleep(0.01)
print(heard, pushes.lost, flush=True)
"""


def test_a_reader_that_hangs_does_not_fill_its_publisher(bus: Bus) -> None:
    """It gets what there is room for, and knows what it has missed: 30 s, not four times that."""
    room = round(ROOM_S * TOPICS["push"].most_hz)
    publisher = bus.publisher("push")

    def send(duration: float) -> None:
        publisher.send(Push(0, np.zeros(3), duration, np.zeros(3)))

    command = [sys.executable, "-c", HANGING, str(bus._directory)]
    reader = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3])
    assert reader.stdout is not None
    sent = 0
    heard = threading.Thread(target=reader.stdout.readline)
    heard.start()
    while heard.is_alive():
        send(0.0)
        sent += 1
        time.sleep(0.01)
    reader.send_signal(signal.SIGSTOP)
    for _ in range(4 * room):
        send(1.0)
    reader.send_signal(signal.SIGCONT)
    while reader.poll() is None:
        send(2.0)
        sent += 1
        time.sleep(0.05)
    received, lost = map(int, reader.stdout.read().split()[-2:])
    assert room <= received < 4 * room and lost > 0
    assert received + lost <= sent + 4 * room
