"""The body's compiled core: rotation, momentum, wrench, against closed forms and scipy."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from hil.common.geometry import matrix_from_quat
from hil.configuration.schema import Stops
from sim.world.body import body_energy, body_state, body_twist, is_finite, step_body, step_body_into
from sim.world.motion import ROW_SIZE, fly_backwards_into, fly_grid_into
from sim.world.stops import pack_stops

BODY = np.array([5.0, 0.20, 0.35, 0.45])
NO_STOPS = pack_stops(Stops(enabled=False), BODY[1:])
NO_CAPS = np.array([np.inf, np.inf])
NO_SLICES = (np.empty((0, 8)), np.empty(0, np.int64))
NO_WRENCH = np.zeros(6)
IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
NEAR_MIDDLE = np.array([0.1, -0.2, 0.3, 0.02, 1.0, 0.01])  # twist: tumbles over again and again


def flown(state, body, stops, steps, dt):
    """Return the state after many steps of free flight."""
    ring = np.zeros((2, ROW_SIZE))
    ring[0, :13] = state
    fly_grid_into(ring, 0, steps, dt, *NO_SLICES, body, stops, NO_CAPS)
    return ring[steps % 2, :13]


def tumbling_by_scipy(inertia, omega_0, t):
    """Return the rotation matrix at `t` of a torque-free top from Euler's equations, by DOP853."""

    def rate(_, y):
        w = y[:3]
        attitude = y[3:].reshape(3, 3)
        spin = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        return np.concatenate([-np.cross(w, inertia * w) / inertia, (attitude @ spin).ravel()])

    start = np.concatenate([omega_0, np.eye(3).ravel()])
    return solve_ivp(rate, (0, t), start, "DOP853", rtol=1e-12, atol=1e-13).y[3:, -1].reshape(3, 3)


def test_asymmetric_top_follows_eulers_equations():
    """60 s of tumbling about the middle axis agree with an integration of Euler's equations to 1e-9."""
    state = body_state(np.zeros(3), IDENTITY, NEAR_MIDDLE, BODY)
    end = flown(state, BODY, NO_STOPS, 60_000, 1e-3)
    expected = tumbling_by_scipy(BODY[1:], NEAR_MIDDLE[3:], 60.0)
    assert np.abs(matrix_from_quat(end[3:7]) - expected).max() < 1e-9
    assert np.allclose(end[:3], 60.0 * NEAR_MIDDLE[:3], atol=1e-11)


def test_symmetric_top_follows_its_closed_form():
    """With Ixx = Iyy the attitude is exp(L t / I1) exp(body-axis turn): two rotations at constant rate."""
    body = np.array([2.0, 0.3, 0.3, 0.5])
    twist = np.array([0, 0, 0, 0.4, 0.1, 0.8])
    state = body_state(np.zeros(3), IDENTITY, twist, body)
    t = 12.5
    end = flown(state, body, NO_STOPS, 12_500, 1e-3)
    precession = Rotation.from_rotvec(state[10:13] / 0.3 * t)
    own = Rotation.from_rotvec([0, 0, twist[5] * (1 - 0.5 / 0.3) * t])
    expected = (precession * own).as_matrix()
    assert np.abs(matrix_from_quat(end[3:7]) - expected).max() < 1e-10


def test_ten_minutes_keep_energy_and_momentum():
    """Ten minutes at 1 rad/s on the 1 ms grid: energy and angular momentum within 1e-8."""
    state = body_state(np.zeros(3), IDENTITY, NEAR_MIDDLE, BODY)
    end = flown(state, BODY, NO_STOPS, 600_000, 1e-3)
    drift = body_energy(end, BODY, NO_STOPS) / body_energy(state, BODY, NO_STOPS) - 1.0
    assert abs(drift) < 1e-8
    assert np.linalg.norm(end[10:13] - state[10:13]) <= 1e-8 * np.linalg.norm(state[10:13])


def test_rotation_is_of_fourth_order():
    """Halving the step divides the attitude's error by about 16."""
    state = body_state(np.zeros(3), IDENTITY, 3.0 * NEAR_MIDDLE, BODY)
    expected = tumbling_by_scipy(BODY[1:], 3.0 * NEAR_MIDDLE[3:], 4.0)
    errors = [
        np.abs(matrix_from_quat(flown(state, BODY, NO_STOPS, n, 4.0 / n)[3:7]) - expected).max()
        for n in (80, 160, 320)
    ]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all((orders > 3.7) & (orders < 4.6)), orders


