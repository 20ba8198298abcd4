"""The planner of an arm that is carried: the base's path first, then the arm's as the base will see it. Pure.

A path that leaves the floor, or winds the cable up, slows object time as a path that the arm cannot follow
does; a base that cannot be relied on holds it.
"""

from dataclasses import replace

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.messaging.base_messages import BasePlan
from hil.messaging.messages import Plan, Prediction
from planner.base.base_path import BasePath
from planner.base.seen_from_base import seen_from_base
from planner.branches.path_planner import PathPlanner
from planner.branches.policy import HOLD, RUN, Policy
from planner.kinematics.arm_model import ArmModel


class CarriedPlanner:
    """Plans the base and the arm on it for predictions; each plan goes on from the one before."""

    def __init__(self, model: ArmModel, configuration: Configuration) -> None:
        """Set up for an arm and a run."""
        self._planner, self._path = PathPlanner(model, configuration), BasePath(configuration)
        self._epoch = -1
        self._policy = Policy()

    def warm(self) -> None:
        """Compile all that `step` uses."""
        self._planner.warm()
        quat = np.tile([0.5, 0.5, 0.5, 0.5], (2, 1))
        self._path.plan(0.0, 0.02, np.ones((2, 3)), quat, np.ones((2, 6)))
        seen_from_base(np.ones((2, 3)), quat, np.ones((2, 6)), self._path.at(np.zeros(2)))
        self._epoch = -1

    def step(
        self, prediction: Prediction, q_command: Array, pose: Array, trouble: str
    ) -> tuple[Plan, BasePlan]:
        """Return the plans of the arm and of its base for a prediction.

        Args:
            prediction: the object's path in world.
            q_command: joints commanded now [rad], shape (7,); looked at only when floating begins anew.
            pose: of the base, x, y [m] and heading [rad], shape (3,); likewise.
            trouble: why the base cannot be relied on; empty if it can.
        """
        if prediction.epoch != self._epoch:
            self._path.restart(prediction.object_time_0, pose)
            self._epoch, self._policy = prediction.epoch, Policy()
        # copies, since messages are read-only and compiled code takes writable arrays as another type
        p, quat = np.array(prediction.p_world_object), np.array(prediction.quat_world_object)
        twist = np.array(prediction.twist_world_object)
        s_0, step = prediction.object_time_0, prediction.step
        self._path.plan(s_0, step, p, quat, twist)
        times = (s_0 + step * np.arange(len(p))).astype(np.float64)
        motion = self._path.at(times)
        p, quat, twist = seen_from_base(p, quat, twist, motion)
        seen = replace(prediction, p_world_object=p, quat_world_object=quat, twist_world_object=twist)
        plan = self._paced(self._planner.step(seen, q_command), trouble)
        count = len(plan.q)
        return plan, BasePlan(
            prediction.t_ns, prediction.epoch, prediction.number, s_0, step, prediction.time_map,
            motion[:count].reshape(count, 9),
        )  # fmt: skip

    def _paced(self, plan: Plan, trouble: str) -> Plan:
        """Return the arm's plan at the pace that its base allows."""
        if trouble:
            return replace(plan, policy=HOLD, reason=trouble, time_rate=0.0)
        depth, why = self._path.room(plan.object_time_0)
        policy, rate = self._policy.step(depth, not why)
        if policy == RUN or plan.time_rate <= rate:
            return plan
        return replace(plan, policy=policy, reason=why, time_rate=rate)
