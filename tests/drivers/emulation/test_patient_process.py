"""A patient emulation as a process, against the real client over UDP: who is slow misses nothing."""

import threading
import time
from dataclasses import replace
from pathlib import Path
from socket import SOCK_DGRAM

import pytest

from drivers.emulation import process as emulator_process
from drivers.emulation.disturbances import CALM
from drivers.emulation.pace import PatientPace
from drivers.emulation.surroundings import Surroundings
from drivers.fri.client import FriClient
from hil.common.free_port import free_port
from hil.common.run_clock import PATIENCE_NS, Mark, SharedClock
from hil.messaging.messages import Wait
from tests.drivers.emulation.loops import configured
from tests.drivers.emulation.test_emulator_process import answering

STALL_S = 0.6  # beyond all that a strict controller bears: 25 answers of 2 ms
PERIOD_S = 0.002


class PatientEmulation(threading.Thread):
    """Runs the process' loop in a thread; we are the driver, and all others keep up with us."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self.configuration = configured(fri={"port": free_port(SOCK_DGRAM), "sample_time_ms": 1e3 * PERIOD_S})
        self.clock = SharedClock(folder, new=True)
        self.waits: list[Wait] = []
        self.up, self.over, self.controller, self.report = threading.Event(), threading.Event(), None, None
        self._pace = PatientPace(SharedClock(folder))

    def run(self) -> None:
        emulation = self

        class Around(Surroundings):
            over = emulation.over.is_set
            waited = emulation.waits.append

            def ready(self, controller) -> None:
                emulation.controller = controller
                emulation.up.set()

        self.report = emulator_process.run(self.configuration, Around(), pace=self._pace)

    def answering(self, client: FriClient, until, limit: float = 60.0):
        """Answer with the mirror until `until(sample)`, a driver that has heard its orders."""

        def told(sample) -> bool:
            self.clock.mark(Mark.ORDERED, self.clock.now_ns())
            return until(sample)

        return answering(client, told, limit)


@pytest.fixture
def emulation(tmp_path: Path):
    """A patient emulation, ended in the end."""
    made = PatientEmulation(tmp_path)
    yield made
    made.over.set()
    made.join(5.0)
    assert not made.is_alive()


def test_a_driver_that_stalls_misses_no_answer_and_no_time(emulation: PatientEmulation) -> None:
    """0.6 s without an answer: the controller stays in command state, and the packets lie 2 ms apart."""
    with FriClient(emulation.configuration.fri, clock=emulation.clock) as client:
        emulation.start()
        assert emulation.up.wait(120.0)
        before = emulation.answering(client, lambda s: s.commanding)
        missed = emulation.controller.statistics.missed
        time.sleep(STALL_S)
        assert emulation.clock.now_ns() - before.arrival_ns < 0.05e9 * STALL_S, "time stands"
        after = emulation.answering(client, lambda s: s.count > before.count + 200)
        assert after.commanding and emulation.controller.statistics.missed == missed
        steps = (after.arrival_ns - before.arrival_ns) / (after.count - before.count)
        assert steps == pytest.approx(1e9 * PERIOD_S, rel=0.05)
    assert emulation.clock.waited_ns > 0.9e9 * STALL_S
    (wait,) = [wait for wait in emulation.waits if wait.duration > 0.5 * STALL_S]
    assert wait.process == "driver"


def test_a_packet_that_the_emulated_link_loses_is_not_waited_for(emulation: PatientEmulation) -> None:
    """What the link swallows either way is missed as ever; time stands for stalls, not for losses."""
    with FriClient(emulation.configuration.fri, clock=emulation.clock) as client:
        emulation.start()
        assert emulation.up.wait(120.0)
        first = emulation.answering(client, lambda s: s.commanding)
        calm = emulation.clock.waited_ns
        emulation.controller.disturbances.begin(disturbed(loss=0.1), emulation.controller.t)
        begin = time.monotonic()
        last = emulation.answering(client, lambda s: s.count > first.count + 400)
        assert last.missed_answers > first.missed_answers
        assert emulation.clock.waited_ns - calm < 0.5e9 * (time.monotonic() - begin) + 0.2e9


def test_a_driver_that_hangs_is_missed_in_the_end(emulation: PatientEmulation) -> None:
    """Patience is over after its time: then the controller misses its answers and leaves command state."""
    with FriClient(emulation.configuration.fri, clock=emulation.clock) as client:
        emulation.start()
        assert emulation.up.wait(120.0)
        emulation.answering(client, lambda s: s.commanding)
        begin = time.monotonic()
        while not emulation.controller.fall_back_reason:
            emulation.clock.mark(Mark.ORDERED, emulation.clock.now_ns())
            assert time.monotonic() - begin < 1e-9 * PATIENCE_NS + 20.0
            time.sleep(0.01)
        assert time.monotonic() - begin > 0.9e-9 * PATIENCE_NS
    assert "answers missed in a row" in emulation.controller.fall_back_reason


def test_a_controller_without_a_client_waits_for_nobody(emulation: PatientEmulation) -> None:
    """Nobody has ever answered: the robot's time is the host's."""
    emulation.start()
    assert emulation.up.wait(120.0)
    begin = emulation.controller.cycle
    time.sleep(0.5)
    assert emulation.controller.cycle - begin > 0.5 * 0.5 / PERIOD_S
    assert not [wait for wait in emulation.waits if wait.process != "emulator"]


def test_an_end_is_not_waited_with(emulation: PatientEmulation) -> None:
    """Told to end while it holds a cycle, it ends, and time is free."""
    with FriClient(emulation.configuration.fri, clock=emulation.clock) as client:
        emulation.start()
        assert emulation.up.wait(120.0)
        emulation.answering(client, lambda s: s.commanding)
        time.sleep(0.1)
        begin = time.monotonic()
        emulation.over.set()
        emulation.join(4.0)
        assert not emulation.is_alive() and time.monotonic() - begin < 0.5e-9 * PATIENCE_NS
    first = emulation.clock.now_ns()
    time.sleep(0.05)
    assert emulation.clock.now_ns() - first >= 50_000_000


def disturbed(**what: float):
    """A disturbance for ten seconds, otherwise calm."""
    return replace(CALM, duration=10.0, **what)
