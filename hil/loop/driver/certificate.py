"""The certificate, enforced: no plan carries the object out of the certified set, or faster than certified.

Every command that follows a plan is judged by forward kinematics, after the limiter and before the guard,
against `[stops]` and what following itself may add (docs/theory.md, section 11a). Nothing is judged without
stops, or where no arm follows; nor is a brake, which leads to rest whatever it began from.
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
    MOVING,
    SWING,
    WITHIN,
    Bounds,
    Held,
    examine_motion,
)
from planner.following.closing import closing_share
from planner.following.interpolator import JointCommand
from planner.following.lead import LEAD_RATE
from planner.kinematics.arm_model import ArmModel
from sim.world.stops import pack_stops

FOUND_LATE = 0.05  # [s] until a push is found, and until the joints have taken the velocity that it gives


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
        frames, interpolation = Frames.from_configuration(c), c.interpolation
        self._held = Held(
            np.array(model.lengths), np.array(model.signs), np.array(frames.T_world_base),
            np.array(frames.T_flange_object), pack_stops(c.stops, c.object.inertia),
        )  # fmt: skip
        beyond = Penetration.of(c.stops, c.object.inertia)
        reach = np.array([beyond.depth, c.stops.swing + beyond.swing, c.stops.twist + beyond.twist])
        caps = np.array([c.stops.max_speed, c.stops.max_spin * beyond.spin_ratio])
        late = FOUND_LATE + (0.5 * c.detector.sustained_time if c.detector.report == "ended" else 0.0)
        share = 1.0 + LEAD_RATE + closing_share(interpolation)
        turning = 2.0 * caps[1] if interpolation.short_cut else 0.0
        drift = caps[[0, 1, 1]]
        self.bounds = Bounds(
            places=np.array([reach + drift * late, drift]), speeds=np.array([caps * share, caps * turning])
        )

    def objection(self, q_before: Array, dq_before: Array, step: JointCommand, lead: float) -> str:
        """Return why a command must not be sent, empty if it may be; the bound is named.

        Args:
            q_before: the command before, which was sent [rad], shape (7,).
            dq_before: velocity that it ended with [rad/s], shape (7,).
            step: the command.
            lead: look-ahead in use [s].
        """
        if not (self.enforced and step.following and step.elapsed > 0.0):
            return ""
        finding, value, bound = examine_motion(
            q_before, step.q, dq_before, step.wanted, step.elapsed, lead, self._held, self.bounds
        )
        return "" if finding == WITHIN else _words(finding, value, bound)

    def warm(self) -> None:
        """Compile or load the kernel."""
        q = np.zeros(7)
        examine_motion(q, q, q, q, 1.0, 0.0, self._held, self.bounds)


def _words(finding: int, value: float, bound: float) -> str:
    """Return a finding in words: which bound, what the value is, and what may be."""
    if finding >= ASKED:
        verb = "is asked to move" if finding < MOVING else "would move"
        if (finding - ASKED) % 2:
            amounts, key = (f"{math.degrees(x):.2f} deg/s" for x in (value, bound)), "stops.max_spin_deg_s"
        else:
            amounts, key = (f"{1e3 * x:.1f} mm/s" for x in (value, bound)), "stops.max_speed_mm_s"
        return "the object {} faster than certified: {}, {} allowed ({})".format(verb, *amounts, key)
    if finding < SWING:
        amounts, key = (f"{1e3 * x:.1f} mm" for x in (value, bound)), "stops.half_extent_mm"
        what = f"centre {{}} beyond the stops along {'xyz'[finding - CENTRE]}"
    else:
        what = "swing {}" if finding == SWING else "twist {}"
        amounts, key = (f"{math.degrees(x):.2f} deg" for x in (value, bound)), f"stops.{what.split()[0]}_deg"
    return f"the object would leave the certified set: {what}, {{}} allowed ({{}})".format(*amounts, key)
