"""The robot falls silent while the arm stands: READY is left, nothing floats, and the state says why."""

import os
import signal
import time

from bench.live_run import LiveRun
from hil.loop.judging.liveness import LOST
from tests.hil.processes.test_hazards_processes import frozen

SILENT_S = 4.0


def ready(run: LiveRun) -> None:
    """Let the arm stand, READY."""
    run.ask("stop")
    run.wait(run.stands)
    assert run.ask("reset").accepted
    run.wait_state("READY")


def not_ready(run: LiveRun, words: str) -> None:
    """READY is left for that reason, and float refused."""
    run.wait(lambda: words in run.status()["reason"])
    status = run.status()
    assert status["state"] == "STOPPED" and status["session"] == LOST and status["quality"] == 0
    refusal = run.ask("float")
    assert not refusal.accepted and words in refusal.text


def test_a_silent_robot_is_not_ready(run: LiveRun) -> None:
    """Its processes live, no packet comes: STOPPED until packets come again; then READY, nothing floats."""
    ready(run)
    epoch = run.status()["epoch"]
    assert run.ask("disturb", silence=True, seconds=SILENT_S).accepted
    began = time.monotonic()
    not_ready(run, "robot: silent")
    assert time.monotonic() - began < 0.8 * SILENT_S
    run.wait_state("READY")
    assert run.status()["epoch"] == epoch and run.stands() and run.status()["session"] == "command"


def test_a_silent_robot_stays_not_ready_while_stopped(run: LiveRun) -> None:
    """In an operator's stop and after its reset: the reason is shown, READY does not come."""
    run.ask("stop")
    run.wait(run.stands)
    assert run.ask("disturb", silence=True, seconds=SILENT_S).accepted
    not_ready(run, "robot: silent")
    assert run.ask("reset").accepted
    not_ready(run, "robot: silent")
    run.wait_state("READY")


def test_a_controller_that_freezes_in_ready_ends_it(run: LiveRun) -> None:
    """As long as it is frozen: robot and process are silent, nothing may float."""
    ready(run)
    with frozen(run.pid("emulator")):
        not_ready(run, "silent")
        time.sleep(1.5)
        not_ready(run, "silent")
    run.wait_state("READY")


def test_a_controller_that_dies_in_ready_is_a_fault(run: LiveRun) -> None:
    """Killed while the arm stands: FAULT as soon as the kernel tells, as in motion."""
    ready(run)
    os.kill(run.pid("emulator"), signal.SIGKILL)
    assert "emulator process was ended by signal 9" in run.wait_state("FAULT")["reason"]
    assert not run.ask("float").accepted
