"""What the driver must forget, refuse and stop for: by its commands alone, fed by hand."""

import dataclasses

import numpy as np
import pytest

from hil.configuration import Configuration
from hil.loop.judging.state_machine import State
from tests.hil.loop.driven import Driven

AT_REST = 60  # cycles in which no brake from 0.2 rad/s is over


@pytest.fixture
def driven(cube: Configuration) -> Driven:
    """A driver with the default configuration."""
    return Driven(cube)


def test_a_reset_counts_only_when_the_arm_stands(driven: Driven) -> None:
    """Emergency, FAULT, then READY in the next cycle: until rest every command keeps every limit.

    The fault goes only then, and the arm can float again.
    """
    driven.floated(120)
    driven.cycle(failing=True)
    driven.cycle(State.FAULT)
    while driven.driver.moving:
        driven.cycle(State.READY)
        assert driven.driver.fault or not driven.driver.moving
    driven.assert_within_limits()
    stands = driven.q
    for _ in range(AT_REST):
        driven.cycle(State.READY)
    assert driven.driver.fault == "" and np.array_equal(driven.q, stands)
    driven.floated(100)
    driven.assert_within_limits()


@pytest.mark.parametrize("way", ["wrench", "plan"])
def test_a_reset_counts_only_when_a_brake_of_the_interpolator_has_ended(driven: Driven, way: str) -> None:
    """The guard has no part in the fault, the interpolator brakes: a reset at once changes nothing."""
    driven.floated(120)
    if way == "plan":
        driven.cycle(plan=driven.plan(jump=0.6))
        driven.cycle()
    while not driven.driver.fault:
        driven.cycle(wrench=np.array([0.0, 0.0, 900.0, 0.0, 0.0, 0.0]))
    driven.cycle(State.FAULT)
    while driven.driver.moving:
        driven.cycle(State.READY)
        assert driven.driver.fault or not driven.driver.moving
    driven.assert_within_limits()
    driven.cycle(State.READY)
    assert driven.driver.fault == ""


def test_a_plan_that_cannot_be_followed_is_none(driven: Driven) -> None:
    """One of NaN: the plan before goes on, no command ever rests on the bad one, and no slice is in it."""
    driven.floated(90)
    push = np.array([0.0, 40.0, 0.0, 0.0, 0.0, 0.0])
    for _ in range(15):
        driven.cycle(wrench=push)
    bad = driven.plan(0.2)
    bad = dataclasses.replace(
        bad, number=999, q=np.full_like(bad.q, np.nan), slices=np.array(driven.slices[-1:])
    )
    before = driven.driver._live.missing(driven.t_ns, driven.t_ns)
    assert before is not None and before.any()
    assert driven.cycle(plan=bad, wrench=push).plan is None
    for _ in range(10):
        assert driven.cycle(wrench=push).plan is None
        assert driven.driver.following
    assert np.abs(driven.driver._live.missing(driven.t_ns, driven.t_ns)[0]).max() >= np.abs(before[0]).max()


def test_the_arm_follows_no_plan_of_a_floating_before(driven: Driven) -> None:
    """With the next floating the arm brakes until a plan of it comes; one of the last is not taken."""
    driven.floated(120)
    driven.cycle(epoch=2)
    assert not driven.driver.following
    for k in range(140):
        driven.cycle(epoch=2, plan=driven.plan(0.2, epoch=1) if k % 10 == 0 else None)
        assert not driven.driver.following
    assert not driven.driver.moving
    driven.cycle(epoch=2, plan=driven.plan(0.2, epoch=2))
    driven.cycle(epoch=2)
    assert driven.driver.following
    driven.assert_within_limits()


