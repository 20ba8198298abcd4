"""The branch program: arm angles and branches at knots of the object's path, by dynamic programming.

theory: minimise the sum over knots of |d|_inf^2 + 0.1 |d|_2^2 + limit term, d_j = (q_j - q_j') / (v_j dt),
over all arm angles of a periodic grid and all branches (Ruehl et al., eq. 7, with each joint divided by
its velocity limit first). A step with |d|_inf > 1 is no edge; long steps are checked halfway as well.
A branch may change only where its flip is the identity in the limit: at a straight shoulder or a
straight wrist. (At a stretched elbow the flip turns the arm angle by pi, and the arm only touches that
posture from within.) The cost of the greedy path is an upper bound that prunes most nodes and loses
nothing. Inverse kinematics is solved only for the nodes that are looked at.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import ZERO, Array, BoolArray, IntArray
from planner.branches.bounds import Bounds
from planner.kinematics.inverse import BRANCHES, SHOULDER, WRIST, elbow_frame, solve_branches, solve_into

EVENNESS = 0.1  # weight of |d|_2^2: breaks ties between joints that the infinity norm does not see
LIMIT_ZONE = 0.2  # [rad] in front of a limit in which nearness costs
LIMIT_WEIGHT = 2.0  # cost of a joint at its limit, for one knot
CHECK_HALFWAY = 0.25  # |d|_inf^2 from which a step is checked at its middle as well
FLIPS = (0, SHOULDER, WRIST, SHOULDER | WRIST)
INFINITE = 1e30


class Workspace(NamedTuple):
    """Memory of the program: K knots, m arm angles, 8 branches."""

    q: Array  # (K, m, 8, 7)
    valid: BoolArray  # (K, m, 8)
    solved: BoolArray  # (K, m)
    node: Array  # (K, m, 8), cost of being there
    cost: Array  # (K, m, 8), of the best way there
    origin: IntArray  # (K, m, 8), of that way: angle index * 8 + branch at the knot before
    frame: Array  # (K, 3, 3)
    elbow: Array  # (K, 3)
    turn: Array  # (m, 2)


class Start(NamedTuple):
    """Where the program begins, one knot before its first."""

    q: Array  # (7,)
    arm_angle: float
    branch: int


def workspace(knots: int, arm_angles: int) -> Workspace:
    """Return memory for a program of up to `knots` knots."""
    nodes = (knots, arm_angles, BRANCHES)
    return Workspace(
        q=np.zeros((*nodes, 7)),
        valid=np.zeros(nodes, dtype=np.bool_),
        solved=np.zeros((knots, arm_angles), dtype=np.bool_),
        node=np.zeros(nodes),
        cost=np.zeros(nodes),
        origin=np.zeros(nodes, dtype=np.int64),
        frame=np.zeros((knots, 3, 3)),
        elbow=np.zeros((knots, 3)),
        turn=np.zeros((arm_angles, 2)),
    )


@njit(cache=True, error_model="numpy")
def step_cost(a: Array, b: Array, velocity: Array, dt: float) -> float:
    """Return the cost of the step from joints `a` to `b` in time `dt`, INFINITE beyond the speed limits."""
    largest = 0.0
    total = 0.0
    for j in range(7):
        d = abs(b[j] - a[j]) / (velocity[j] * dt)
        total += d * d
        largest = max(largest, d)
    if largest > 1.0:
        return INFINITE
    return largest * largest + EVENNESS * total


@njit(cache=True, error_model="numpy")
def limit_cost(q: Array, lower: Array, upper: Array) -> float:
    """Return the cost of being near joint limits: rises from 0 at LIMIT_ZONE to LIMIT_WEIGHT, each joint."""
    cost = 0.0
    for j in range(7):
        x = 1.0 - min(q[j] - lower[j], upper[j] - q[j]) / LIMIT_ZONE
        if x > 0.0:
            cost += LIMIT_WEIGHT * x * x
    return cost


@njit(cache=True, error_model="numpy")
def _prepare(work: Workspace, bounds: Bounds, T: Array, start: Start) -> None:
    """Clear the nodes of the first len(T) knots and place the grid of arm angles on the start's."""
    m = work.turn.shape[0]
    for j in range(m):
        angle = start.arm_angle + j * (2.0 * math.pi / m)
        work.turn[j, 0], work.turn[j, 1] = math.cos(angle), math.sin(angle)
    for k in range(T.shape[0]):
        elbow = elbow_frame(bounds.lengths, T[k], work.frame[k])
        work.elbow[k, 0], work.elbow[k, 1], work.elbow[k, 2] = elbow
        for j in range(m):
            work.solved[k, j] = False
            for branch in range(BRANCHES):
                work.cost[k, j, branch] = INFINITE


