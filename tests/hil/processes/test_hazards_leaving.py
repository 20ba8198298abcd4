"""No end without a brake: whatever ends the driver, its daemon or a process while the arm moves.

Judged by the emulation alone: its monitor finds no command that breaks a limit, and the arm stands already
when the answers cease, long before the controller would fall back and brake by itself.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from bench.live_run import PATIENCE_S, SETTLE_S, LiveRun
from hil.configuration import Configuration, load_configuration
from hil.loop.driver.leaving import leaves_within, outlives_by
from hil.messaging.bus import Bus
from hil.messaging.messages import CYCLE_COMMANDING, CycleBlock, TruthBlock
from tests.hil.processes.breakable import HELD_S, MODULES, UNSENT
from tests.hil.processes.starvation import unless_starved

NAMES = ("emulator", "driver", "sim", "planner")
MOVES = 0.02  # [rad/s]; of the fastest joint when the hazard comes, at least
STANDS = 1e-5  # [rad]; to its end
SETTLED = 10  # cycles after the last answer: interface delay and servo
WATCHED = 100  # cycles after the last answer
BRAKED = 1e-3  # [rad]; way of a joint while it braked, at least
ATTEMPTS = 3
SHARED_S = 1.5  # beside a bound, on a machine that may be shared


@pytest.fixture(scope="module")
def breakable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveRun]:
    """A run whose processes fail on a signal; started again by the test that finds it ended."""
    made = LiveRun(tmp_path_factory.mktemp("live") / "r", program="tests.hil.processes.breakable")
    made.modules |= MODULES
    try:
        yield made
    finally:
        made.close()


class Hazard:
    """A run that floats and is pushed, and what emulation and driver say from then on."""

    def __init__(self, run: LiveRun) -> None:
        if run.popen.poll() is not None:
            run.start_again()
        run.wait(lambda: "READY" in run.text, PATIENCE_S)  # after a failure nothing floats by itself
        run.float_again()
        self.run = run
        self.c: Configuration = load_configuration(run.configuration)
        self._bus = Bus(run.directory)
        self._truth = self._bus.subscriber("truth", TruthBlock)
        self._cycle = self._bus.subscriber("cycles", CycleBlock)
        self._truths: list[TruthBlock] = []
        self._cycles: list[CycleBlock] = []
        self.pids = {name: run.pid(name) for name in NAMES}
        run.wait(lambda: self.hear() and self._truths)
        way = self.c.stops.centre - 1e-3 * np.array(run.status()["position_mm"])
        force = 60.0 * way / max(1e-3, float(np.linalg.norm(way)))
        assert run.ask("push", force_n=force.tolist(), duration_ms=200.0, at_mm=[0.0, 0.0, 0.0]).accepted
        time.sleep(0.15)
        self.before = self._truths[-1].violations
        self.began_ns = 0

    def close(self) -> None:
        self._bus.close()

    def comes(self, pid: int, number: signal.Signals) -> None:
        """The hazard comes."""
        self.began_ns = time.monotonic_ns()
        os.kill(pid, number)

    def hear(self) -> bool:
        """Take what has come."""
        self._truths += self._truth.drain()
        self._cycles += self._cycle.drain()
        return True

    def gone(self, *names: str) -> float:
        """Wait until processes have ended; return after how long the last had [s]."""
        pids = [self.run.popen.pid if name == "daemon" else self.pids[name] for name in names]
        while any(map(lives, pids)):
            self.run.popen.poll()
            self.hear()
            assert time.monotonic_ns() < self.began_ns + 1e9 * SETTLE_S, f"{names} live:\n{self.run.text}"
            time.sleep(0.005)
        after = 1e-9 * (time.monotonic_ns() - self.began_ns)
        for _ in range(20):  # for what the emulation says later
            time.sleep(0.01)
            self.hear()
        return after

    def keeps_limits(self) -> None:
        """No command broke a limit, by the emulated controller's monitor."""
        assert self._truths[-1].violations == self.before, self._truths[-1].violation

    def fell_back(self) -> bool:
        """Whether the controller took no more commands while the driver gave them: packets came late."""
        decided = np.concatenate([block.stamps[:, 4] for block in self._cycles])
        flags = np.concatenate([block.counts[:, 4] for block in self._cycles])
        return not (flags[decided > self.began_ns] & CYCLE_COMMANDING).all()

    def braked_by_the_driver(self) -> None:
        """The arm moved, came to rest by answered packets, and its driver then left."""
        stamps = np.concatenate([block.stamps for block in self._truths])
        q = np.concatenate([block.q for block in self._truths])
        began = int(np.searchsorted(stamps[:, 0], self.began_ns))
        speed = np.abs(q[began - 1] - q[began - 6]).max() / (5 * self.c.fri.sample_time)
        assert speed > MOVES, f"the arm moved at {speed:.3f} rad/s only"
        last = last_answered(stamps[began:, 1] > 0, self.c.emulator.missed_answers) + began
        settled = q[last + SETTLED : last + WATCHED]
        assert len(settled) > 5, "the emulation ended with the driver's last answer"
        away = np.abs(settled - settled[-1]).max()
        assert away < STANDS, f"the arm moved by {away:.2g} rad when nobody commanded it any longer"
        assert np.abs(settled[-1] - q[began]).max() > BRAKED, "it braked over some way"
        commands = np.concatenate([block.q_command for block in self._cycles])
        decided = np.concatenate([block.stamps[:, 4] for block in self._cycles])
        assert np.array_equal(*commands[np.flatnonzero(decided <= stamps[last, 1])[-2:]]), "they stood"


