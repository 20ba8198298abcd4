"""Room for the solvers of linear complementarity problems, made once and used at every step. Compiled."""

from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray


class LcpWork(NamedTuple):
    """Arrays of the solvers for problems of one size n.

    Attributes:
        z: the answer, shape (n,).
        ray: direction of Lemke's ray in z where it ends on one, shape (n,).
        tableau: [I, -M, -1, q] in the terms of the basis, shape (n, 2 n + 2).
        basis: basic variable of each row: w_i is i, z_i is n + i, the artificial one 2 n; shape (n,).
        rows, columns: scales of the equations and of z, shape (n,).
        trial: a candidate, shape (n,).
        factors, order: of a part of M, shapes (n, n), (n,).
        chosen: the indices of that part, shape (n,).
    """

    z: Array
    ray: Array
    tableau: Array
    basis: IntArray
    rows: Array
    columns: Array
    trial: Array
    factors: Array
    order: IntArray
    chosen: IntArray


@njit(cache=True)
def lcp_work(n: int) -> LcpWork:
    """Return the room for problems of size n."""
    return LcpWork(
        np.zeros(n),
        np.zeros(n),
        np.empty((n, 2 * n + 2)),
        np.empty(n, np.int64),
        np.empty(n),
        np.empty(n),
        np.empty(n),
        np.empty((n, n)),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
    )


@njit(cache=True)
def natural_residual(M: Array, q: Array, z: Array) -> float:
    """Return |min(z, M z + q)| over max(1, |q|)."""
    n, total, size = q.shape[0], 0.0, 0.0
    for i in range(n):
        w = q[i]
        for j in range(n):
            w += M[i, j] * z[j]
        least = min(z[i], w)
        total += least * least
        size += q[i] * q[i]
    return float(np.sqrt(total) / max(1.0, np.sqrt(size)))
