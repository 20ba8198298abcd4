"""How busy the machine is, in words that a fault's reason can carry; and what was waited for."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hil.loop.judging.judge import Evidence
from hil.messaging.messages import Wait
from hil.processes.supervisor.busy import PERIOD_NS, BusyWatch
from hil.processes.supervisor.waits import PERIOD_NS as TOLD_NS
from hil.processes.supervisor.waits import WaitTally, waited_words

PIDS = {"planner": 11, "sim": 12}
MS = 1_000_000


class Machine:
    """What the kernel tells of two processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.spent = {pid: [0, 0] for pid in PIDS.values()}
        (folder / "loadavg").write_text("7.25 3.10 1.00 9/300 4242\n")

    def goes_on(self, pid: int, ran_ms: int, kept_ms: int) -> None:
        """A process runs and is kept waiting."""
        self.spent[pid][0] += ran_ms * MS
        self.spent[pid][1] += kept_ms * MS
        folder = self._folder / str(pid)
        folder.mkdir(exist_ok=True)
        (folder / "schedstat").write_text(f"{self.spent[pid][0]} {self.spent[pid][1]} 5\n")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine whose processes have just started."""
    made = Machine(tmp_path)
    for pid in PIDS.values():
        made.goes_on(pid, 100_000, 100_000)  # long ago: it counts no more
    return made


def test_shares_are_of_the_last_seconds(machine: Machine, tmp_path: Path) -> None:
    """Ran over ran and kept waiting, since the oldest look that is kept; least first."""
    watch = BusyWatch(tmp_path)
    watch.turn(PERIOD_NS, PIDS)
    machine.goes_on(11, 300, 700)
    machine.goes_on(12, 300, 300)
    assert list(watch.shares(2 * PERIOD_NS, PIDS).items()) == [("planner", 0.3), ("sim", 0.5)]
    for k in range(2, 12):
        watch.turn(k * PERIOD_NS, PIDS)
    assert watch.shares(12 * PERIOD_NS, PIDS) == {}, "it is over"


def test_a_fault_on_a_busy_machine_says_so_and_what_to_do(machine: Machine, tmp_path: Path) -> None:
    """Load, cores, the processes that got too little, and the command that helps."""
    watch = BusyWatch(tmp_path)
    watch.turn(PERIOD_NS, PIDS)
    machine.goes_on(11, 300, 700)
    machine.goes_on(12, 500, 10)
    reason = watch.why("the planner process has been silent for 1.0 s", 2 * PERIOD_NS, PIDS)
    for words in ("silent for 1.0 s; the machine is busy", "load 7.25 on", "planner 30%", "zerog doctor"):
        assert words in reason
    assert "sim" not in reason
    assert watch.why("", 2 * PERIOD_NS, PIDS) == "", "no reason, no fault"


def test_a_fault_on_a_quiet_machine_claims_nothing(machine: Machine, tmp_path: Path) -> None:
    """A process that was frozen, or waited a moment only, was not kept from running by others."""
    watch = BusyWatch(tmp_path)
    watch.turn(PERIOD_NS, PIDS)
    machine.goes_on(11, 0, 0)
    machine.goes_on(12, 5, 30)
    assert watch.why("silent", 2 * PERIOD_NS, PIDS) == "silent"
    assert watch.why("silent", 2 * PERIOD_NS, {"planner": 999}) == "silent", "it has ended"


def test_only_what_stops_a_moving_arm_is_explained(machine: Machine, tmp_path: Path) -> None:
    """Evidence of a turn: what is missing or stuck gets its cause; a standing arm waits without a word."""
    watch = BusyWatch(tmp_path)
    watch.turn(PERIOD_NS, PIDS)
    machine.goes_on(11, 300, 700)
    now = 2 * PERIOD_NS
    for seen in (Evidence(missing="silent"), Evidence(stuck="stuck")):
        assert watch.explained(seen, False, now, PIDS) is seen
        told = watch.explained(seen, True, now, PIDS)
        assert bool(told.missing) == bool(seen.missing) and bool(told.stuck) == bool(seen.stuck)
        assert "planner 30%" in told.missing + told.stuck
    well = Evidence(fault="A3 would pass its limit")
    assert watch.explained(well, True, now, PIDS) is well, "no busy machine breaks a limit"


def test_the_kernel_counts_as_we_think() -> None:
    """Two that want one core get half of it each, within what a shared machine allows."""
    core = str(min(os.sched_getaffinity(0)))
    words = [sys.executable, "-c", f"import os; os.sched_setaffinity(0, {{{core}}})\nwhile True: pass"]
    spinning = [subprocess.Popen(words) for _ in range(2)]
    try:
        time.sleep(0.3)
        watch, pids = BusyWatch(), {f"p{k}": process.pid for k, process in enumerate(spinning)}
        watch.turn(PERIOD_NS, pids)
        time.sleep(1.0)
        shares = watch.shares(2 * PERIOD_NS, pids)
        assert len(shares) == 2 and sum(shares.values()) < 1.2
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def test_waits_are_told_now_and_then_and_counted() -> None:
    """Below a tenth of a second nothing is said; then all that was waited since, and the process."""
    tally = WaitTally()
    assert tally.status(0) == {"waited_s": 0.0, "waits": 0, "waited_for": ""}
    assert waited_words(tally.status(0)) == "" and tally.news(0) == ""
    tally.take(Wait(1, "sim", 0.06, 0.06))
    assert tally.news(1) == ""
    tally.take(Wait(2, "planner", 0.34, 0.40))
    assert tally.news(2) == "the machine was busy: 0.4 s waited, most of it for the planner"
    tally.take(Wait(3, "sim", 0.5, 0.9))
    assert tally.news(3) == "", "not so soon again"
    assert "0.5 s waited, most of it for the sim" in tally.news(2 + TOLD_NS)
    assert tally.news(3 + 2 * TOLD_NS) == ""
    assert tally.status(910_000_000) == {"waited_s": pytest.approx(0.91), "waits": 3, "waited_for": "sim"}
    words = waited_words(tally.status(910_000_000))
    assert "0.9 s waited in 3 waits" in words and "the sim" in words and "zerog doctor" in words
