"""Poses (4, 4) moved, turned and compared; in world or whatever else their parent is."""

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat, quat_from_matrix, quat_from_rotvec, rotvec_from_quat


def pose_from(p: Array, quat: Array) -> Array:
    """Return the pose at a place [m] (3,) with an attitude (4,), w x y z."""
    T = np.eye(4)
    T[:3, :3] = matrix_from_quat(np.array(quat))
    T[:3, 3] = p
    return T


def quat_of(T: Array) -> Array:
    """Return a pose's attitude as a quaternion, w x y z, (4,)."""
    return quat_from_matrix(np.ascontiguousarray(T[:3, :3]))


def pose_moved(T: Array, way: Array, turned: Array) -> Array:
    """Return a pose moved by a way [m] and turned by a rotation vector [rad], both in its parent's axes."""
    out = T.copy()
    out[:3, :3] = matrix_from_quat(quat_from_rotvec(np.array(turned))) @ T[:3, :3]
    out[:3, 3] += way
    return out


def turned_between(a: Array, b: Array) -> Array:
    """Return the rotation vector from one pose's attitude to another's, in the parent's axes [rad], (3,)."""
    return rotvec_from_quat(quat_from_matrix(np.ascontiguousarray(b[:3, :3] @ a[:3, :3].T)))


def twist_between(a: Array, b: Array, dt: float) -> Array:
    """Return the twist that leads from one pose to another in a time [s], parent's axes, (6,)."""
    if dt <= 0.0:
        return np.zeros(6)
    return np.concatenate((b[:3, 3] - a[:3, 3], turned_between(a, b))) / dt
