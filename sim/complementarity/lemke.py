"""Lemke's complementary pivoting, in lexicographic order so that it cannot cycle. Compiled.

theory: Cottle, Pang and Stone (1992), scheme 4.4.5 and section 4.9. w - M z - 1 z0 = q is kept in the terms
of a basis; z0 enters first, then always the complement of what has left, until z0 leaves (a solution) or
nothing leaves (a ray). Equations and unknowns are scaled first: complementarity stays what it is.

Along the ray that ends it, z changes by some y >= 0. If M^T y <= 0 and q . y < 0, no z >= 0 has M z + q >= 0
(y . (M z + q) < 0): there is no solution. For positive semidefinite M every ray shows that.
"""

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from sim.complementarity.elimination import factor, solve_in_place
from sim.complementarity.lcp_work import LcpWork, natural_residual

SOLVED, RAY, STOPPED = 0, 1, 2
PIVOT = 1e-11  # least entry, of a scaled tableau, that may become a pivot
TIE = 1e-12  # ratios closer than that are equal
CERTAIN = 1e-9  # share of the size of M and q within which a ray must prove that there is no solution
SINGULAR = 1e-13


@njit(cache=True)
def lemke(M: Array, q: Array, work: LcpWork, most: int) -> int:
    """Solve w = M z + q, 0 <= w, 0 <= z, w . z = 0.

    Args:
        M: shape (n, n).
        q: shape (n,).
        work: see there; receives z, or the ray.
        most: pivots after which it stops.

    Returns:
        SOLVED, RAY or STOPPED.
    """
    n = q.shape[0]
    size, T, basis = _begin(M, q, work), work.tableau, work.basis
    if size == 0.0:
        for i in range(n):
            work.z[i] = 0.0
        return SOLVED
    leaving = 0
    for i in range(1, n):
        if _before(T, i, leaving, 2 * n):
            leaving = i
    entering = 2 * n
    for _ in range(most):
        left = basis[leaving]
        _pivot(T, leaving, entering)
        basis[leaving] = entering
        if left == 2 * n:
            _read(M, q, work, size)
            return SOLVED
        entering = left + n if left < n else left - n
        leaving = _leaving(T, basis, entering)
        if leaving < 0:
            _read_ray(work, entering)
            return RAY
    return STOPPED


@njit(cache=True)
def _begin(M: Array, q: Array, work: LcpWork) -> float:
    """Scale and write the first tableau; return the size of q where it is negative, 0 if it nowhere is."""
    n, T, rows, columns = q.shape[0], work.tableau, work.rows, work.columns
    for i in range(n):
        rows[i] = columns[i] = 1.0
    for _ in range(2):
        for i in range(n):
            most = 0.0
            for j in range(n):
                most = max(most, abs(M[i, j]) * columns[j])
            rows[i] = 1.0 / most if most > 0.0 else 1.0
        for j in range(n):
            most = 0.0
            for i in range(n):
                most = max(most, abs(M[i, j]) * rows[i])
            columns[j] = 1.0 / most if most > 0.0 else 1.0
    size, negative = 0.0, False
    for i in range(n):
        size = max(size, abs(rows[i] * q[i]))
        negative = negative or q[i] < 0.0
    if not negative:
        return 0.0
    for i in range(n):
        work.basis[i] = i
        for j in range(n):
            T[i, j] = 1.0 if i == j else 0.0
            T[i, n + j] = -rows[i] * M[i, j] * columns[j]
        T[i, 2 * n] = -1.0
        T[i, 2 * n + 1] = rows[i] * q[i] / size
    return size


@njit(cache=True)
def _before(T: Array, i: int, k: int, column: int) -> bool:
    """Tell whether row i's ratios to its entry in a column come before those of row k, q first."""
    n = T.shape[0]
    a, b = 1.0 / abs(T[i, column]), 1.0 / abs(T[k, column])
    difference = T[i, 2 * n + 1] * a - T[k, 2 * n + 1] * b
    if abs(difference) > TIE:
        return bool(difference < 0.0)
    for j in range(n):
        difference = T[i, j] * a - T[k, j] * b
        if abs(difference) > TIE:
            return bool(difference < 0.0)
    return False


