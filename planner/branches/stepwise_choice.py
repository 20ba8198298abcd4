"""Joints along the poses of a task, one after the other by an inverse kinematics of any chain.

What was found for a pose that is still ahead is kept: plans continue each other, and only poses that are
new, or that a push has moved, are solved. Speeds take the flange along exactly; what the path does in the
null space besides is taken from its differences.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from hil.common.arrays import Array, BoolArray
from planner.branches.bounds import Bounds, posture_of
from planner.branches.joint_path import FEASIBLE, LIMIT, REACH, SINGULARITY, VELOCITY
from planner.branches.path_choice import JointPath, Task
from planner.inverse.inverse_step import InverseStep
from planner.kinematics.pseudo_inverse import joint_velocity_for
from sim.chain.kinematics import jacobian
from sim.chain.serial_chain import SerialChain

SAME_POSE = 1e-9  # entries of a pose [m, 1] that differ by less have not changed
AT_LIMIT = 1e-6  # [rad]
NEARLY_SINGULAR = 0.05  # least singular value of a Jacobian whose angles count by 0.2 m
LENGTH = 0.2  # [m]


class Inverse(Protocol):
    """An inverse kinematics that goes on from its last joints."""

    def reset(self, q: Array) -> None:
        """Begin at rest at joints (n,)."""

    def step(self, T_base_tip: Array, dt: float) -> InverseStep:
        """Return the joints for the next target."""


@dataclass(frozen=True, eq=False)
class _Known:
    """Joints found for the last task: `count` of its poses."""

    task: Task
    q: Array
    count: int


class StepwiseChoice:
    """Chooses joints pose by pose."""

    def __init__(self, bounds: Bounds, chain: SerialChain, inverse: Inverse) -> None:
        """Set up.

        Args:
            bounds: limits that every path keeps.
            chain: the arm from base to flange.
            inverse: of that chain, within the position limits.
        """
        self._bounds, self._chain, self._inverse = bounds, chain, inverse
        self._known: _Known | None = None
        self._before: Array | None = None  # joints one step before the task, where they are known

    def anchored(self, task: Task) -> JointPath:
        """Forget what was planned, and return a path of nothing."""
        self._known = None
        return self._path(np.empty((task.T.shape[0], 7)), 0, FEASIBLE, task)

    def chosen(self, task: Task, at_hand: JointPath) -> JointPath:
        """Return the path to follow; `at_hand` is remembered better."""
        n = task.T.shape[0]
        q = np.empty((n, 7))
        kept = self._keep_into(q, task)
        before = q[kept - 1] if kept else np.array(task.q_0)
        self._inverse.reset(before)
        count, fault = n, FEASIBLE
        for i in range(kept, n):
            found = self._inverse.step(task.T[i], task.step)
            fault = self._fault(found, before, task.step, i == 0)
            if fault != FEASIBLE:
                count = i
                break
            before = q[i] = found.q
        self._known = _Known(task, q, count)
        return self._path(q, count, fault, task)

    def speeds(self, task: Task, path: JointPath, breaks: BoolArray) -> Array:
        """Return the joint speeds (count, 7) [rad/s] along a path, with bounces in the intervals `breaks`."""
        dq = np.zeros((path.count, 7))
        for i in range(path.count):
            difference = self._difference(path, i, breaks, task.step)
            J = jacobian(self._chain, path.q[i])
            missing = task.twist[i] - J @ difference
            dq[i] = difference + joint_velocity_for(J, missing, self._bounds.velocity)
        return dq

    def jump(self, task: Task, path: JointPath, node: int, pose: Array, s: float) -> Array:
        """Return the change of joint speeds (7,) [rad/s] at a bounce behind a node."""
        J = jacobian(self._chain, path.q[node])
        return joint_velocity_for(J, task.twist[node + 1] - task.twist[node], self._bounds.velocity)

    def _keep_into(self, q: Array, task: Task) -> int:
        """Write joints of the poses that were solved before and have not changed; return their number."""
        known, self._before = self._known, None
        if known is None:
            return 0
        first = round((task.s_0 - known.task.s_0) / task.step)
        if first < 0 or abs(known.task.s_0 + first * task.step - task.s_0) > 1e-9:
            return 0
        most = min(known.count - first, task.T.shape[0])
        if most <= 0:
            return 0
        away = np.abs(known.task.T[first : first + most] - task.T[:most]).max(axis=(1, 2))
        kept = int(np.argmax(away > SAME_POSE)) if np.any(away > SAME_POSE) else most
        q[:kept] = known.q[first : first + kept]
        if kept and first > 0:
            self._before = known.q[first - 1].copy()
        return kept

    def _fault(self, found: InverseStep, before: Array, step: float, first: bool) -> int:
        """Return what is wrong with joints, one `step` behind others."""
        lower, upper = self._bounds.lower, self._bounds.upper
        q = found.q
        if not found.reachable:
            return LIMIT if np.any((q < lower + AT_LIMIT) | (q > upper - AT_LIMIT)) else REACH
        if np.any((q < lower) | (q > upper)):
            return LIMIT
        if first or np.all(np.abs(q - before) <= self._bounds.velocity * step):
            return FEASIBLE
        J = jacobian(self._chain, q)
        J[3:] *= LENGTH
        least = float(np.linalg.svd(J, compute_uv=False)[-1])
        return SINGULARITY if least < NEARLY_SINGULAR else VELOCITY

    def _difference(self, path: JointPath, i: int, breaks: BoolArray, step: float) -> Array:
        """Return the slope of the path at a node [rad/s], shape (7,), over intervals without a bounce."""
        left = path.q[i - 1] if i > 0 else self._before
        if i > 0 and breaks[i - 1]:
            left = None
        right = path.q[i + 1] if i + 1 < path.count and not breaks[i] else None
        if left is not None and right is not None:
            return (right - left) / (2.0 * step)
        if right is not None:
            return (right - path.q[i]) / step
        return (path.q[i] - left) / step if left is not None else np.zeros(7)

    def _path(self, q: Array, count: int, fault: int, task: Task) -> JointPath:
        """Return a path, its arm angles for whoever looks at them."""
        angles = np.zeros(len(q))
        for i in range(max(count, 1)):
            angles[i], _ = posture_of(self._bounds, q[i] if count else np.array(task.q_0))
        if count == 0:
            q[0] = task.q_0
        return JointPath(np.empty(0), 0, 0, q, angles, count, fault)
