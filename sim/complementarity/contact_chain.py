"""The solvers of contact problems, one after the other until one has an answer. Compiled, without allocation.

Planar, and not too many: Lemke on the problem of size 3 n. Then sweeps; then a look whether bodies must enter
each other whatever the impulses are; then Newton's method, at once and on
softened contacts that become harder and harder about the impulses found last; at last, planar and few, all
bases. Every one of them is bounded.

theory: the softened problems are those of the proximal point method (Rockafellar 1976). Each is well
conditioned whatever contacts are redundant, and what they come to solves the hard problem.
"""

from typing import Any

import numpy as np
from numba import njit

from hil.common.arrays import NO, YES, Array
from sim.complementarity.answers import TOLERANCE
from sim.complementarity.cone import natural_map, scales_into, tangent_length, velocities_into
from sim.complementarity.contact_newton import contact_newton
from sim.complementarity.contact_sweeps import contact_sweeps, trial_value
from sim.complementarity.contact_work import PLANAR_LEMKE, ContactWork
from sim.complementarity.enumeration import MOST, enumerated
from sim.complementarity.lemke import CERTAIN, RAY, SOLVED, lemke, none_certified, pivots_for
from sim.complementarity.planar import read_answer, write_problem

SOLVERS = ("lemke", "gauss-seidel", "newton", "enumeration", "feasibility")  # feasibility: there is none
LEMKE, GAUSS_SEIDEL, NEWTON, ENUMERATION, NONE = 0, 1, 2, 3, 4
FINE = 1e-12  # scaled natural map at which sweeps and steps end
ENOUGH = 1e-10  # in both measures: at which nothing more is tried
GOOD = 1e-9  # at which an answer counts
FIRST: Any = np.int64(60)  # numpy's: see hil/common/arrays.py
SWEEPS: Any = np.int64(100)
STEPS: Any = np.int64(30)
ALONE: Any = np.int64(3000)  # sweeps where there are too many contacts for Newton's method
SOFTEST, HARDEST = 1e-2, 1e-9  # shares of a contact's own block
QUICKLY, SLOWLY = 0.1, 0.5  # what is left of softness from round to round
ROUNDS: Any = np.int64(24)
MORE_ROUNDS: Any = np.int64(48)
IDLE = 10  # rounds without gain after which no more are tried


@njit(cache=True)
def contact_chain(G: Array, b: Array, mu: Array, dim: int, work: ContactWork) -> int:
    """Solve u = G lam + b with Coulomb's law and leave lam in `work`.

    Args:
        G: shape (n dim, n dim): of each contact the normal, then its tangents.
        b: velocities without impulses, shape (n dim,).
        mu: shape (n,).
        dim: 2 or 3.
        work: see there; `lam` is where the sweeps begin (a warm start, or zero).

    Returns:
        The solver that had the last word; NONE where there is certainly no solution. Whether the answer is
        good, `residual_of` tells.
    """
    written = dim == 2 and mu.shape[0] <= PLANAR_LEMKE
    if written:
        write_problem(G, b, mu, work)
        outcome = lemke(work.M, work.q, work.lcp, pivots_for(work.q.shape[0]))
        if outcome == RAY and none_certified(work.M, work.q, work.lcp.ray):
            return NONE
        if outcome == SOLVED:
            for i in range(b.shape[0]):
                work.trial[i] = work.lam[i]
            read_answer(mu, work)
            if _good(G, b, mu, dim, work):
                return LEMKE
            for i in range(b.shape[0]):
                work.lam[i] = work.trial[i]
    solver = GAUSS_SEIDEL
    if scales_into(work.scale, G, dim):
        value = contact_sweeps(G, b, mu, dim, work, 0.0, FIRST, FINE, NO)
        if work.slope.shape[0] == 0:
            value = contact_sweeps(G, b, mu, dim, work, 0.0, ALONE, FINE, YES)
        if _enough(G, b, mu, dim, work, value):
            return solver
        if _cannot_part(G, b, mu, dim, work):
            return NONE
        if work.slope.shape[0]:
            solver, value = NEWTON, _hardened(G, b, mu, dim, work, HARDEST, QUICKLY, ROUNDS)
        if value > GOOD and work.slope.shape[0]:
            for i in range(b.shape[0]):
                work.lam[i] = 0.0
            value = _hardened(G, b, mu, dim, work, SOFTEST, SLOWLY, MORE_ROUNDS)
        if value <= GOOD and residual_of(G, b, mu, dim, work) <= TOLERANCE:
            return solver
    if written and work.q.shape[0] <= MOST:
        enumerated(work.M, work.q, work.lcp, 1e-3 * TOLERANCE)
        for i in range(b.shape[0]):
            work.trial[i] = work.lam[i]
        before = residual_of(G, b, mu, dim, work)
        read_answer(mu, work)
        if residual_of(G, b, mu, dim, work) < before:
            return ENUMERATION
        for i in range(b.shape[0]):
            work.lam[i] = work.trial[i]
    return solver


