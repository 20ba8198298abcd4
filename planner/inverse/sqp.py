"""Newton's method on the conditions of a constrained minimum, safeguarded. Compiled.

theory: Krenn (1): the Lagrangian f + lambda^T h is stationary at the wanted joints, which are a saddle of it
and no minimum. Each step solves min g p + p W p / 2 with A p = -h, W with the exact curvature of h: along
the range of A^T to fulfil h, in its null space by the reduced curvature, of which the absolute value is
taken, so that no maximum is found. Steps are judged by the merit f + mu |h|_1, with a
second-order correction before they are shortened (Nocedal and Wright, 18.3 to 18.36).
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array
from planner.inverse.criteria import Criteria, Motion, objective, objective_model
from planner.inverse.misalignment import add_curvature, half_a_turn_near, misalignment_into, slope_into
from planner.inverse.singular_values import absolute, singular
from sim.chain.kinematics import body_poses, jacobian_at
from sim.chain.serial_chain import SerialChain

RANK = 1e-6  # of the largest singular value: below it a direction is none
FARTHEST = 0.8  # [rad, m] a joint moves in a step
CLOSE = 1e-8  # [m] of misalignment left at the end
STILL = 1e-6  # [rad, m] of the last step, behind which Newton leaves its square
FLATTEST = 1e-9  # of the largest curvature: the least that is divided by
STIFFER = 10.0  # times the largest curvature, in the range
TINY, NOTHING = 1e-12, 0.0
SHORTENINGS = 12
DESCENT = 1e-4  # share of the promised descent that is demanded (Armijo)
PRICE_SHARE = 0.1  # of the merit's descent that must come from h
MOVING, CONVERGED, STALLED, LIMITED = 0, 1, 2, 3


class Problem(NamedTuple):
    """What is to be solved.

    Attributes:
        T_target: pose wanted of the tip in base, shape (4, 4).
        criteria: see there.
        motion: see there.
        lower: least joint positions [rad, m], shape (n,).
        upper: greatest joint positions [rad, m], shape (n,).
        length: by which angles count as distances [m]; 0 leaves the orientation free.
        entries: take Krenn's (3) for h where it can be trusted.
    """

    T_target: Array
    criteria: Criteria
    motion: Motion
    lower: Array
    upper: Array
    length: float
    entries: bool


class Local(NamedTuple):
    """The problem near joints q.

    Attributes:
        g: gradient of the objective, shape (n,).
        W: curvature of the Lagrangian, shape (n, n).
        h: misalignment [m], shape (6,).
        A: its slopes, shape (6, n).
        s: singular values of A, shape (n,).
        U: left vectors as rows, shape (n, 6).
        V: right vectors as rows, shape (n, n).
        entries: by which form h is.
    """

    g: Array
    W: Array
    h: Array
    A: Array
    s: Array
    U: Array
    V: Array
    entries: bool


@njit(cache=True)
def _weighted_rows(s: Array, U: Array, V: Array, g: Array) -> Array:
    """Return the multipliers (6,) for which A^T lambda comes nearest to -g."""
    multipliers, least = np.zeros(6), RANK * s.max()
    for i in range(s.shape[0]):
        if s[i] > least:
            along = 0.0
            for k in range(g.shape[0]):
                along -= V[i, k] * g[k]
            for k in range(6):
                multipliers[k] += U[i, k] * along / s[i]
    return multipliers


@njit(cache=True)
def local_model(chain: SerialChain, problem: Problem, q: Array, given: Array) -> Local:
    """Return the problem near q, for `given` multipliers (6,), the best ones where they are not finite."""
    n, T_target, length = q.shape[0], problem.T_target, problem.length
    poses = body_poses(chain, q)
    T = poses[n + 1]
    J, h, A = jacobian_at(chain, poses), np.empty(6), np.empty((6, n))
    entries = problem.entries and not half_a_turn_near(T_target, T)
    misalignment_into(h, T_target, T, length, entries)
    slope_into(A, T_target, T, J, length, entries)
    _, g, W = objective_model(chain, problem.criteria, problem.motion, q)
    s, U, V = singular(A)
    multipliers = given if math.isfinite(given[0]) else _weighted_rows(s, U, V, g)
    add_curvature(W, multipliers, chain, T_target, T, J, length, entries)
    return Local(g, W, h, A, s, U, V, entries)


@njit(cache=True)
def range_step(local: Local) -> Array:
    """Return the shortest step (n,) that fulfils h to first order, as far as A's rank allows."""
    n = local.g.shape[0]
    p, least = np.zeros(n), RANK * local.s.max()
    for i in range(n):
        if local.s[i] > least:
            along = 0.0
            for k in range(6):
                along -= local.U[i, k] * local.h[k]
            for k in range(n):
                p[k] += local.V[i, k] * along / local.s[i]
    return p


