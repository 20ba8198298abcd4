"""Processes of the ring frozen, slowed down and killed while the arm moves; one live run for all.

Times are judged generously: the machine may be shared. What counts is that every way ends in a stop,
that the reason is said, that nothing moves again by itself, and that no command breaks a limit.
"""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bench.live_run import PATIENCE_S, LiveRun
from hil.messaging.messages import RobotState
from tests.hil.processes.starvation import unless_starved

SLOW_S = 0.03  # stopped and running in turn


@contextmanager
def frozen(pid: int) -> Iterator[None]:
    """Freeze a process for a while."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@contextmanager
def slowed(pid: int) -> Iterator[None]:
    """Let a process run half of the time, by turns of 30 ms."""
    over = threading.Event()

    def hamper() -> None:
        while not over.wait(SLOW_S):
            os.kill(pid, signal.SIGSTOP)
            time.sleep(SLOW_S)
            os.kill(pid, signal.SIGCONT)

    thread = threading.Thread(target=hamper)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def stays_until_told(run: LiveRun) -> None:
    """The arm stands, and neither time nor reset moves it; float does."""
    run.wait(run.stands)
    assert not run.ask("float").accepted, "a fault is left by reset alone"
    assert run.ask("reset").accepted
    run.wait_state("READY", PATIENCE_S)
    assert run.stands(), "a reset never moves the arm"


def test_planner_frozen_arm_brakes(run: LiveRun) -> None:
    """A planner that hangs: the arm brakes when its plan is stale, the state says why, and stays."""
    with frozen(run.pid("planner")):
        assert "planner" in run.wait_state("FAULT")["reason"]
        run.wait(run.stands)
    stays_until_told(run)


def test_sim_frozen_arm_brakes(run: LiveRun) -> None:
    """A simulation that hangs predicts nothing: plans grow old, the arm brakes, the state names it."""
    with frozen(run.pid("sim")):
        assert "sim" in run.wait_state("FAULT")["reason"]
        run.wait(run.stands)
    stays_until_told(run)


def test_driver_frozen_robot_brakes(run: LiveRun) -> None:
    """A driver that hangs: the controller misses its answers and brakes; awake again, it moves nothing."""
    with frozen(run.pid("driver")):
        assert "driver" in run.wait_state("FAULT")["reason"]
    stays_until_told(run)


def test_emulator_frozen_is_a_fault(run: LiveRun) -> None:
    """A controller that hangs sends nothing: a fault; when it goes on, the arm stands."""
    with frozen(run.pid("emulator")):
        assert "silent" in run.wait_state("FAULT")["reason"]
    stays_until_told(run)


def test_daemon_frozen_arm_brakes(run: LiveRun) -> None:
    """A daemon that hangs: its order grows old, the arm brakes; when it goes on again it is a FAULT."""
    robots = run.bus.subscriber("robot_state", RobotState)
    seen: list[RobotState] = []
    with frozen(run.popen.pid):
        run.wait(lambda: seen.extend(robots.drain()) or (seen and resting(seen[-1])))
    assert "stalled" in run.wait_state("FAULT")["reason"]
    stays_until_told(run)


def resting(robot: RobotState) -> bool:
    """Whether the driver neither follows nor commands motion."""
    return not robot.following and not robot.dq_command.any()


def test_short_stall_of_the_planner_ends_by_itself(run: LiveRun) -> None:
    """With the object at rest a fresh plan takes over again after the arm has braked for want of one."""
    robots = run.bus.subscriber("robot_state", RobotState)

    def trial() -> None:
        floats_at_rest(run)
        seen: list[RobotState] = []
        with frozen(run.pid("planner")):
            run.wait(lambda: seen.extend(robots.drain()) or (seen and not seen[-1].following))
        assert "plan is" in seen[-1].braking_reason
        run.wait(lambda: run.status()["following"] or run.status()["state"] != "FLOATING")
        assert run.status()["state"] == "FLOATING", run.status()["reason"]

    unless_starved(run, trial)


def floats_at_rest(run: LiveRun) -> None:
    """Stop, and float anew: the object begins at rest."""
    run.ask("stop")
    run.wait(run.stands)
    assert run.ask("reset").accepted
    run.wait_state("READY")
    assert run.ask("float").accepted
    run.wait(lambda: run.status()["following"])


@pytest.mark.parametrize("name", ["emulator", "sim", "planner", "daemon"])
def test_the_arm_bears_a_slow_process(run: LiveRun, name: str) -> None:
    """A process that gets half of the time, in turns of 30 ms: the arm follows on."""

    def trial() -> None:
        with slowed(run.pid(name)):
            end = time.monotonic() + 0.8
            while time.monotonic() < end:
                status = run.status()
                assert (status["state"], status["following"]) == ("FLOATING", True), status["reason"]

    unless_starved(run, trial)


def test_a_slow_driver_is_a_fault(run: LiveRun) -> None:
    """Half of the answers are missing: it leaves command mode, or falls too far behind; the state says so."""
    with slowed(run.pid("driver")):
        reason = run.wait_state("FAULT")["reason"]
    assert reason.startswith("robot: ") or "answers lost or late" in reason
    stays_until_told(run)


def test_sim_killed_faults_and_restarts(run: LiveRun) -> None:
    """A simulation that dies is noticed at once, the arm brakes, the process is started again."""
    before = run.pid("sim")
    os.kill(before, signal.SIGKILL)
    assert "sim process was ended by signal 9" in run.wait_state("FAULT")["reason"]
    stays_until_told(run)
    assert run.pid("sim") != before


def test_planner_killed_faults_and_restarts(run: LiveRun) -> None:
    """A planner that dies is noticed at once, the arm brakes, the process is started again."""
    os.kill(run.pid("planner"), signal.SIGKILL)
    assert "planner process was ended by signal 9" in run.wait_state("FAULT")["reason"]
    stays_until_told(run)


def test_driver_killed_robot_brakes(run: LiveRun) -> None:
    """A driver that dies: the controller misses its answers and brakes; nothing floats again by itself."""
    os.kill(run.pid("driver"), signal.SIGKILL)
    assert "driver process was ended by signal 9" in run.wait_state("FAULT")["reason"]
    assert run.ask("reset").accepted
    run.wait_state("READY", PATIENCE_S)
    assert run.stands()


def test_emulator_killed_faults(run: LiveRun) -> None:
    """A robot that vanishes is a fault, noticed by its end before its silence."""

    def trial() -> None:
        os.kill(run.pid("emulator"), signal.SIGKILL)
        assert "emulator process was ended by signal 9" in run.wait_state("FAULT")["reason"]

    unless_starved(run, trial)