@njit(cache=True)
def _cannot_part(G: Array, b: Array, mu: Array, dim: int, work: ContactWork) -> bool:
    """Tell whether bodies must enter each other whatever the impulses are.

    The normal directions alone are a linear complementarity problem. The ray y on which Lemke may end proves
    it if y >= 0, y . b_N < 0, and no impulse within the cones has y . (G lam)_N > 0.
    """
    n, y, gain, length, most, size = mu.shape[0], work.normal.ray, 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        work.b_free[i] = b[i * dim]
        for j in range(n):
            work.G_NN[i, j] = G[i * dim, j * dim]
    if lemke(work.G_NN, work.b_free, work.normal, pivots_for(n)) != RAY:
        return False
    for i in range(n):
        gain += y[i] * work.b_free[i]
        length += abs(y[i] * work.b_free[i])
        for k in range(dim):
            work.moved[i * dim + k] = 0.0
            for j in range(n):
                part = y[j] * G[j * dim, i * dim + k]
                work.moved[i * dim + k] += part
                size = max(size, abs(part))
    for i in range(n):
        most = max(most, work.moved[i * dim] + mu[i] * tangent_length(work.moved, i * dim, dim))
    return bool(length > 0.0 and most <= CERTAIN * size and gain < -1e3 * CERTAIN * length)


@njit(cache=True)
def _hardened(
    G: Array, b: Array, mu: Array, dim: int, work: ContactWork, soft: float, share: float, rounds: int
) -> float:
    """Improve `lam` by Newton's method on ever harder contacts.

    The first round with the softness given; where hard contacts come first, it is begun anew with soft ones.

    Returns:
        The scaled natural map of `lam`.
    """
    m, best, hard_first = b.shape[0], np.inf, soft == HARDEST
    for i in range(m):
        work.best[i] = work.lam[i]
    idle = 0
    for turn in range(rounds):
        quick = hard_first and turn == 0
        inner = _softened(G, b, mu, dim, work, soft, quick)
        for i in range(m):
            work.trial[i] = work.lam[i]
        value = trial_value(G, b, mu, dim, work, 0.0)
        idle += 1
        if value < best:
            best, idle = value, 0
            for i in range(m):
                work.best[i] = work.lam[i]
            if _enough(G, b, mu, dim, work, best):
                break
        if idle == IDLE:
            break
        if best <= GOOD and turn > rounds // 2:
            break
        if quick:
            soft = SOFTEST
        elif inner <= GOOD:
            soft = max(HARDEST, share * soft)
        else:
            soft = min(SOFTEST, soft / share)
    for i in range(m):
        work.lam[i] = work.best[i]
    return best


@njit(cache=True)
def _softened(G: Array, b: Array, mu: Array, dim: int, work: ContactWork, soft: float, quick: bool) -> float:
    """Solve contacts softened about the impulses as they are; return what is left of their natural map."""
    for i in range(b.shape[0]):
        work.anchor[i] = work.lam[i]
    left = contact_newton(G, b, mu, dim, work, soft, STEPS, 0.1 * FINE)
    if left > FINE and not quick:
        contact_sweeps(G, b, mu, dim, work, soft, SWEEPS, 0.1 * FINE, YES)
        left = contact_newton(G, b, mu, dim, work, soft, STEPS, 0.1 * FINE)
    return float(left)


@njit(cache=True)
def residual_of(G: Array, b: Array, mu: Array, dim: int, work: ContactWork) -> float:
    """Return the natural map of `lam` over max(1, |b|); leaves its velocities in `u`."""
    velocities_into(work.u, G, b, work.lam, dim, work.scale, 0.0, work.anchor)
    return float(natural_map(work.u, b, mu, work.lam, dim, work.scale, NO, work.moved))


@njit(cache=True)
def _enough(G: Array, b: Array, mu: Array, dim: int, work: ContactWork, value: float) -> bool:
    """Tell whether `lam`, of this scaled natural map, need not be improved."""
    return bool(value <= FINE or (value <= ENOUGH and residual_of(G, b, mu, dim, work) <= ENOUGH))


@njit(cache=True)
def _good(G: Array, b: Array, mu: Array, dim: int, work: ContactWork) -> bool:
    """Tell whether `lam` is an answer in either measure; where a block has no size, in the plain one."""
    if residual_of(G, b, mu, dim, work) > TOLERANCE:
        return False
    if not scales_into(work.scale, G, dim):
        return True
    return natural_map(work.u, b, mu, work.lam, dim, work.scale, YES, work.moved) <= GOOD
