"""The driver's share of a base: what it does otherwise than planned, and what its acceleration fakes. Pure.

It takes the newest of what the vehicle tells and never waits. From then on the arm holds the object where it
is to be in the world, the cap of a push counts in the world, and of the measured wrench that is taken out
which the commanded acceleration looks like to a controller that knows of no base.
"""

import math

import numpy as np

from drivers.robot.carried_links import carried_links, carried_wrench
from hil.common.arrays import Array
from hil.common.freshness import is_fresh
from hil.common.planar import carried_acceleration, carried_pose, carried_twist
from hil.configuration import Configuration
from hil.configuration.base_rules import object_room
from hil.configuration.frames import Frames
from hil.loop.carried.planned_base import PlannedBase
from hil.loop.carried.told_pose import OFF_HEADING, OFF_PLACE, ToldPose
from hil.loop.carried.vehicle import STATE_TIMEOUT_NS
from hil.loop.carried.vehicle_speed import VehicleSpeed
from hil.messaging.base_messages import BasePlan, BaseReport, BaseState
from hil.wrench.held_body import object_pose, object_wrench
from planner.base.correction import filter_into, holding
from planner.kinematics.arm_model import ArmModel

AT_REST = 0.02  # [m/s], [rad/s]: a base that is slower stands
LINK_LOST = "the base's link is lost"
STUCK_NS = 1_000_000_000  # so long off its path without moving ...
STUCK_WAY = 0.005  # ... by so much [m]: it does not move although it is told to


def carried_by(configuration: Configuration, model: ArmModel) -> "CarriedArm | None":
    """Return the driver's share of a run's base; None where the arm stands."""
    return None if configuration.base.kind == "none" else CarriedArm(configuration, model)


class CarriedArm:
    """What the driver knows of the base.

    Attributes:
        trouble: why the base cannot be relied on; empty if it can.
        fault: why it can no longer at all, until a reset; empty if it can.
    """

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        c = configuration
        frames = Frames.from_configuration(c)
        self._model, self._frames, self._base, self._dt = model, frames, c.base, c.fri.sample_time
        self._T_mount = np.ascontiguousarray(frames.T_world_base)
        self._links = carried_links(c)
        self._room = object_room(c)
        self._soft = c.stops.max_speed * c.stops.contact_time / math.pi  # as deep as stops are met in flight
        self._planned = PlannedBase()
        self._error, self._speed = np.zeros((3, 3)), VehicleSpeed(c.base)
        self._begins = True  # the next error is where the filter starts
        self._off_since: tuple[int, Array] | None = None
        self._told, self._afloat = ToldPose(c.base), False
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
    def state(self) -> BaseState | None:
        """The vehicle's newest state, as it was judged; None before the first."""
        return self._told.state

    @property
    def pose(self) -> Array:
        """Where the base is, as was told last and believed; the origin before that. Shape (3,)."""
        return self._told.pose

    def hear(self, state: BaseState) -> None:
        """Take the vehicle's newest state."""
        self._told.hear(state, still=not self._afloat)

    def missing(self, now_ns: int) -> str:
        """Return why no motion may begin on this base; empty if one may."""
        state = self._told.state
        if state is None:
            return "the base's vehicle has not been heard yet"
        return self._told.doubt if is_fresh(now_ns, state.t_ns, STATE_TIMEOUT_NS) else LINK_LOST

    def refusal(self, q: Array) -> str:
        """Return why the object may not float from where arm and base hold it; empty if it may.

        The stops of the world would hurl it, the deeper it lies within them; and its path begins at rest.
        `q`: joints [rad], shape (7,).
        """
        state = self._told.state
        if state is not None and (np.abs(state.rate) > AT_REST).any():
            return f"the base moves at {1e3 * math.hypot(*state.rate[:2]):.0f} mm/s: let it stand"
        base = carried_pose(self._T_mount, np.array(self.pose))
        p = object_pose(self._model.geometry, np.array(q), base, self._frames.T_flange_object)[:3, 3]
        beyond = np.abs(p - self._room[0]) - self._room[1]
        axis = int(np.argmax(beyond))
        if beyond[axis] <= self._soft:
            return ""
        return (
            f"the base holds the object {1e3 * beyond[axis]:.0f} mm outside its room along {'xyz'[axis]}, "
            f"{1e3 * self._soft:.0f} allowed: drive the base back (base.floor_mm)"
        )

    def report(self, now_ns: int, velocity: Array) -> BaseReport:
        """Return what is known of the base, with the newest command, for the others."""
        state = self._told.state
        error = np.zeros(3)
        if self._afloat and self._planned.plan is not None and state is not None:
            error = self.pose - self._planned.at(state.t_ns)[0]
        said_ns = now_ns if state is None else min(state.t_ns, now_ns)
        return BaseReport(said_ns, self.pose, error, velocity, self.trouble or self.missing(now_ns))

    def take(self, plan: BasePlan) -> None:
        """Follow another plan of the base."""
        before = self._planned.plan
        if before is None or before.epoch != plan.epoch:
            self._begins, self._off_since, self.trouble = True, None, ""
        self._planned.take(plan)

    def commanded(self, t_ns: int, velocity: Array) -> None:
        """Take what the vehicle was told at an instant: speeds x, y [m/s], heading [rad/s], shape (3,)."""
        self._speed.commanded(t_ns, velocity)

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
        self._afloat = afloat
        self._speed.step(t_ns)
        if not afloat or self._planned.plan is None:
            self._begins, self._off_since, self.trouble = True, None, ""
            return self.fault
        self.trouble = self._looked_at(now_ns)
        return self.fault

    def _looked_at(self, now_ns: int) -> str:
        """Take the newest pose into the filter and return why the base cannot be relied on."""
        if missing := self.missing(now_ns):
            return missing
        state = self._told.state
        assert state is not None
        error = state.pose - self._planned.at(state.t_ns)[0]
        if self._begins:
            self._error[:], self._error[0], self._begins = 0.0, error, False
        filter_into(self._error, error, self._base.correction, self._dt)
        return self._judged(now_ns, error, self.pose)

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

    def faked(self, q: Array, dq: Array) -> Array:
        """Return what the base's acceleration adds to the measured wrench, object axes [N, N m], shape (6,).

        Args:
            q: measured joint positions [rad], shape (7,).
            dq: joint speeds [rad/s], shape (7,).
        """
        motion = np.array([self.pose, self._speed.rate, self._speed.acceleration])
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