@njit(cache=True)
def _leaving(T: Array, basis: IntArray, entering: int) -> int:
    """Return the row whose variable reaches zero first, -1 if none does; z0 leaves as soon as it may."""
    n, row = T.shape[0], -1
    for i in range(n):
        if T[i, entering] > PIVOT and (row < 0 or _before(T, i, row, entering)):
            row = i
    if row >= 0:
        least = T[row, 2 * n + 1] / T[row, entering]
        for i in range(n):
            if basis[i] == 2 * n and T[i, entering] > PIVOT:
                if T[i, 2 * n + 1] / T[i, entering] <= least + TIE:
                    return i
    return row


@njit(cache=True)
def _pivot(T: Array, row: int, column: int) -> None:
    """Let the column's variable enter in the row."""
    n, m = T.shape
    share = 1.0 / T[row, column]
    for j in range(m):
        T[row, j] *= share
    T[row, column] = 1.0
    for i in range(n):
        if i != row and T[i, column] != 0.0:
            share = T[i, column]
            for j in range(m):
                T[i, j] -= share * T[row, j]
            T[i, column] = 0.0


@njit(cache=True)
def _read(M: Array, q: Array, work: LcpWork, size: float) -> None:
    """Write z of the last basis; the basis solved afresh takes its place where it is nearer."""
    n, count = q.shape[0], 0
    for i in range(n):
        work.z[i] = work.trial[i] = 0.0
    for i in range(n):
        k = work.basis[i] - n
        if 0 <= k < n:
            work.z[k] = max(0.0, work.tableau[i, 2 * n + 1]) * work.columns[k] * size
            work.chosen[count] = k
            count += 1
    if part_solved(M, q, work, count):
        if natural_residual(M, q, work.trial) < natural_residual(M, q, work.z):
            for i in range(n):
                work.z[i] = work.trial[i]


@njit(cache=True)
def part_solved(M: Array, q: Array, work: LcpWork, count: int) -> bool:
    """Write into `trial` the z >= 0 with w = 0 for the first `count` chosen indices; False if singular."""
    n = q.shape[0]
    for a in range(count):
        work.ray[a] = -q[work.chosen[a]]
        for b in range(count):
            work.factors[a, b] = M[work.chosen[a], work.chosen[b]]
    if not factor(work.factors, work.order, count, SINGULAR):
        return False
    solve_in_place(work.factors, work.order, work.ray, count)
    for i in range(n):
        work.trial[i] = 0.0
    for a in range(count):
        work.trial[work.chosen[a]] = max(0.0, work.ray[a])
    return True


@njit(cache=True)
def _read_ray(work: LcpWork, entering: int) -> None:
    """Write the direction in which z can go on for ever, unscaled."""
    n = work.z.shape[0]
    for i in range(n):
        work.ray[i] = 0.0
    if n <= entering < 2 * n:
        work.ray[entering - n] = work.columns[entering - n]
    for i in range(n):
        k = work.basis[i] - n
        if 0 <= k < n:
            work.ray[k] = max(0.0, -work.tableau[i, entering]) * work.columns[k]


@njit(cache=True)
def none_certified(M: Array, q: Array, y: Array) -> bool:
    """Tell whether y proves that no z >= 0 makes M z + q >= 0."""
    n, most, size, gain, length = q.shape[0], 0.0, 0.0, 0.0, 0.0
    for j in range(n):
        total = 0.0
        for i in range(n):
            total += M[i, j] * y[i]
            size = max(size, abs(M[i, j]) * y[i])
        most = max(most, total)
        gain += q[j] * y[j]
        length += abs(q[j]) * y[j]
        if y[j] < 0.0:
            return False
    return bool(length > 0.0 and most <= CERTAIN * size and gain < -1e3 * CERTAIN * length)


@njit(cache=True)
def pivots_for(n: int) -> int:
    """Return after how many pivots to give up on a problem of size n; two in n is what most need."""
    return int(np.int64(200 + 20 * n))
