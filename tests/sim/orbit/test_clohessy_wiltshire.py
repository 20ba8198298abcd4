"""The closed form against integration of its equations, and of two bodies about the earth."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from sim.orbit.clohessy_wiltshire import (
    EARTH_GRAVITY,
    EARTH_RADIUS,
    arrival_velocity,
    mean_motion,
    relative_acceleration,
    transition,
)

ORBITS = pytest.mark.parametrize("altitude", [400e3, 35_786e3], ids=["low", "geostationary"])
START = np.array([0.3, -2.0, 0.7, 0.004, -0.003, 0.002])


def test_periods_of_known_orbits() -> None:
    """400 km: 92.56 min; geostationary: a sidereal day."""
    assert 2.0 * math.pi / mean_motion(400e3) / 60.0 == pytest.approx(92.56, abs=0.01)
    assert 2.0 * math.pi / mean_motion(35_786_034.0) == pytest.approx(86_164.1, abs=1.0)


@ORBITS
def test_one_orbit_against_the_equations(altitude: float) -> None:
    """DOP853 on the differential equations over one orbit agrees to 1e-9 of the drift."""
    n = mean_motion(altitude)
    period = 2.0 * math.pi / n
    run = solve_ivp(
        lambda _, s: np.concatenate((s[3:], relative_acceleration(s, n))),
        (0.0, period),
        START,
        method="DOP853",
        rtol=1e-12,
        atol=1e-13,
    )
    exact = transition(n, period) @ START
    drift = np.linalg.norm(exact[:3] - START[:3])
    assert drift > 10.0
    assert np.linalg.norm(run.y[:3, -1] - exact[:3]) < 1e-9 * drift


def _inertial(state: np.ndarray, radius: float, n: float, t: float) -> np.ndarray:
    """A Hill state as position and velocity about the earth, axes of the stars."""
    c, s = math.cos(n * t), math.sin(n * t)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    p = np.array([radius, 0.0, 0.0]) + state[:3]
    return np.concatenate((R @ p, R @ (state[3:] + np.cross([0.0, 0.0, n], p))))


@ORBITS
def test_tenth_of_an_orbit_against_kepler(altitude: float) -> None:
    """Two bodies about a point mass part as the closed form says, to second order in distance."""
    radius, n = EARTH_RADIUS + altitude, mean_motion(altitude)
    time = 0.1 * 2.0 * math.pi / n

    def kepler(_: float, y: np.ndarray) -> np.ndarray:
        return np.concatenate((y[3:], -EARTH_GRAVITY * y[:3] / np.linalg.norm(y[:3]) ** 3))

    run = solve_ivp(
        kepler, (0.0, time), _inertial(START, radius, n, 0.0), method="DOP853", rtol=1e-13, atol=1e-9
    )
    expected = _inertial(transition(n, time) @ START, radius, n, time)
    path = np.linalg.norm((transition(n, time) @ START)[:3] - START[:3])
    assert np.linalg.norm(run.y[:3, -1] - expected[:3]) < 1e-4 * path


def test_steps_add_up() -> None:
    """Two times in turn are their sum, and back is the inverse."""
    n = mean_motion(400e3)
    assert transition(n, 700.0) @ transition(n, 300.0) == pytest.approx(transition(n, 1000.0), abs=1e-9)
    assert transition(n, -300.0) @ transition(n, 300.0) == pytest.approx(np.eye(6), abs=1e-9)


def test_aimed_velocity_arrives() -> None:
    """With the aimed velocity the point is at the goal when it should be."""
    n = mean_motion(400e3)
    start, goal = np.array([0.0, 0.1, -2.0]), np.array([0.01, 0.0, -0.1])
    v = arrival_velocity(start, goal, n, 95.0)
    assert (transition(n, 95.0) @ np.concatenate((start, v)))[:3] == pytest.approx(goal, abs=1e-12)
