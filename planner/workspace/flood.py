"""Intervals of arm angles, flooded over a grid of poses: does one continuous choice exist?

Every pose of the grid gets an interval of allowed arm angles that its first neighbour leads to; then all
neighbours' intervals must overlap. Intervals are counted in steps of the arm angle and unwound: the
set is simply connected, so no way round it may lead to another turn.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array, BoolArray, IntArray
from planner.kinematics.inverse import solve_into
from planner.workspace.set_geometry import SetGeometry, object_pose_at
from planner.workspace.slack import ArmBounds, allowed_into, largest_difference

MIN_WIDTH = math.radians(15.0)  # of an interval
MIN_OVERLAP = math.radians(7.5)  # of two neighbours' intervals
LARGEST_STEP = 0.5 * math.pi  # of a joint between neighbours: beyond, the grid is too coarse to tell

GOING, FINISHED, NONE_ALLOWED, TOO_NARROW, APART, TOO_FAR = range(6)
HEAD, TAIL, POSE, NEIGHBOUR = range(4)  # of the flood's record


@njit(cache=True)
def coordinates(index: int, shape: IntArray, inner: Array) -> Array:
    """Return the six coordinates in [-1, 1] of pose `index` of a grid; an axis of one point is at 0.

    First and last point of an axis lie where a body comes to rest in the stop's spring, the others
    evenly between the stops: second and last but one on them.
    """
    u = np.zeros(6)
    for axis in range(5, -1, -1):
        n = shape[axis]
        place = index % n
        if n > 1 and (place == 0 or place == n - 1):
            u[axis] = 1.0 if place > 0 else -1.0
        elif n > 3:
            u[axis] = inner[axis] * (2.0 * (place - 1) / (n - 3) - 1.0)
        index //= n
    return u


@njit(cache=True)
def neighbour(index: int, shape: IntArray, axis: int, step: int) -> int:
    """Return the index of the next pose along an axis, or -1 at the grid's edge."""
    stride = 1
    for later in range(axis + 1, 6):
        stride *= shape[later]
    place = (index // stride) % shape[axis] + step
    return index + step * stride if 0 <= place < shape[axis] else -1


@njit(cache=True)
def intervals(allowed: BoolArray) -> IntArray:
    """Return first and last step of each run of allowed arm angles round the circle, shape (n, 2)."""
    m = allowed.shape[0]
    found = np.empty((m, 2), np.int64)
    n = 0
    for j in range(m):
        if allowed[j] and not allowed[j - 1]:
            last = j
            while allowed[(last + 1) % m]:
                last += 1
            found[n, 0], found[n, 1] = j, last
            n += 1
    if n == 0 and allowed[0]:
        found[0, 0], found[0, 1] = 0, m - 1
        n = 1
    return found[:n]


@njit(cache=True)
def following(allowed: BoolArray, low: int, high: int, anchor: float, overlap: int) -> tuple[int, int, int]:
    """Return the interval that goes on from `low`..`high`, unwound, and by how many steps they overlap.

    Of several that overlap enough, that nearest to `anchor` is taken: a choice that does not depend on
    the way by which a pose is reached. When none does, that which overlaps most.
    """
    m = allowed.shape[0]
    runs = intervals(allowed)
    if runs.shape[0] == 1 and runs[0, 1] - runs[0, 0] == m - 1:
        first = math.floor(anchor) - m // 2
        return first, first + m - 1, min(high, first + m - 1) - max(low, first)
    best, best_low, best_high, nearest = -m, 0, -1, np.inf
    for k in range(runs.shape[0]):
        turn = math.floor((low - runs[k, 1]) / m) * m
        for shift in (turn, turn + m, turn + 2 * m):
            a, b = runs[k, 0] + shift, runs[k, 1] + shift
            common = min(high, b) - max(low, a)
            distance = max(0.0, a - anchor, anchor - b) if common >= overlap else np.inf
            if distance < nearest or (distance == nearest and common > best):
                best, best_low, best_high, nearest = common, a, b, distance
    return best_low, best_high, best


@njit(cache=True)
def joint_step(
    arm: ArmBounds,
    geometry: SetGeometry,
    T_first: Array,
    T_second: Array,
    arm_angle: float,
    branch: int,
) -> float:
    """Return how far the joints differ between two object poses at one arm angle [rad]."""
    q_first, q_second = np.zeros(7), np.zeros(7)
    T_flange = T_first @ geometry.T_object_flange
    if not solve_into(q_first, arm.lengths, arm.signs, T_flange, arm_angle, branch, q_first):
        return np.inf
    T_flange = T_second @ geometry.T_object_flange
    if not solve_into(q_second, arm.lengths, arm.signs, T_flange, arm_angle, branch, q_second):
        return np.inf
    return largest_difference(q_first, q_second)


@njit(cache=True)
def flood_into(
    low: IntArray,
    high: IntArray,
    order: IntArray,
    record: IntArray,
    arm: ArmBounds,
    geometry: SetGeometry,
    shape: IntArray,
    arm_angles: Array,
    branch: int,
    budget: int,
) -> int:
    """Go on with a flood for at most `budget` poses; return GOING, FINISHED or what failed.

    Args:
        low: first step of every pose's interval, shape (n,).
        high: last step of every pose's interval, below `low` where not reached yet, shape (n,).
        order: poses in the order in which they were reached, shape (n,); the first has its interval.
        record: HEAD and TAIL of the queue, POSE and NEIGHBOUR of a failure, shape (4,).
        arm: the arm and its bounds.
        geometry: the set.
        shape: points of the grid along each of the six axes, shape (6,).
        arm_angles: all round the circle, evenly [rad], shape (m,).
        branch: 0 to 7.
        budget: poses to spread from.
    """
    step = 2.0 * math.pi / arm_angles.shape[0]
    width, overlap = math.ceil(MIN_WIDTH / step - 1e-9), math.ceil(MIN_OVERLAP / step - 1e-9)
    anchor = 0.5 * (low[order[0]] + high[order[0]])
    allowed = np.empty(arm_angles.shape[0], np.bool_)
    for _ in range(budget):
        if record[HEAD] == record[TAIL]:
            return FINISHED
        i = order[record[HEAD]]
        T_i = object_pose_at(geometry, coordinates(i, shape, geometry.inner))
        for axis in range(6):
            for direction in (-1, 1):
                j = neighbour(i, shape, axis, direction)
                if j < 0:
                    continue
                record[POSE], record[NEIGHBOUR] = j, i
                new = high[j] < low[j]
                T_j = object_pose_at(geometry, coordinates(j, shape, geometry.inner))
                if new:
                    if allowed_into(allowed, arm, geometry, T_j, arm_angles, branch) == 0:
                        return NONE_ALLOWED
                    first, last, common = following(allowed, low[i], high[i], anchor, overlap)
                else:
                    first, last = low[j], high[j]
                    common = min(last, high[i]) - max(first, low[i])
                if common < overlap:
                    return APART
                if last - first < width:
                    return TOO_NARROW
                if new:
                    low[j], high[j] = first, last
                    order[record[TAIL]] = j
                    record[TAIL] += 1
                    middle = 0.5 * (max(first, low[i]) + min(last, high[i]))
                    angle = arm_angles[0] + step * middle
                    if joint_step(arm, geometry, T_i, T_j, angle, branch) > LARGEST_STEP:
                        return TOO_FAR
        record[HEAD] += 1
    return GOING
