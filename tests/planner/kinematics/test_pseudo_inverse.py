"""Joint velocities for a twist."""

import numpy as np

from planner.kinematics.pseudo_inverse import joint_velocity_for


def test_the_twist_is_made_with_the_least_weighted_speed():
    """J dq = twist, and dq is the weighted pseudo-inverse's by NumPy's singular values."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        J, twist, speed = rng.normal(size=(6, 7)), rng.normal(size=6), rng.uniform(0.5, 2.0, 7)
        dq = joint_velocity_for(J, twist, speed)
        np.testing.assert_allclose(dq, speed * (np.linalg.pinv(J * speed) @ twist), rtol=1e-2, atol=1e-3)
        np.testing.assert_allclose(J @ dq, twist, atol=2e-2)


def test_a_singular_direction_stays_bounded():
    """A twist that the arm cannot make gives no velocity along it, and nothing beyond bounds."""
    J = np.eye(6, 7)
    J[2, 2] = 0.0
    dq = joint_velocity_for(J, np.array([0.1, 0.0, 0.3, 0.0, 0.0, 0.0]), np.ones(7))
    np.testing.assert_allclose(dq, [0.1, 0, 0, 0, 0, 0, 0], atol=1e-6)
    J[2, 2] = 1e-4
    assert np.abs(joint_velocity_for(J, np.ones(6), np.ones(7))).max() < 500.0
