"""The ideal body against closed forms: pushes, resets, stops, slowed object time."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hil.configuration.schema import Stops
from hil.loop.trace.ideal_body import BodyPath, ideal_path, touching_stops
from sim.world.stops import pack_stops

BODY = np.array([60.0, 3.0, 3.0, 3.0])
FREE = pack_stops(Stops(enabled=False), BODY[1:])
DT, PARTS = 0.002, 2


def at_rest(n: int) -> BodyPath:
    return BodyPath(np.zeros((n, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (n, 1)), np.zeros((n, 6)))


def driven(n, wrench_at, rate=None, reset=None, sim=None, body=BODY, stops=FREE):
    """Path of a body under `wrench_at(t)`, sampled at the end of each part of each cycle."""
    t = np.arange(n) * DT
    ends = t[:, None] - DT + DT / PARTS * (np.arange(PARTS) + 1.0)
    wrench = np.array([[wrench_at(time) for time in row] for row in ends])
    rate = np.ones(n) if rate is None else rate
    reset = np.zeros(n, bool) if reset is None else reset
    return t, ideal_path(t, wrench, rate, reset, sim or at_rest(n), body, stops)


def half_sine(t, start=0.1, end=0.2, peak=40.0):
    inside = start <= t <= end
    return peak * math.sin(math.pi * (t - start) / (end - start)) if inside else 0.0


def test_a_push_gives_its_impulse_over_the_mass_and_inertia():
    """A half-sine force and torque: velocity after it is 2 peak T / (pi m), and the path runs on."""
    t, path = driven(300, lambda s: half_sine(s) * np.array([1.0, 0, 0, 0, 0.05, 0]))
    impulse = 2.0 * 40.0 * 0.1 / math.pi
    expected = [impulse / 60.0, 0, 0, 0, 0.05 * impulse / 3.0, 0]
    tolerance = 1.05 * math.pi**2 / 12.0 * (DT / PARTS / 0.1) ** 2  # of the trapezoid rule
    assert path.twist[-1] == pytest.approx(np.array(expected), rel=tolerance, abs=1e-12)
    assert path.p[-1, 0] == pytest.approx(expected[0] * (t[-1] - 0.15), rel=tolerance)
    assert 2.0 * math.acos(path.quat[-1, 0]) == pytest.approx(expected[4] * (t[-1] - 0.15), rel=tolerance)


def test_velocity_belongs_to_the_end_of_the_cycle():
    """A constant force from the first cycle on: v(t_k) = F t_k / m at every row, p = F t^2 / 2m."""
    t, path = driven(50, lambda s: np.array([6.0, 0, 0, 0, 0, 0]))
    assert path.twist[:, 0] == pytest.approx(0.1 * t, abs=1e-15)
    assert path.p[:, 0] == pytest.approx(0.05 * t**2, abs=1e-15)


def test_the_force_is_linear_between_samples():
    """A force that grows as t: v = t^2 / 2m and p = t^3 / 6m at every row, to the sub-step's order."""
    t, path = driven(100, lambda s: np.array([60.0 * max(s, 0.0), 0, 0, 0, 0, 0]))
    assert path.twist[:, 0] == pytest.approx(0.5 * t**2, rel=1e-12, abs=1e-15)
    assert path.p[:, 0] == pytest.approx(t**3 / 6.0, rel=1e-3, abs=1e-10)
    assert path.p[-1, 0] == pytest.approx(t[-1] ** 3 / 6.0, rel=1e-5)


def test_a_tumbling_body_follows_eulers_equations():
    """Three different inertias, a torque on top: attitude and spin as by a high-order integrator."""
    body = np.array([10.0, 0.2, 0.35, 0.45])
    spin = np.array([0.3, 1.0, 0.1])
    torque = np.array([0.0, 0.02, 0.05])
    sim = at_rest(1000)
    sim.twist[0, 3:] = spin
    t, path = driven(1000, lambda s: np.r_[0, 0, 0, torque], sim=sim, body=body)

    def rotation(q):
        w, x, y, z = q
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )

    def slope(_, y):
        q, w = y[:4], y[4:]  # spin in object axes
        dq = 0.5 * np.array([-q[1:] @ w, *(q[0] * w + np.cross(q[1:], w))])
        return np.r_[dq, (rotation(q).T @ torque - np.cross(w, body[1:] * w)) / body[1:]]

    exact = solve_ivp(slope, (0.0, t[-1]), np.r_[1.0, 0, 0, 0, spin], method="DOP853", rtol=1e-12, atol=1e-12)
    q, w = exact.y[:4, -1], exact.y[4:, -1]
    assert abs(q @ path.quat[-1]) == pytest.approx(1.0, abs=1e-10)
    assert path.twist[-1, 3:] == pytest.approx(rotation(q) @ w, abs=1e-6)


