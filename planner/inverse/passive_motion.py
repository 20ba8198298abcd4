"""Motion of a passive chain whose tip is drawn to a target by a spring. Compiled.

theory: Krenn, chapter on inverse kinematics, (9): M q'' + D q' = J^T k e. The tip has unit mass and a spring
of frequency w to the target; the joints little of both, in one ratio, so that M, D / (2 zeta w) and K / w^2
are one matrix and the whole chain has one frequency. Time counts in 1 / w. A step h of the linearly
implicit Euler rule

    (M + h D + h^2 (K + G)) dq = h^2 J^T k e + h M q'

with G the geometric stiffness -(dJ^T/dq) k e, where the spring is seen not to relax, is taken if the
potential falls by it, else from rest again with less h: large steps without that check end in limit cycles.
For h -> infinity it is Newton's step to the nearest pose that can be reached. G is left out else, for
in the null space of a target within reach it is all that there is, and would drive the chain about.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array, BoolArray
from planner.inverse.misalignment import add_curvature, misalignment_into, slope_into
from planner.inverse.singular_values import absolute, singular
from sim.chain.kinematics import body_poses, jacobian_at
from sim.chain.serial_chain import SerialChain

FIRST_STEP = 3.0  # h w
GROWTH, SHRINKAGE = 1.6, 0.3
LONGEST_STEP = 1e4
SHORTEST_STEP = 1e-6
FARTHEST = 0.8  # [rad, m] a joint moves in a step
GAIN = 1e-8  # of the potential: a step that promises less is not worth it
CLOSE = 1e-9  # [m] from the target: there
SLOW = 0.5  # of the potential left by a step: the target may be out of reach, and G counts
KICK = 1e-3  # [rad, m] from a saddle
KICKS = 4  # at most


class Tuning(NamedTuple):
    """What steers a passive chain.

    Attributes:
        masses: of the joints, against the tip's one; with it their springs and dampers, shape (n,).
        frictions: dampers of the joints, times the one that `masses` gives, shape (n,).
        damping: ratio zeta of the one frequency.
        length: by which angles count as distances [m]; 0 leaves the orientation free.
        lower: least joint positions [rad, m], shape (n,).
        upper: greatest joint positions [rad, m], shape (n,).
    """

    masses: Array
    frictions: Array
    damping: float
    length: float
    lower: Array
    upper: Array


@njit(cache=True)
def potential_of(chain: SerialChain, T_target: Array, q: Array, length: float) -> float:
    """Return the spring's energy at joints q, half the square of the misalignment [m2]."""
    h, total = np.empty(6), 0.0
    misalignment_into(h, T_target, body_poses(chain, q)[q.shape[0] + 1], length, False)
    for k in range(6):
        total += 0.5 * h[k] * h[k]
    return total


@njit(cache=True)
def stiffness_of(
    chain: SerialChain, T_target: Array, q: Array, length: float
) -> tuple[Array, Array, Array, float]:
    """Return force J^T k e (n,), stiffness J^T k J (n, n), that with the geometric one, and the potential."""
    n = q.shape[0]
    poses = body_poses(chain, q)
    J, h, A = jacobian_at(chain, poses), np.empty(6), np.empty((6, n))
    misalignment_into(h, T_target, poses[n + 1], length, False)
    slope_into(A, T_target, poses[n + 1], J, length, False)
    force, K, potential = np.zeros(n), np.zeros((n, n)), 0.0
    for k in range(6):
        potential += 0.5 * h[k] * h[k]
        for i in range(n):
            force[i] -= A[k, i] * h[k]
            for j in range(i + 1):
                K[i, j] += A[k, i] * A[k, j]
    for i in range(n):
        for j in range(i):
            K[j, i] = K[i, j]
    whole = K.copy()
    add_curvature(whole, h, chain, T_target, poses[n + 1], J, length, False)
    return force, K, whole, potential


@njit(cache=True)
def _solve(dq: Array, A: Array, b: Array, free: BoolArray) -> bool:
    """Solve for the free joints' steps by Cholesky, the others' given in dq; False: not positive definite."""
    n = b.shape[0]
    L, x = np.zeros((n, n)), np.empty(n)
    for i in range(n):
        if not free[i]:
            continue
        x[i] = b[i]
        for j in range(n):
            if not free[j]:
                x[i] -= A[i, j] * dq[j]
        for j in range(i + 1):
            if not free[j]:
                continue
            total = A[i, j]
            for m in range(j):
                total -= L[i, m] * L[j, m]
            if i == j:
                if total <= 1e-14 * A[i, i]:
                    return False
                L[i, i] = math.sqrt(total)
            else:
                L[i, j] = total / L[j, j]
        for m in range(i):
            x[i] -= L[i, m] * x[m] if free[m] else 0.0
        x[i] /= L[i, i]
    for i in range(n - 1, -1, -1):
        if not free[i]:
            continue
        for m in range(i + 1, n):
            x[i] -= L[m, i] * x[m] if free[m] else 0.0
        x[i] /= L[i, i]
        dq[i] = x[i]
    return True