def lives(pid: int) -> bool:
    """Whether a process has not ended (one that nobody has waited for yet has)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def last_answered(answered: np.ndarray, missed: int) -> int:
    """The row of the last answer before so many are missed that the controller falls back, or of all."""
    rows = np.flatnonzero(answered)
    assert len(rows), "nobody answered from then on"
    gaps = np.flatnonzero(np.diff(rows, append=len(answered) + missed) >= missed)
    return int(rows[gaps[0]])


def braked(run: LiveRun, provoke: Callable[[Hazard], object]) -> Hazard:
    """Provoke the hazard and see that the driver braked; anew where the machine was too busy to tell."""
    for _ in range(ATTEMPTS):
        hazard = Hazard(run)
        try:
            provoke(hazard)
            hazard.keeps_limits()
            if not hazard.fell_back():
                hazard.braked_by_the_driver()
                return hazard
        finally:
            hazard.close()
    raise AssertionError(f"{ATTEMPTS} times the controller fell back before the driver had left")


def driver_leaves_on(name: str, number: signal.Signals) -> Callable[[Hazard], None]:
    """The hazard: a process gets a signal, and the driver leaves within its bound."""

    def provoke(hazard: Hazard) -> None:
        hazard.comes(hazard.pids[name], number)
        assert hazard.gone("driver") < leaves_within(hazard.c.limits) + SHARED_S

    return provoke


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGABRT])
def test_terminated_driver_brakes_before_it_leaves(breakable: LiveRun, number: signal.Signals) -> None:
    """The driver alone is told to end: it brakes, leaves within its bound, and the daemon names it."""
    braked(breakable, driver_leaves_on("driver", number))
    assert "driver" in breakable.wait_state("FAULT")["reason"]


def test_failing_driver_brakes_before_it_leaves(breakable: LiveRun) -> None:
    """All that follows the driver's answers fails, over and over: the answers go on until the arm stands."""
    braked(breakable, driver_leaves_on("driver", signal.SIGUSR1))
    assert "driver" in breakable.wait_state("FAULT")["reason"]


