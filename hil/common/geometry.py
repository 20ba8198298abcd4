"""Rotations and rigid transforms: unit quaternions (w x y z, Hamilton) and 4x4 poses, compiled.

All functions leave their arguments as they were and return new arrays.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array


@njit(cache=True)
def quat_multiply(a: Array, b: Array) -> Array:
    """Return the Hamilton product `a b`, shape (4,)."""
    return np.array(
        [
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
        ]
    )


@njit(cache=True)
def quat_conjugate(q: Array) -> Array:
    """Return the conjugate, the inverse of a unit quaternion."""
    return np.array([q[0], -q[1], -q[2], -q[3]])


@njit(cache=True)
def quat_normalized(q: Array) -> Array:
    """Return `q` scaled to unit length."""
    return q / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])


@njit(cache=True)
def quat_nearest(q: Array, reference: Array) -> Array:
    """Return `q` or `-q`, whichever lies nearer to `reference` (same rotation, continuous in time)."""
    dot = q[0] * reference[0] + q[1] * reference[1] + q[2] * reference[2] + q[3] * reference[3]
    return -q if dot < 0.0 else q.copy()


@njit(cache=True)
def matrix_from_quat(q: Array) -> Array:
    """Return the rotation matrix (3, 3) of a unit quaternion."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


@njit(cache=True)
def quat_from_matrix(R: Array) -> Array:
    """Return the unit quaternion of a rotation matrix (3, 3), scalar part not negative.

    Shepperd's method: the largest of the four squared components is taken as pivot.
    """
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    q = np.empty(4)
    if trace >= R[0, 0] and trace >= R[1, 1] and trace >= R[2, 2]:
        q[0] = 1.0 + trace
        q[1], q[2], q[3] = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    elif R[0, 0] >= R[1, 1] and R[0, 0] >= R[2, 2]:
        q[0], q[1] = R[2, 1] - R[1, 2], 1.0 + 2.0 * R[0, 0] - trace
        q[2], q[3] = R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]
    elif R[1, 1] >= R[2, 2]:
        q[0], q[1] = R[0, 2] - R[2, 0], R[0, 1] + R[1, 0]
        q[2], q[3] = 1.0 + 2.0 * R[1, 1] - trace, R[1, 2] + R[2, 1]
    else:
        q[0], q[1] = R[1, 0] - R[0, 1], R[0, 2] + R[2, 0]
        q[2], q[3] = R[1, 2] + R[2, 1], 1.0 + 2.0 * R[2, 2] - trace
    q = quat_normalized(q)
    return -q if q[0] < 0.0 else q


@njit(cache=True)
def quat_from_rotvec(rotvec: Array) -> Array:
    """Return the unit quaternion of a rotation vector [rad], shape (3,)."""
    angle = math.sqrt(rotvec[0] ** 2 + rotvec[1] ** 2 + rotvec[2] ** 2)
    # sin(a/2)/a by its series near zero: the quotient would lose digits
    factor = 0.5 - angle * angle / 48.0 if angle < 1e-4 else math.sin(0.5 * angle) / angle
    return quat_normalized(
        np.array([math.cos(0.5 * angle), factor * rotvec[0], factor * rotvec[1], factor * rotvec[2]])
    )


@njit(cache=True)
def rotvec_from_quat(q: Array) -> Array:
    """Return the rotation vector [rad] of a unit quaternion, length at most pi."""
    sign = -1.0 if q[0] < 0.0 else 1.0
    sine = math.sqrt(q[1] ** 2 + q[2] ** 2 + q[3] ** 2)
    angle = 2.0 * math.atan2(sine, sign * q[0])
    factor = 2.0 if sine < 1e-8 else angle / sine
    return np.array([sign * factor * q[1], sign * factor * q[2], sign * factor * q[3]])


@njit(cache=True)
def quat_rotate(q: Array, v: Array) -> Array:
    """Return the vector `v` (3,) rotated by the unit quaternion `q`."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return np.array(
        [
            v[0] + w * tx + y * tz - z * ty,
            v[1] + w * ty + z * tx - x * tz,
            v[2] + w * tz + x * ty - y * tx,
        ]
    )


@njit(cache=True)
def cross(a: Array, b: Array) -> Array:
    """Return the cross product of two vectors (3,)."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


@njit(cache=True)
def stacked(linear: Array, angular: Array) -> Array:
    """Return two vectors (3,) as one (6,), as twists and wrenches are written."""
    out = np.empty(6)
    for i in range(3):
        out[i], out[3 + i] = linear[i], angular[i]
    return out


@njit(cache=True)
def transform_from(R: Array, p: Array) -> Array:
    """Return the pose (4, 4) with rotation `R` (3, 3) and origin `p` (3,)."""
    T = np.eye(4)
    for i in range(3):
        T[i, 3] = p[i]
        for j in range(3):
            T[i, j] = R[i, j]
    return T


@njit(cache=True)
def transform_inverse(T: Array) -> Array:
    """Return the inverse of a rigid pose (4, 4)."""
    inverse = np.eye(4)
    for i in range(3):
        for j in range(3):
            inverse[i, j] = T[j, i]
            inverse[i, 3] -= T[j, i] * T[j, 3]
    return inverse


@njit(cache=True)
def wrench_moved(wrench: Array, lever: Array) -> Array:
    """Return a wrench (force, torque) about a new moment point, axes unchanged.

    Args:
        wrench: force, then torque about the old point [N, N m], shape (6,).
        lever: the old point as seen from the new one, in the wrench's axes [m], shape (3,).
    """
    moved = wrench.copy()
    moved[3] += lever[1] * wrench[2] - lever[2] * wrench[1]
    moved[4] += lever[2] * wrench[0] - lever[0] * wrench[2]
    moved[5] += lever[0] * wrench[1] - lever[1] * wrench[0]
    return moved