@njit(cache=True)
def newton_step(local: Local) -> Array:
    """Return the step (n,) to the minimum of the local problem, the limits apart."""
    n, least = local.g.shape[0], RANK * local.s.max()
    p = range_step(local)
    Z, free = np.empty((n, n)), 0
    for i in range(n):
        if local.s[i] <= least:
            for k in range(n):
                Z[free, k] = local.V[i, k]
            free += 1
    if free == 0:
        return p
    slope, H = np.empty(free), np.zeros((free, free))
    u = np.empty(n)
    for i in range(n):
        u[i] = local.g[i]
        for j in range(n):
            u[i] += local.W[i, j] * p[j]
    for a in range(free):
        slope[a] = 0.0
        for i in range(n):
            slope[a] += Z[a, i] * u[i]
        for b in range(free):
            for i in range(n):
                for j in range(n):
                    H[a, b] += Z[a, i] * local.W[i, j] * Z[b, j]
    s, _, V = singular(H)
    flattest = max(FLATTEST * s.max(), 1e-300)
    for k in range(free):
        along = 0.0
        for a in range(free):
            along -= V[k, a] * slope[a]
        along /= max(s[k], flattest)
        for a in range(free):
            for i in range(n):
                p[i] += Z[a, i] * V[k, a] * along
    return p


@njit(cache=True)
def convex_curvature(local: Local) -> Array:
    """Return a positive definite curvature (n, n), in the null space the absolute value of the reduced one.

    In A's range it is stiffer, which where h can be fulfilled makes no difference.
    """
    n, least = local.g.shape[0], RANK * local.s.max()
    largest = 0.0
    for i in range(n):
        for j in range(n):
            largest = max(largest, abs(local.W[i, j]))
    bend, reduced = np.zeros((n, n)), np.zeros((n, n))  # in the axes of V; the reduced one alone
    for a in range(n):
        for b in range(n):
            for i in range(n):
                for j in range(n):
                    bend[a, b] += local.V[a, i] * local.W[i, j] * local.V[b, j]
            if local.s[a] <= least and local.s[b] <= least:
                reduced[a, b] = bend[a, b]
    reduced = absolute(reduced, NOTHING)
    out = np.zeros((n, n))
    for a in range(n):
        for b in range(n):
            if local.s[a] <= least and local.s[b] <= least:
                bend[a, b] = reduced[a, b]
        if local.s[a] > least:
            bend[a, a] += STIFFER * largest
    for i in range(n):
        for j in range(n):
            for a in range(n):
                for b in range(n):
                    out[i, j] += local.V[a, i] * bend[a, b] * local.V[b, j]
    return absolute(out, max(FLATTEST * largest, TINY))


@njit(cache=True)
def _sum(h: Array) -> float:
    total = 0.0
    for k in range(6):
        total += abs(h[k])
    return total


@njit(cache=True)
def _merit(
    h: Array, chain: SerialChain, problem: Problem, q: Array, entries: bool, mu: float
) -> tuple[float, float]:
    """Write h; return the objective, and the merit."""
    T = body_poses(chain, q)[q.shape[0] + 1]
    misalignment_into(h, problem.T_target, T, problem.length, entries)
    f = objective(chain, problem.criteria, problem.motion, q)
    return f, f + mu * _sum(h)


