"""The second arm within the lock-step loop: its controller's plan, its words, and the shared stop line."""

import math

import numpy as np

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.grasp.partner_arm import PartnerArm
from hil.common.geometry import quat_from_matrix
from hil.configuration import Configuration
from hil.loop.driver.core import DriverCore
from hil.loop.driver.grasp_force import GraspForce
from hil.loop.grasp.clearance import Clearance
from hil.loop.grasp.followed_plan import FollowedPlan
from hil.loop.grasp.plan_check import checked_plan
from hil.loop.grasp.states import GraspState
from hil.loop.judging.judge import Judge
from hil.loop.judging.state_machine import State
from hil.loop.partner.supervision import Supervision
from planner.kinematics.arm_model import ArmModel

CLEAR_EVERY = 25  # cycles between two looks at the distance between the arms


class LockStepGrasp:
    """Sends the emulated second arm along its plan and supervises what lies between the arms.

    Attributes:
        partner: the emulated second arm.
        supervision: of the grasp.
        force: of it, in the driver.
        followed: its plan.
        speaks: whether the partner is heard.
        clearance: least distance between the arms so far [m], and between what.
    """

    def __init__(
        self,
        configuration: Configuration,
        model: ArmModel,
        controller: EmulatedController,
        driver: DriverCore,
    ) -> None:
        """Set up before the object floats.

        Raises:
            ConfigurationError: the plan cannot be done.
        """
        c, partner = configuration, controller.port
        assert c.grasp is not None and isinstance(partner, PartnerArm)
        assert isinstance(driver.touching, GraspForce)
        checked = checked_plan(c, model)
        self.partner, self._controller, self._driver = partner, controller, driver
        self.followed = FollowedPlan(checked.plan, c.grasp.T_object_tool)
        self.force = driver.touching
        self.supervision = Supervision(c, driver.touching)
        self.speaks = True
        self._dt, self._least = c.fri.sample_time, c.grasp.clearance
        self._apart, self._posture = Clearance(c, model, checked.arm), checked.posture
        self._cycle = 0
        self._t = 0.0  # since floating began [s]
        self._told = ""  # why all was held last
        self.clearance: tuple[float, str] = (math.inf, "")
        self._place()

    def step(self, judge: Judge) -> None:
        """Do a cycle, after the run's state has been judged and before the arms move on."""
        floats = judge.machine.state is State.FLOATING
        if not self._t and not floats:
            self._place()
            return
        self._t += self._dt
        told = None
        if self.speaks:
            closed = self.partner.closing and not self.partner.is_open
            told = self.supervision.seen(self.partner.gap, closed, self.partner.pad_forces)
        why = self.supervision.step(self._t, told, self._driver.lead) or self._too_near()
        if why and floats:
            judge.order("hold", why)
            floats = False
        if not floats and judge.machine.reason != self._told:
            self._told = judge.machine.reason
            self.supervision.say(self._t, f"{judge.machine.state}: {self._told}")
        if self.supervision.opened:
            self.followed.released = True
        target = self.followed.step(self._dt, self._controller.arm.T_world_object, not floats)
        self.partner.aim(target.T[:3, 3], quat_from_matrix(np.ascontiguousarray(target.T[:3, :3])), self._dt)
        if self.partner.obeys:
            self.partner.closing = target.closed

    def words(self) -> list[str]:
        """Return what came of the grasp, a line each."""
        s, (gap, pair) = self.supervision, self.clearance
        lines = [f"  {t:7.2f} s  {text}" for t, text in s.events]
        lines.append(
            f"grasp: {s.state}, law {s.law or 'none yet'}; at most {s.peak[0]:.1f} N and {s.peak[1]:.2f} N m "
            f"felt, {1e3 * s.gain:.1f} mJ created; {pair or 'the arms'} came within {1e3 * gap:.0f} mm"
        )
        return lines

    def _place(self) -> None:
        """Let the second arm wait where its plan begins."""
        self.partner.begin(self.followed.first(self._controller.arm.T_world_object))

    def _too_near(self) -> str:
        """Return that the arms are too near to each other, if they are, now and then."""
        self._cycle += 1
        if self._cycle % CLEAR_EVERY:
            return ""
        gap, pair = self._apart.between(self._controller.arm.q, self.partner.T_world_tip, self._posture)
        if gap < self.clearance[0]:
            self.clearance = gap, pair
        if gap >= self._least or self.supervision.state is GraspState.GRASPED:
            return ""
        return f"{pair} are {1e3 * gap:.0f} mm from each other, {1e3 * self._least:g} at least"
