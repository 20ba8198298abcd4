"""Linear complementarity problems: Lemke, then projected Gauss-Seidel, then enumeration.

Each answer carries its residual, whichever solver gave it; a problem without a solution is said to have none
where that is proved. Nothing loops: pivots, sweeps and bases are counted.
"""

from typing import Any

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.errors import ComplementarityError
from sim.complementarity.answers import TOLERANCE, LcpAnswer
from sim.complementarity.enumeration import MOST, enumerated, in_some_cone
from sim.complementarity.gauss_seidel import gauss_seidel
from sim.complementarity.lcp_work import lcp_work, natural_residual
from sim.complementarity.lemke import RAY, SOLVED, lemke, none_certified, pivots_for

LEMKE, GAUSS_SEIDEL, ENUMERATION, NONE = 0, 1, 2, 3
SOLVERS = ("lemke", "gauss-seidel", "enumeration")
FINE = 1e-12  # residual at which sweeps end
SWEEPS: Any = np.int64(2000)  # numpy's: see hil/common/arrays.py
DUAL = 200  # unknowns up to which feasibility is decided by a problem of twice the size


def solve_lcp(M: Any, q: Any) -> LcpAnswer:
    """Return z with w = M z + q, 0 <= w, 0 <= z, w . z = 0.

    Args:
        M: any square matrix, shape (n, n).
        q: shape (n,).

    Raises:
        ComplementarityError: shapes that do not fit, or values that are not finite.
    """
    matrix, vector = checked(M, q, "M", "q")
    n = len(vector)
    code, z, residual = _chain(matrix, vector)
    solver = SOLVERS[min(code, ENUMERATION)]
    if residual <= TOLERANCE:
        return LcpAnswer(z, residual, solver, "solved")
    nothing, at_nothing = np.zeros(n), natural_residual(matrix, vector, np.zeros(n))
    if code == NONE or _infeasible(matrix, vector):
        return LcpAnswer(nothing, at_nothing, "lemke" if code == NONE else "feasibility", "none")
    if n <= MOST:
        found = in_some_cone(matrix, vector, TOLERANCE)
        if found is None:
            return LcpAnswer(nothing, at_nothing, "enumeration", "none")
        return LcpAnswer(found, natural_residual(matrix, vector, found), "enumeration", "solved")
    return LcpAnswer(z, residual, solver, "unsolved")


def checked(matrix: Any, vector: Any, matrix_name: str, vector_name: str) -> tuple[Array, Array]:
    """Return both as arrays whose shapes fit and whose values are finite."""
    M = np.ascontiguousarray(matrix, dtype=np.float64)
    q = np.ascontiguousarray(vector, dtype=np.float64)
    if q.ndim != 1 or not len(q) or M.shape != (len(q), len(q)):
        raise ComplementarityError(
            f"{matrix_name} has shape {M.shape} and {vector_name} {q.shape}: (n, n) and (n,) are asked"
        )
    for name, values in ((matrix_name, M), (vector_name, q)):
        if not np.isfinite(values).all():
            where = tuple(int(i) for i in np.argwhere(~np.isfinite(values))[0])
            raise ComplementarityError(f"{name}{list(where)} = {values[where]} is not finite")
    return M, q


@njit(cache=True)
def _chain(M: Array, q: Array) -> tuple[int, Array, float]:
    """Return the solver that had the last word, or NONE, its z and the residual."""
    n, work = q.shape[0], lcp_work(q.shape[0])
    outcome = lemke(M, q, work, pivots_for(n))
    if outcome == SOLVED:
        residual = natural_residual(M, q, work.z)
        if residual <= TOLERANCE:
            return LEMKE, work.z, residual
    elif outcome == RAY and none_certified(M, q, work.ray):
        return NONE, work.z, np.inf
    else:
        for i in range(n):
            work.z[i] = 0.0
    residual = gauss_seidel(M, q, work, SWEEPS, FINE)
    if residual <= TOLERANCE:
        return GAUSS_SEIDEL, work.z, residual
    if n <= MOST:
        residual = enumerated(M, q, work, TOLERANCE)
        return ENUMERATION, work.z, residual
    return GAUSS_SEIDEL, work.z, residual


def _infeasible(M: Array, q: Array) -> bool:
    """Tell whether it is certain that no z >= 0 makes M z + q >= 0.

    The least sum of such z is a linear programme. Its conditions are a complementarity problem with a
    skew-symmetric matrix, on which Lemke ends either with a solution or on a ray that proves it has none.
    """
    n = len(q)
    if n > DUAL:
        return False
    skew = np.zeros((2 * n, 2 * n))
    skew[:n, n:], skew[n:, :n] = -M.T, M
    work = lcp_work(2 * n)
    outcome = lemke(skew, np.concatenate([np.ones(n), q]), work, pivots_for(2 * n))
    return bool(outcome == RAY and none_certified(M, q, work.ray[n:]))
