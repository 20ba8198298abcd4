"""From object poses and an arm angle path to joints: exact inverse kinematics at every pose."""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array, BoolArray
from hil.common.geometry import matrix_from_quat, transform_from
from planner.branches.arm_angle_path import arm_angle_at
from planner.branches.bounds import Bounds
from planner.kinematics.inverse import SHOULDER, WRIST, Scratch, arm_angle_and_branch, scratch, solve_with

FEASIBLE, REACH, LIMIT, VELOCITY, SINGULARITY = 0, 1, 2, 3, 4
REASONS = ("", "reach", "limit", "velocity", "singularity")
NEARLY_STRAIGHT = 0.35  # [rad] of A2, A4 or A6: speeds grow there as one over its sine, to the threefold
BENT_JOINT = (1, 3, 1, 3, 5, 3, 5)  # whose straightness makes each joint fast
DIFFERENCE = 1e-4  # [s] to both sides for joint speeds: error 1e-8 of the third derivative, rounding 1e-11


@njit(cache=True)
def flange_path(
    p_world_object: Array,
    quat_world_object: Array,
    twist_world_object: Array,
    T_base_world: Array,
    T_object_flange: Array,
) -> tuple[Array, Array]:
    """Return flange poses (n, 4, 4) and flange twists (n, 6), both in base, of an object path.

    Args:
        p_world_object: centres of mass [m], shape (n, 3).
        quat_world_object: orientations w x y z, shape (n, 4).
        twist_world_object: of the centre of mass, world axes [m/s, rad/s], shape (n, 6).
        T_base_world: pose of the world in base, shape (4, 4).
        T_object_flange: pose of the flange in the object, shape (4, 4).
    """  # fmt: skip
    n = p_world_object.shape[0]
    T_base_flange = np.zeros((n, 4, 4))
    twist_base_flange = np.empty((n, 6))
    R_base_world = np.ascontiguousarray(T_base_world[:3, :3])
    for i in range(n):
        T_world_object = transform_from(matrix_from_quat(quat_world_object[i]), p_world_object[i])
        T_base_object = T_base_world @ T_world_object
        T = T_base_object @ T_object_flange
        for j in range(4):
            for k in range(4):
                T_base_flange[i, j, k] = T[j, k]
        v = R_base_world @ twist_world_object[i, :3]
        w = R_base_world @ twist_world_object[i, 3:]
        x = T[0, 3] - T_base_object[0, 3]
        y = T[1, 3] - T_base_object[1, 3]
        z = T[2, 3] - T_base_object[2, 3]
        twist_base_flange[i, 0] = v[0] + w[1] * z - w[2] * y
        twist_base_flange[i, 1] = v[1] + w[2] * x - w[0] * z
        twist_base_flange[i, 2] = v[2] + w[0] * y - w[1] * x
        for j in range(3):
            twist_base_flange[i, 3 + j] = w[j]
    return T_base_flange, twist_base_flange


@njit(cache=True)
def moved_pose(T: Array, twist: Array, dt: float) -> Array:
    """Return the pose (4, 4) that constant linear and angular velocity lead to in time `dt` [s]."""
    moved = np.empty((4, 4))
    moved_pose_into(moved, T, twist, dt)
    return moved


@njit(cache=True)
def moved_pose_into(moved: Array, T: Array, twist: Array, dt: float) -> None:
    """Write what `moved_pose` returns into `moved` (4, 4), which is not `T`."""
    w, x, y, z = _turn_of(twist[3] * dt, twist[4] * dt, twist[5] * dt)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    for i in range(3):
        a, b, c = rows[i]
        moved[i, 3] = T[i, 3] + twist[i] * dt
        for j in range(3):
            moved[i, j] = a * T[0, j] + b * T[1, j] + c * T[2, j]
    for j in range(4):
        moved[3, j] = T[3, j]


@njit(cache=True)
def _turn_of(x: float, y: float, z: float) -> tuple[float, float, float, float]:
    """Return the unit quaternion of a rotation vector [rad], as `quat_from_rotvec` does."""
    angle = math.sqrt(x**2 + y**2 + z**2)
    factor = 0.5 - angle * angle / 48.0 if angle < 1e-4 else math.sin(0.5 * angle) / angle
    w, x, y, z = math.cos(0.5 * angle), factor * x, factor * y, factor * z
    norm = math.sqrt(w * w + x * x + y * y + z * z)
    return w / norm, x / norm, y / norm, z / norm


