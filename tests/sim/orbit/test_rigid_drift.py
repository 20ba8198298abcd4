"""A rigid body in Hill's frame against the sum over its mass points and Euler's equations."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from sim.orbit.clohessy_wiltshire import mean_motion, relative_acceleration
from sim.orbit.rigid_drift import drifted_attitude, drifted_centre, orbit_torque


def test_torque_is_the_sum_over_mass_points() -> None:
    """40 mass points, each with its own acceleration in Hill's frame."""
    rng = np.random.default_rng(3)
    mass, rho, n = rng.uniform(0.1, 2.0, 40), rng.normal(size=(40, 3)), 0.7
    rho -= mass @ rho / mass.sum()
    omega = rng.normal(size=3)
    inertia = sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(mass, rho, strict=True))
    expected = sum(
        m * np.cross(r, relative_acceleration(np.concatenate((r, np.cross(omega, r))), n))
        for m, r in zip(mass, rho, strict=True)
    )
    assert orbit_torque(inertia, omega, n) == pytest.approx(expected, rel=1e-12)


def test_a_ball_turns_as_the_stars_say() -> None:
    """A ball at rest among the stars turns backward with the mean motion, for a whole orbit."""
    n = mean_motion(400e3)
    time = 0.75 * 2.0 * math.pi / n
    quat, omega = drifted_attitude(
        np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.0, 0.0, -n]), 3.0 * np.eye(3), n, time
    )
    assert omega == pytest.approx([0.0, 0.0, -n], abs=1e-12)
    turned = Rotation.from_quat(quat, scalar_first=True).as_matrix()
    assert turned == pytest.approx(Rotation.from_rotvec([0.0, 0.0, -n * time]).as_matrix(), abs=1e-9)


def test_attitude_against_the_inertial_equations() -> None:
    """Euler's equation among the stars with the gravity gradient 3 n2 r x I r, turned into Hill's frame."""
    n, inertia = mean_motion(400e3), np.diag([2.0, 5.0, 6.0])
    omega, time = np.array([2e-3, -1e-3, 3e-3]), 1500.0
    start = Rotation.from_rotvec([0.4, -0.2, 0.3])

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        R = Rotation.from_quat(y[:4], scalar_first=True).as_matrix()
        up = R.T @ np.array([math.cos(n * t), math.sin(n * t), 0.0])
        torque = 3.0 * n**2 * np.cross(up, inertia @ up)
        w = y[4:]
        a, b, c, d = y[:4]
        rate = 0.5 * np.array([[-b, -c, -d], [a, -d, c], [d, a, -b], [-c, b, a]]) @ w
        return np.concatenate((rate, np.linalg.solve(inertia, torque - np.cross(w, inertia @ w))))

    first = np.concatenate(
        (start.as_quat(scalar_first=True), start.inv().apply(omega + np.array([0.0, 0.0, n])))
    )
    run = solve_ivp(rates, (0.0, time), first, method="DOP853", rtol=1e-11, atol=1e-13)
    expected = Rotation.from_rotvec([0.0, 0.0, -n * time]) * Rotation.from_quat(
        run.y[:4, -1], scalar_first=True
    )
    quat, _ = drifted_attitude(start.as_quat(scalar_first=True), omega, inertia, n, time)
    apart = Rotation.from_quat(quat, scalar_first=True) * expected.inv()
    assert apart.magnitude() < 1e-6


def test_without_an_orbit_the_centre_goes_straight() -> None:
    """Rate 0 is a straight line."""
    p, v = drifted_centre(np.zeros(3), np.array([0.1, 0.0, 0.2]), 0.0, 10.0)
    assert p == pytest.approx([1.0, 0.0, 2.0])
    assert v == pytest.approx([0.1, 0.0, 0.2])
