"""The limiter, the closed-form stop and the joining of states."""

import numpy as np
import pytest
import ruckig
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.following.joining import state_join, velocity_join
from planner.following.limiter import Limiter, LimiterError
from planner.following.limits import MotionLimits
from planner.following.stopping import is_safe, moved, stop_pieces, stop_range, stop_step
from tests.planner.following.following_cases import DT, LIMITS, MODEL

FULL = MotionLimits.from_configuration(MODEL, LIMITS)
A, J = 8.0, 160.0


def limiter_path(start, target, cycles):
    """States (cycles + 1, 3, 7) of a limiter whose target velocity moves on with its acceleration."""
    limiter, states = Limiter(FULL), [start]
    for n in range(1, cycles + 1):
        aim = np.array([target[0] + target[1] * n * DT, target[1]])
        states.append(limiter.step(states[-1], aim, DT))
    return np.array(states)


@pytest.mark.parametrize("change", [0.02, 0.1, 0.39, 0.8, 1.5])
def test_a_step_of_velocity_takes_the_time_optimal_duration(change):
    """From rest to v: 2 sqrt(v / J) while the acceleration limit is not met, else v / A + A / J."""
    states = limiter_path(np.zeros((3, 7)), np.array([np.full(7, change), np.zeros(7)]), 160)
    acceleration, jerk = LIMITS.acceleration, LIMITS.jerk
    short = change < acceleration**2 / jerk
    want = np.where(short, 2 * np.sqrt(change / jerk), change / acceleration + acceleration / jerk)
    arrived = (np.abs(states[:, 1] - change) < 1e-9) & (np.abs(states[:, 2]) < 1e-9)
    cycles = arrived.argmax(axis=0)
    assert np.all(arrived[-1]) and np.all(cycles == np.ceil(want / DT - 1e-6))


def test_a_target_with_acceleration_is_met_and_kept():
    """From beside a ramp of velocity the limiter comes onto it in velocity and acceleration, and stays."""
    start = np.random.default_rng(5).uniform(-0.3, 0.3, (3, 7))
    target = np.array([np.linspace(-0.2, 0.2, 7), np.linspace(2.0, -2.0, 7)])
    states = limiter_path(start, target, 150)
    t = DT * np.arange(151)[:, None]
    np.testing.assert_allclose(states[110:, 1], (target[0] + target[1] * t)[110:], atol=1e-9)
    np.testing.assert_allclose(states[110:, 2], np.broadcast_to(target[1], (41, 7)), atol=1e-9)


def test_input_that_is_not_finite_is_refused():
    """NaN in state or target raises our error, never ruckig's."""
    limiter = Limiter(FULL)
    state, target = np.zeros((3, 7)), np.zeros((2, 7))
    state[1, 2] = np.nan
    with pytest.raises(LimiterError, match="limiter"):
        limiter.step(state, target, DT)


velocities = st.floats(-1.9, 1.9)
accelerations = st.floats(-A, A)


@given(velocities, accelerations)
@settings(max_examples=200, deadline=None)
def test_the_stop_in_closed_form_is_ruckigs(v, a):
    """Closed form and ruckig, written apart from each other, agree at every cycle of a stop."""
    limits = MotionLimits(*(np.full(1, x) for x in (-9.0, 9.0, 2.0, A, J)))
    limiter = Limiter(limits)
    state, q = np.array([[0.0], [v], [a]]), (0.0, v, a)
    for _ in range(20):
        state = limiter.step(state, np.zeros((2, 1)), 0.02)
        q = stop_step(*q, A, J, 0.02)
        np.testing.assert_allclose(state[:, 0], q, atol=2e-7)
    assert q[1] == 0.0 and q[2] == 0.0


@given(velocities, accelerations)
@settings(max_examples=200, deadline=None)
def test_the_range_of_a_stop_is_what_its_path_covers(v, a):
    """The extremes found in closed form are those of a densely sampled path."""
    j, *pieces = stop_pieces(v, a, A, J)
    state, path = (0.0, v, a), [0.0]
    for jerk, t in zip((j, 0.0, -j), pieces, strict=True):
        path += [moved(*state, jerk, x)[0] for x in np.linspace(0.0, t, 400)]
        state = moved(*state, jerk, t)
        assert abs(state[2]) <= A + 1e-9
    assert abs(state[1]) < 1e-9 and abs(state[2]) < 1e-9
    low, high = stop_range(0.0, v, a, A, J)
    np.testing.assert_allclose([low, high], [min(path), max(path)], atol=2e-6)


