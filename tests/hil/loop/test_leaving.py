"""When the driver may go: not before the arm stands, and not later than a bound that the limits give."""

import numpy as np
import pytest

from hil.configuration import Configuration
from hil.loop.driver.leaving import REST_ANSWERS, Leaving, leaves_within, longest_brake
from planner.following.stopping import stop_pieces

TURN_NS = 2_000_000


@pytest.mark.parametrize("name", ["cube", "real_arm"])
def test_no_brake_is_longer_than_the_longest(name: str, request: pytest.FixtureRequest) -> None:
    """The time-optimal stop from 2000 random states within the limits, and from the worst, to 1 %."""
    limits = request.getfixturevalue(name).limits
    rng = np.random.default_rng(4)
    longest = 0.0
    for i in range(7):
        V, A, J = limits.velocity[i], limits.acceleration[i], limits.jerk[i]
        a = rng.uniform(-A, A, 2000)
        v = rng.uniform(-V, V, 2000)
        v = np.clip(v, -V - np.minimum(a, 0.0) * np.abs(a) / (2 * J), V - np.maximum(a, 0.0) * a / (2 * J))
        v[0], a[0] = V - A * A / (2 * J), A  # the velocity still rises to its limit
        longest = max(longest, *(sum(stop_pieces(x, y, A, J)[1:]) for x, y in zip(v, a, strict=True)))
    assert 0.99 * longest_brake(limits) < longest <= longest_brake(limits) * (1.0 + 1e-12)


def test_nobody_leaves_unasked(cube: Configuration) -> None:
    """However long the arm stands."""
    leaving = Leaving(cube.limits)
    for _ in range(100):
        leaving.turned(moving=False, answered=True)
    assert not leaving.over(10**12)


def test_it_leaves_when_some_answers_in_a_row_let_the_arm_stand(cube: Configuration) -> None:
    """Counted from the request on, and anew after each that moves it."""
    leaving = Leaving(cube.limits)
    leaving.turned(moving=False, answered=True)
    leaving.begin(0)
    for moving in (False, False, True, *[False] * (REST_ANSWERS - 1)):
        leaving.turned(moving, answered=True)
        assert not leaving.over(TURN_NS)
    leaving.turned(moving=False, answered=True)
    assert leaving.over(TURN_NS)


def test_a_silent_robot_is_waited_for_only_in_motion(cube: Configuration) -> None:
    """It may send again while the arm moves; but not beyond the bound, counted from the first request."""
    standing, moving = Leaving(cube.limits), Leaving(cube.limits)
    within_ns = round(1e9 * leaves_within(cube.limits))
    for leaving in (standing, moving):
        leaving.begin(0)
        leaving.begin(within_ns // 2)
        leaving.turned(moving=leaving is moving, answered=False)
    assert standing.over(TURN_NS)
    assert not moving.over(within_ns - 1) and moving.over(within_ns)


def test_the_first_failure_is_told(cube: Configuration) -> None:
    """Also if the request came before it, and whatever follows."""
    leaving = Leaving(cube.limits)
    leaving.begin(0)
    first = ValueError("first")
    for error in (None, first, ValueError("second")):
        leaving.begin(0, error)
    assert leaving.failure is first
