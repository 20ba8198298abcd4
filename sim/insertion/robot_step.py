"""A time step of a robot against contacts, and under the load of compliant parts. Compiled.

theory: Meitinger & Pfeiffer, equation 13, in the form of Moreau's time stepping. Coordinates are deviations
from the nominal path, which the controller is told together with the torques that hold the weight on it; in
velocities that are absolute, V = v + v_n, a step of M v' + P v + Q q = -M v_n' + W lam is

    (M + h P + h^2 Q) V+ = M V + h (P v_n+ + h Q v_n+) - h Q q + W p,    q+ = q + h V+ - h v_n+.

A law's force goes in with its derivatives, F + F_q dq + F_v dv, so that stiff ones do not ask for short
steps.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from sim.complementarity.contact_chain import NONE as NO_ANSWER
from sim.complementarity.moreau_step import SINGULAR_MASS, moreau_step, step_residual
from sim.complementarity.step_work import StepWork, step_work
from sim.insertion.elastic_dynamics import RobotNumbers
from sim.insertion.instant import Instant
from sim.insertion.motors import MOST, Motors, begin_motors, end_motors, limits_hold
from sim.insertion.pegs import Pair, candidates_of, in_hole

NEAR = 2e-4  # [m] gaps of contacts that a step looks at
RECOVERY = 0.5  # share of a penetration that a step takes back
THETA = 1.0
FASTEST = 1e3  # [rad/s] beyond which a run has diverged
GOING, DIVERGED, UNSOLVED, UNSETTLED = range(4)  # the last: which motors are at their limits was not found


class Law(NamedTuple):
    """The load of compliant parts on the tip, in generalised coordinates.

    Attributes:
        force: shape (dof,).
        by_q, by_v: its derivatives, shape (dof, dof).
    """

    force: Array
    by_q: Array
    by_v: Array


class Touch(NamedTuple):
    """What a step leaves: pose and loads of the stiff pair.

    Attributes:
        T: the peg in its hole at the step's beginning, shape (4, 4).
        normal: normal forces over the step, of every candidate, shape (r,) [N].
        points: where, in the hole, shape (r, 3) [m].
        wrench: on the peg about its origin, in the hole, shape (6,) [N, N m].
        torques: that the motors gave, on the joints' side, shape (n,) [N m].
        least: the smallest gap [m].
        residual: of the contact problem.
    """

    T: Array
    normal: Array
    points: Array
    wrench: Array
    torques: Array
    least: float
    residual: float


@njit(cache=True)
def no_law(dof: int) -> Law:
    """Return the law of nothing."""
    return Law(np.zeros(dof), np.zeros((dof, dof)), np.zeros((dof, dof)))


@njit(cache=True)
def contact_axes(hole: Array, normal: Array, across: int) -> Array:
    """Return normal and two tangents of a contact in the base, one row each, shape (3, 3).

    The second tangent is the hole's axis `across`; where that is -1, any.
    """
    out, least, own = np.zeros((3, 3)), across, normal
    if across < 0:
        least = 0
        for i in range(3):
            if abs(own[i]) < abs(own[least]):
                least = i
    a, b = (least + 1) % 3, (least + 2) % 3
    size = math.sqrt(own[a] ** 2 + own[b] ** 2)
    for i in range(3):
        out[1, i] = (hole[i, b] * own[a] - hole[i, a] * own[b]) / size
        for k in range(3):
            out[0, i] += hole[i, k] * own[k]
    n = out[0]
    for i in range(3):
        a, b = (i + 1) % 3, (i + 2) % 3
        out[2, i] = n[a] * out[1, b] - n[b] * out[1, a]
    return out


@njit(cache=True)
def _directions_into(
    W: Array, dim: int, c: int, J: Array, T: Array, hole: Array, point: Array, axes: Array
) -> None:
    """Write how the coordinates move contact c along its first `dim` axes, into columns of W (dof, dim n)."""
    r = np.zeros(3)
    for i in range(3):
        r[i] = hole[i, 3] - T[i, 3]
        for k in range(3):
            r[i] += hole[i, k] * point[k]
    for column in range(dim):
        d = axes[column]
        for i in range(3):
            a, b = (i + 1) % 3, (i + 2) % 3
            moment = r[a] * d[b] - r[b] * d[a]
            for j in range(J.shape[1]):
                W[j, dim * c + column] += J[i, j] * d[i] + J[3 + i, j] * moment


@njit(cache=True)
def _give_way(pair: Pair, now: Instant, W: Array, gap: float, q: Array, V: Array) -> tuple[float, float]:
    """Add a contact that gives way to the matrices; return its normal and its friction's coefficient.

    Normal: stiffness and damping, never pulling. Friction: mu N v / sqrt(v^2 + slip^2), of the speed before
    the step its coefficient, of the one after it its direction and size: so it never drives.
    """
    dof = q.shape[0]
    approach, slip, dim = 0.0, pair.slip**2, W.shape[1]
    for k in range(dim):
        u = 0.0
        for j in range(dof):
            u += W[j, k] * V[j]
        if k == 0:
            approach = u
        else:
            slip += u * u
    normal = -pair.stiffness * gap - pair.damping * approach
    if gap >= 0.0 or normal <= 0.0:
        return 0.0, 0.0
    drag = pair.mu * normal / math.sqrt(slip)
    along = 0.0
    for j in range(dof):
        along += W[j, 0] * q[j]
    for i in range(dof):
        now.force[i] += pair.stiffness * W[i, 0] * (along - gap)
        for j in range(dof):
            now.Q[i, j] += pair.stiffness * W[i, 0] * W[j, 0]
            now.P[i, j] += pair.damping * W[i, 0] * W[j, 0]
            for k in range(1, dim):
                now.P[i, j] += drag * W[i, k] * W[j, k]
    return normal, drag


@njit(cache=True)
def _near(gaps: Array) -> tuple[IntArray, int, float]:
    """Return the rows whose gaps are small, how many they are, and the smallest gap of all."""
    which, near, least = np.zeros(gaps.shape[0], np.int64), 0, np.inf
    for row in range(gaps.shape[0]):
        least = min(least, gaps[row])
        if gaps[row] < NEAR:
            which[near] = row
            near += 1
    return which, near, least


@njit(cache=True)
def _directions_of(
    pair: Pair, now: Instant, normals: Array, points: Array, which: IntArray, near: int, dim: int
) -> tuple[Array, Array]:
    """Return how the coordinates move the near contacts, (dof, dim near), and their axes, (near, 3, 3)."""
    W, axes = np.zeros((now.J.shape[1], dim * near)), np.zeros((near, 3, 3))
    for c in range(near):
        row = which[c]
        axes[c] = contact_axes(pair.T_base_hole, normals[row], pair.across)
        _directions_into(W, dim, c, now.J, now.T, pair.T_base_hole, points[row], axes[c])
    return W, axes


@njit(cache=True)
def _add_law(now: Instant, law: Law, q: Array, V: Array) -> None:
    """Add the load of compliant parts to the instant's force and matrices."""
    dof = q.shape[0]
    for i in range(dof):
        now.force[i] += law.force[i]
        for j in range(dof):
            now.force[i] -= law.by_q[i, j] * q[j] + law.by_v[i, j] * V[j]
            now.Q[i, j] -= law.by_q[i, j]
            now.P[i, j] -= law.by_v[i, j]


