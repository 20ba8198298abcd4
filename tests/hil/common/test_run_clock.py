"""The clock that the processes of a patient emulation share: it may stand, and never runs backwards."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hil.common import run_clock
from hil.common.clock import Ticker
from hil.common.run_clock import FREE, PATIENCE_NS, TOLD_BY, Mark, RunClock, SharedClock, time_at

INSTANT, WAITED = st.integers(10**13, 10**15), st.integers(0, 10**12)


class Host:
    """A monotonic clock that only a test moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ns = 1_000_000_000
        monkeypatch.setattr(run_clock.time, "monotonic_ns", lambda: self.ns)


@given(INSTANT, WAITED, st.integers(0, 10**15), st.integers(0, 10 * PATIENCE_NS))
def test_time_never_runs_backwards_and_stands_no_longer_than_patience(
    host_ns: int, waited_ns: int, released: int, later_ns: int
) -> None:
    """Between two instants of the host it goes on by nothing at least, and at most by what they lie apart."""
    end_ns = host_ns - waited_ns + released
    before, after = time_at(host_ns, waited_ns, end_ns), time_at(host_ns + later_ns, waited_ns, end_ns)
    assert 0 <= after - before <= later_ns
    stood_ns = later_ns - (after - before)
    assert stood_ns == min(max(0, later_ns - released), PATIENCE_NS)
    assert time_at(host_ns, waited_ns, FREE) == host_ns - waited_ns


@given(st.lists(st.tuples(st.integers(0, 3 * PATIENCE_NS), st.integers(0, 10**7)), max_size=20))
def test_who_releases_time_anew_moves_nobodys_clock(steps: list[tuple[int, int]]) -> None:
    """However late: the wait becomes part of the waits that are over, and the time read stays what it was."""
    host_ns, waited_ns, end_ns = 10**12, 0, FREE
    for later_ns, more_ns in steps:
        host_ns += later_ns
        before = time_at(host_ns, waited_ns, end_ns)
        waited_ns, end_ns = host_ns - before, before + more_ns
        assert time_at(host_ns, waited_ns, end_ns) == before


def test_all_see_time_stand_and_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes of one run: 30 ms released, 100 ms later both are at the end of them; then it goes on."""
    host = Host(monkeypatch)
    daemon, driver = SharedClock(tmp_path, new=True), SharedClock(tmp_path)
    begin = daemon.now_ns()
    assert begin == host.ns
    daemon.release(0, begin + 30)
    host.ns += 20
    assert driver.now_ns() == begin + 20 and driver.waited_ns == 0
    host.ns += 80
    assert abs(driver.now_ns() - (begin + 30)) <= 1 and driver.waited_ns == 70
    daemon.release(70, begin + 60)
    host.ns += 10
    assert driver.now_ns() == begin + 40 and driver.waited_ns == 70
    host.ns += 1000
    daemon.free()
    assert driver.waited_ns == 70 + 990 - 10 - 10 + 10 and driver.now_ns() >= begin + 60
    host.ns += 500
    assert driver.now_ns() == begin + 560


def test_no_two_instants_of_a_process_are_equal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages are named by their instants: also while time stands each reading is another one."""
    host = Host(monkeypatch)
    clock = SharedClock(tmp_path, new=True)
    clock.release(0, host.ns + 5)
    host.ns += 1_000_000
    read = [clock.now_ns() for _ in range(100)]
    assert read == sorted(set(read)) and read[-1] - read[0] < 200


def test_a_reader_never_mixes_two_releases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should a pair be overwritten while it is read, it is read again: waits and end belong together."""
    writer, reader = SharedClock(tmp_path, new=True), SharedClock(tmp_path)
    writer.release(1, 1001)
    words = reader._words

    class Interrupted:
        """Lets the writer go on twice between the two halves of a pair."""

        looks = 0

        def __getitem__(self, place: int) -> int:
            self.looks += 1
            if self.looks == 3:
                writer.release(2, 1002)
                writer.release(3, 1003)
            return int(words[place])

    monkeypatch.setattr(reader, "_words", Interrupted())
    assert reader.released() == (3, 1003)


def test_nobody_waits_for_a_process_that_has_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its marks are forgotten, all others stay; without the robot time is free."""
    host = Host(monkeypatch)
    for process in (*TOLD_BY, "emulator"):
        clock = SharedClock(tmp_path, new=True)
        for mark in Mark:
            clock.mark(mark, 7 + mark)
        clock.release(0, host.ns)
        clock.ended(process)
        left = TOLD_BY.get(process, ())
        assert clock.marks() == [0 if mark in left else 7 + mark for mark in Mark]
        assert (clock.released()[1] == FREE) == (process == "emulator")


def test_the_clock_of_a_real_robot_is_the_monotonic_one() -> None:
    """Itself, not a likeness; nothing that is marked makes anybody wait."""
    clock = RunClock()
    assert clock.now_ns is time.monotonic_ns
    clock.mark(Mark.TURNED, 1)
    clock.ended("emulator")
    assert clock.waited_ns == 0


def test_a_ticker_waits_until_its_clock_has_come_so_far() -> None:
    """A clock that stands for three sleeps: no tick before its deadline, none lost, the phase stays."""
    now = [0]
    stands = [3]

    def sleep(seconds: float) -> None:
        if stands[0]:
            stands[0] -= 1
        else:
            now[0] += round(seconds * 1e9)

    ticker = Ticker(10, lambda: now[0], sleep)
    ticks = [ticker.wait() for _ in range(3)]
    assert [tick.deadline_ns for tick in ticks] == [10, 20, 30] and now[0] == 30 and ticker.skipped == 0


def test_two_runs_on_one_clock_have_their_own_marks(tmp_path: Path) -> None:
    """What one run's processes tell, and that one of them has ended, the other's marks know nothing of."""
    first, second = SharedClock(tmp_path, new=True), SharedClock(tmp_path, seat=1)
    for k, mark in enumerate(Mark):
        first.mark(mark, 10 + k)
        second.mark(mark, 90 + k)
    assert first.marks() == [10 + k for k in range(len(Mark))]
    assert first.marks(1) == second.marks(1) == [90 + k for k in range(len(Mark))]
    second.ended("driver")
    assert first.marks() == [10 + k for k in range(len(Mark))]
    assert not any(second.marks(1)[mark] for mark in TOLD_BY["driver"])
    assert first.released() == second.released()
