"""A live run as a newcomer starts it: a machine that is busy slows emulated time down, and stops nothing.

Processes are frozen for what is a fault to a strict run (tests/hil/processes/test_hazards_processes.py).
"""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.live_run import PATIENCE_S, LiveRun
from hil.analysis.recorded.run import load_run
from hil.analysis.report.run_report import run_report
from hil.common.run_clock import PATIENCE_NS
from hil.recording.replaying.runner import in_one_process
from tests.hil.processes.test_hazards_processes import frozen

STALL_S = 1.6  # beyond all times of driver and daemon
NAMES = ("planner", "sim", "driver", "emulator", "daemon")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LiveRun, Path]]:
    """A patient run that floats, and its recording."""
    folder = tmp_path_factory.mktemp("patient")
    path = folder / "run.mcap"
    made = LiveRun(folder / "r", "--record", str(path), patient=True)
    try:
        made.wait(lambda: "-> FLOATING" in made.text, PATIENCE_S)
        made.wait(lambda: made.status()["following"])
        yield made, path
    finally:
        made.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_process_that_stalls_makes_time_wait_and_is_no_fault(
    recorded: tuple[LiveRun, Path], name: str
) -> None:
    """Whoever stands still for 1.6 s: time stands with it, is counted, names it; the arm goes on."""
    run, _ = recorded
    before = run.status()
    begin = time.monotonic()
    with frozen(run.pid(name)):
        time.sleep(STALL_S)
    run.wait(lambda: run.status()["waits"] > before["waits"])
    after, passed = run.status(), time.monotonic() - begin
    assert (after["state"], after["faults"], after["missed"]) == ("FLOATING", 0, before["missed"]), run.text
    assert after["waited_s"] - before["waited_s"] > 0.6 * STALL_S
    floated = after["floated_s"] - before["floated_s"]
    waited = after["waited_s"] - before["waited_s"]
    assert floated == pytest.approx(passed - waited, abs=0.25)
    assert run.status()["following"]


def test_what_was_waited_for_is_told_and_replays_to_the_bit(recorded: tuple[LiveRun, Path]) -> None:
    """Line, summary, and report tell of each stall; every core does again what it did, waits and all."""
    run, path = recorded
    run.wait(lambda: "the machine was busy" in run.text)
    run.popen.send_signal(signal.SIGINT)
    assert run.popen.wait(20.0) == 0, run.text
    assert "waits, most of it for the" in run.text and " 0 faults" in run.text
    found = load_run(path)
    stalls = [wait for wait in found.waits if wait.duration > 0.6 * STALL_S]
    assert {wait.process for wait in stalls} >= set(NAMES) - {"driver"}, found.waits
    assert found.waits[-1].total >= sum(wait.duration for wait in found.waits) - 1e-9
    page = run_report(found, {}, None, "pictures").html
    assert page.count("s for the planner") >= 1 and "<h2>Waits</h2>" in page
    for verdict in in_one_process(path, lambda core, turns: None):
        assert verdict.same and not verdict.notes, f"{verdict.core}: {verdict.first} {verdict.notes}"


def test_a_process_that_hangs_is_a_fault_later(tmp_path: Path) -> None:
    """Patience has an end: then it is judged as ever, the arm brakes, and the state names it.

    That was a fault, not a power cut: the next start says so, and floats.
    """
    run = LiveRun(tmp_path / "r", "--duration", "3", patient=True)
    try:
        run.wait(lambda: "-> FLOATING" in run.text, PATIENCE_S)
        run.wait(lambda: run.status()["following"])
        begin = time.monotonic()
        with frozen(run.pid("planner")):
            run.wait(lambda: "-> FAULT" in run.text, 1e-9 * PATIENCE_NS + 20.0)
            assert time.monotonic() - begin > 0.8e-9 * PATIENCE_NS
            assert "FAULT: the planner process has been silent" in run.text and "zerog reset" in run.text
        assert run.popen.wait(60.0) == 1
        run.start_again()
        run.wait(lambda: "-> FLOATING" in run.text, PATIENCE_S)
        assert "duration was over while it stood in FAULT: the planner" in run.text
        assert "power cut" not in run.text
    finally:
        run.close()