def test_at_reset_rows_it_is_the_simulated_body():
    """Set to the simulated state at two rows, and free in between."""
    n = 100
    sim = at_rest(n)
    sim.p[:] = np.arange(n)[:, None] * [1.0, 2.0, 3.0]
    sim.twist[:, 0] = 0.5
    reset = np.zeros(n, bool)
    reset[[40, 70]] = True
    t, path = driven(n, lambda s: np.zeros(6), reset=reset, sim=sim)
    for row in (0, 40, 70):
        assert path.p[row].tolist() == sim.p[row].tolist()
        assert path.quat[row].tolist() == sim.quat[row].tolist()
    assert path.p[69] == pytest.approx(sim.p[40] + [0.5 * (t[69] - t[40]), 0, 0])


def test_it_bounces_at_a_stop_without_loss_and_is_seen_touching():
    """A centre stop 10 mm ahead: after half a period of contact the speed is reversed."""
    stops = pack_stops(
        Stops(half_extent_mm=[10, 1000, 1000], swing_deg=170, twist_deg=170, contact_time_ms=300), BODY[1:]
    )
    sim = at_rest(300)
    sim.twist[0, 0] = 0.1
    t, path = driven(300, lambda s: np.zeros(6), sim=sim, stops=stops)
    assert path.twist[-1, 0] == pytest.approx(-0.1, rel=1e-9)
    touching = touching_stops(path.p, path.quat, stops)
    assert t[touching].min() == pytest.approx(0.1, abs=0.003)
    assert t[touching].max() == pytest.approx(0.4, abs=0.003)
    assert path.p[:, 0].max() == pytest.approx(0.01 + 0.1 * 0.3 / math.pi, rel=1e-3)


@pytest.mark.parametrize(("axis", "limit"), [([0, 1, 0], 0.2), ([0, 0, 1], 1.0)])
def test_swing_and_twist_beyond_their_limits_are_contact(axis, limit):
    """Turning the object's z from the nominal axis is swing, turning about it twist."""
    stops = pack_stops(
        Stops(axis_pitch_deg=-90, swing_deg=np.degrees(0.2), twist_deg=np.degrees(1.0)), BODY[1:]
    )
    nominal = stops[6:10]
    turns = [0.99 * limit, 1.01 * limit]
    quats = []
    for turn in turns:
        w, v = math.cos(turn / 2), math.sin(turn / 2) * np.array(axis)
        a, b = nominal[0], nominal[1:]
        quats.append(np.r_[a * w - b @ v, a * v + w * b + np.cross(b, v)])
    assert touching_stops(np.zeros((2, 3)), np.array(quats), stops).tolist() == [False, True]


@pytest.mark.parametrize("pace", [0.0, 0.25])
def test_in_slowed_object_time_a_push_changes_velocity_in_full_and_position_less(pace):
    """Pace p: the impulse is that of wall time, the way is p times the velocity's integral."""
    n = 200
    t, path = driven(n, lambda s: np.array([6.0, 0, 0, 0, 0.3, 0]), rate=np.full(n, pace))
    assert path.twist[:, 0] == pytest.approx(0.1 * t, rel=1e-9, abs=1e-15)
    assert path.twist[:, 4] == pytest.approx(0.1 * t, rel=1e-9, abs=1e-15)
    assert path.p[-1, 0] == pytest.approx(pace * 0.05 * t[-1] ** 2, rel=1e-6, abs=1e-15)


def test_a_run_without_rows_has_an_empty_path():
    """Nothing recorded: nothing computed."""
    path = ideal_path(
        np.empty(0), np.empty((0, 2, 6)), np.empty(0), np.empty(0, bool), at_rest(0), BODY, FREE
    )
    assert path.p.shape == (0, 3)
