"""A base that moves in the plane, and what it carries: pose, twist and acceleration of its mount; compiled.

A base's motion is an array (3, 3): x, y [m] and heading [rad] in world, their rates, and their accelerations.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array


@njit(cache=True)
def carried_pose(T_mount: Array, pose: Array) -> Array:
    """Return `T_world_base` (4, 4) of what stands at `T_mount` (4, 4) on a base at `pose`, shape (3,)."""
    T = np.empty((4, 4))
    c, s = math.cos(pose[2]), math.sin(pose[2])
    for j in range(4):
        T[0, j] = c * T_mount[0, j] - s * T_mount[1, j]
        T[1, j] = s * T_mount[0, j] + c * T_mount[1, j]
        T[2, j], T[3, j] = T_mount[2, j], T_mount[3, j]
    T[0, 3] += pose[0]
    T[1, 3] += pose[1]
    return T


@njit(cache=True)
def carried_twist(motion: Array, p: Array) -> Array:
    """Return the twist of the base at a point, world axes [m/s, rad/s], shape (6,).

    Args:
        motion: of the base, shape (3, 3).
        p: the point, world [m], shape (3,).
    """
    out = np.zeros(6)
    out[0] = motion[1, 0] - motion[1, 2] * (p[1] - motion[0, 1])
    out[1] = motion[1, 1] + motion[1, 2] * (p[0] - motion[0, 0])
    out[5] = motion[1, 2]
    return out


@njit(cache=True)
def carried_acceleration(T_mount: Array, motion: Array) -> Array:
    """Return how a mount moves, own axes: acceleration of its origin, angular velocity and acceleration.

    Args:
        T_mount: on the base, shape (4, 4).
        motion: of the base, shape (3, 3).

    Returns:
        [m/s2, rad/s, rad/s2], shape (9,).
    """
    T = carried_pose(T_mount, motion[0])
    w, a = motion[1, 2], motion[2, 2]
    x, y = T[0, 3] - motion[0, 0], T[1, 3] - motion[0, 1]
    ax = motion[2, 0] - a * y - w * w * x
    ay = motion[2, 1] + a * x - w * w * y
    out = np.empty(9)
    for i in range(3):
        out[i] = T[0, i] * ax + T[1, i] * ay
        out[3 + i], out[6 + i] = T[2, i] * w, T[2, i] * a
    return out
