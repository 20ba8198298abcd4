"""The following error: commands of many cycles around the delay, and what a wrong arm comes to."""

import numpy as np
import pytest

from hil.configuration import Configuration
from hil.loop.driver.following_error import FULL_SPEED, SHARE, SPREAD, FollowingError, allowed_error
from hil.loop.driver.interface_delay import LONGEST_DELAY, SETTLED, InterfaceDelay
from tests.hil.loop.driven import Driven

DT = 0.002


def settled(delay: float) -> InterfaceDelay:
    """A delay that is known."""
    known = InterfaceDelay(delay, DT)
    known._clear = 2.0 * SETTLED
    return known


def sway(t: float) -> np.ndarray:
    """A path of all joints [rad], (7,), up to 0.5 rad/s."""
    size, w = np.linspace(0.1, 0.3, 7), np.linspace(3.0, 1.7, 7)
    return size * np.sin(w * t + np.arange(7))


def first_fault(error: FollowingError, delay: InterfaceDelay, path, arm, cycles: int = 3000) -> int | None:
    """The cycle in which a fault is found: the arm is at `arm(k)` when `path(k)` is commanded next."""
    error.begin(path(0))
    for k in range(1, cycles):
        if error.judge(arm(k), 1, delay):
            return k
        error.sent(path(k), 1)
    return None


@pytest.mark.parametrize("delay", [0.012, 0.1, 0.262])
@pytest.mark.parametrize("apart", [-1.0, 0.0, 1.0])
def test_an_arm_within_the_spread_of_the_delay_has_no_error(
    cube: Configuration, delay: float, apart: float
) -> None:
    """A joint's lag off the identified one by up to the spread: no error but the grid's."""
    lag = max(delay + apart * (SPREAD + SHARE * delay), DT)
    error = FollowingError(cube.limits.model_copy(update={"following_error": np.full(7, 1e-5)}), DT)
    assert (
        first_fault(error, settled(delay), lambda k: sway(k * DT), lambda k: sway(max(k * DT - lag, 0.0)))
        is None
    )


def test_any_delay_that_can_be_found_has_no_error_before_it_is(cube: Configuration) -> None:
    """0.4 s late, where the identification begins with 12 ms and has not seen enough."""
    error = FollowingError(cube.limits.model_copy(update={"following_error": np.full(7, 1e-5)}), DT)
    begun = InterfaceDelay(0.012, DT)
    late = first_fault(error, begun, lambda k: sway(k * DT), lambda k: sway(max(k * DT - 0.4, 0.0)))
    assert late is None


def test_an_arm_beyond_that_spread_is_measured(cube: Configuration) -> None:
    """Half a second late while the delay is known to be 12 ms: found."""
    path = lambda k: sway(k * DT)  # noqa: E731
    error = FollowingError(cube.limits.model_copy(update={"following_error": np.full(7, 0.01)}), DT)
    assert first_fault(error, settled(0.012), path, lambda k: sway(k * DT - 0.5)) is not None


@pytest.mark.parametrize("known", [0.012, 0.25, None])
@pytest.mark.parametrize("joint", range(7))
def test_a_stuck_joint_is_found_within_the_stated_time(
    cube: Configuration, known: float | None, joint: int
) -> None:
    """Commanded at v from then on: not before E / v, and by the oldest command that counts after it."""
    v = 0.5 * cube.limits.velocity[joint]
    delay = InterfaceDelay(0.012, DT) if known is None else settled(known)
    path = lambda k: np.eye(7)[joint] * v * DT * k  # noqa: E731
    found = first_fault(FollowingError(cube.limits, DT), delay, path, lambda k: np.zeros(7))
    allowed = allowed_error(cube.limits)[joint]
    oldest = LONGEST_DELAY if known is None else known + SPREAD + SHARE * known
    assert found is not None
    assert allowed / v < found * DT <= allowed / v + oldest + 5.0 * DT


@pytest.mark.parametrize("known", [0.012, None])
def test_an_arm_that_goes_the_other_way_is_found_sooner(cube: Configuration, known: float | None) -> None:
    """It leaves all commands behind at once: E / v after it has set off, whatever the delay."""
    v = 0.5
    delay = InterfaceDelay(0.012, DT) if known is None else settled(known)
    path = lambda k: np.full(7, v * DT * k)  # noqa: E731
    found = first_fault(FollowingError(cube.limits, DT), delay, path, lambda k: -path(k))
    allowed = allowed_error(cube.limits).min()
    assert found is not None and allowed / v / 2.0 < found * DT <= allowed / v + 3.0 * DT


