"""MuJoCo's velocity of a free joint: linear in world axes, angular in body axes."""

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.geometry import quat_conjugate, quat_rotate


@njit(cache=True)
def qvel_from_twist(twist_world_object: Array, quat_world_object: Array) -> Array:
    """Return MuJoCo's `qvel` (6,) of a twist in world axes [m/s, rad/s], shape (6,)."""
    qvel = np.empty(6)
    qvel[:3] = twist_world_object[:3]
    qvel[3:] = quat_rotate(quat_conjugate(quat_world_object), twist_world_object[3:])
    return qvel


@njit(cache=True)
def twist_from_qvel(qvel: Array, quat_world_object: Array) -> Array:
    """Return the twist in world axes [m/s, rad/s], shape (6,), of MuJoCo's `qvel` (6,)."""
    twist = np.empty(6)
    twist[:3] = qvel[:3]
    twist[3:] = quat_rotate(quat_world_object, qvel[3:])
    return twist
