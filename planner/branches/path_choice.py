"""Which arm angle path to follow: the one at hand while it is good, a new one where it must be.

In this order, the first that reaches the horizon: the path at hand as it is (a new one must be clearly
cheaper); the same with a new far end; the same up to the committed time; the same up to the next two
knots. When none reaches the horizon the deepest is taken. All of them continue the path at hand with
its value, rate and acceleration (see `arm_angle_path`), so plans never contradict each other suddenly.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from hil.common.arrays import Array, BoolArray
from planner.branches.arm_angle_path import arm_angle_at, smoothed
from planner.branches.bounds import Bounds
from planner.branches.dynamic_program import INFINITE, Start, branch_program, path_cost, workspace
from planner.branches.joint_path import FEASIBLE, follow, joint_speed_into, joint_speeds, poses_at
from planner.kinematics.inverse import arm_angle_and_branch, solve_into

CLEARLY_CHEAPER = 0.8  # of the cost of the path at hand
DEEPER = 2  # poses by which another path must reach further
ARM_ANGLE_SPEED = 2.6  # [rad/s] that the program looks at
ROUNDING = 1e-9  # of an object time in knots or steps


@dataclass(frozen=True, eq=False)
class Task:
    """Poses to be followed.

    Attributes:
        T: T_base_flange, shape (n, 4, 4).
        twist: of the flange in base [m/s, rad/s], shape (n, 6).
        s_0: object time of the first [s].
        step: from one to the next [s].
        q_0: joints near the first solution [rad], shape (7,).
        at_rest: the arm stands, or object time does: the arm angle may start with any rate.
    """

    T: Array
    twist: Array
    s_0: float
    step: float
    q_0: Array
    at_rest: bool

    @property
    def s_end(self) -> float:
        """Object time of the last pose [s]."""
        return self.s_0 + (self.T.shape[0] - 1) * self.step


@dataclass(frozen=True, eq=False)
class JointPath:
    """Joints along the poses of a task, for an arm angle path.

    Attributes:
        control: control points of the arm angle [rad], shape (k,).
        first: number of the first control point.
        planned: number of the last control point that was chosen, constant behind it.
        q: joints [rad], shape (n, 7); only the first `count` rows hold.
        arm_angles: arm angles [rad], shape (n,); likewise.
        count: how many poses can be followed.
        fault: what is wrong with the next, FEASIBLE when all can be followed.
    """

    control: Array
    first: int
    planned: int
    q: Array
    arm_angles: Array
    count: int
    fault: int


class PathChoice:
    """Chooses arm angle paths over the knots of object time."""

    def __init__(
        self, kept: Bounds, programmed: Bounds, knot: float, horizon: float, arm_angles: int, committed: float
    ) -> None:
        """Set up the program's memory.

        Args:
            kept: limits that every path keeps.
            programmed: limits of the program at its knots, a little tighter.
            knot: spacing of the knots [s].
            horizon: longest object time of a task [s].
            arm_angles: number of arm angles on a full turn.
            committed: object time for which a path at hand is kept if it can be [s].
        """
        self._kept, self._programmed = kept, programmed
        self._knot, self._committed = knot, committed
        self._size = math.ceil(horizon / knot - ROUNDING) + 5
        self._work = workspace(self._size, arm_angles)
        self._window = max(1, round(ARM_ANGLE_SPEED * knot * arm_angles / (2.0 * math.pi)))

    def anchored(self, task: Task) -> JointPath:
        """Return the path that keeps the arm angle of the task's first joints."""
        angle, _ = arm_angle_and_branch(self._kept.lengths, self._kept.signs, task.q_0)
        first = self._present(task) - 1
        return self._followed(task, np.full(self._size, angle), first, first + 3)

    def chosen(self, task: Task, at_hand: JointPath) -> JointPath:
        """Return the path to follow, given the one at hand (for this task or an earlier one)."""
        kept = self._followed(task, *self._shifted(task, at_hand))
        present = self._present(task) + 2
        committed = math.floor((task.s_0 + self._committed) / self._knot + ROUNDING) + 2
        if kept.fault == FEASIBLE:
            kept = replace(kept, planned=math.floor(task.s_end / self._knot + ROUNDING))
            cheaper = self._replanned(task, kept, committed, only_cheaper=True)
            return cheaper if cheaper is not None and cheaper.fault == FEASIBLE else kept
        best = kept
        for knot in sorted({kept.planned, committed, present}, reverse=True):
            best = _deeper(best, self._replanned(task, kept, knot))
            if best.fault == FEASIBLE:
                return best
        if task.at_rest:
            best = self._from_rest(task, best)
        return best

    def speeds(self, task: Task, path: JointPath, breaks: BoolArray) -> Array:
        """Return the joint speeds (count, 7) [rad/s] along a path; bounces in the intervals need no care."""
        dq = np.zeros((path.count, 7))
        spline, times = (path.control, path.first, self._knot), (task.s_0, task.step)
        joint_speeds(dq, path.q[: path.count], self._kept, task.T, task.twist, spline, times)
        return dq

    def jump(self, task: Task, path: JointPath, node: int, pose: Array, s: float) -> Array:
        """Return the change of joint speeds (7,) [rad/s] at a bounce.

        Args:
            task: the poses.
            path: along them.
            node: before the bounce.
            pose: of the flange at the bounce, shape (4, 4).
            s: object time of the bounce [s].
        """
        q, before, behind = path.q[node].copy(), np.empty(7), np.empty(7)
        kept, spline = self._kept, (path.control, path.first, self._knot)
        _, branch = arm_angle_and_branch(kept.lengths, kept.signs, q)
        solve_into(q, kept.lengths, kept.signs, pose, path.arm_angles[node], branch, path.q[node])
        joint_speed_into(before, q, kept, pose, task.twist[node], spline, s)
        joint_speed_into(behind, q, kept, pose, task.twist[node + 1], spline, s)
        return behind - before

    def _from_rest(self, task: Task, best: JointPath) -> JointPath:
        """Return the deepest of `best`, a path resting at the present arm angle, and one leaving it."""
        angle = arm_angle_at(best.control, best.first, self._knot, task.s_0)
        first = self._present(task) - 1
        resting = self._followed(task, np.full(self._size, angle), first, first + 3)
        best = _deeper(best, resting)
        knot = math.ceil(task.s_0 / self._knot - ROUNDING)
        leaving = self._replanned(task, resting, knot)
        if leaving is None:
            return best
        # its first free control point acts already: the one before the start is moved to make up for it
        control = leaving.control.copy()
        missing = angle - arm_angle_at(control, first, self._knot, task.s_0)
        control[1] += missing / arm_angle_at(np.eye(self._size)[1], first, self._knot, task.s_0)
        return _deeper(best, self._followed(task, control, first, leaving.planned))

    def _present(self, task: Task) -> int:
        """Return the number of the knot at or before the task's beginning."""
        return math.floor(task.s_0 / self._knot + ROUNDING)

    def _shifted(self, task: Task, path: JointPath) -> tuple[Array, int, int]:
        """Return control points, number of the first, and of the last chosen, moved on to the task."""
        first = self._present(task) - 1
        index = np.clip(np.arange(self._size) + first - path.first, 0, self._size - 1)
        return path.control[index], first, max(path.planned, first + 3)

    def _followed(self, task: Task, control: Array, first: int, planned: int) -> JointPath:
        n = task.T.shape[0]
        q, arm_angles = np.empty((n, 7)), np.empty(n)
        spline = (control, first, self._knot)
        count, fault = follow(q, arm_angles, self._kept, task.T, spline, (task.s_0, task.step), task.q_0)
        if count == 0:
            q[0] = task.q_0
        return JointPath(control, first, planned, q, arm_angles, count, fault)

    def _start(self, task: Task, path: JointPath, knot: int) -> Start | None:
        """Return where a program begins that leaves `path` at a knot; None if it does not get there."""
        node = round((knot * self._knot - task.s_0) / task.step)
        if node >= path.count:
            return None
        lengths, signs = self._kept.lengths, self._kept.signs
        _, branch = arm_angle_and_branch(lengths, signs, path.q[node])
        arm_angle = float(path.control[knot - path.first])
        pose = poses_at(task.T, task.twist, task.s_0, task.step, np.array([knot * self._knot]))[0]
        q = np.empty(7)
        if not solve_into(q, lengths, signs, pose, arm_angle, branch, path.q[node]):
            return None
        return Start(q, arm_angle, branch)

    def _replanned(
        self, task: Task, path: JointPath, knot: int, only_cheaper: bool = False
    ) -> JointPath | None:
        """Return `path` with new control points behind `knot`; None where there is nothing to gain."""
        last = math.floor(task.s_end / self._knot + ROUNDING)
        start = self._start(task, path, knot) if last > knot else None
        if start is None:
            return None
        instants: Array = np.arange(knot + 1, last + 1, dtype=np.float64) * self._knot
        T = poses_at(task.T, task.twist, task.s_0, task.step, instants)
        at = knot + 1 - path.first
        bound = INFINITE
        if only_cheaper:
            cost = path_cost(self._kept, T, path.control[at : at + len(T)], start, self._knot)
            if cost >= INFINITE:
                return None
            bound = CLEARLY_CHEAPER * cost
        T_halfway = poses_at(task.T, task.twist, task.s_0, task.step, instants - 0.5 * self._knot)
        arm_angles, branches = np.empty(len(T)), np.empty(len(T), dtype=np.int64)
        reached, _ = branch_program(
            arm_angles, branches, self._work, self._programmed, T, T_halfway, start, self._knot,
            self._window, bound,
        )  # fmt: skip
        if reached == 0 or (only_cheaper and reached < len(T)):
            return None
        control = path.control.copy()
        control[at : at + reached] = arm_angles[:reached]
        control[at + reached :] = arm_angles[reached - 1]
        raw = replace(path, control=control, planned=knot + reached)
        return self._smoothest(task, raw, at, at + reached)

    def _smoothest(self, task: Task, raw: JointPath, fixed: int, end: int) -> JointPath:
        """Return the path with control points from `fixed` to `end` smoothed, if that loses no depth."""
        control = raw.control.copy()
        control[:end] = smoothed(control[:end], fixed)
        control[end:] = control[end - 1]
        smooth = self._followed(task, control, raw.first, raw.planned)
        if smooth.fault == FEASIBLE or np.array_equal(control, raw.control):
            return smooth
        return _deeper(smooth, self._followed(task, raw.control, raw.first, raw.planned))


def _deeper(path: JointPath, other: JointPath | None) -> JointPath:
    """Return `other` if it is followed clearly further than `path`."""
    if other is None:
        return path
    gained = other.count - path.count
    reaches_end = other.fault == FEASIBLE and path.fault != FEASIBLE
    return other if gained >= DEEPER or reaches_end else path
