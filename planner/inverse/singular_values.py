"""Singular values of small matrices by one-sided Jacobi rotations. Compiled, without LAPACK.

theory: rotations from the right make the columns of A orthogonal (Hestenes 1958): A V = U S. V is whole,
so that it spans the null space as well; small singular values are as accurate as large ones. For a
symmetric H the same gives its absolute value |H| = V S V^T.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array

SWEEPS = 30  # at most; six suffice for matrices of this size
ORTHOGONAL = 1e-15  # cosine of two columns
NOTHING = 1e-17  # of the largest column: a column of nothing but rounding


@njit(cache=True)
def rotate_rows(X: Array, V: Array) -> None:
    """Turn the rows of X orthogonal, in place: they become s_i u_i, and those of V the v_i.

    Args:
        X: A^T, shape (n, m).
        V: the unit matrix, or rotations so far, shape (n, n).
    """
    n, m = X.shape
    whole = 0.0
    for i in range(n):
        for k in range(m):
            whole += X[i, k] * X[i, k]
    nothing = NOTHING * NOTHING * whole
    for _ in range(SWEEPS):
        done = True
        for i in range(n - 1):
            for j in range(i + 1, n):
                a = b = d = 0.0
                for k in range(m):
                    a += X[i, k] * X[i, k]
                    b += X[j, k] * X[j, k]
                    d += X[i, k] * X[j, k]
                if d * d <= ORTHOGONAL * ORTHOGONAL * a * b or a <= nothing or b <= nothing:
                    continue
                done = False
                z = (b - a) / (2.0 * d)
                t = (1.0 if z >= 0.0 else -1.0) / (abs(z) + math.sqrt(1.0 + z * z))
                c = 1.0 / math.sqrt(1.0 + t * t)
                s = c * t
                for k in range(m):
                    x, y = X[i, k], X[j, k]
                    X[i, k], X[j, k] = c * x - s * y, s * x + c * y
                for k in range(n):
                    x, y = V[i, k], V[j, k]
                    V[i, k], V[j, k] = c * x - s * y, s * x + c * y
        if done:
            return


@njit(cache=True)
def singular(A: Array) -> tuple[Array, Array, Array]:
    """Return singular values (n,), U^T (n, m) and V^T (n, n) of A (m, n), in no order.

    U's rows hold only where the singular value is above zero.
    """
    m, n = A.shape
    X, V, s = np.empty((n, m)), np.eye(n), np.empty(n)
    for i in range(n):
        for k in range(m):
            X[i, k] = A[k, i]
    rotate_rows(X, V)
    for i in range(n):
        square = 0.0
        for k in range(m):
            square += X[i, k] * X[i, k]
        s[i] = math.sqrt(square)
        if s[i] > 0.0:
            for k in range(m):
                X[i, k] /= s[i]
    return s, X, V


@njit(cache=True)
def absolute(H: Array, least: float) -> Array:
    """Return the absolute value (n, n) of a symmetric matrix, its eigenvalues at least `least`."""
    n = H.shape[0]
    s, _, V = singular(H)
    out = np.zeros((n, n))
    for k in range(n):
        value = max(s[k], least)
        for i in range(n):
            for j in range(n):
                out[i, j] += V[k, i] * value * V[k, j]
    return out
