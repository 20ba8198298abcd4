"""Who is alive, and what the judge is shown of it."""

import dataclasses

import numpy as np
import pytest

from hil.loop.judging.judge import Evidence
from hil.loop.judging.liveness import (
    SILENT_NS,
    STUCK_NS,
    WARMING_NS,
    Liveness,
    moves,
    robot_missing,
    stalled,
)
from hil.loop.judging.state_machine import MODE_TIMEOUT_NS, Machine, State
from hil.messaging.link_messages import LinkState
from hil.messaging.messages import Heartbeat, RobotState

FLOATING = Machine(State.FLOATING, epoch=1)


def robot(**changes) -> RobotState:
    """A robot that takes commands and stands."""
    z = np.zeros
    state = RobotState(
        t_ns=0, session="command", quality=3, power_on=True, q_measured=z(7), q_command=z(7),
        dq_command=z(7), wrench_object=z(6), wrench_witness=z(6), delay=0.01, following=False,
        braking_reason="no plan", fault="", cycles=0, missed=0, cycle_p50=0.0, sample_to_command_p50=0.0,
        ring_p50=0.0,
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


def test_what_an_ended_driver_said_last_counts_for_nothing() -> None:
    """Even when the next one is alive already: until its first packet there is no robot, and none moves."""
    seen = alive()
    seen.hear(1, robot(following=True, fault="guard"))
    assert seen.evidence(1, FLOATING, True).moving
    seen.forget("driver")
    seen.hear(2, beat("driver"))
    found = seen.evidence(2, FLOATING, True)
    assert (found.missing, found.fault, found.moving) == ("robot: no packet yet", "", False)
    seen.hear(3, robot())
    assert seen.evidence(3, FLOATING, True).missing == ""


def test_one_that_ended_leaves_neither_plan_nor_object() -> None:
    """Plan and object's state go with those who said them, and with no other."""
    seen = alive()
    seen.plan, seen.sim = object(), object()  # type: ignore[assignment]
    seen.forget("emulator")
    assert seen.plan is not None and seen.sim is not None and seen.robot is not None
    seen.forget("planner")
    assert seen.plan is None and seen.sim is not None
    seen.forget("sim")
    assert seen.sim is None


def test_one_that_compiles_for_ever_hangs() -> None:
    """Warming is believed for `WARMING_NS` after the last word, and not longer."""
    seen = alive()
    seen.hear(0, beat("sim", "warming"))
    seen.hear(WARMING_NS, beat("driver"))
    assert seen.missing(WARMING_NS - 1) == "sim: compiling"
    assert seen.missing(WARMING_NS + 1) == "the sim process has been silent for 600.0 s"


def test_a_floating_after_long_standing_begins_unstuck() -> None:
    """Followed once, stood for an hour, floated anew: stuck only `STUCK_NS` after that."""
    seen, hour_ns = alive(), 3_600_000_000_000
    seen.evidence(1, FLOATING, True)
    seen.hear(2, robot(following=True))
    seen.hear(3, robot())
    for name in ("driver", "sim"):
        seen.hear(hour_ns, beat(name))
    anew = dataclasses.replace(FLOATING, epoch=2)
    assert seen.evidence(hour_ns, anew, True).stuck == ""
    assert seen.evidence(hour_ns + STUCK_NS - 1, anew, True).stuck == ""
    assert seen.evidence(hour_ns + STUCK_NS, anew, True).stuck != ""


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


def test_a_broken_link_is_missing_with_its_reason() -> None:
    """Of a split run only; the other host's processes may be heard still."""
    broken = LinkState(0, False, "no answer", 0.0, -1.0, 0.0, 0)
    for split, missing in ((True, "link to the other host: no answer"), (False, "")):
        seen = Liveness(["driver", "sim"], split)
        for msg in (beat("driver"), beat("sim"), robot(), broken):
            seen.hear(1, msg)
        assert seen.missing(2) == missing
        seen.hear(3, dataclasses.replace(broken, live=True, reason=""))
        assert seen.missing(4) == ""
