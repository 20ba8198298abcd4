"""Contacts with Coulomb friction, planar or in space: one call, an answer with its residual."""

from typing import Any

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.errors import ComplementarityError
from sim.complementarity.answers import TOLERANCE, ContactAnswer, Status
from sim.complementarity.contact_chain import NONE, SOLVERS, contact_chain, residual_of
from sim.complementarity.contact_work import contact_work
from sim.complementarity.lcp import checked


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
    given = np.asarray(mu, dtype=np.float64)
    friction = np.full(n, float(given)) if given.ndim == 0 else np.ascontiguousarray(given)
    if friction.shape != (n,) or not (friction >= 0.0).all() or not np.isfinite(friction).all():
        raise ComplementarityError(f"mu = {mu}: {n} finite coefficients of friction, none negative, are asked")
    first = np.zeros(len(vector)) if start is None else np.ascontiguousarray(start, dtype=np.float64)
    code, lam, residual = _solved(matrix, vector, friction, dim, first)
    status: Status = "none" if code == NONE else "solved" if residual <= TOLERANCE else "unsolved"
    parts = lam.reshape(n, dim)
    return ContactAnswer(parts[:, 0], parts[:, 1:], residual, SOLVERS[code], status)


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