@njit(cache=True)
def _promised(local: Local, p: Array, mu: float) -> tuple[float, float]:
    """Return the merit's slope along p, and the price mu of h with which it goes down."""
    n, along, bend = p.shape[0], 0.0, 0.0
    for i in range(n):
        along += local.g[i] * p[i]
        for j in range(n):
            bend += p[i] * local.W[i, j] * p[j]
    ahead = 0.0
    for k in range(6):
        moved = local.h[k]
        for i in range(n):
            moved += local.A[k, i] * p[i]
        ahead += abs(moved)
    gained = _sum(local.h) - ahead
    if gained > 1e-12:
        mu = max(mu, (along + 0.5 * max(bend, 0.0)) / ((1.0 - PRICE_SHARE) * gained))
    return along - mu * gained, mu


@njit(cache=True)
def searched(
    chain: SerialChain, problem: Problem, q: Array, local: Local, p: Array, mu: float
) -> tuple[Array, float, float, bool]:
    """Go along a step as far as the merit falls.

    Returns:
        joints there (n,), the price mu of h, the misalignment left there [m], whether the merit fell.
    """
    n, largest = q.shape[0], 0.0
    for i in range(n):
        largest = max(largest, abs(p[i]))
    slope, mu = _promised(local, p, mu)
    h, moved, share = np.empty(6), np.empty(n), min(1.0, FARTHEST / max(largest, 1e-300))
    _, merit = _merit(h, chain, problem, q, local.entries, mu)
    slack = 1e-13 * abs(merit)
    for attempt in range(SHORTENINGS):
        for i in range(n):
            moved[i] = min(max(q[i] + share * p[i], problem.lower[i]), problem.upper[i])
        _, ahead = _merit(h, chain, problem, moved, local.entries, mu)
        if ahead <= merit + DESCENT * share * slope + slack:
            return moved, mu, _sum(h), True
        if attempt == 0:
            correction = range_step(Local(
                local.g, local.W, h, local.A, local.s, local.U, local.V, local.entries
            ))  # fmt: skip
            farthest = np.abs(correction).max()
            scale = min(1.0, FARTHEST / farthest) if farthest > 0.0 else 1.0
            for i in range(n):
                moved[i] = min(max(moved[i] + scale * correction[i], problem.lower[i]), problem.upper[i])
            _, ahead = _merit(h, chain, problem, moved, local.entries, mu)
            if ahead <= merit + DESCENT * share * slope + slack:
                return moved, mu, _sum(h), True
        share *= 0.5
    return q.copy(), mu, _sum(local.h), False


@njit(cache=True)
def state_after(p: Array, misalignment: float, fell: bool) -> int:
    """Return whether a step was the last: CONVERGED, STALLED or MOVING."""
    largest = 0.0
    for i in range(p.shape[0]):
        largest = max(largest, abs(p[i]))
    if largest <= STILL:
        return CONVERGED if misalignment <= CLOSE else STALLED
    return MOVING if fell else STALLED


@njit(cache=True)
def sqp(
    chain: SerialChain, problem: Problem, q_start: Array, mu: float, given: Array, most: int
) -> tuple[Array, int, int, float, Local]:
    """Go to the constrained minimum, until a step would leave the limits.

    Args:
        chain: see there.
        problem: see there.
        q_start: joints within the limits [rad, m], shape (n,).
        mu: price of h in the merit so far.
        given: multipliers at q_start (6,), nan where they are not known.
        most: steps at most.

    Returns:
        joints (n,), state (LIMITED: the next step would leave the limits), steps, price, local problem there.
    """
    n, q, state = q_start.shape[0], q_start.copy(), MOVING
    local = local_model(chain, problem, q, given)
    unknown = np.full(6, np.nan)
    for step in range(most):
        if step > 0:
            local = local_model(chain, problem, q, unknown)
        p = newton_step(local)
        for i in range(n):
            if not problem.lower[i] <= q[i] + p[i] <= problem.upper[i]:
                return q, LIMITED, step, mu, local
        q, mu, misalignment, fell = searched(chain, problem, q, local, p, mu)
        state = state_after(p, misalignment, fell)
        if state != MOVING:
            return q, state, step + 1, mu, local
    return q, STALLED, most, mu, local