@njit(cache=True)
def _bounded(dq: Array, A: Array, b: Array, q: Array, force: Array, tuning: Tuning) -> bool:
    """Write the step within the joints' limits: those that it would pass stay on them, the rest make up."""
    n = q.shape[0]
    free = np.ones(n, np.bool_)
    for i in range(n):
        dq[i] = 0.0
        at_limit = q[i] <= tuning.lower[i] if force[i] < 0.0 else q[i] >= tuning.upper[i]
        if at_limit:
            free[i] = False
    for _ in range(n):
        if not _solve(dq, A, b, free):
            return False
        inside = True
        for i in range(n):
            if free[i] and not tuning.lower[i] <= q[i] + dq[i] <= tuning.upper[i]:
                dq[i] = (tuning.lower[i] if q[i] + dq[i] < tuning.lower[i] else tuning.upper[i]) - q[i]
                free[i] = inside = False
        if inside:
            return True
    return True


@njit(cache=True)
def _system_into(
    A: Array, b: Array, parts: tuple[Array, Array, Array], v: Array, h: float, tuning: Tuning
) -> None:
    """Write the implicit step's matrix and right side, for a step h."""
    force, inertia, K = parts
    n, zeta = v.shape[0], tuning.damping
    for i in range(n):
        b[i] = h * h * force[i] + h * tuning.masses[i] * v[i]
        for j in range(n):
            A[i, j] = (1.0 + 2.0 * zeta * h) * inertia[i, j] + h * h * K[i, j]
            b[i] += h * inertia[i, j] * v[j]
        A[i, i] += tuning.masses[i] * (1.0 + 2.0 * zeta * h * tuning.frictions[i] + h * h)


@njit(cache=True)
def settle(
    chain: SerialChain, T_target: Array, q_start: Array, tuning: Tuning, most: int
) -> tuple[Array, bool, int]:
    """Let the chain come to rest.

    Args:
        chain: see there.
        T_target: where the tip is drawn to, in base, shape (4, 4).
        q_start: joints in the beginning, within the limits [rad, m], shape (n,).
        tuning: see there.
        most: steps at most.

    Returns:
        joints at the end (n,), whether nothing is left to gain, and steps.
    """
    n = q_start.shape[0]
    q, v, h = q_start.copy(), np.zeros(n), FIRST_STEP
    A, b, dq, moved = np.empty((n, n)), np.empty(n), np.empty(n), np.empty(n)
    force, inertia, whole, potential = stiffness_of(chain, T_target, q, tuning.length)
    kicks, moving, taut = 0, False, False
    for step in range(most):
        if potential <= 0.5 * CLOSE * CLOSE:
            return q, True, step
        _system_into(A, b, (force, inertia, whole if taut else inertia), v, h, tuning)
        if not _bounded(dq, A, b, q, force, tuning):  # curved down: away from the saddle as fast
            _system_into(A, b, (force, inertia, absolute(whole, 0.0)), v, h, tuning)
            _bounded(dq, A, b, q, force, tuning)
        promised = largest = 0.0
        for i in range(n):
            promised += force[i] * dq[i]
            largest = max(largest, abs(dq[i]))
        if promised <= GAIN * potential:
            if moving:  # its speed may lead it uphill
                moving = False
                for i in range(n):
                    v[i] = 0.0
                continue
            if kicks == KICKS or not _kicked(q, dq, whole, chain, T_target, potential, tuning):
                return q, True, step
            kicks += 1
            force, inertia, whole, potential = stiffness_of(chain, T_target, q, tuning.length)
            continue
        scale = min(1.0, FARTHEST / largest) if largest > 0.0 else 1.0
        for i in range(n):
            moved[i] = min(max(q[i] + scale * dq[i], tuning.lower[i]), tuning.upper[i])
        ahead = potential_of(chain, T_target, moved, tuning.length)
        if ahead < potential:
            taut = ahead > SLOW * potential
            for i in range(n):
                v[i] = (moved[i] - q[i]) / h
                q[i] = moved[i]
            moving = True
            h = min(h * GROWTH, LONGEST_STEP)
            force, inertia, whole, potential = stiffness_of(chain, T_target, q, tuning.length)
        else:
            for i in range(n):
                v[i] = 0.0
            moving = False
            h *= SHRINKAGE
            if h < SHORTEST_STEP:
                return q, True, step
    return q, False, most


@njit(cache=True)
def _kicked(
    q: Array, dq: Array, whole: Array, chain: SerialChain, T_target: Array, potential: float, tuning: Tuning
) -> bool:
    """Move q off a saddle, along which the potential curves down most; False: it does not."""
    n = q.shape[0]
    _, _, V = singular(whole)
    least, direction = 0.0, -1
    for k in range(n):
        bend = 0.0
        for i in range(n):
            for j in range(n):
                bend += V[k, i] * whole[i, j] * V[k, j]
        if bend < least:
            least, direction = bend, k
    if direction < 0:
        return False
    for sign in (1.0, -1.0):
        for i in range(n):
            dq[i] = min(max(q[i] + sign * KICK * V[direction, i], tuning.lower[i]), tuning.upper[i])
        if potential_of(chain, T_target, dq, tuning.length) < potential:
            for i in range(n):
                q[i] = dq[i]
            return True
    return False