@njit(cache=True, error_model="numpy")
def _solve_node(work: Workspace, bounds: Bounds, T: Array, k: int, j: int, near: Array, a: Array) -> None:
    """Solve all branches of knot `k` at arm angle `j` if they are not solved yet."""
    if work.solved[k, j]:
        return
    work.solved[k, j] = True
    if work.elbow[k, 0] < 0.0:
        work.valid[k, j] = False
        return
    elbow = (work.elbow[k, 0], work.elbow[k, 1], work.elbow[k, 2])
    turn = (work.turn[j, 0], work.turn[j, 1])
    low, high = bounds.lower, bounds.upper
    solve_branches(
        work.q[k], work.valid[k], j, bounds.signs, low, high, T[k], work.frame[k], elbow, turn, near, a
    )
    for branch in range(BRANCHES):
        if work.valid[k, j, branch]:
            work.node[k, j, branch] = limit_cost(work.q[k, j, branch], low, high)


@njit(cache=True, error_model="numpy")
def _flip_allowed(q: Array, flip: int, velocity: Array, dt: float) -> bool:
    """Return whether the joint of every flipped bit can be straight within the step.

    Where it cannot, the step to its other side is too fast as well: this is only the quicker look.
    """
    if flip & SHOULDER and abs(q[1]) > velocity[1] * dt:
        return False
    return not (flip & WRIST and abs(q[5]) > velocity[5] * dt)


@njit(cache=True, error_model="numpy")
def _halfway_ok(bounds: Bounds, T: Array, angle: float, branch: int, a: Array, b: Array, dt: float) -> bool:
    """Return whether the middle of a step lies within the limits and both halves within the speeds."""
    q = np.empty(7)
    if not solve_into(q, bounds.lengths, bounds.signs, T, angle, branch, a):
        return False
    for j in range(7):
        if not bounds.lower[j] <= q[j] <= bounds.upper[j]:
            return False
        reach = 0.5 * dt * bounds.velocity[j]
        if abs(q[j] - a[j]) > reach or abs(b[j] - q[j]) > reach:
            return False
    return True


@njit(cache=True, error_model="numpy")
def _edge(
    work: Workspace,
    bounds: Bounds,
    T_halfway: Array,
    start: Start,
    step: tuple[int, int, int, int],
    q: Array,
    dt: float,
    best: float,
) -> float:
    """Return the cost of a step with its target's node; INFINITE if not allowed or not below `best`.

    `step` is knot, arm angle index (not wrapped), arm angle steps taken, and branch of the target.
    """
    k, j, moved, branch = step
    m = work.turn.shape[0]
    target = work.q[k, j % m, branch]
    cost = step_cost(q, target, bounds.velocity, dt)
    if cost >= INFINITE or cost + work.node[k, j % m, branch] >= best:
        return INFINITE
    if cost > CHECK_HALFWAY:
        angle = start.arm_angle + (j - 0.5 * moved) * (2.0 * math.pi / m)
        if not _halfway_ok(bounds, T_halfway[k], angle, branch, q, target, dt):
            return INFINITE
    return cost + work.node[k, j % m, branch]


@njit(cache=True, error_model="numpy")
def _greedy_cost(
    work: Workspace, bounds: Bounds, T: Array, T_halfway: Array, start: Start, dt: float, window: int
) -> float:
    """Return the cost of the path that takes the cheapest step each time, INFINITE if it gets stuck."""
    m = work.turn.shape[0]
    near = np.array([bounds.signs[0] * start.q[0], bounds.signs[4] * start.q[4]])
    a = np.empty(7)
    q, j, branch, total = start.q.copy(), 0, start.branch, 0.0
    for k in range(T.shape[0]):
        best, best_j, best_branch = INFINITE, 0, 0
        for moved in range(-window, window + 1):
            target = (j + moved) % m
            _solve_node(work, bounds, T, k, target, near, a)
            for flip in FLIPS:
                if not work.valid[k, target, branch ^ flip] or not _flip_allowed(
                    q, flip, bounds.velocity, dt
                ):
                    continue
                step = (k, j + moved, moved, branch ^ flip)
                cost = _edge(work, bounds, T_halfway, start, step, q, dt, best)
                if cost < best:
                    best, best_j, best_branch = cost, target, branch ^ flip
        if best >= INFINITE:
            return INFINITE
        total += best
        j, branch = best_j, best_branch
        for i in range(7):
            q[i] = work.q[k, j, branch, i]
    return total


@njit(cache=True, error_model="numpy")
def _expand(
    work: Workspace,
    bounds: Bounds,
    T: Array,
    T_halfway: Array,
    start: Start,
    place: tuple[int, int, int],
    q: Array,
    base: float,
    limit: tuple[float, float, int],
    near: Array,
    a: Array,
) -> bool:
    """Take all steps from one node to knot k; return whether any of them improved a node there.

    `place` is k, and arm angle index and branch at the knot before; `limit` is dt, bound and window.
    """
    k, j, branch = place
    dt, bound, window = limit
    m = work.turn.shape[0]
    improved = False
    for moved in range(-window, window + 1):
        target = (j + moved) % m
        _solve_node(work, bounds, T, k, target, near, a)
        for flip in FLIPS:
            b = branch ^ flip
            if not work.valid[k, target, b] or not _flip_allowed(q, flip, bounds.velocity, dt):
                continue
            best = min(work.cost[k, target, b], bound) - base
            cost = _edge(work, bounds, T_halfway, start, (k, j + moved, moved, b), q, dt, best)
            if cost < best:
                work.cost[k, target, b] = base + cost
                work.origin[k, target, b] = j * BRANCHES + branch
                improved = True
    return improved


