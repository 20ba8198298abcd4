"""The driver's share of a base: what it does otherwise than planned, and what its acceleration fakes. Pure.

It takes the newest of what the vehicle tells and never waits. From then on the arm holds the object where it
is to be in the world, the cap of a push counts in the world, and of the measured wrench that is taken out
which the planned acceleration looks like to a controller that knows of no base.
"""

import math

import numpy as np

from drivers.robot.carried_links import carried_links, carried_wrench
from hil.common.arrays import Array
from hil.common.freshness import is_fresh
from hil.common.planar import carried_acceleration, carried_pose, carried_twist
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.carried.planned_base import PlannedBase
from hil.loop.carried.vehicle import STATE_TIMEOUT_NS, knows_place
from hil.messaging.base_messages import BasePlan, BaseState
from hil.wrench.held_body import object_pose, object_wrench
from planner.base.correction import filter_into, holding
from planner.kinematics.arm_model import ArmModel

OFF_PLACE, OFF_HEADING = 0.03, math.radians(3.0)  # off its path [m], [rad]: farther, and object time stands
STUCK_NS = 1_000_000_000  # so long off its path without moving ...
STUCK_WAY = 0.005  # ... by so much [m]: it does not move although it is told to


class CarriedArm:
    """What the driver knows of the base.

    Attributes:
        state: the vehicle's newest; None before the first.
        trouble: why the base cannot be relied on; empty if it can.
        fault: why it can no longer at all, until a reset; empty if it can.
    """

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        c = configuration
        frames = Frames.from_configuration(c)
        self._model, self._frames, self._base, self._dt = model, frames, c.base, c.fri.sample_time
        self._T_mount = np.ascontiguousarray(frames.T_world_base)
        self._links = carried_links(c)
        self._planned = PlannedBase()
        self._error, self._lagged, self._acceleration = np.zeros((3, 3)), np.zeros(3), np.zeros(3)
        self._begins = True  # the next error is where the filter starts
        self._off_since: tuple[int, Array] | None = None
        self.state: BaseState | None = None
        self._pose = np.zeros(3)
        self.trouble = self.fault = ""

    def warm(self) -> None:
        """Compile or load the kernels."""
        q, model = np.zeros(7), self._model
        filter_into(np.zeros((3, 3)), np.zeros(3), 1.0, 0.0)
        holding(np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(3))
        object_pose(model.geometry, q, self._T_mount, self._frames.T_flange_object)
        carried_twist(np.zeros((3, 3)), np.zeros(3))
        carried_wrench(self._links, q, q, carried_acceleration(self._T_mount, np.zeros((3, 3))))
        self._planned.at(0)

    @property
    def pose(self) -> Array:
        """Where the base is, as was told last in numbers; the origin before that. Shape (3,)."""
        return self._pose

    def hear(self, state: BaseState) -> None:
        """Take the vehicle's newest state."""
        self.state = state
        if knows_place(state):
            self._pose = state.pose

    def take(self, plan: BasePlan) -> None:
        """Follow another plan of the base."""
        before = self._planned.plan
        if before is None or before.epoch != plan.epoch:
            self._begins, self._off_since, self.trouble = True, None, ""
        self._planned.take(plan)

    def reset(self) -> None:
        """Forget a fault."""
        self.fault, self._off_since = "", None

    def step(self, t_ns: int, now_ns: int, afloat: bool) -> str:
        """Carry the filter and the model of the base on by a cycle; return the fault, empty if there is none.

        Args:
            t_ns: the sample's instant.
            now_ns: host time.
            afloat: by the newest order the object floats; else the base stands, and has no path to be off.
        """
        if not afloat or self._planned.plan is None:
            self._lagged, self._acceleration = np.zeros(3), np.zeros(3)
            self._begins, self._off_since, self.trouble = True, None, ""
            return self.fault
        self._lag_on(t_ns)
        self.trouble = self._looked_at(now_ns)
        return self.fault

    def _looked_at(self, now_ns: int) -> str:
        """Take the newest pose into the filter and return why the base cannot be relied on."""
        state = self.state
        if state is None or not is_fresh(now_ns, state.t_ns, STATE_TIMEOUT_NS):
            return "the base's link is lost"
        if not knows_place(state):
            return "the base does not know where it is"
        error = state.pose - self._planned.at(state.t_ns)[0]
        if self._begins:
            self._error[:], self._error[0], self._begins = 0.0, error, False
        filter_into(self._error, error, self._base.correction, self._dt)
        return self._judged(now_ns, error, state.pose)

    def _judged(self, now_ns: int, error: Array, pose: Array) -> str:
        """Return in words that the base is too far off its path; note it if it does not move at all."""
        place, heading = math.hypot(error[0], error[1]), abs(error[2])
        if place <= OFF_PLACE and heading <= OFF_HEADING:
            self._off_since = None
            return ""
        trouble = f"the base is {1e3 * place:.0f} mm and {math.degrees(heading):.1f} deg off its path"
        if self._off_since is None or np.linalg.norm(pose[:2] - self._off_since[1][:2]) > STUCK_WAY:
            self._off_since = now_ns, np.array(pose)
        elif now_ns - self._off_since[0] > STUCK_NS and not self.fault:
            self.fault = f"the base does not move although it is told to: {trouble}"
        return trouble

    def _lag_on(self, t_ns: int) -> None:
        """Carry the model of the vehicle's speed on: it follows what was planned for a lag later."""
        lag, target = self._base.lag, self._planned.at(t_ns, self._base.lag)[1]
        share = 1.0 if lag < self._dt else 1.0 - math.exp(-self._dt / lag)
        self._acceleration = (target - self._lagged) * share / self._dt
        self._lagged = self._lagged + self._acceleration * self._dt

    def faked(self, q: Array, dq: Array) -> Array:
        """Return what the base's acceleration adds to the measured wrench, object axes [N, N m], shape (6,).

        Args:
            q: measured joint positions [rad], shape (7,).
            dq: joint speeds [rad/s], shape (7,).
        """
        motion = np.array([self.pose, self._lagged, self._acceleration])
        _, wrench = carried_wrench(self._links, q, dq, carried_acceleration(self._T_mount, motion))
        frames = self._frames
        return object_wrench(
            self._model.geometry, q, frames.T_flange_tcp, frames.T_flange_object, wrench, False
        )

    def carried(self, t_ns: int, lead: float, q: Array) -> tuple[Array, Array]:
        """Return what holds the object in the world, and the twist that it has by the base; base axes.

        Args:
            t_ns: the sample's instant.
            lead: look-ahead of the command [s].
            q: measured joint positions [rad], shape (7,).

        Returns:
            Velocity, displacement and acceleration to be added to the plan, shape (3, 6); twist, shape (6,).
        """
        planned = self._planned.at(t_ns, lead)
        R_mount = self._T_mount[:3, :3]
        T = object_pose(self._model.geometry, q, self._T_mount, self._frames.T_flange_object)
        held = holding(self._error, planned, np.array(T[:3, 3]))
        base = carried_pose(self._T_mount, planned[0])
        point = carried_pose(np.ascontiguousarray(T), planned[0])[:3, 3]
        twist = carried_twist(planned, np.array(point))
        R_world = base[:3, :3]
        in_base = np.concatenate((R_world.T @ twist[:3], R_world.T @ twist[3:]))
        return np.hstack((held[:, :3] @ R_mount, held[:, 3:] @ R_mount)), in_base
