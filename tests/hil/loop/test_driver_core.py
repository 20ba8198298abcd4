"""What the driver must forget, refuse and stop for: by its commands alone, fed by hand."""

import dataclasses

import numpy as np
import pytest

from hil.configuration import Configuration
from hil.loop.judging.state_machine import MOVING, State
from hil.messaging.messages import Mode
from hil.wrench.detector.thresholds import PushThresholds
from tests.hil.loop.driven import SLOWLY, Driven
from tests.planner.following.following_cases import line, plan_of

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


def test_a_standing_arm_may_be_leaned_on(driven: Driven, cube: Configuration) -> None:
    """READY, and a wrench beyond any push for a second: no fault, and floating begins as ever."""
    leaned_on = np.array([0.0, 0.0, 2.0 * cube.detector.plausible_force, 0.0, 0.0, 0.0])
    for _ in range(500):
        driven.cycle(State.READY, wrench=leaned_on)
    assert driven.driver.fault == ""
    driven.floated(20)


@pytest.mark.parametrize("state", [state for state in State if state not in MOVING])
def test_only_floating_and_holding_move_the_arm(driven: Driven, state: State) -> None:
    """In every other state the arm brakes to rest, young plan or not."""
    driven.floated(100)
    for k in range(AT_REST):
        driven.cycle(state, plan=driven.plan(0.2) if k % 10 == 0 else None)
        assert not driven.driver.following
    assert not driven.driver.moving
    driven.assert_within_limits()


def test_cycles_without_a_packet_are_made_up_for(driven: Driven) -> None:
    """Packets 3, 6 and 12 cycles apart: the commands go on with the plan, without a fault, within limits."""
    driven.floated(60)
    for gap in (3, 1, 6, 1, 1, 12, 1):
        before = driven.q
        driven.count += gap - 1
        driven.cycle(plan=driven.plan(0.2))
        np.testing.assert_allclose(driven.q - before, 0.2 * gap * driven.dt * SLOWLY, rtol=0.25)
    assert driven.driver.fault == "" and driven.driver.following
    driven.assert_within_limits()


def test_a_packet_that_was_judged_is_answered_with_that_command(driven: Driven) -> None:
    """A cycle fails after its command was judged: the emergency answers the packet with that command."""
    driven.floated(60)
    sample = driven.sample()
    driven.driver.observe(sample)
    judged = driven.driver.cycle(sample, driven.mode(State.FLOATING)).q_command
    answer = driven.driver.emergency(sample, RuntimeError("broken on purpose")).q_command
    assert np.array_equal(answer, judged)
    driven.answered(judged)
    while driven.driver.moving:
        driven.cycle()
    driven.assert_within_limits()


def test_the_count_of_packets_may_begin_anew(driven: Driven) -> None:
    """The controller was started again: another stream from packet 0 on, a new session, and all goes on."""
    driven.floated(100)
    later, before = 1000 * round(1e9 * driven.dt), driven.q
    t_ns = driven.t_ns
    for k in range(200):
        sample = driven.sample(
            count=k,
            sequence=k,
            new_session=k == 0,
            t_ns=t_ns + later + k * round(1e9 * driven.dt),
            heard=k - 1,
        )
        driven.driver.observe(sample)
        mode = dataclasses.replace(driven.mode(State.FLOATING), t_ns=sample.t_ns)
        q = driven.driver.cycle(sample, mode).q_command
        now = 1e-9 * sample.t_ns
        plan = plan_of(line(np.full(7, 0.1), q, now), now)
        driven.driver.conclude(sample, [], dataclasses.replace(plan, epoch=1) if k % 20 == 0 else None)
        assert driven.driver.fault == "", k
        assert np.abs(q - before).max() <= 0.2 * driven.dt, k
        before = driven.q = q
    assert driven.driver.following


def test_a_session_elsewhere_is_no_motion_of_the_delays_stream(driven: Driven) -> None:
    """Between the places of two sessions nobody commanded anything: the stream begins anew, at rest."""
    driven.floated(100)
    delay = driven.driver._delay
    assert delay._filtered.any() and delay._ring.any()
    driven.q = driven.start + 0.3
    driven.cycle(State.READY, new_session=True)
    for _ in range(50):
        driven.cycle(State.READY)
        assert not delay._filtered.any() and not delay._ring.any()


def test_the_orders_thresholds_are_taken(driven: Driven) -> None:
    """With thresholds beyond it a push is none; with the configured ones again the next is one."""
    high = PushThresholds(50.0, 1e5, 200.0).as_order()
    plain = driven.mode

    def ordered(state: State, epoch: int = 1) -> Mode:
        return dataclasses.replace(plain(state, epoch), thresholds=high)

    for mode, noticed in ((ordered, False), (plain, True)):
        driven.mode = mode  # type: ignore[method-assign]
        for k in range(250):
            push = 40.0 * np.sin(np.pi * (k - 150) / 30.0) if 150 <= k < 180 else 0.0
            driven.cycle(State.READY, wrench=np.array([0, push, 0, 0, 0, 0]))
        assert bool(driven.slices) == noticed


def test_the_arms_own_start_is_no_push(driven: Driven) -> None:
    """A wrench that comes with the beginning of a floating is its rest; within a floating it is a push."""
    jump, hand = np.array([0.0, 4.0, 0.0, 0.0, 0.0, 0.0]), np.array([0.0, 34.0, 0.0, 0.0, 0.0, 0.0])
    for _ in range(150):
        driven.cycle(State.READY)
    driven.cycle(State.FLOATING, epoch=2)
    for _ in range(120):
        driven.cycle(State.FLOATING, epoch=2, wrench=jump)
    assert driven.slices == []
    for _ in range(30):
        driven.cycle(State.FLOATING, epoch=2, wrench=hand)
    assert driven.slices != []


def test_a_hand_that_is_there_as_floating_begins_is_no_push_nor_is_its_end(driven: Driven) -> None:
    """30 N beyond what was felt at rest, for 0.4 s: not told, nor that they are gone; what comes then is."""
    hand = np.array([0.0, 30.0, 0.0, 0.0, 0.0, 0.0])
    for _ in range(150):
        driven.cycle(State.READY)
    driven.cycle(State.FLOATING, epoch=2)
    for _ in range(200):
        driven.cycle(State.FLOATING, epoch=2, wrench=hand)
    for _ in range(120):
        driven.cycle(State.FLOATING, epoch=2)
    assert driven.slices == []
    for _ in range(30):
        driven.cycle(State.FLOATING, epoch=2, wrench=hand)
    assert driven.slices != []


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