def test_constant_force_and_torque():
    """A constant wrench gives the parabola, and the angular momentum grows by torque times time."""
    wrench = np.array([1.0, -2.0, 0.5, 0.03, 0.02, -0.01])
    state = body_state(np.array([1.0, 2.0, 3.0]), IDENTITY, NEAR_MIDDLE, BODY)
    now = state.copy()
    for _ in range(700):
        step_body_into(now, now, BODY, NO_STOPS, wrench, 1e-3)
    expected = state[:3] + 0.7 * state[7:10] + 0.5 * 0.49 * wrench[:3] / BODY[0]
    assert np.allclose(now[:3], expected, atol=1e-12)
    assert np.allclose(now[7:10], state[7:10] + 0.7 * wrench[:3] / BODY[0], atol=1e-12)
    assert np.allclose(now[10:13], state[10:13] + 0.7 * wrench[3:], atol=1e-12)


def test_twist_is_what_the_state_was_made_of():
    """Twist in, twist out, at any attitude; the step leaves its argument alone."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        quat = rng.normal(size=4)
        quat /= np.linalg.norm(quat)
        twist = rng.normal(size=6)
        state = body_state(rng.normal(size=3), quat, twist, BODY)
        assert np.allclose(body_twist(state, BODY), twist, atol=1e-12)
        kept = state.copy()
        step_body(state, BODY, NO_STOPS, NO_WRENCH, 1e-3)
        assert np.array_equal(kept, state)


@pytest.mark.parametrize("enabled", [False, True])
def test_flying_backwards_returns(enabled):
    """Forward by 20 ms and back is where it began, in free flight and within a swing stop."""
    stops = pack_stops(Stops(enabled=enabled), BODY[1:])
    quat = np.array([np.cos(0.5), 0.0, np.sin(0.5), 0.0])
    row = np.zeros(ROW_SIZE)
    row[:13] = body_state(np.array([1.01, 0.0, 0.0]), quat, NEAR_MIDDLE, BODY)
    start = row.copy()
    row[:13] = flown(row[:13], BODY, stops, 20, 1e-3)
    fly_backwards_into(row, 0.02, 1e-3, BODY, stops)
    assert np.allclose(row, start, atol=1e-10)


def test_a_step_of_any_length_ends_at_a_unit_quaternion():
    """A sphere turned by 2 rad at once, where Runge-Kutta's own norm is off: unit, and about its spin."""
    body = np.array([2.0, 0.3, 0.3, 0.3])
    state = body_state(np.zeros(3), IDENTITY, np.array([0, 0, 0, 6.0, 0.0, 8.0]), body)
    end = step_body(state, body, NO_STOPS, NO_WRENCH, 0.2)
    assert np.linalg.norm(end[3:7]) == pytest.approx(1.0, abs=1e-15)
    assert np.allclose(end[4:7] / np.linalg.norm(end[4:7]), [0.6, 0.0, 0.8], atol=1e-15)


def test_energy_is_of_speed_spin_and_spring():
    """Object x along world y, object y against world x; 10 mm beyond a bound: m v2 / 2, w I w / 2, spring."""
    quarter = np.array([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])
    twist = np.array([0.3, -0.4, 1.2, 2.0, 3.0, -1.0])
    section = Stops(swing_deg=180.0, twist_deg=180.0, half_extent_mm=[100, 200, 300], contact_time_ms=250.0)
    state = body_state(np.array([0.05, -0.21, 0.3]), quarter, twist, BODY)
    moving = 0.5 * 5.0 * 1.3**2 + 0.5 * (0.35 * 2.0**2 + 0.20 * 3.0**2 + 0.45 * 1.0**2)
    spring = 0.5 * 5.0 * (np.pi / 0.25 * 0.01) ** 2
    assert body_energy(state, BODY, NO_STOPS) == pytest.approx(moving, rel=1e-14)
    assert body_energy(state, BODY, pack_stops(section, BODY[1:])) == pytest.approx(
        moving + spring, rel=1e-14
    )


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_not_finite_is_found_wherever_it_stands(bad):
    """In position, attitude and twist, at every place."""
    whole = np.arange(13.0)
    assert is_finite(whole[:3], whole[3:7], whole[7:])
    for k in range(13):
        numbers = whole.copy()
        numbers[k] = bad
        assert not is_finite(numbers[:3], numbers[3:7], numbers[7:]), k
