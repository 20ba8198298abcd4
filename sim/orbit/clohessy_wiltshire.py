"""Relative motion about a circular orbit in closed form (Clohessy and Wiltshire, 1960).

The frame is Hill's: its origin runs round a circular orbit, x points radially outward, y along the
flight, z along the orbit's normal, and it turns with the mean motion n about z. Small distances:

    x'' = 3 n^2 x + 2 n y',   y'' = -2 n x',   z'' = -n^2 z.

A state is position and velocity in that frame [m, m/s], shape (6,).
"""

import math

import numpy as np

from hil.common.arrays import Array

EARTH_GRAVITY = 3.986004418e14  # m3/s2, WGS 84
EARTH_RADIUS = 6_378_137.0  # m, equatorial


def mean_motion(altitude: float) -> float:
    """Return the rate of a circular orbit `altitude` [m] above the earth's equator [rad/s]."""
    return math.sqrt(EARTH_GRAVITY / (EARTH_RADIUS + altitude) ** 3)


def relative_acceleration(state: Array, rate: float) -> Array:
    """Return the acceleration of a free point in Hill's frame [m/s2], shape (3,).

    Args:
        state: position and velocity [m, m/s], shape (6,).
        rate: mean motion [rad/s].
    """
    x, _, z, vx, vy, _ = state
    return np.array([3.0 * rate**2 * x + 2.0 * rate * vy, -2.0 * rate * vx, -(rate**2) * z])


def transition(rate: float, time: float) -> Array:
    """Return the matrix (6, 6) that takes a free point's state over `time` [s], exactly.

    Args:
        rate: mean motion [rad/s], above 0.
        time: how long, negative for backward [s].
    """
    a = rate * time
    s, c = math.sin(a), math.cos(a)
    less = 2.0 * math.sin(0.5 * a) ** 2  # 1 - c, without loss of digits for short times
    n = rate
    return np.array(
        [
            [4.0 - 3.0 * c, 0.0, 0.0, s / n, 2.0 * less / n, 0.0],
            [6.0 * (s - a), 1.0, 0.0, -2.0 * less / n, (4.0 * s - 3.0 * a) / n, 0.0],
            [0.0, 0.0, c, 0.0, 0.0, s / n],
            [3.0 * n * s, 0.0, 0.0, c, 2.0 * s, 0.0],
            [-6.0 * n * less, 0.0, 0.0, -2.0 * s, 4.0 * c - 3.0, 0.0],
            [0.0, 0.0, -n * s, 0.0, 0.0, c],
        ]
    )


def arrival_velocity(start: Array, goal: Array, rate: float, time: float) -> Array:
    """Return the velocity at `start` with which a free point is at `goal` after `time` [m/s], shape (3,).

    Args:
        start: position now [m], shape (3,).
        goal: position then [m], shape (3,).
        rate: mean motion [rad/s].
        time: less than half an orbit [s], above 0.
    """
    matrix = transition(rate, time)
    return np.array(np.linalg.solve(matrix[:3, 3:], goal - matrix[:3, :3] @ start), np.float64)
