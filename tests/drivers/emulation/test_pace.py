"""What paces the emulation: time stands when the next cycle may not begin, and what stood is told."""

import time
from pathlib import Path

import pytest

from drivers.emulation.pace import SLACK, Pace, PatientPace
from drivers.emulation.waits import LONGEST_NS, TOGETHER_NS, TOLD_NS, WaitLog
from hil.common import run_clock
from hil.common.run_clock import FREE, PATIENCE_NS, Mark, SharedClock

MS = 1_000_000
T = 0.002
SLACK_NS = round(1e9 * SLACK)


class Host:
    """A monotonic clock that only a test moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ns = 50_000 * MS
        monkeypatch.setattr(run_clock.time, "monotonic_ns", lambda: self.ns)

    def __call__(self) -> int:
        return self.ns


def test_a_strict_emulation_is_paced_by_the_monotonic_clock() -> None:
    """Nothing is held and nothing waited for, whatever is owed."""
    pace = Pace()
    assert pace.now_ns is time.monotonic_ns
    pace.release(0.0)
    assert not pace.holds(True) and pace.waits() == []


def test_cycles_on_time_never_let_time_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each begun up to some milliseconds late: the kernel wakes when it does, and nobody has waited."""
    host = Host(monkeypatch)
    pace, clock = PatientPace(SharedClock(tmp_path, new=True), host), SharedClock(tmp_path)
    begin = host.ns
    for k in range(20):
        late = SLACK_NS * (k % 7 == 3)  # those after it follow in a burst
        host.ns = max(host.ns, begin + 2 * k * MS + late)
        pace.release((begin + 2 * (k + 1) * MS) * 1e-9)
        assert clock.now_ns() == pytest.approx(host.ns, abs=20), "but for a nanosecond a reading"
    assert clock.waited_ns == 0 and pace.waits() == []


def test_a_cycle_that_is_held_up_takes_everybodys_time_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """400 ms late: the others' clocks have stood from a bit after the end on, and go on from there."""
    host = Host(monkeypatch)
    pace, clock = PatientPace(SharedClock(tmp_path, new=True), host), SharedClock(tmp_path)
    begin = host.ns
    pace.release((begin + 2 * MS) * 1e-9)
    host.ns += 402 * MS
    stood = clock.now_ns()
    assert stood == begin + 2 * MS + SLACK_NS
    pace.release((begin + 4 * MS) * 1e-9)
    host.ns += MS
    assert clock.now_ns() - stood == pytest.approx(MS, abs=10)
    waited_ns = 400 * MS - SLACK_NS
    assert clock.waited_ns == waited_ns
    pace.release(clock.now_ns() * 1e-9 + 1.0)
    assert pace.waits() == []  # it is told when time has gone on for a while
    host.ns += 2 * TOGETHER_NS
    (wait,) = pace.waits()
    assert wait.process == "emulator" and wait.t_ns == stood
    assert (wait.duration, wait.total) == pytest.approx((1e-9 * waited_ns, 1e-9 * waited_ns))
    pace.end()
    assert clock.released()[1] == FREE and clock.waited_ns == waited_ns


def test_who_is_waited_for_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cycle held for an answer: the wait names the driver, also when the answer has come at last."""
    host = Host(monkeypatch)
    clock = SharedClock(tmp_path, new=True)
    pace = PatientPace(clock, host)
    for mark in Mark:
        clock.mark(mark, host.ns)
    pace.release(host.ns * 1e-9 + T)
    host.ns += 2 * MS
    assert pace.holds(True)
    host.ns += 30 * MS
    assert not pace.holds(False)
    pace.release(clock.now_ns() * 1e-9 + T)
    host.ns += 2 * MS
    pace.release(clock.now_ns() * 1e-9 + 1.0)
    host.ns += 500 * MS
    assert [wait.process for wait in pace.waits()] == ["driver"]
    pace.release(clock.now_ns() * 1e-9 + T)
    host.ns += 100 * MS  # nobody owes anything: it is we who come late
    pace.release(clock.now_ns() * 1e-9 + 1.0)
    host.ns += 500 * MS
    assert [wait.process for wait in pace.waits()] == ["emulator"]


def test_after_patience_time_goes_on_without_the_robot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An emulator that is frozen for longer finds that time has gone on: cycles are missed, a fault."""
    host = Host(monkeypatch)
    pace, clock = PatientPace(SharedClock(tmp_path, new=True), host), SharedClock(tmp_path)
    pace.release(host.ns * 1e-9)
    begin = host.ns
    host.ns += PATIENCE_NS + 300 * MS
    assert clock.now_ns() - begin == pytest.approx(300 * MS, abs=10)
    pace.release(pace.now() + T)
    assert clock.waited_ns == PATIENCE_NS


def test_waits_close_together_are_told_as_one() -> None:
    """Named by who was waited for the longest; short ones count in the total of the next that is told."""
    log, t = WaitLog(), 10**12
    for k, process in enumerate(("sim", "driver", "sim")):
        log.stood(t + k * TOGETHER_NS // 2, 4 * MS, process, (k + 1) * 4 * MS)
        assert log.taken(t + k * TOGETHER_NS // 2) == []
    (wait,) = log.taken(t + 3 * TOGETHER_NS)
    assert (wait.t_ns, wait.process, wait.duration, wait.total) == (t, "sim", 0.012, 0.012)
    assert log.taken(t + 9 * TOGETHER_NS) == []
    log.stood(2 * t, TOLD_NS // 2, "sim", 12 * MS + TOLD_NS // 2)
    assert log.taken(3 * t) == [], "too short to tell"
    log.stood(3 * t, 20 * MS, "planner", 50 * MS)
    assert [(w.process, w.duration, w.total) for w in log.taken(4 * t)] == [("planner", 0.02, 0.05)]


def test_a_wait_that_does_not_end_is_told_meanwhile() -> None:
    """On a machine that is busy all the time nobody would hear of it otherwise."""
    log, told = WaitLog(), []
    for k in range(200):
        log.stood(k * 10 * MS, 3 * MS, "driver", 3 * k * MS)
        told += log.taken(k * 10 * MS)
    assert len(told) == pytest.approx(200 * 10 * MS / LONGEST_NS, abs=1)


def test_an_emulation_of_two_arms_waits_for_either_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For an unanswered packet of one whose driver is at work, or a simulation that has not turned."""
    host = Host(monkeypatch)
    pace, clocks = PatientPace(SharedClock(tmp_path, new=True), host), [SharedClock(tmp_path)]
    clocks.append(SharedClock(tmp_path, seat=1))
    pace.release((host.ns + 2 * MS) * 1e-9)
    assert not pace.holds(True, True), "nobody is there yet"
    for seat, clock in enumerate(clocks):
        clock.mark(Mark.ORDERED, host.ns)
        assert pace.holds(seat == 0, seat == 1)
        assert not pace.holds(seat == 1, seat == 0) or seat == 1
        clock.mark(Mark.TURNED, host.ns - 100 * MS)
        assert pace.holds(False, False)
        clock.mark(Mark.TURNED, host.ns)
        assert not pace.holds(False, False)
