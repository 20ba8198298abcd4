"""Linear equations solved in place by elimination with row pivoting: no allocation, no library. Compiled."""

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray


@njit(cache=True)
def factor(A: Array, order: IntArray, n: int, least: float) -> bool:
    """Replace the leading n x n part of A by its factors L and U.

    Args:
        A: shape (>= n, >= n).
        order: receives the row that stood in each pivot's place, shape (>= n,).
        n: size.
        least: share of A's greatest entry below which a pivot counts as zero.

    Returns:
        Whether A is regular.
    """
    most = 0.0
    for i in range(n):
        for j in range(n):
            most = max(most, abs(A[i, j]))
    bound = least * most
    for k in range(n):
        row = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[row, k]):
                row = i
        order[k] = row
        if not abs(A[row, k]) > bound:
            return False
        if row != k:
            for j in range(n):
                A[k, j], A[row, j] = A[row, j], A[k, j]
        for i in range(k + 1, n):
            if A[i, k] != 0.0:
                share = A[i, k] / A[k, k]
                A[i, k] = share
                for j in range(k + 1, n):
                    A[i, j] -= share * A[k, j]
    return True


@njit(cache=True)
def solve_in_place(A: Array, order: IntArray, x: Array, n: int) -> None:
    """Replace the first n entries of x by A^-1 x, with the factors and the order of `factor`."""
    for k in range(n):
        row = order[k]
        if row != k:
            x[k], x[row] = x[row], x[k]
    for i in range(n):
        total = x[i]
        for j in range(i):
            total -= A[i, j] * x[j]
        x[i] = total
    for i in range(n - 1, -1, -1):
        total = x[i]
        for j in range(i + 1, n):
            total -= A[i, j] * x[j]
        x[i] = total / A[i, i]


@njit(cache=True)
def norm(x: Array) -> float:
    """Return the Euclidean length of a vector."""
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i] * x[i]
    return float(np.sqrt(total))
