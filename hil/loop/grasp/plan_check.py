"""Whether a second arm can do what its plan says, before anything moves: reach, joints, room."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hil.common.arrays import Array, plain_numbers
from hil.common.errors import ConfigurationError
from hil.common.poses import pose_moved
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.configuration.grasp_plan import GraspPlan, load_plan
from hil.configuration.grasp_rules import configured_delay, delayed
from hil.loop.grasp.clearance import Clearance
from hil.loop.grasp.followed_plan import FollowedPlan, led_there
from hil.loop.grasp.second_arm import Posture, SecondArm, followed_joints
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import flange_pose

SAMPLE = 0.1  # [s] between two looks at the plan


class CheckedPlan(NamedTuple):
    """A plan that the second arm can do.

    Attributes:
        asked: of the file.
        plan: with the way to where it begins.
        posture: in which it does it.
        clearance: least distance between the arms, and to the mock-up, on the way [m].
        pair: between what that is.
        arm: the second arm.
    """

    asked: GraspPlan
    plan: GraspPlan
    posture: Posture
    clearance: float
    pair: str
    arm: SecondArm


class Begun(NamedTuple):
    """Where a plan would begin.

    Attributes:
        q: joints of the first arm [rad], (7,).
        T_world_object: where the object is, (4, 4).
        twist: with which it goes on, world axes, (6,).
        T_world_tip: where the second arm's tip is, (4, 4); None: where the plan begins.
        room: between which two corners the object's centre is turned back [m], (2, 3); None: by nothing.
    """

    q: Array
    T_world_object: Array
    twist: Array
    T_world_tip: Array | None = None
    room: Array | None = None

    def drifted(self, t: float) -> Array:
        """Return where the object is a time [s] on, by its own motion and what turns it back, (4, 4)."""
        T = pose_moved(self.T_world_object, t * self.twist[:3], t * self.twist[3:])
        if self.room is not None:
            low, span = self.room[0], self.room[1] - self.room[0]
            T[:3, 3] = low + span - np.abs(np.mod(T[:3, 3] - low, 2.0 * span) - span)
        return T


def begun_as_configured(c: Configuration, model: ArmModel) -> Begun:
    """Return where a plan begins when a run begins."""
    frames, start = Frames.from_configuration(c), np.array(c.robot.start)
    held = frames.T_world_base @ flange_pose(model.geometry, start) @ frames.T_flange_object
    spin = held[:3, :3] @ c.object.initial_spin
    return Begun(start, held, np.concatenate((c.object.initial_velocity, spin)))


def checked_plan(c: Configuration, model: ArmModel, begun: Begun | None = None) -> CheckedPlan:
    """Return the plan of a configuration with a second arm, looked at on the object's undisturbed drift.

    `begun` is where it would begin; None: as the run does.

    Raises:
        ConfigurationError: it cannot be read, out of reach, or brings the two arms into each other's way.
    """
    grasp, partner = c.grasp, c.partner
    assert grasp is not None and partner is not None
    asked, arm = load_plan(partner.plan), SecondArm(c, model)
    plan = asked
    begun = begun or begun_as_configured(c, model)
    held = begun.T_world_object
    if begun.T_world_tip is not None:
        plan = led_there(plan, np.linalg.inv(held @ grasp.T_object_tool) @ begun.T_world_tip)
    followed = FollowedPlan(plan, grasp.T_object_tool)
    poses, objects = [followed.first(held, begun.T_world_tip)], [held]
    names: list[str] = [plan.phase[0].phase]
    for n in range(1, math.ceil(plan.duration / SAMPLE) + 1):
        objects.append(begun.drifted(min(n * SAMPLE, _grasped_at(plan))))
        target = followed.step(SAMPLE, objects[-1], False)
        poses.append(target.T)
        names.append(target.phase)
    posture, lost = arm.posture(np.array(poses))
    if posture is None:
        raise ConfigurationError(f"{partner.plan}: {_unreached(arm, poses[lost], names[lost], lost)}")
    checked = CheckedPlan(asked, plan, posture, math.inf, "", arm)
    return _apart(c, model, checked, begun.q, poses, objects, names)


def _grasped_at(plan: GraspPlan) -> float:
    """Return until when the object drifts: then it is grasped [s]."""
    t = 0.0
    for phase in plan.phase:
        t += phase.wait + phase.duration
        if phase.phase == "close":
            return t
    return t


def _unreached(arm: SecondArm, pose: Array, name: str, index: int) -> str:
    where = plain_numbers(np.round(1e3 * pose[:3, 3], 1))
    told = f"phase {name!r}, {index * SAMPLE:.1f} s: the tip at {where} mm"
    way = arm.wrist_way(pose)
    if way > arm.reach:
        return (
            f"{told} is out of the partner's reach: its wrist would be {1e3 * way:.0f} mm from the shoulder, "
            f"{1e3 * arm.reach:.0f} at most; move partner.mount_position_mm or the plan"
        )
    return (
        f"{told} breaks a limit of the partner's joints in every posture ({1e3 * way:.0f} mm "
        f"from shoulder to wrist, {1e3 * arm.reach:.0f} at most); turn partner.mount_rotvec_deg or the plan"
    )


def _apart(
    c: Configuration,
    model: ArmModel,
    checked: CheckedPlan,
    q: Array,
    poses: list[Array],
    objects: list[Array],
    names: Sequence[str],
) -> CheckedPlan:
    """Return the plan with its clearance; refuse one that brings the arms too near to each other."""
    assert c.grasp is not None and c.partner is not None
    clearance, frames = Clearance(c, model, checked.arm), Frames.from_configuration(c)
    least, pair, at = math.inf, "", 0
    flange_object = np.linalg.inv(frames.T_flange_object)
    into_base = np.linalg.inv(frames.T_world_base)
    flanges = np.ascontiguousarray(into_base @ np.array(objects) @ flange_object)
    followed = followed_joints(model, flanges, q)
    for n, (pose, q_first) in enumerate(zip(poses, followed, strict=True)):
        q_second = checked.arm.joints(pose, checked.posture)
        assert q_second is not None  # it was looked at
        gap, between = clearance.between(q_first, q_second, pose)
        if gap < least:
            least, pair, at = gap, between, n
    if least < c.grasp.clearance:
        raise ConfigurationError(
            f"{c.partner.plan}: phase {names[at]!r}, {at * SAMPLE:.1f} s: {pair} come within "
            f"{1e3 * least:.0f} mm of each other, grasp.clearance_mm = {1e3 * c.grasp.clearance:g} at least; "
            "move partner.mount_position_mm, or give the bar more room"
        )
    return checked._replace(clearance=least, pair=pair)


def told_grasp(c: Configuration, model: ArmModel) -> list[str]:
    """Return what a second arm and its grasp come to, a line each; nothing without one.

    Raises:
        ConfigurationError: see `checked_plan`.
    """
    grasp, partner = c.grasp, c.partner
    if grasp is None or partner is None:
        return []
    checked, at = checked_plan(c, model), delayed(c, grasp, configured_delay(c))
    M, T = c.object.mass, at.delay
    names = ", ".join(phase.phase for phase in checked.plan.phase)
    inertia = float(c.object.inertia.max())
    return [
        f"grasp: {1e3 * T:.1f} ms from force to motion, {at.mass:.1f} kg at the bar: Kc T^2 / M = "
        f"{at.stiffness_share:.3f}, law {at.law}",
        f"grasp: partner's D/K = {1e3 * partner.damping / partner.stiffness:.1f} ms along, "
        f"{1e3 * partner.damping_turning / partner.stiffness_turning:.1f} ms about; "
        f"{1.3e3 * T * M / (M + partner.mass):.1f} and "
        f"{1.3e3 * T * inertia / (inertia + partner.inertia):.1f} ms needed; pads' c/K = "
        f"{1e3 * grasp.pad_damping / grasp.pad_stiffness:.1f} ms, "
        f"{1e3 * T * partner.mass / (at.mass + partner.mass):.1f} ms needed",
        f"grasp: plan of {checked.plan.duration:g} s ({names}), joints at least "
        f"{math.degrees(checked.posture.margin):.0f} deg from their limits; {checked.pair} come within "
        f"{1e3 * checked.clearance:.0f} mm of each other, {1e3 * grasp.clearance:g} mm at least",
        f"grasp: opens above {grasp.max_force:g} N, {grasp.max_torque:g} N m, or when "
        f"{1e3 * grasp.max_energy:g} mJ appear; partner at most {partner.force_limit:g} N",
    ]