@njit(cache=True, error_model="numpy")
def branch_program(
    arm_angles: Array,
    branches: IntArray,
    work: Workspace,
    bounds: Bounds,
    T: Array,
    T_halfway: Array,
    start: Start,
    dt: float,
    window: int,
    bound: float,
) -> tuple[int, float]:
    """Write the cheapest sequence; return how many knots it reaches and its cost.

    When no sequence reaches the last knot (below the bound), the cheapest to the last knot that any
    reaches is written.

    Args:
        arm_angles: receives the arm angle at each knot, unwrapped from the start's [rad], shape (K,).
        branches: receives the branch at each knot, shape (K,).
        work: memory for at least K knots; afterwards holds the nodes that were looked at.
        bounds: limits that every step keeps.
        T: T_base_flange at the knots, shape (K, 4, 4).
        T_halfway: T_base_flange in the middle of the step towards each knot, shape (K, 4, 4).
        start: joints, arm angle and branch one step before the first knot.
        dt: time from knot to knot [s].
        window: largest change of the arm angle in a step, in steps of the grid.
        bound: only sequences that cost less are of interest; INFINITE if all are.
    """
    m, knots = work.turn.shape[0], T.shape[0]
    _prepare(work, bounds, T, start)
    greedy = _greedy_cost(work, bounds, T, T_halfway, start, dt, window)
    if greedy < bound:
        bound = greedy * (1.0 + 1e-9) + 1e-12  # strictly below is asked for, the greedy path itself may stay
    near = np.array([bounds.signs[0] * start.q[0], bounds.signs[4] * start.q[4]])
    a = np.empty(7)
    limit = (dt, bound, window)
    reached = ZERO
    for k in range(knots):
        alive = False
        if k == 0:
            place = (ZERO, ZERO, start.branch)
            alive = _expand(work, bounds, T, T_halfway, start, place, start.q, 0.0, limit, near, a)
        else:
            for j in range(m):
                for branch in range(BRANCHES):
                    base = work.cost[k - 1, j, branch]
                    if base >= bound:
                        continue
                    q = work.q[k - 1, j, branch]
                    place = (k, j, branch)
                    if _expand(work, bounds, T, T_halfway, start, place, q, base, limit, near, a):
                        alive = True
        if not alive:
            break
        reached = k + 1
    return reached, _trace_back(arm_angles, branches, work, start, reached)


@njit(cache=True)
def _trace_back(arm_angles: Array, branches: IntArray, work: Workspace, start: Start, reached: int) -> float:
    """Write the cheapest sequence that ends at knot `reached - 1`; return its cost."""
    if reached == 0:
        return INFINITE
    m = work.turn.shape[0]
    cost, j, branch = INFINITE, 0, 0
    for i in range(m):
        for b in range(BRANCHES):
            if work.cost[reached - 1, i, b] < cost:
                cost, j, branch = work.cost[reached - 1, i, b], i, b
    for k in range(reached - 1, -1, -1):
        branches[k] = branch
        before = work.origin[k, j, branch]
        moved = j - before // BRANCHES
        arm_angles[k] = (moved + m // 2) % m - m // 2  # steps from the knot before, the short way round
        j, branch = before // BRANCHES, before % BRANCHES
    angle = start.arm_angle
    for k in range(reached):
        angle += arm_angles[k] * (2.0 * math.pi / m)
        arm_angles[k] = angle
    return cost


@njit(cache=True, error_model="numpy")
def path_cost(bounds: Bounds, T: Array, arm_angles: Array, start: Start, dt: float) -> float:
    """Return what the program would charge for given arm angles, INFINITE if a step is not allowed.

    Args:
        bounds: limits that every step keeps.
        T: T_base_flange at the knots, shape (K, 4, 4).
        arm_angles: at the knots [rad], shape (K,).
        start: joints, arm angle and branch one step before the first knot.
        dt: time from knot to knot [s].
    """
    q, branch, total = start.q.copy(), start.branch, 0.0
    candidate, chosen = np.empty(7), np.empty(7)
    for k in range(T.shape[0]):
        best, best_branch = INFINITE, branch
        for flip in FLIPS:
            if not _flip_allowed(q, flip, bounds.velocity, dt):
                continue
            if not solve_into(candidate, bounds.lengths, bounds.signs, T[k], arm_angles[k], branch ^ flip, q):
                return INFINITE
            cost = step_cost(q, candidate, bounds.velocity, dt)
            if cost < best:
                best, best_branch = cost, branch ^ flip
                for i in range(7):
                    chosen[i] = candidate[i]
        if best >= INFINITE:
            return INFINITE
        branch = best_branch
        for i in range(7):
            q[i] = chosen[i]
        total += best + limit_cost(q, bounds.lower, bounds.upper)
    return total
