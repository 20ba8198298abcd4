"""Linear equations of a joint's or a base's size, in place. Compiled."""

import math

from numba import njit

from hil.common.arrays import Array


@njit(cache=True)
def solve_into(x: Array, A: Array, b: Array) -> None:
    """Write the solution of A x = b for a symmetric, positive definite A, which is overwritten (Cholesky)."""
    n = b.shape[0]
    for j in range(n):
        for k in range(j):
            A[j, j] -= A[j, k] * A[j, k]
        A[j, j] = math.sqrt(A[j, j])
        for i in range(j + 1, n):
            for k in range(j):
                A[i, j] -= A[i, k] * A[j, k]
            A[i, j] /= A[j, j]
    for i in range(n):
        x[i] = b[i]
        for k in range(i):
            x[i] -= A[i, k] * x[k]
        x[i] /= A[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            x[i] -= A[k, i] * x[k]
        x[i] /= A[i, i]
