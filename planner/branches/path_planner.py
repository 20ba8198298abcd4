"""The planner's core: a predicted object path becomes a joint path and the pace at which to follow it."""

import math
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import quat_from_matrix, transform_inverse
from hil.common.time_map import object_time_at
from hil.configuration.frames import Frames
from hil.configuration.schema import Configuration
from hil.messaging.messages import Plan, Prediction
from planner.branches.bounce_smoothing import (
    REACH,
    ROUNDING,
    intervals_of,
    intervals_with,
    one_an_interval,
    smooth_bounces,
)
from planner.branches.bounds import bounds_within, posture_of
from planner.branches.choices import choice_for
from planner.branches.joint_path import FEASIBLE, REASONS, flange_path, joint_accelerations, moved_pose
from planner.branches.path_choice import JointPath, Task
from planner.branches.policy import RUN, Policy
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import flange_pose

BEND = np.array([0.0, 1.05, 0.0, 1.57, 0.0, -1.05, 0.0])  # [rad] the fixture axis level, elbow up
STANDING = 0.02  # rate of object time below which it stands


@dataclass(frozen=True, eq=False)
class _Reference:
    """The newest plan's path, from which the next goes on."""

    epoch: int
    task: Task
    path: JointPath

    def joints_at(self, s: float) -> Array:
        """Return the joints (7,) of the pose before object time `s`."""
        node = int((s - self.task.s_0) / self.task.step)
        return self.path.q[min(max(node, 0), max(self.path.count - 1, 0))]

    def covers(self, epoch: int, s: float) -> bool:
        """Return whether a plan of `epoch` that begins at object time `s` continues this one."""
        return epoch == self.epoch and self.task.s_0 - 1e-9 <= s <= self.task.s_end