def test_another_sample_time_in_motion_brakes(breakable: LiveRun) -> None:
    """One datagram with another sample time: it is dropped, the driver brakes, leaves and says the remedy."""
    braked(breakable, driver_leaves_on("emulator", signal.SIGUSR1))
    assert "friOpen" in breakable.wait_state("FAULT")["reason"]


def test_answers_that_cannot_be_sent_are_counted_and_end_nothing(breakable: LiveRun) -> None:
    """No route for some answers in a row: counted and shown; the same driver goes on, the arm follows."""
    hazard = Hazard(breakable)

    def trial() -> None:
        before = breakable.status()["unsent"]
        hazard.comes(hazard.pids["driver"], signal.SIGUSR2)
        breakable.wait(lambda: hazard.hear() and breakable.status()["unsent"] >= before + UNSENT)
        status = breakable.status()
        assert (status["state"], status["following"]) == ("FLOATING", True), status["reason"]

    try:
        unless_starved(breakable, trial)
        breakable.wait(lambda: f"{UNSENT} answers could not be sent" in breakable.text)
        hazard.hear()
        hazard.keeps_limits()
        assert breakable.pid("driver") == hazard.pids["driver"]
    finally:
        hazard.close()


def test_daemon_held_up_before_it_hears_is_no_fault(breakable: LiveRun) -> None:
    """For 0.1 s between its clock and what it hears, in some turns: what it then hears is news, not lies."""
    hazard = Hazard(breakable)

    def trial() -> None:
        hazard.comes(breakable.popen.pid, signal.SIGALRM)
        end = time.monotonic() + 10 * HELD_S
        while time.monotonic() < end:
            status = breakable.status()
            assert (status["state"], status["following"]) == ("FLOATING", True), status["reason"]

    try:
        unless_starved(breakable, trial)
    finally:
        hazard.close()


def test_killed_daemon_leaves_no_moving_arm(breakable: LiveRun) -> None:
    """SIGKILL to the daemon: the driver brakes, the emulated robot answers meanwhile, then all have gone."""

    def provoke(hazard: Hazard) -> None:
        hazard.comes(breakable.popen.pid, signal.SIGKILL)
        assert hazard.gone("daemon", *NAMES) < outlives_by(hazard.c.limits) + SHARED_S

    braked(breakable, provoke)


def test_failing_daemon_comes_to_rest_first(breakable: LiveRun) -> None:
    """An exception in the daemon's turn: the arm stands before the processes are ended; status 1."""

    def provoke(hazard: Hazard) -> None:
        hazard.comes(breakable.popen.pid, signal.SIGUSR1)
        hazard.gone("daemon", *NAMES)
        assert breakable.popen.wait() == 1

    braked(breakable, provoke)
    assert "RuntimeError: broken on purpose" in breakable.text
    assert breakable.text.index("-> FAULT: daemon: RuntimeError") < breakable.text.index("Traceback")


def test_process_given_up_comes_to_rest_first(breakable: LiveRun) -> None:
    """A planner that is not started again ends the run: with the arm at rest, and its name told."""

    def provoke(hazard: Hazard) -> None:
        breakable.popen.send_signal(signal.SIGUSR2)
        hazard.comes(hazard.pids["planner"], signal.SIGKILL)
        hazard.gone("daemon", *NAMES)
        assert breakable.popen.wait() == 2

    braked(breakable, provoke)
    assert (
        "the planner process was ended by signal 9; it was started 1 times and is given up" in breakable.text
    )


def test_all_processes_told_to_end_at_once(breakable: LiveRun) -> None:
    """SIGTERM to daemon and processes together, as a service manager may: an end in order, no fault."""

    def provoke(hazard: Hazard) -> None:
        hazard.comes(breakable.popen.pid, signal.SIGTERM)
        for pid in hazard.pids.values():
            os.kill(pid, signal.SIGTERM)
        hazard.gone("daemon", *NAMES)
        assert breakable.popen.wait() == 0, breakable.text

    braked(breakable, provoke)