def test_the_default_follows_from_the_limits_and_a_key_takes_its_place(cube: Configuration) -> None:
    """At full speed so much behind, joint by joint; or as written."""
    np.testing.assert_allclose(allowed_error(cube.limits), FULL_SPEED * cube.limits.velocity)
    own = np.linspace(0.01, 0.07, 7)
    np.testing.assert_array_equal(allowed_error(cube.limits.model_copy(update={"following_error": own})), own)


@pytest.mark.parametrize("joint", range(7))
def test_just_beyond_its_bound_a_standing_joint_is_named(cube: Configuration, joint: int) -> None:
    """Each joint by its own bound, to either side."""
    error = FollowingError(cube.limits, DT)
    error.begin(np.ones(7))
    for away, named in ((0.99, False), (1.01, True)):
        for sign in (-1.0, 1.0):
            q = np.ones(7)
            q[joint] += sign * away * allowed_error(cube.limits)[joint]
            assert (f"A{joint + 1} is " in error.judge(q, 1, settled(0.012))) == named


@pytest.mark.parametrize("gap", [2, 40, 1000])
def test_what_lies_between_two_commands_is_a_straight_way(cube: Configuration, gap: int) -> None:
    """Packets are lost for `gap` cycles: an arm that goes evenly has no error later; one that stands has."""
    v, d = 0.4, 0.012
    error = FollowingError(cube.limits.model_copy(update={"following_error": np.full(7, 1e-9)}), DT)
    path = lambda k: np.full(7, v * DT * k)  # noqa: E731
    arm = lambda k: np.full(7, v * max(DT * k - d, 0.0))  # noqa: E731
    error.begin(path(0))
    for k in range(1, 100):
        assert error.judge(arm(k), 1, settled(d)) == ""
        error.sent(path(k), 1)
    for k in (99 + gap, 100 + gap, 101 + gap):
        step = gap if k == 99 + gap else 1
        if k > 99 + gap:
            assert error.judge(arm(k), step, settled(d)) == ""
            assert gap < 40 or error.judge(path(99), step, settled(d)) != ""  # one that stood meanwhile
        error.sent(path(k), step)


def test_the_window_counts_from_the_packet_not_from_the_last_command(cube: Configuration) -> None:
    """After a gap of 30 cycles the arm is compared with commands that are as old as its delay."""
    d, gap = 0.1, 30
    error = FollowingError(cube.limits.model_copy(update={"following_error": np.full(7, 1e-9)}), DT)
    error.begin(np.zeros(7))
    for k in range(1, 200):
        error.sent(np.full(7, 1e-3 * k), 1)
    behind = 199 + gap - round(d / DT)  # the command that shows now
    assert error.judge(np.full(7, 1e-3 * behind), gap, settled(d)) == ""
    newest = 199  # which is 60 ms old, within the spread of the delay
    assert error.judge(np.full(7, 1e-3 * newest), gap, settled(d)) == ""
    oldest = behind - int((SPREAD + SHARE * d) / DT) - 3
    assert error.judge(np.full(7, 1e-3 * oldest), gap, settled(d)) != ""


def test_a_stuck_arm_brakes_the_driver(cube: Configuration) -> None:
    """In the driver: FAULT with joint and bound, rest within limits; a reset does not forgive it as it is."""
    driven = Driven(cube)
    driven.floated(60)
    stuck = driven.q
    for _ in range(2000):
        driven.cycle(q_measured=stuck, plan=driven.plan(0.2) if driven.count % 20 == 0 else None)
        if driven.driver.fault:
            break
    assert "following_error_deg" in driven.driver.fault and not driven.driver.following
    while driven.driver.moving:
        driven.cycle(q_measured=stuck)
    driven.assert_within_limits()


def test_a_new_session_begins_where_the_arm_stands(cube: Configuration) -> None:
    """The arm was moved by hand meanwhile: no error from the commands of the last session."""
    driven = Driven(cube)
    driven.floated(60)
    driven.q = driven.q + 0.3
    driven.step = np.zeros(7)
    for k in range(400):
        driven.cycle(new_session=k == 0)
        assert driven.driver.fault == ""