class PathPlanner:
    """Plans joint paths for predictions; each plan goes on from the one before."""

    def __init__(self, model: ArmModel, configuration: Configuration) -> None:
        """Set up for an arm and a run."""
        settings = configuration.planner
        self._model, self._horizon = model, settings.horizon
        frames = Frames.from_configuration(configuration)
        self._frames = frames
        self._T_base_world = transform_inverse(np.ascontiguousarray(frames.T_world_base))
        self._T_object_flange = transform_inverse(np.ascontiguousarray(frames.T_flange_object))
        speed = settings.speed_fraction * np.asarray(configuration.limits.velocity)
        self._bounds = bounds_within(model, speed, settings.limit_margin)
        self._choice = choice_for(model, configuration, self._bounds)
        self._warm_joints = np.array(configuration.robot.start) if model.open_form else model.signs * BEND
        self._reference: _Reference | None = None
        self._policy = Policy()
        self._bounces = np.empty(0)
        self._jumps = np.empty((0, 7))

    def step(self, prediction: Prediction, q_command: Array) -> Plan:
        """Return the plan for a prediction.

        Args:
            prediction: the object's path.
            q_command: joints commanded now [rad], shape (7,); looked at only when floating begins anew.
        """
        task, at_hand = self._task(prediction, np.array(q_command, dtype=float))
        path = self._choice.chosen(task, at_hand)
        self._reference = _Reference(prediction.epoch, task, path)
        self._remember_bounces(task, path, prediction.bounces)
        q, dq, ddq, arm_angles = self._trajectory(task, path)
        depth = max(path.count - 1, 0) * task.step
        policy, rate = self._policy.step(depth, path.fault == FEASIBLE)
        _, branch = posture_of(self._bounds, q[0])
        return Plan(
            t_ns=prediction.t_ns,
            epoch=prediction.epoch,
            number=prediction.number,
            object_time_0=prediction.object_time_0,
            step=prediction.step,
            time_map=prediction.time_map,
            q=q,
            dq=dq,
            ddq=ddq,
            arm_angle=arm_angles,
            branch=branch,
            slices=prediction.slices,
            policy=policy,
            reason="" if policy == RUN else REASONS[path.fault],
            time_rate=rate,
            depth=depth,
        )

    def warm(self) -> None:
        """Compile all that `step` uses, on made-up predictions: one that bounces, one that runs away."""
        q = np.clip(self._warm_joints, self._bounds.lower, self._bounds.upper)
        T = flange_pose(self._model.geometry, q) @ self._frames.T_flange_object
        T_world_object = self._frames.T_world_base @ T
        step = 0.02
        n = 1 + round(self._horizon / step)
        for epoch, speed in ((-1, 0.001), (-2, 0.3)):
            twist = np.tile([0.0, speed, speed, speed, 0.0, 0.0], (n, 1))
            prediction = Prediction(
                t_ns=0, epoch=epoch, number=0, object_time_0=0.0, step=step, time_map=np.zeros(4),
                p_world_object=T_world_object[:3, 3] + step * np.arange(n)[:, None] * twist[:, :3],
                quat_world_object=np.tile(quat_from_matrix(T_world_object[:3, :3]), (n, 1)),
                twist_world_object=twist, bounces=np.array([0.03]), slices=np.zeros((0, 3), dtype=np.int64),
            )  # fmt: skip
            self.step(prediction, q)
            self.step(prediction, q)
        self._reference, self._bounces, self._jumps = None, np.empty(0), np.empty((0, 7))
        self._policy = Policy()

    def _task(self, prediction: Prediction, q_command: Array) -> tuple[Task, JointPath]:
        """Return what is to be followed, and the path at hand to go on from."""
        n = min(len(prediction.p_world_object), 1 + math.floor(self._horizon / prediction.step + 1e-9))
        s_0 = prediction.object_time_0
        # copies, since messages are read-only and compiled code takes writable arrays as another type
        p, quat = np.array(prediction.p_world_object[:n]), np.array(prediction.quat_world_object[:n])
        twist_world = np.array(prediction.twist_world_object[:n])
        T, twist = flange_path(p, quat, twist_world, self._T_base_world, self._T_object_flange)
        at_rest = object_time_at(np.array(prediction.time_map), 0.0)[1] < STANDING
        reference = self._reference
        if reference is not None and reference.covers(prediction.epoch, s_0):
            task = Task(T, twist, s_0, prediction.step, reference.joints_at(s_0).copy(), at_rest)
            return task, reference.path
        self._bounces, self._jumps, self._policy = np.empty(0), np.empty((0, 7)), Policy()
        task = Task(T, twist, s_0, prediction.step, q_command, at_rest=True)
        return task, self._choice.anchored(task)

    def _remember_bounces(self, task: Task, path: JointPath, predicted: Array) -> None:
        """Update bounces that smoothing reaches: those just passed as they were, those ahead anew."""
        passed = (self._bounces < task.s_0) & (self._bounces > task.s_0 - REACH)
        followed_until = task.s_0 + (path.count - 1) * task.step
        ahead = predicted[(predicted >= task.s_0) & (predicted < followed_until - ROUNDING)]
        ahead = one_an_interval(ahead, task.s_0, task.step)
        jumps = [self._jump(task, path, s) for s in ahead]
        self._bounces = np.concatenate([self._bounces[passed], ahead])
        self._jumps = np.concatenate([self._jumps[passed], np.reshape(jumps, (len(jumps), 7))])

    def _jump(self, task: Task, path: JointPath, s: float) -> Array:
        """Return the change of joint speeds (7,) [rad/s] at a bounce, from the twists on both sides."""
        node = int(intervals_of(np.array([s]), task.s_0, task.step)[0])
        pose = moved_pose(task.T[node], task.twist[node], s - task.s_0 - node * task.step)
        return self._choice.jump(task, path, node, pose, s)

    def _trajectory(self, task: Task, path: JointPath) -> tuple[Array, Array, Array, Array]:
        """Return joints, speeds, accelerations (n, 7) and arm angles (n,), padded behind the last pose."""
        n, count = task.T.shape[0], path.count
        q, dq, ddq = np.empty((n, 7)), np.zeros((n, 7)), np.zeros((n, 7))
        if count == 0:  # not even the present pose can be taken: stay
            q[:] = task.q_0
            return q, dq, ddq, np.full(n, path.arm_angles[0])
        q[:count] = path.q[:count]
        breaks = intervals_with(self._bounces, task.s_0, task.step, n)
        dq[:count] = self._choice.speeds(task, path, breaks)
        joint_accelerations(ddq[:count], q[:count], dq[:count], task.step, breaks)
        smooth_bounces(q[:count], dq[:count], ddq[:count], task.s_0, task.step, self._bounces, self._jumps)
        q[count:] = q[count - 1]
        arm_angles = path.arm_angles.copy()
        arm_angles[count:] = arm_angles[count - 1]
        return q, dq, ddq, arm_angles