@njit(cache=True)
def _solved(
    robot: RobotNumbers, motors: Motors, now: Instant, directions: Array, gaps: Array, mu: Array,
    advanced: Array, q: Array, V: Array, h: float, room: StepWork,
) -> int:  # fmt: skip
    """Solve the step until all motors keep their limits; leave the motion in `room`, and tell its status."""
    status = UNSETTLED
    begin_motors(robot, motors, now, advanced, h)
    for _ in range(MOST):
        code = moreau_step(
            now.M, now.P, now.Q, V, q, now.force, directions, gaps, mu, np.zeros(gaps.shape[0]), h, THETA,
            RECOVERY, room,
        )  # fmt: skip
        if code == SINGULAR_MASS or code == NO_ANSWER:
            return UNSOLVED
        if limits_hold(robot, motors, now, advanced, room.q, room.v, h):
            status = GOING
            break
    for speed in room.v:
        if not abs(speed) < FASTEST:  # nor is what is no number
            return DIVERGED
    return status


@njit(cache=True)
def advance(
    robot: RobotNumbers, motors: Motors, now: Instant, pair: Pair, law: Law, advanced: Array, q: Array,
    V: Array, h: float, room: StepWork,
) -> tuple[int, Touch, StepWork]:  # fmt: skip
    """Move a robot by one step; q and V are overwritten with what comes of it.

    Args:
        robot: see there.
        motors: see there; go on.
        now: see there; overwritten where a law, contacts that give way, or motors at their limits add to it.
        pair: stiff parts.
        law: compliant ones.
        advanced: how far the nominal coordinates go in the step, shape (dof,).
        q: deviation, shape (dof,).
        V: velocity, shape (dof,).
        h: step [s].
        room: of a step before; made anew where another number of contacts is near.

    Returns:
        `GOING`, or why not: `DIVERGED`, `UNSOLVED`, `UNSETTLED`; what touched; the room.
    """
    dof = q.shape[0]
    T = in_hole(pair, now.T)
    found = candidates_of(pair, T)
    which, near, least = _near(found.gaps)
    count, dim = 0 if pair.stiffness > 0.0 else near, 3 if pair.across < 0 else 2
    W, axes = _directions_of(pair, now, found.normals, found.points, which, near, dim)
    gaps, mu = np.zeros(count), np.full(count, pair.mu)
    forces, drags = np.zeros((near, 3)), np.zeros(near)
    _add_law(now, law, q, V)
    for c in range(near):
        if count:
            gaps[c] = found.gaps[which[c]]
        else:
            w = W[:, dim * c : dim * c + dim].copy()
            forces[c, 0], drags[c] = _give_way(pair, now, w, found.gaps[which[c]], q, V)
    normal, torques = np.zeros(found.gaps.shape[0]), np.zeros(motors.held.shape[0])
    out = Touch(T, normal, found.points, np.zeros(6), torques, least, 0.0)
    if room.mu.shape[0] != count:
        room = step_work(dof, count, dim)
    directions = W if count else np.zeros((dof, 0))
    status = _solved(robot, motors, now, directions, gaps, mu, advanced, q, V, h, room)
    if status != GOING:
        return status, out, room
    for c in range(near):
        for k in range(dim):
            if count:
                forces[c, k] = room.p[dim * c + k] / h
            elif k > 0:
                for j in range(dof):
                    forces[c, k] -= drags[c] * W[j, dim * c + k] * room.v[j]
    _loads_into(out, pair.T_base_hole, axes, forces, which)
    for i in range(dof):
        q[i] = room.q[i] - advanced[i]
        V[i] = room.v[i]
    end_motors(torques, robot, motors, q, h)
    residual = step_residual(room, dim) if count else 0.0
    return GOING, Touch(T, normal, found.points, out.wrench, torques, least, residual), room


@njit(cache=True)
def _loads_into(out: Touch, hole: Array, axes: Array, forces: Array, which: IntArray) -> None:
    """Write contact forces (c, 3) along their axes, and their sum about the peg's origin, hole's axes."""
    force, arm = np.zeros(3), np.zeros(3)
    for c in range(forces.shape[0]):
        row = which[c]
        out.normal[row] = forces[c, 0]
        for i in range(3):
            force[i], arm[i] = 0.0, out.points[row, i] - out.T[i, 3]
            for k in range(3):
                for column in range(3):
                    force[i] += hole[k, i] * axes[c, column, k] * forces[c, column]
        for i in range(3):
            a, b = (i + 1) % 3, (i + 2) % 3
            out.wrench[i] += force[i]
            out.wrench[3 + i] += arm[a] * force[b] - arm[b] * force[a]