@given(st.floats(-1.0, 1.0), velocities, accelerations)
@settings(max_examples=200, deadline=None)
def test_what_is_safe_stays_safe_while_stopping(q, v, a):
    """A safe state's next state on the stop is safe too: the induction on which braking in time rests."""
    bounds = (-1.0, 1.0, 1.5, A, J)
    loose = (-1.0 - 1e-9, 1.0 + 1e-9, 1.5 + 1e-9, A, J)
    if all(is_safe(q, v, a, *bounds)):
        assert all(is_safe(*stop_step(q, v, a, A, J, DT), *loose))


@given(st.floats(-1.2, 1.2), st.floats(-1.2, 1.2), st.floats(-A, A))
@settings(max_examples=150, deadline=None)
def test_safe_is_what_a_stop_keeps(q, v, a):
    """Followed in fine steps to rest: both position limits, and the speed on the way, as `is_safe` says."""
    lower, upper, V = -0.7, 0.9, 1.0
    state, path, fine = (q, v, a), [(q, v, a)], 1e-3
    while state[1] or state[2]:
        state = stop_step(*state, A, J, fine)
        path.append(state)
    places, speeds = np.array(path)[:, 0], np.abs(np.array(path)[:, 1])
    fast, near = is_safe(q, v, a, lower, upper, V, A, J)
    slack = 2e-3  # a turn between two steps
    if fast:
        assert speeds.max() <= V + slack
    elif speeds.max() > 0.0 and abs(v + a * abs(a) / (2 * J)) <= V:
        assert speeds.max() > V - slack
    if near:
        assert lower - 1e-9 <= places.min() and places.max() <= upper + 1e-9
    else:
        assert places.min() < lower + slack or places.max() > upper - slack


def test_a_speed_that_the_acceleration_still_carries_beyond_is_not_safe():
    """v below the limit, and v + a^2 / 2 J above it, either way; where it dies away in time it is."""
    for sign in (1.0, -1.0):
        assert not is_safe(0.0, sign * 0.9, sign * A, -9.0, 9.0, 1.0, A, J)[0]
        assert is_safe(0.0, sign * 0.9, -sign * A, -9.0, 9.0, 1.0, A, J)[0]


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("share", [0.8, 2.0])
def test_the_limits_of_acceleration_hold_beside_a_moving_target(sign, share):
    """However far below or above a target that speeds up by a share of the limit: never beyond the limit."""
    for start_velocity in (-1.0, 1.0):
        start = np.zeros((3, 7))
        start[1] = start_velocity
        target = np.array([np.zeros(7), sign * share * LIMITS.acceleration])
        reached = np.abs(limiter_path(start, target, 100)[:, 2]).max(axis=0)
        assert (reached <= LIMITS.acceleration * (1.0 + 1e-9)).all()


def test_a_profile_that_is_not_finite_is_refused():
    """Should the solver ever give one."""

    class Broken:
        def at_time(self, _):
            return [np.nan] * 7, [0.0] * 7, [0.0] * 7

    class Content:
        def calculate(self, *_):
            return ruckig.Result.Working

    limiter = Limiter(FULL)
    limiter._trajectory, limiter._solver = Broken(), Content()
    with pytest.raises(LimiterError, match="not finite"):
        limiter.step(np.zeros((3, 7)), np.zeros((2, 7)), DT)


def test_joining_gives_back_the_jerks_a_step_was_made_of():
    """Of states made by three known jerks the largest comes back, and the largest acceleration; so of two."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        start, jerks = rng.normal(size=3), rng.normal(size=3) * 100
        for pieces, join in ((3, state_join), (2, velocity_join)):
            state, between = tuple(start), []
            for jerk in jerks[:pieces]:
                state = moved(*state, jerk, DT / pieces)
                between.append(abs(state[2]))
            given = state if pieces == 3 else state[1:]
            largest, within, *position = join(*start, *given, DT)
            assert largest == pytest.approx(np.abs(jerks[:pieces]).max(), rel=1e-4)
            assert within == pytest.approx(max(between[:-1]), rel=1e-4)
            assert not position or position[0] == pytest.approx(state[0], abs=1e-15)
