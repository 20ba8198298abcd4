"""Vectors of three as scalars, for kernels that run every cycle: nothing is allocated. Compiled."""

import numpy as np
from numba import njit

from hil.common.arrays import Array

Triple = tuple[float, float, float]


@njit(cache=True)
def turned(R: Array, v: Triple) -> Triple:
    """Return the product of a matrix, whose first three rows and columns count, and a vector."""
    x, y, z = v
    return (
        R[0, 0] * x + R[0, 1] * y + R[0, 2] * z,
        R[1, 0] * x + R[1, 1] * y + R[1, 2] * z,
        R[2, 0] * x + R[2, 1] * y + R[2, 2] * z,
    )


@njit(cache=True)
def turned_back(R: Array, v: Triple) -> Triple:
    """Return the product of the transposed matrix and a vector."""
    x, y, z = v
    return (
        R[0, 0] * x + R[1, 0] * y + R[2, 0] * z,
        R[0, 1] * x + R[1, 1] * y + R[2, 1] * z,
        R[0, 2] * x + R[1, 2] * y + R[2, 2] * z,
    )


@njit(cache=True)
def crossed(a: Triple, b: Triple) -> Triple:
    """Return the cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit(cache=True)
def added(a: Triple, b: Triple) -> Triple:
    """Return the sum."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@njit(cache=True)
def scaled(a: Triple, factor: float) -> Triple:
    """Return the vector times a number."""
    return a[0] * factor, a[1] * factor, a[2] * factor


@njit(cache=True)
def column(T: Array, j: int) -> Triple:
    """Return the first three numbers of a matrix's column."""
    return T[0, j], T[1, j], T[2, j]


@njit(cache=True)
def triple(v: Array) -> Triple:
    """Return the first three numbers of an array."""
    return v[0], v[1], v[2]


@njit(cache=True)
def product_into(out: Array, A: Array, B: Array) -> None:
    """Write the product of two matrices, of which three rows and columns count; `out` is neither of them."""
    for i in range(3):
        for j in range(3):
            out[i, j] = A[i, 0] * B[0, j] + A[i, 1] * B[1, j] + A[i, 2] * B[2, j]


@njit(cache=True)
def axis_rotation_into(out: Array, axis: Triple, angle: float) -> None:
    """Write the rotation (3, 3) about a unit axis by an angle [rad] (Rodrigues)."""
    c, s = np.cos(angle), np.sin(angle)
    x, y, z = axis
    d = 1.0 - c
    out[0, 0], out[0, 1], out[0, 2] = c + x * x * d, x * y * d - z * s, x * z * d + y * s
    out[1, 0], out[1, 1], out[1, 2] = x * y * d + z * s, c + y * y * d, y * z * d - x * s
    out[2, 0], out[2, 1], out[2, 2] = x * z * d - y * s, y * z * d + x * s, c + z * z * d