@njit(cache=True)
def poses_at(T: Array, twist: Array, s_0: float, step: float, instants: Array) -> Array:
    """Return poses (k, 4, 4) at object times `instants` (k,), carried there from the nearest of `T`.

    Args:
        T: poses, shape (n, 4, 4).
        twist: of the poses, shape (n, 6).
        s_0: object time of the first [s].
        step: from one to the next [s].
        instants: object times wanted [s]; beyond the ends the end's velocity holds.
    """
    result = np.empty((instants.shape[0], 4, 4))
    for k in range(instants.shape[0]):
        i = min(max(round((instants[k] - s_0) / step), 0), T.shape[0] - 1)
        moved_pose_into(result[k], T[i], twist[i], instants[k] - s_0 - i * step)
    return result


@njit(cache=True)
def _nearest_joints(
    q: Array,
    other: Array,
    work: Scratch,
    bounds: Bounds,
    T: Array,
    arm_angle: float,
    branch: int,
    q_before: Array,
) -> tuple[bool, int]:
    """Write into `q` the solution nearest to `q_before`, of the branch or across a straight joint.

    Returns whether the pose is in reach, and the branch.
    """
    if not solve_with(work, q, bounds.lengths, bounds.signs, T, arm_angle, branch, q_before):
        return False, branch
    chosen = branch
    distance = _farthest(q, q_before)
    for flip in (SHOULDER, WRIST):
        if abs(q_before[1 if flip == SHOULDER else 5]) > NEARLY_STRAIGHT:
            continue
        solve_with(work, other, bounds.lengths, bounds.signs, T, arm_angle, branch ^ flip, q_before)
        if _farthest(other, q_before) < distance:
            distance = _farthest(other, q_before)
            for j in range(7):
                q[j] = other[j]
            chosen = branch ^ flip
    return True, chosen


@njit(cache=True)
def _farthest(q: Array, other: Array) -> float:
    """Return how far the joint that differs most is away [rad]."""
    most = 0.0
    for j in range(7):
        most = max(most, abs(q[j] - other[j]))
    return most


@njit(cache=True)
def _fault(q: Array, q_before: Array, bounds: Bounds, step: float, first: bool) -> int:
    """Return what is wrong with joints `q`, one `step` behind `q_before`."""
    for j in range(7):
        if not bounds.lower[j] <= q[j] <= bounds.upper[j]:
            return LIMIT
    if first:
        return FEASIBLE
    for j in range(7):
        if abs(q[j] - q_before[j]) > bounds.velocity[j] * step:
            bent = BENT_JOINT[j]
            bend = abs(q_before[bent]) * (0.5 if bent == 3 else 1.0)  # reach goes with half the elbow's angle
            return SINGULARITY if bend < NEARLY_STRAIGHT else VELOCITY
    return FEASIBLE


@njit(cache=True)
def follow(
    q: Array,
    arm_angles: Array,
    bounds: Bounds,
    T: Array,
    spline: tuple[Array, int, float],
    times: tuple[float, float],
    q_0: Array,
) -> tuple[int, int]:
    """Write the joints along an arm angle path until something is wrong.

    Args:
        q: receives the joints [rad], shape (n, 7).
        arm_angles: receives the arm angles [rad], shape (n,).
        bounds: limits that every pose and every step keeps.
        T: T_base_flange, shape (n, 4, 4).
        spline: control points, number of the first, spacing.
        times: object time of the first pose, and step [s].
        q_0: joints near the first solution [rad], shape (7,).

    Returns:
        how many poses can be followed, and what is wrong with the next (FEASIBLE at the end).
    """  # fmt: skip
    control, first, knot = spline
    s_0, step = times
    branch = arm_angle_and_branch(bounds.lengths, bounds.signs, q_0)[1]
    other, work = np.empty(7), scratch()
    before = q_0
    for i in range(T.shape[0]):
        arm_angles[i] = arm_angle_at(control, first, knot, s_0 + i * step)
        reached, branch = _nearest_joints(q[i], other, work, bounds, T[i], arm_angles[i], branch, before)
        if not reached:
            return i, REACH
        fault = _fault(q[i], before, bounds, step, i == 0)
        if fault != FEASIBLE:
            return i, fault
        before = q[i]
    return T.shape[0], FEASIBLE


