"""What the arm takes back of its base: exact poses, rates by finite differences, the filter's closed form."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from planner.base.correction import filter_into, holding


def pose(x):
    """A base's pose as a matrix."""
    T = np.eye(4)
    T[:3, :3], T[:2, 3] = Rotation.from_euler("z", x[2]).as_matrix(), x[:2]
    return T


def test_the_object_stays_where_it_is_in_the_world():
    """The displaced object, seen from the base that is off, is where the planned base would have it."""
    rng = np.random.default_rng(7)
    for _ in range(20):
        base, state = rng.normal(size=(3, 3)), 0.02 * rng.normal(size=(3, 3))
        p = np.array([0.79, 0.1, 0.15]) + 0.1 * rng.normal(size=3)
        held = holding(state, base, p)
        off = pose(base[0] + state[0])
        there = off @ np.array([*(p + held[1, :3]), 1.0])
        np.testing.assert_allclose(there, pose(base[0]) @ np.array([*p, 1.0]), atol=1e-12)
        assert held[1, 3:] == pytest.approx([0.0, 0.0, -state[0, 2]])


def test_its_velocity_is_the_slope_of_its_displacement():
    """Finite differences along a base that turns and an error that moves; the acceleration to first order."""
    rng = np.random.default_rng(8)
    h, p = 1e-5, np.array([0.79, -0.05, 0.2])
    base, state = rng.normal(size=(3, 3)), 0.02 * rng.normal(size=(3, 3))

    def at(t):
        moved = base.copy()
        moved[0] += t * base[1]
        return holding(np.array([state[0] + t * state[1], state[1], state[2]]), moved, p)

    slope = (at(h)[1] - at(-h)[1]) / (2 * h)
    np.testing.assert_allclose(at(0.0)[0], slope, atol=1e-8)
    still = holding(np.array([np.zeros(3), np.zeros(3), [0.1, 0.0, 0.0]]), np.zeros((3, 3)), p)
    assert still[2] == pytest.approx([-0.1, 0, 0, 0, 0, 0])


def test_the_filter_is_critically_damped():
    """A step of the error is answered by 1 - (1 + w t) exp(-w t), whatever the steps of time."""
    w, state, other = 20.0, np.zeros((3, 3)), np.zeros((3, 3))
    error = np.array([0.01, -0.02, 0.003])
    for _ in range(50):
        filter_into(state, error, w, 0.002)
    for _ in range(5):
        filter_into(other, error, w, 0.02)
    share = 1.0 - (1.0 + w * 0.1) * math.exp(-w * 0.1)
    np.testing.assert_allclose(state[0], share * error, rtol=1e-12)
    np.testing.assert_allclose(other, state, atol=1e-12)
    assert state[1] == pytest.approx(w * w * 0.1 * math.exp(-w * 0.1) * error)
