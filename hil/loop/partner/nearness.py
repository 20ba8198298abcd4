"""Whether the two arms, or the second one and the mock-up, come too near to each other while it runs."""

import math

from hil.common.arrays import Array
from hil.common.poses import pose_from
from hil.configuration import Configuration
from hil.loop.grasp.clearance import Clearance
from hil.loop.grasp.second_arm import SecondArm
from hil.loop.grasp.states import GraspState
from hil.messaging.grasp_messages import PartnerWords
from planner.kinematics.arm_model import ArmModel


class Nearness:
    """Looks at both arms, now and then.

    Attributes:
        gap: the newest distance [m].
        least: the least so far [m], and between what.
    """

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        """Look at the arms of a configuration with a second one."""
        assert configuration.grasp is not None
        self._apart = Clearance(configuration, model, SecondArm(configuration, model))
        self._bound = configuration.grasp.clearance
        self.gap = math.inf
        self.least: tuple[float, str] = (math.inf, "")

    def look(self, q: Array, words: PartnerWords, state: str) -> str:
        """Return that the arms are too near to each other, in words; empty if they are not.

        Args:
            q: joints of the first arm [rad], (7,).
            words: the second one's.
            state: of the grasp; what holds each other may be near.
        """
        T_world_tip = pose_from(words.p_world_tip, words.quat_world_tip)
        self.gap, pair = self._apart.between(q, words.q, T_world_tip)
        if self.gap < self.least[0]:
            self.least = self.gap, pair
        if self.gap >= self._bound or state == GraspState.GRASPED:
            return ""
        return f"{pair} are {1e3 * self.gap:.0f} mm from each other, {1e3 * self._bound:g} at least"
