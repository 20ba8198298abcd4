"""Contacts with Coulomb friction, planar or in space: one call, an answer with its residual."""

from typing import Any

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.errors import ComplementarityError
from sim.complementarity.answers import TOLERANCE, ContactAnswer, Status
from sim.complementarity.contact_chain import NONE, SOLVERS, contact_chain, residual_of
from sim.complementarity.contact_work import contact_work
from sim.complementarity.lcp import checked, solve_lcp


def solve_contacts(
    G: Any, b: Any, mu: Any, n: int, dim: int, start: Array | None = None
) -> ContactAnswer:
    """Return the impulses lam of n contacts with u = G lam + b and Coulomb's law at each.

    Args:
        G: how impulses change relative velocities, shape (n dim, n dim): of each contact the normal first,
            then its tangent (dim 2) or its two (dim 3). Symmetric and positive semidefinite in mechanics,
            which redundant contacts may make singular.
        b: relative velocities without impulses, shape (n dim,).
        mu: coefficients of friction, shape (n,) or one for all.
        n: contacts.
        dim: 2 or 3.
        start: impulses of a neighbouring problem to begin with, shape (n dim,).

    Raises:
        ComplementarityError: shapes that do not fit, values that are not finite, negative friction.
    """
    if dim not in (2, 3):
        raise ComplementarityError(f"dim = {dim}: contacts are planar (2) or in space (3)")
    matrix, vector = checked(G, b, "G", "b")
    if len(vector) != n * dim:
        raise ComplementarityError(f"b has {len(vector)} entries: {n} contacts in {dim} dimensions have {n * dim}")
    friction = np.ascontiguousarray(mu, dtype=np.float64)
    if friction.ndim == 0:
        friction = np.full(n, float(friction))
    if friction.shape != (n,) or not (friction >= 0.0).all() or not np.isfinite(friction).all():
        raise ComplementarityError(f"mu = {mu}: {n} finite coefficients of friction, none negative, are asked")
    first = np.zeros(len(vector)) if start is None else np.ascontiguousarray(start, dtype=np.float64)
    code, lam, residual = _solved(matrix, vector, friction, dim, first)
    status: Status = "none" if code == NONE else "solved" if residual <= TOLERANCE else "unsolved"
    solver = SOLVERS[code]
    if status == "unsolved" and _cannot_part(matrix, vector, n, dim):
        status, solver = "none", "feasibility"
    if status == "none":
        lam, residual = np.zeros(n * dim), float(residual)
    parts = lam.reshape(n, dim)
    return ContactAnswer(parts[:, 0], parts[:, 1:], residual, solver, status)


@njit(cache=True)
def _solved(G: Array, b: Array, mu: Array, dim: int, start: Array) -> tuple[int, Array, float]:
    work = contact_work(mu.shape[0], dim)
    for i in range(b.shape[0]):
        work.lam[i] = start[i]
    code = contact_chain(G, b, mu, dim, work)
    if code == NONE:
        for i in range(b.shape[0]):
            work.lam[i] = 0.0
    return code, work.lam, residual_of(G, b, mu, dim, work)


def _cannot_part(G: Array, b: Array, n: int, dim: int) -> bool:
    """Tell whether bodies must enter each other whatever the impulses are.

    For a symmetric positive semidefinite G that is so exactly if the problem without friction has no solution:
    some y >= 0 has G_NN y = 0, so G y = 0, and y . b_N < 0; then y . u_N < 0 with any impulses.
    """
    if not np.allclose(G, G.T, rtol=1e-6, atol=1e-9 * float(np.abs(G).max(initial=0.0))):
        return False
    return solve_lcp(G[::dim, ::dim], b[::dim]).status == "none"
