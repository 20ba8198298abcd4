"""Small differences of poses: twists that lead from one to another, and poses after a twist. Base axes."""

import math

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import (
    matrix_from_quat,
    quat_from_matrix,
    quat_from_rotvec,
    quat_multiply,
    rotvec_from_quat,
)


def way(T_from: Array, T_to: Array) -> Array:
    """Return how far one pose is from another: shift [m] and turn [rad] in base axes, shape (6,)."""
    turn: Array = T_to[:3, :3] @ T_from[:3, :3].T
    return np.concatenate([T_to[:3, 3] - T_from[:3, 3], rotvec_from_quat(quat_from_matrix(turn))])


def moved(T: Array, step: Array) -> Array:
    """Return a pose after a way of shape (6,), so that `moved(A, way(A, B))` is B."""
    out = np.eye(4)
    turned = quat_multiply(quat_from_rotvec(np.ascontiguousarray(step[3:])), quat_from_matrix(T[:3, :3]))
    out[:3, :3] = matrix_from_quat(turned / np.linalg.norm(turned))
    out[:3, 3] = T[:3, 3] + step[:3]
    return out


def halves(six: Array) -> tuple[float, float]:
    """Return the lengths of the linear and the angular half of a six-vector."""
    x, y, z, u, v, w = six.tolist()
    return math.sqrt(x * x + y * y + z * z), math.sqrt(u * u + v * v + w * w)
