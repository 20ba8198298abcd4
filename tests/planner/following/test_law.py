"""The law of following, kernel by kernel, against its closed form and the limits one at a time."""

import math

import numpy as np
import pytest

from hil.configuration.schema import Interpolation, Stops
from planner.following.closing import closing_of
from planner.following.law import _joined, follow_into, lawful_into, settle_into
from planner.following.limits import MotionLimits
from planner.following.reference import INSIDE
from planner.following.stopping import moved, stop_step
from tests.planner.following.following_cases import DT, HOME, LIMITS, MODEL, plan_of

BOUNDS = MotionLimits.from_configuration(MODEL, LIMITS).bounds
LOWER, UPPER, V, A, J = BOUNDS
FREELY = closing_of(MODEL, np.eye(4), Stops(max_speed_mm_s=5000.0, max_spin_deg_s=5000.0), Interpolation())
SLOWLY = closing_of(MODEL, np.eye(4), Stops(max_speed_mm_s=1.0, max_spin_deg_s=1.0), Interpolation())


def test_the_gap_of_what_is_to_be_followed_dies_away_exactly():
    """q = q_p + d + e, e = e_0 exp(-k h), e_0 the gap without the push until now; v and a its derivatives."""
    rng, k = np.random.default_rng(8), 5.0
    reference, gap = rng.normal(size=(3, 7)), 0.02 * rng.normal(size=7)
    push = 0.02 * rng.normal(size=(3, 7))
    out = np.empty((3, 7))
    lawful_into(out, gap, HOME, reference, push, BOUNDS, FREELY, k, DT)
    e_0 = gap - (push[1] - push[0] * DT)
    e = e_0 * np.exp(-k * DT)
    np.testing.assert_allclose(out[0], reference[0] + push[1] + e, rtol=1e-14)
    np.testing.assert_allclose(out[1], reference[1] + push[0] - k * e, rtol=1e-14)
    np.testing.assert_allclose(out[2], reference[2] + push[2] + k * k * e, rtol=1e-14)
    lawful_into(out, gap, HOME, reference, push, BOUNDS, SLOWLY, k, DT)
    closing = out[1] - reference[1] - push[0]
    assert np.abs(closing).max() < 0.01 * np.abs(k * e).max()
    np.testing.assert_allclose(out[0] - reference[0] - push[1], e_0 + DT * closing, atol=1e-14)


def followed(velocity: np.ndarray, state: np.ndarray, acceleration: float = 0.0):
    """Follow a plan of one velocity, slewing, from a state; return where, out, target, pending."""
    now = 1.0

    def motion(s):
        ramp = np.full((len(s), 7), acceleration)
        return HOME + velocity * (s - now) + 0.5 * ramp * (s - now) ** 2, velocity + ramp * (s - now), ramp

    plan = plan_of(motion, now)
    nodes = np.stack((plan.q, plan.dq, plan.ddq), axis=1)
    out, reference, target = np.empty((3, 7)), np.empty((3, 7)), np.empty((2, 7))
    pending, gap = np.zeros(7, bool), np.zeros(7)
    path, look = np.array([plan.object_time_0, plan.step]), np.array([0.0, DT, 1.0, 0.0])
    where, count, _, _ = follow_into(
        out, reference, target, pending, gap, state, nodes, path, np.array(plan.time_map), look,
        np.zeros((3, 7)), BOUNDS, FREELY, 5.0, DT,
    )  # fmt: skip
    assert where == INSIDE and count == pending.sum()
    return target, pending


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_limiter_is_never_aimed_beyond_the_limits(sign):
    """From rest at a plan that is too fast, and at one that still speeds up near the limit."""
    rest = np.zeros((3, 7))
    rest[0] = HOME
    target, pending = followed(sign * 1.5 * V, rest)
    assert pending.all()
    np.testing.assert_allclose(target[0], sign * V, rtol=1e-12)
    target, pending = followed(sign * 0.98 * V, rest, sign * 7.0)
    assert pending.all() and (sign * target[1] > 0.0).all()
    arriving = np.abs(target[0]) + target[1] ** 2 / (2.0 * J)  # velocity when the acceleration has died away
    assert (arriving <= V * (1.0 + 1e-9)).all() and (arriving > 0.99 * V).any()


def test_a_step_that_ends_beyond_the_acceleration_is_not_joined():
    """Of one constant jerk within its limit, from below the limit of acceleration to above it."""
    i, jerk = 0, 0.9 * J[0]
    for over, allowed in ((-1e-3, True), (1e-3, False)):
        a0 = A[0] - jerk * DT + over
        start = (HOME[0], -0.5, a0)
        state, out = np.zeros((3, 7)), np.zeros((3, 7))
        state[:, i], out[:, i] = start, moved(*start, jerk, DT)
        assert _joined(out, state, BOUNDS, i, DT) == allowed


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_joint_that_could_not_be_stopped_later_stops_now(sign):
    """The limiter's step would leave too little way to either limit: the joint's own stop is taken."""
    state, limited, out = np.zeros((3, 7)), np.zeros((3, 7)), np.zeros((3, 7))
    limit = UPPER if sign > 0 else LOWER
    way = 0.5 * A[2] / J[2] + 0.5 / A[2]  # about what a stop from 1 rad/s takes
    state[:, 2] = limit[2] - sign * way, sign * 1.0, 0.0
    limited[:, 2] = moved(state[0, 2], state[1, 2], 0.0, sign * J[2], DT)
    pending = np.zeros(7, bool)
    pending[2] = True
    assert settle_into(out, limited, pending, state, BOUNDS, DT) == 2
    np.testing.assert_allclose(out[:, 2], stop_step(*state[:, 2], A[2], J[2], DT), rtol=1e-14)
    state[0, 2] = limited[0, 2] = HOME[2]
    assert settle_into(out, limited, pending, state, BOUNDS, DT) == -1
    np.testing.assert_array_equal(out[:, 2], limited[:, 2])


def test_a_step_farther_than_the_speed_allows_is_stopped():
    """However slow its end: from where the joint is it would be beyond V h."""
    state, limited, out = np.zeros((3, 7)), np.zeros((3, 7)), np.zeros((3, 7))
    pending = np.zeros(7, bool)
    pending[1] = True
    state[0, 1], limited[0, 1] = HOME[1], HOME[1] + 1.01 * V[1] * DT
    settle_into(out, limited, pending, state, BOUNDS, DT)
    assert out[0, 1] == state[0, 1] and math.isclose(out[1, 1], 0.0)