@pytest.mark.parametrize(("epoch", "moves"), [(1, True), (2, False)])
def test_no_push_of_a_floating_before_moves_the_arm(driven: Driven, epoch: int, moves: bool) -> None:
    """A push, then standing plans that do not contain it: in the same floating it moves the arm at once.

    In the next one it is forgotten: the arm stands, exactly.
    """
    driven.floated(120, velocity=0.0)
    for k in range(30):
        push = 40.0 * np.sin(np.pi * k / 30.0)
        driven.cycle(plan=driven.plan() if k % 10 == 0 else None, wrench=np.array([0, push, 0, 0, 0, 0]))
    assert driven.slices, "the push is noticed"
    for _ in range(AT_REST):
        driven.cycle(State.READY, epoch)
    assert not driven.driver.moving
    before = driven.q
    driven.cycle(epoch=epoch, plan=driven.plan(epoch=epoch))
    for _ in range(50):
        driven.cycle(epoch=epoch)
        assert driven.driver.following
    assert (np.abs(driven.q - before).max() > 1e-3) == moves
    assert moves or np.array_equal(driven.q, before)


def test_a_failure_in_telling_of_a_push_brakes(driven: Driven) -> None:
    """The answer has left when slices are told of: if that fails, the very next answer brakes."""

    class Broken:
        def messages(self) -> list:
            raise RuntimeError("broken on purpose")

    driven.floated(120)
    cycle = driven.cycle()
    cycle.reports.append(Broken())  # type: ignore[arg-type]
    assert driven.driver.slices_of(cycle) == []
    assert "broken on purpose" in driven.driver.fault
    driven.cycle()
    assert not driven.driver.following
    for _ in range(AT_REST):
        driven.cycle()
    assert not driven.driver.moving
    driven.assert_within_limits()


def test_a_session_without_a_monitor_packet_begins_at_the_controllers_command(driven: Driven) -> None:
    """The answer is `q_commanded`, whatever was commanded before, and the arm goes on from there at rest."""
    driven.floated(120)
    elsewhere = driven.start + 0.1
    driven.q = elsewhere
    cycle = driven.cycle(new_session=True)
    assert np.array_equal(cycle.q_command, elsewhere)
    for _ in range(AT_REST):
        cycle = driven.cycle(State.READY)
        assert np.array_equal(cycle.q_command, elsewhere)
    assert driven.driver.fault == ""


def test_a_failure_in_the_first_cycle_of_a_session_sends_nothing_of_the_last(driven: Driven) -> None:
    """`emergency` then gives None, which is answered with the mirror; within a session it gives a brake.

    So it does while no commands are taken, and until a session has begun after that.
    """
    driven.floated(120)
    assert driven.cycle(failing=True).q_command is not None
    assert driven.cycle(failing=True, new_session=True).q_command is None
    assert driven.cycle(failing=True).q_command is None, "that session has not begun yet"
    assert driven.cycle(State.READY).q_command is not None
    assert driven.cycle(failing=True, commanding=False).q_command is None
    assert driven.cycle(failing=True).q_command is None


def test_a_wrench_that_no_hand_exerts_is_a_fault_while_the_arm_may_move(
    driven: Driven, cube: Configuration
) -> None:
    """A sensor at its end: after `plausible_time` the arm brakes within limits, and the fault says why."""
    driven.floated(120, velocity=0.05)
    saturated = np.array([0.0, 0.0, 1.01 * cube.detector.plausible_force, 0.0, 0.0, 0.0])
    cycles = round(cube.detector.plausible_time / driven.dt)
    for _ in range(cycles + 1):
        assert driven.driver.fault == ""
        driven.cycle(wrench=saturated)
    assert "no hand's push" in driven.driver.fault and not driven.driver.following
    for _ in range(140):
        driven.cycle(wrench=saturated)
    assert not driven.driver.moving
    driven.assert_within_limits()


def test_a_plan_far_away_is_a_fault_with_its_reason(driven: Driven) -> None:
    """While following, a plan jumps by 0.6 rad: the interpolator latches, and the driver says so."""
    driven.floated(120)
    driven.cycle(plan=driven.plan(jump=0.6))
    driven.cycle()
    assert "from the plan" in driven.driver.fault and "reset and float again" in driven.driver.fault
    for _ in range(140):
        driven.cycle(plan=driven.plan())
    assert not driven.driver.moving and not driven.driver.following
    driven.assert_within_limits()
