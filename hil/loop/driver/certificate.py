"""The certificate, enforced: no plan carries the object out of the certified set, or faster than certified.

Every command that follows a plan is judged by forward kinematics, after the limiter and before the guard: the
plan that it rests on, the velocity that is asked of the arm, and what is commanded. Each may go beyond
`[stops]` by what following adds, and no more (docs/theory.md, section 11, equations 42a to 42c). Nothing is
judged without stops, or where no arm follows; nor is a brake, which leads to rest whatever it began from.
"""

import math

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.configuration.penetration import Penetration
from hil.loop.driver.certified_motion import (
    ASKED,
    CENTRE,
    PLANNED,
    SPEED,
    SWING,
    WITHIN,
    Bounds,
    Held,
    examine_motion,
)
from planner.following.closing import closing_share
from planner.following.interpolator import JointCommand
from planner.following.lead import LEAD_RATE
from planner.following.limits import MotionLimits
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import jacobian
from planner.kinematics.pseudo_inverse import joint_velocity_for
from sim.world.stops import pack_stops

PLAN_ERROR = 0.02  # share by which polynomials between a plan's nodes, and rounded bounces, may stray
FOUND_LATE = 0.03  # [s] after its middle a growing push is found, at most


class Certificate:
    """What `[stops]` certify, and what following may add to it.

    Attributes:
        enforced: whether there is anything to judge by.
        bounds: what may be.
    """

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        """Prepare to judge the commands of an arm `model`."""
        c = configuration
        self.enforced = c.stops.enabled and c.run.follow
        frames = Frames.from_configuration(c)
        self._held = Held(
            model.geometry, np.array(frames.T_world_base),
            np.array(frames.T_flange_object), pack_stops(c.stops, c.object.inertia),
        )  # fmt: skip
        self.bounds = _bounds(c, model, frames)

    def objection(self, q_before: Array, dq_before: Array, step: JointCommand, lead: float) -> str:
        """Return why a command must not be sent, empty if it may be; the bound is named.

        Args:
            q_before: the command before, which was sent [rad], shape (7,).
            dq_before: velocity that it ended with [rad/s], shape (7,).
            step: the command.
            lead: look-ahead in use [s].
        """
        if not (self.enforced and (step.following or step.certified) and step.elapsed > 0.0):
            return ""
        judged, finding, value, bound = examine_motion(
            *(q_before, step.q, dq_before, step.planned, step.wanted, step.elapsed, lead),
            *(self._held, self.bounds),
        )
        return "" if finding == WITHIN else _words(judged, finding, value, bound)

    def warm(self) -> None:
        """Compile or load the kernels."""
        q, planned = np.zeros(7), np.zeros((2, 7))
        examine_motion(q, q, q, planned, q, 1.0, 0.0, self._held, self.bounds)


def _bounds(c: Configuration, model: ArmModel, frames: Frames) -> Bounds:
    """Return what may be; the equations are those of docs/theory.md, section 11."""
    beyond = Penetration.of(c.stops, c.object.inertia)
    inside = np.array([0.0, c.stops.swing, c.stops.twist])
    deep = np.array([beyond.depth, beyond.swing, beyond.twist])
    caps = np.array([c.stops.max_speed, c.stops.max_spin * beyond.spin_ratio])
    drift = caps[[0, 1, 1]]
    late = lateness(c, model, frames)
    planned = 1.0 + LEAD_RATE + PLAN_ERROR
    asked = planned + closing_share(c.interpolation) + caps[1] * late
    turned = caps[1] * (3.0 if c.interpolation.short_cut else 1.0)
    nothing = np.zeros(3)
    strictly, loosely = inside + (1.0 + PLAN_ERROR) * deep, inside + deep + drift * late
    return Bounds(
        places=np.array([[strictly, nothing, loosely], [nothing, nothing, drift]]),
        speeds=np.array(
            [[caps * planned, caps * asked, caps * asked], [nothing[:2], caps * turned, caps * turned]]
        ),
    )


def lateness(c: Configuration, model: ArmModel, frames: Frames) -> float:
    """Return how late commands take a push up, the look-ahead apart [s].

    It is found late, and then the joints need their time: at most that in which they reverse the certified
    motion, of which a half counts as late. Taken at the start pose, the middle of the set.
    """
    limits = MotionLimits.from_configuration(model, c.limits).scaled(c.limits.command_fraction)
    J = jacobian(model.geometry, np.array(c.robot.start), frames.T_flange_object)
    rates = np.array([joint_velocity_for(J, axis, np.array(limits.velocity)) for axis in np.eye(6)])
    speed = np.linalg.norm(rates[:3], axis=0) * c.stops.max_speed
    spin = np.linalg.norm(rates[3:], axis=0) * c.stops.max_spin
    reversal = 2.0 * (speed + spin) / limits.acceleration + limits.acceleration / limits.jerk
    found = 0.5 * c.detector.sustained_time if c.detector.report == "ended" else 0.0
    return FOUND_LATE + found + 0.5 * float(reversal.max())


def _words(judged: int, finding: int, value: float, bound: float) -> str:
    """Return a finding in words: which bound, what the value is, and what may be."""
    who = "the plan" if judged == PLANNED else "following the plan"
    if finding >= SPEED:
        if finding > SPEED:
            what, amounts = "spin", [f"{math.degrees(x):.2f} deg/s" for x in (value, bound)]
        else:
            what, amounts = "speed", [f"{1e3 * x:.1f} mm/s" for x in (value, bound)]
        key = "stops.max_spin_deg_s" if finding > SPEED else "stops.max_speed_mm_s"
        verb = "asks for" if judged in (PLANNED, ASKED) else "would give"
        return f"{who} {verb} a {what} of {amounts[0]}, {amounts[1]} allowed ({key})"
    if finding < SWING:
        what, key = f"centre beyond the stops along {'xyz'[finding - CENTRE]}", "stops.half_extent_mm"
        amounts = [f"{1e3 * x:.1f} mm" for x in (value, bound)]
    else:
        what = "swing" if finding == SWING else "twist"
        key, amounts = f"stops.{what}_deg", [f"{math.degrees(x):.2f} deg" for x in (value, bound)]
    return f"{who} leaves the certified set: {what} {amounts[0]}, {amounts[1]} allowed ({key})"
