"""All complementary bases one after the other: the last resort for small problems, and a proof. Compiled.

A solution, if there is one, has for some set of indices w = 0 on it and z = 0 elsewhere. Where that part of M
is regular it is solved; where it is singular, q must lie in the cone of the columns, which the least squares
with x >= 0 of Lawson and Hanson decide.
"""

import numpy as np
from numba import njit
from scipy.optimize import nnls

from hil.common.arrays import Array, IntArray
from sim.complementarity.lcp_work import LcpWork, natural_residual
from sim.complementarity.lemke import part_solved

MOST = 12  # unknowns: 4096 bases


@njit(cache=True)
def enumerated(M: Array, q: Array, work: LcpWork, enough: float) -> float:
    """Try every regular basis; return the least residual found, with its z in `work`."""
    n, best = q.shape[0], natural_residual(M, q, work.z)
    for bits in range(2**n):
        count = 0
        for i in range(n):
            if bits >> i & 1:
                work.chosen[count] = i
                count += 1
        if part_solved(M, q, work, count):
            residual = natural_residual(M, q, work.trial)
            if residual < best:
                best = residual
                for i in range(n):
                    work.z[i] = work.trial[i]
                if best <= enough:
                    break
    return best


def in_some_cone(M: Array, q: Array, enough: float) -> Array | None:
    """Return a solution of any basis, singular ones included; None if none has one."""
    n = len(q)
    size = max(1.0, float(np.linalg.norm(q)))
    for bits in range(2**n):
        basic: IntArray = np.flatnonzero([bits >> i & 1 for i in range(n)])
        columns = np.eye(n)
        columns[:, basic] = -M[:, basic]
        x, distance = nnls(columns, q)
        if distance <= enough * size:
            z = np.zeros(n)
            z[basic] = x[basic]
            if natural_residual(M, q, z) <= enough:
                return z
    return None
