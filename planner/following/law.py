"""The law by which commands follow a plan: the new velocity at once, the gap gently.

theory: let q_p be the plan looked ahead by the lead, and d, with d' = u, the joint displacement until then
by pushes that the plan does not contain yet. What the arm is to follow is q_p + d, and of e = q - q_p - d
the law is e' = -k e, over a step h exactly e_1 = e_0 e^(-k h). When the next plan contains the pushes, q_p
gains what d loses: how long plans take does not show. A velocity change found L late leaves an e of change
times L and so an overshoot of k L; the position is never chased. Should what is followed jump, a push that
the simulation refuses for one, e is closed at a bounded speed (`planner.following.closing`).
A step that keeps the limits is passed as it is, to the last digit. One whose velocity and acceleration
can be joined is made with the position left to the gap; all others are the limiter's.
"""

import math

from numba import njit

from hil.common.arrays import Array, BoolArray
from planner.following.closing import Closing, rate_allowed, share_allowed
from planner.following.joining import state_join, velocity_join
from planner.following.limits import ACCELERATION, JERK, LOWER, UPPER, VELOCITY
from planner.following.reference import INSIDE, reference_into
from planner.following.stopping import is_safe, stop_step


@njit(cache=True)
def lawful_into(
    out: Array,
    gap: Array,
    q: Array,
    reference: Array,
    push: Array,
    bounds: Array,
    closing: Closing,
    k: float,
    h: float,
) -> None:
    """Write the state that the law asks for after `h` (3, 7), given the gap to the plan before (7,).

    `q` is where the arm is commanded (7,); the others are those of `follow_into`.
    """
    for i in range(out.shape[1]):
        k = rate_allowed(k, gap[i] - (push[1, i] - push[0, i] * h), bounds[JERK, i])
    decay = math.exp(-k * h)
    for i in range(out.shape[1]):
        out[1, i] = -k * ((gap[i] - (push[1, i] - push[0, i] * h)) * decay)
    share = share_allowed(q, out[1], closing)
    for i in range(out.shape[1]):
        u, d = push[0, i], push[1, i]
        before = gap[i] - (d - u * h)
        e = before * decay
        speed, slowing = -k * e, k * k * e
        if share < 1.0:
            speed, slowing = share * speed, 0.0
            e = before + h * speed
        out[0, i] = reference[0, i] + d + e
        out[1, i] = reference[1, i] + u + speed
        out[2, i] = reference[2, i] + push[2, i] + slowing


@njit(cache=True)
def follow_into(
    out: Array,
    reference: Array,
    target: Array,
    pending: BoolArray,
    gap: Array,
    state: Array,
    nodes: Array,
    path: Array,
    time_map: Array,
    look: Array,
    push: Array,
    bounds: Array,
    closing: Closing,
    k: float,
    h: float,
) -> tuple[int, int, int, float]:
    """Write the next state of all joints that need no limiter; mark the others with their target.

    Args:
        out: next position, velocity, acceleration, shape (3, 7).
        reference: receives the plan's at the end of the step, shape (3, 7).
        target: velocity and acceleration that the limiter shall aim at, shape (2, 7).
        pending: joints that are left to the limiter, shape (7,).
        gap: distance of the commands from the plan before the step [rad], shape (7,).
        state: commanded position, velocity, acceleration, shape (3, 7).
        nodes: the plan's, shape (N, 3, 7).
        path: object time of the first node, step [s], shape (2,).
        time_map: the plan's, shape (4,).
        look: wall times looked at before and after the step [s], pace, slew of the pace, shape (4,).
        push: joint velocity that is not in the plan yet [rad/s], the displacement by it at the end of the
            step [rad], and its acceleration, where something still pushes [rad/s2], shape (3, 7).
        bounds: rows of `planner.following.limits`, shape (5, 7).
        closing: how fast gaps are closed at most.
        k: closing rate [1/s], at most.
        h: [s].

    Returns:
        Where the time lies within the plan, the number of pending joints, and the joint with the largest
        gap with its size [rad].
    """
    reference_into(reference, nodes, path[0], path[1], time_map, look[0], 1.0, 0.0)
    farthest, distance = 0, -1.0
    for i in range(gap.shape[0]):
        gap[i] = state[0, i] - reference[0, i]
        size = abs(gap[i])
        if not size <= distance and not math.isnan(distance):  # a gap that is no number is the largest
            farthest, distance = i, size
    where = reference_into(reference, nodes, path[0], path[1], time_map, look[1], look[2], look[3])
    if where != INSIDE:
        return where, 0, farthest, distance
    lawful_into(out, gap, state[0], reference, push, bounds, closing, k, h)
    count = 0
    for i in range(gap.shape[0]):
        pending[i] = not _joined(out, state, bounds, i, h)
        if pending[i]:
            count += 1
            V, J = bounds[VELOCITY, i], bounds[JERK, i]
            v = min(max(out[1, i], -V), V)
            a = out[2, i]
            if a * v > 0.0:  # arriving so, the acceleration can still die away below the limit
                highest = math.sqrt(2.0 * J * (V - abs(v)))
                a = min(max(a, -highest), highest)
            target[0, i], target[1, i] = v, a
        else:
            target[0, i], target[1, i] = out[1, i], 0.0
    return where, count, farthest, distance


@njit(cache=True)
def _joined(out: Array, state: Array, bounds: Array, i: int, h: float) -> bool:
    """Return whether joint `i` reaches `out` within its limits; its position may be changed for that."""
    q0, v0, a0 = state[0, i], state[1, i], state[2, i]
    q1, v1, a1 = out[0, i], out[1, i], out[2, i]
    A, J = bounds[ACCELERATION, i], bounds[JERK, i]
    if not abs(a1) <= A:
        return False
    jerk, within = state_join(q0, v0, a0, q1, v1, a1, h)
    if not (jerk <= J and within <= A):
        jerk, within, q1 = velocity_join(q0, v0, a0, v1, a1, h)
        if not (jerk <= J and within <= A):
            return False
        out[0, i] = q1
    fast, near = is_safe(q1, v1, a1, bounds[LOWER, i], bounds[UPPER, i], bounds[VELOCITY, i], A, J)
    return fast and near and abs(q1 - q0) <= bounds[VELOCITY, i] * h


@njit(cache=True)
def settle_into(out: Array, limited: Array, pending: BoolArray, state: Array, bounds: Array, h: float) -> int:
    """Write the limiter's step for the pending joints; stop a joint that could not be stopped later.

    Returns:
        The first joint that would pass a position limit, or -1.
    """
    blocked = -1
    for i in range(out.shape[1]):
        if not pending[i]:
            continue
        A, J = bounds[ACCELERATION, i], bounds[JERK, i]
        q, v, a = limited[0, i], limited[1, i], limited[2, i]
        fast, near = is_safe(q, v, a, bounds[LOWER, i], bounds[UPPER, i], bounds[VELOCITY, i], A, J)
        if not (fast and near and abs(q - state[0, i]) <= bounds[VELOCITY, i] * h):
            q, v, a = stop_step(state[0, i], state[1, i], state[2, i], A, J, h)
            if not near and blocked < 0:
                blocked = i
        out[0, i], out[1, i], out[2, i] = q, v, a
    return blocked


@njit(cache=True)
def stop_into(out: Array, state: Array, bounds: Array, h: float) -> None:
    """Write every joint's next state on its way to rest, in closed form."""
    for i in range(out.shape[1]):
        A, J = bounds[ACCELERATION, i], bounds[JERK, i]
        out[0, i], out[1, i], out[2, i] = stop_step(state[0, i], state[1, i], state[2, i], A, J, h)
