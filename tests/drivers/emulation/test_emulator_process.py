"""The emulation as a real-time process against the real client, over UDP on loopback."""

import socket
import threading
import time
from socket import SOCK_DGRAM

import numpy as np

from drivers.emulation import process as emulator_process
from drivers.emulation.surroundings import Surroundings
from drivers.fri.client import FriClient
from hil.common.free_port import free_port
from hil.messaging.messages import Push
from tests.drivers.emulation.loops import configured


class Emulation(threading.Thread):
    """Runs the process' loop in a thread until told to stop; pushes can be handed in."""

    def __init__(self, configuration, outlive: float = 0.0) -> None:
        super().__init__(daemon=True)
        self.outlive = outlive
        self.configuration, self.pushes, self.over = configuration, [], threading.Event()
        self.controller = self.report = None
        self.up = threading.Event()

    def run(self) -> None:
        emulation = self

        class Around(Surroundings):
            over = emulation.over.is_set

            def ready(self, controller) -> None:
                emulation.controller = controller
                emulation.up.set()

            def pushes(self) -> list[Push]:
                taken, emulation.pushes = emulation.pushes, []
                return taken

        self.report = emulator_process.run(self.configuration, Around(), outlive=self.outlive)


def answering(client: FriClient, until, limit: float = 20.0):
    """Answer with the mirror until `until(sample)`; return the last sample."""
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline:
        samples = client.receive(0.1)
        if samples:
            client.reply(samples[-1], samples[-1].q_commanded)
            if until(samples[-1]):
                return samples[-1]
    raise AssertionError("the emulation did not get there in time")


def test_process_and_client_reach_command_state_and_a_push_comes_through():
    """Command state over UDP, garbage on both ports survived, a 200 N push seen in the wrench, clean end."""
    port = free_port(SOCK_DGRAM)
    c = configured(fri={"port": port, "sample_time_ms": 10.0})
    emulation = Emulation(c)
    with FriClient(c.fri) as client:
        emulation.start()
        assert emulation.up.wait(120.0)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            stranger.sendto(b"garbage", ("127.0.0.1", port))
            answering(client, lambda s: s.commanding)
            stranger.sendto(b"garbage", client._sender)
        assert client.session.refused + client.other_senders >= 1
        emulation.pushes = [Push(0, np.array([200.0, 0.0, 0.0]), 0.5, np.zeros(3))]
        answering(client, lambda s: s.wrench[0] > 150.0)
        emulation.over.set()
        emulation.join(5.0)
    assert emulation.report is not None and emulation.report.cycles > 20 and emulation.report.refused >= 1


def test_silence_of_the_client_ends_command_state():
    """A client that stops answering finds the controller in monitor state again, and why."""
    c = configured(
        fri={"port": free_port(SOCK_DGRAM), "sample_time_ms": 5.0}, emulator={"missed_answers": 25}
    )
    emulation = Emulation(c)
    with FriClient(c.fri) as client:
        emulation.start()
        assert emulation.up.wait(120.0)
        answering(client, lambda s: s.commanding)
        time.sleep(0.4)
        answering(client, lambda s: s.state == 1)
        emulation.over.set()
        emulation.join(5.0)
    assert "missed in a row" in emulation.report.fall_back_reason


def test_the_robot_outlives_the_client_that_commands_it():
    """Told to end while it is commanded, it goes on until the answers cease; at once when nobody commands."""
    c = configured(
        fri={"port": free_port(SOCK_DGRAM), "sample_time_ms": 5.0}, emulator={"missed_answers": 25}
    )
    emulation = Emulation(c, outlive=60.0)
    with FriClient(c.fri) as client:
        emulation.start()
        assert emulation.up.wait(120.0)
        last = answering(client, lambda s: s.commanding)
        emulation.over.set()
        answering(client, lambda s: s.count > last.count + 60)
        assert emulation.is_alive()
    emulation.join(5.0)
    assert "missed in a row" in emulation.report.fall_back_reason
    alone = Emulation(c, outlive=60.0)
    alone.over.set()
    alone.start()
    alone.join(120.0)
    assert alone.report is not None and alone.report.cycles == 0


def test_the_robot_outlives_no_longer_than_its_bound():
    """A client that never leaves does not keep it."""
    c = configured(fri={"port": free_port(SOCK_DGRAM), "sample_time_ms": 5.0})
    emulation = Emulation(c, outlive=0.3)
    with FriClient(c.fri) as client:
        emulation.start()
        assert emulation.up.wait(120.0)
        last = answering(client, lambda s: s.commanding)
        emulation.over.set()
        answering(client, lambda s: s.count > last.count + 20)
        deadline = time.monotonic() + 20.0
        while emulation.is_alive() and time.monotonic() < deadline:
            for sample in client.receive(0.05)[-1:]:
                client.reply(sample, sample.q_commanded)
        assert not emulation.is_alive()
