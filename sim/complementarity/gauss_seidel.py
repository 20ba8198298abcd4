"""Projected Gauss-Seidel for linear complementarity problems with a positive diagonal. Compiled.

theory: Cottle, Pang and Stone (1992), section 5.3; it converges for symmetric positive definite M, and for
H-matrices with positive diagonal.
"""

from numba import njit

from hil.common.arrays import Array
from sim.complementarity.lcp_work import LcpWork, natural_residual

LOOK = 10  # sweeps between looks at the residual


@njit(cache=True)
def gauss_seidel(M: Array, q: Array, work: LcpWork, sweeps: int, enough: float) -> float:
    """Improve z from where it stands.

    Args:
        M: shape (n, n).
        q: shape (n,).
        work: see there; z is where it begins and receives the best found.
        sweeps: after which it stops.
        enough: residual at which it stops.

    Returns:
        The residual of z: |min(z, M z + q)| over max(1, |q|); infinite without a positive diagonal.
    """
    n = q.shape[0]
    for i in range(n):
        work.trial[i] = work.z[i]
        if not M[i, i] > 0.0:
            return float("inf")
    best = natural_residual(M, q, work.z)
    for sweep in range(sweeps):
        if best <= enough:
            break
        for i in range(n):
            w = q[i]
            for j in range(n):
                w += M[i, j] * work.trial[j]
            work.trial[i] = max(0.0, work.trial[i] - w / M[i, i])
        if sweep % LOOK == 0 or sweep == sweeps - 1:
            residual = natural_residual(M, q, work.trial)
            if not residual < 1e300:
                break
            if residual < best:
                best = residual
                for i in range(n):
                    work.z[i] = work.trial[i]
    return best
