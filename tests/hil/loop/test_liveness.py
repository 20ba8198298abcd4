"""Who is alive, and what the judge is shown of it."""

import dataclasses

import numpy as np
import pytest

from hil.loop.judging.judge import Evidence
from hil.loop.judging.liveness import SILENT_NS, STUCK_NS, Liveness, moves, robot_missing, stalled
from hil.loop.judging.state_machine import MODE_TIMEOUT_NS, Machine, State
from hil.messaging.messages import Heartbeat, RobotState

FLOATING = Machine(State.FLOATING, epoch=1)


def robot(**changes) -> RobotState:
    """A robot that takes commands and stands."""
    z = np.zeros
    state = RobotState(
        t_ns=0, session="command", quality=3, power_on=True, q_measured=z(7), q_command=z(7),
        dq_command=z(7), wrench_object=z(6), wrench_witness=z(6), delay=0.01, following=False,
        braking_reason="no plan", fault="", cycles=0, missed=0, cycle_p50=0.0, sample_to_command_p50=0.0,
        ring_p50=0.0, unsent=0, unsent_reason="",
    )  # fmt: skip
    return dataclasses.replace(state, **changes)


def beat(name: str, phase: str = "ready") -> Heartbeat:
    """A process says that it is alive."""
    return Heartbeat(0, name, phase, "compiling", 1, "")


def alive(t_ns: int = 0) -> Liveness:
    """Driver and simulation there, the robot in command mode."""
    seen = Liveness(["driver", "sim"])
    for msg in (beat("driver"), beat("sim"), robot()):
        seen.hear(t_ns, msg)
    return seen


def test_nothing_is_missing_until_a_process_is_silent() -> None:
    """Silence counts from when the last heartbeat came, whatever its own instant says."""
    seen = alive(5)
    assert seen.evidence(5 + SILENT_NS, FLOATING, True).missing == ""
    seen.hear(6, beat("sim"))
    missing = seen.evidence(6 + SILENT_NS, FLOATING, True).missing
    assert missing == "the driver process has been silent for 1.0 s"


def test_one_that_compiles_may_be_silent_and_one_that_ended_is_starting() -> None:
    """A first compilation takes long; what a dead process said last no longer counts."""
    seen = alive()
    seen.hear(0, beat("sim", "warming"))
    seen.hear(10 * SILENT_NS, beat("driver"))
    assert seen.missing(10 * SILENT_NS) == "sim: compiling"
    seen.forget("driver")
    assert seen.missing(10 * SILENT_NS) == "driver: starting" and seen.robot is None


def test_an_arm_that_follows_nothing_is_stuck_after_a_while_of_each_floating() -> None:
    """Time counts from the beginning of the floating or the last cycle that followed, if that is later."""
    seen = alive()

    def stuck(t_ns: int, machine: Machine = FLOATING, follow: bool = True) -> str:
        return seen.evidence(t_ns, machine, follow).stuck

    assert not stuck(7) and not stuck(6 + STUCK_NS)
    assert stuck(7 + STUCK_NS) == "the arm has not followed for 1.5 s: no plan"
    assert not stuck(7 + STUCK_NS, follow=False)
    assert not stuck(7 + STUCK_NS, dataclasses.replace(FLOATING, state=State.READY))
    assert not stuck(8 + STUCK_NS, dataclasses.replace(FLOATING, epoch=2))
    seen.hear(9 + STUCK_NS, robot(following=True))
    assert not stuck(8 + 2 * STUCK_NS, dataclasses.replace(FLOATING, epoch=2))
    assert stuck(9 + 2 * STUCK_NS, dataclasses.replace(FLOATING, epoch=2))


def test_before_anything_was_heard_nothing_is_there() -> None:
    """No message: no robot, no plan, no object."""
    assert Liveness([]).evidence(1, Machine(), True) == Evidence("robot: no packet yet")


@pytest.mark.parametrize(
    ("state", "missing"),
    [
        (("command", 3, True), ""),
        (("monitor", 1, True), "robot: monitor mode, quality 1"),
        (("power off", 3, False), "robot: power off mode, quality 3, drives off"),
    ],
)
def test_a_robot_takes_commands_in_command_mode_only(state: tuple, missing: str) -> None:
    """Everything else is missing, in words."""
    assert robot_missing(*state) == missing


def test_an_arm_moves_while_it_follows_or_its_commands_do() -> None:
    """An arm that brakes still moves; one that was never heard of does not."""
    assert not moves(None) and not moves(robot())
    assert moves(robot(following=True)) and moves(robot(dq_command=np.full(7, 1e-9)))


def test_a_daemon_stalls_when_its_orders_grow_stale() -> None:
    """The driver brakes at the same age of an order."""
    assert not stalled(MODE_TIMEOUT_NS)
    assert stalled(1_600_000_000) == "the daemon stalled for 1.6 s"
