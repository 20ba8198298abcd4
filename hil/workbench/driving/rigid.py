"""Small differences of poses: twists that lead from one to another, and poses after a twist. Base axes."""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.geometry import (
    matrix_from_quat,
    quat_from_matrix,
    quat_from_rotvec,
    quat_multiply,
    quat_normalized,
    rotvec_from_quat,
    transform_from,
)


@njit(cache=True)
def way(T_from: Array, T_to: Array) -> Array:
    """Return how far one pose is from another: shift [m] and turn [rad] in base axes, shape (6,)."""
    turn, out = np.zeros((3, 3)), np.empty(6)
    for i in range(3):
        for j in range(3):
            for k in range(3):
                turn[i, j] += T_to[i, k] * T_from[j, k]
    rotvec = rotvec_from_quat(quat_from_matrix(turn))
    for i in range(3):
        out[i], out[3 + i] = T_to[i, 3] - T_from[i, 3], rotvec[i]
    return out


@njit(cache=True)
def moved(T: Array, step: Array) -> Array:
    """Return a pose after a way of shape (6,), so that `moved(A, way(A, B))` is B."""
    turned = quat_multiply(quat_from_rotvec(step[3:]), quat_from_matrix(T))
    return transform_from(matrix_from_quat(quat_normalized(turned)), T[:3, 3] + step[:3])


def halves(six: Array) -> tuple[float, float]:
    """Return the lengths of the linear and the angular half of a six-vector."""
    x, y, z, u, v, w = six.tolist()
    return math.sqrt(x * x + y * y + z * z), math.sqrt(u * u + v * v + w * w)


def scaled(six: Array, linear: float, angular: float) -> Array:
    """Return a six-vector with its linear and its angular half times a number each."""
    x, y, z, u, v, w = six.tolist()
    return np.array([linear * x, linear * y, linear * z, angular * u, angular * v, angular * w])
