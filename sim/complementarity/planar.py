"""Planar contacts with Coulomb friction as one linear complementarity problem. Compiled.

theory: Glocker (2001), chapter 6. With x = (lam_N, lam_T + mu lam_N, slip backwards),

    y = [G_NN - G_NT mu, G_NT, 0; G_TN - G_TT mu, G_TT, I; 2 mu, -I, 0] x + (b_N, b_T, 0),

0 <= y, 0 <= x, y . x = 0: y is (u_N, slip forwards, mu lam_N - lam_T).
"""

from numba import njit

from hil.common.arrays import Array
from sim.complementarity.contact_work import ContactWork


@njit(cache=True)
def write_problem(G: Array, b: Array, mu: Array, work: ContactWork) -> None:
    """Write M and q, shapes (3 n, 3 n) and (3 n,), for contacts given one after the other, normal first."""
    n, M, q = mu.shape[0], work.M, work.q
    for i in range(n):
        q[i], q[n + i], q[2 * n + i] = b[2 * i], b[2 * i + 1], 0.0
        for j in range(n):
            same = 1.0 if i == j else 0.0
            M[i, j] = G[2 * i, 2 * j] - G[2 * i, 2 * j + 1] * mu[j]
            M[i, n + j] = G[2 * i, 2 * j + 1]
            M[i, 2 * n + j] = 0.0
            M[n + i, j] = G[2 * i + 1, 2 * j] - G[2 * i + 1, 2 * j + 1] * mu[j]
            M[n + i, n + j] = G[2 * i + 1, 2 * j + 1]
            M[n + i, 2 * n + j] = same
            M[2 * n + i, j] = 2.0 * mu[i] * same
            M[2 * n + i, n + j] = -same
            M[2 * n + i, 2 * n + j] = 0.0


@njit(cache=True)
def read_answer(mu: Array, work: ContactWork) -> None:
    """Write `lam` from the problem's z."""
    n, z = mu.shape[0], work.lcp.z
    for i in range(n):
        most = mu[i] * z[i]
        work.lam[2 * i] = z[i]
        work.lam[2 * i + 1] = min(most, max(-most, z[n + i] - most))