@njit(cache=True)
def joint_speeds(
    dq: Array,
    q: Array,
    bounds: Bounds,
    T: Array,
    twist: Array,
    spline: tuple[Array, int, float],
    times: tuple[float, float],
) -> None:
    """Write the joint speeds along a path: exact solutions DIFFERENCE before and behind each pose.

    Args:
        dq: receives the speeds [rad/s], shape (n, 7).
        q: joints as `follow` wrote them, shape (n, 7).
        bounds: the arm.
        T: T_base_flange, shape (n, 4, 4).
        twist: of the flange in base [m/s, rad/s], shape (n, 6).
        spline: control points, number of the first, spacing.
        times: object time of the first pose, and step [s].
    """  # fmt: skip
    work, pose = scratch(), np.empty((4, 4))
    for i in range(q.shape[0]):
        s = times[0] + i * times[1]
        _joint_speed(dq[i], q[i], work, pose, bounds, T[i], twist[i], spline, s)


@njit(cache=True)
def joint_speed_into(
    dq: Array, q: Array, bounds: Bounds, T: Array, twist: Array, spline: tuple[Array, int, float], s: float
) -> None:
    """Write the joint speeds (7,) at joints `q`, pose `T` and object time `s`, for the flange's `twist`."""
    _joint_speed(dq, q, scratch(), np.empty((4, 4)), bounds, T, twist, spline, s)


@njit(cache=True)
def _joint_speed(
    dq: Array,
    q: Array,
    work: Scratch,
    pose: Array,
    bounds: Bounds,
    T: Array,
    twist: Array,
    spline: tuple[Array, int, float],
    s: float,
) -> None:
    control, first, knot = spline
    branch = arm_angle_and_branch(bounds.lengths, bounds.signs, q)[1]
    ahead, behind = q.copy(), q.copy()  # at the edge of reach one side may not exist: half the speed then
    angle = arm_angle_at(control, first, knot, s + DIFFERENCE)
    moved_pose_into(pose, T, twist, DIFFERENCE)
    solve_with(work, ahead, bounds.lengths, bounds.signs, pose, angle, branch, q)
    angle = arm_angle_at(control, first, knot, s - DIFFERENCE)
    moved_pose_into(pose, T, twist, -DIFFERENCE)
    solve_with(work, behind, bounds.lengths, bounds.signs, pose, angle, branch, q)
    for j in range(7):
        change = ahead[j] - behind[j]
        change -= 2.0 * math.pi * round(change / (2.0 * math.pi))
        dq[j] = change / (2.0 * DIFFERENCE)


@njit(cache=True)
def joint_accelerations(ddq: Array, q: Array, dq: Array, step: float, breaks: BoolArray) -> None:
    """Write accelerations that make quintic interpolation between the nodes fit, of fourth order.

    theory: the second derivative of the polynomial through joints and speeds of three nodes,
    2 (q+ - 2 q + q-) / h^2 - (dq+ - dq-) / (2 h) in their middle; of a cubic where only two are left
    between bounces, 0 where a node stands alone.

    Args:
        ddq: receives the accelerations [rad/s2], shape (n, 7).
        q: joints [rad], shape (n, 7).
        dq: joint speeds [rad/s], shape (n, 7).
        step: from node to node [s].
        breaks: whether the interval behind each node holds a bounce, shape (n,).
    """
    n = q.shape[0]
    for i in range(n):
        left = i > 0 and not breaks[i - 1]
        right = i < n - 1 and not breaks[i]
        if left and right:
            for j in range(7):
                curve = q[i + 1, j] - 2.0 * q[i, j] + q[i - 1, j]
                ddq[i, j] = 2.0 * curve / step**2 - (dq[i + 1, j] - dq[i - 1, j]) / (2.0 * step)
        elif right or left:
            side = 1 if right else -1
            three = i < n - 2 and not breaks[i + 1] if right else i > 1 and not breaks[i - 2]
            _end_acceleration(ddq[i], q, dq, i, side, three, step)
        else:
            ddq[i] = 0.0


@njit(cache=True)
def _end_acceleration(ddq: Array, q: Array, dq: Array, i: int, side: int, three: bool, step: float) -> None:
    """Write the acceleration of node `i` from its neighbours to one `side` (+1 or -1) only."""
    h = side * step
    for j in range(7):
        near = (q[i + side, j] - q[i, j]) / h
        if three:
            far = (q[i + 2 * side, j] - q[i, j]) / h
            speeds = 6.0 * dq[i, j] + 8.0 * dq[i + side, j] + dq[i + 2 * side, j]
            ddq[j] = (8.0 * near + 3.5 * far - speeds) / h
        else:
            ddq[j] = (6.0 * near - 4.0 * dq[i, j] - 2.0 * dq[i + side, j]) / h
