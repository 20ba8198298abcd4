"""The driver's part of an approach: it judges for itself whether to begin, whether to go on, and how fast.

What it is told is one hand's order: begin and speed of a way that was looked at, and the newest heartbeat.
Whatever is not as it should be ends the session: the arm brakes on its line, and only another session
moves it again.
"""

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.loop.approach.caps import CORNER_SPEED, HAND_TIMEOUT_NS, JOINT_SPEED
from hil.loop.approach.held_cube import HeldCube
from hil.loop.driver.contact_force import ContactForce
from hil.loop.judging.approaching import ARRIVED, HAND_OFF
from hil.loop.judging.state_machine import State
from hil.messaging.messages import Mode
from planner.following.limits import MotionLimits
from planner.following.line_motion import LineMotion
from planner.kinematics.arm_model import ArmModel

SAME_PLACE = 1e-9  # [rad] between the way's begin and where the arm is commanded to
ENFORCED = 0.99  # of the caps, at which it brakes: on the way to rest the caps are kept


class Approach:
    """One cycle after the other: a state of the joints to command, or none.

    Attributes:
        session: the newest that was ordered; 0: none.
        end: why it is over, in words; empty while it is not.
    """

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        c = configuration
        self._goal = np.array(c.robot.start)
        self._limits = MotionLimits.from_configuration(model, c.limits).scaled(c.limits.command_fraction)
        self._cube = HeldCube(c)
        self._contact = ContactForce(c)
        self._motion: LineMotion | None = None
        self._begin: Array = self._goal
        self._was_ready = False  # the order before was READY
        self._number = self._counted_ns = 0  # of the newest heartbeat, and when we first saw it
        self.session, self.end = 0, ""

    @property
    def moves(self) -> bool:
        """Whether a session moves the arm, or brings it to rest."""
        return self._motion is not None

    def warm(self) -> None:
        """Lay out a motion once: ruckig's first call is slow."""
        LineMotion(np.zeros(7), np.ones(7), 0.1, self._limits).brake()
        self._cube.corners(np.zeros((2, 7)))

    def step(
        self, t_ns: int, mode: Mode | None, wrench: Array, q: Array, standing: bool, refusal: str, h: float
    ) -> Array | None:
        """Return the joints' state to command, (3, 7), while a session moves the arm; else None.

        Args:
            t_ns: now.
            mode: the newest order, however old.
            wrench: about the object's centre of mass, object axes [N, N m], shape (6,).
            q: last command [rad], shape (7,).
            standing: the arm is commanded to stand, follows nothing, and may be commanded.
            refusal: why nothing may move now, in words: a fault, an implausible wrench; else empty.
            h: time that has passed since the last command [s].

        Raises:
            LimiterError: ruckig finds no motion.
        """
        if self._motion is None and standing:
            self._contact.at_rest(wrench)
        hand = mode is not None and mode.state == State.APPROACHING and mode.hand.size == 3
        if mode is not None and hand:
            self._hear(t_ns, mode, q, standing, refusal)
        self._was_ready = mode is not None and mode.state == State.READY
        if self._motion is None:
            return None
        if not self.end:
            self.end = refusal or self._let_go(t_ns, mode) or self._contact.judge(wrench)
        self.end = self.end or self._too_fast(q, h)
        if self.end:
            self._motion.brake()
        return self._moved(h)

    def forget(self) -> None:
        """End the session: another part of the driver brakes."""
        if self._motion is not None:
            self._motion, self.end = None, self.end or "the driver brakes"

    def _hear(self, t_ns: int, mode: Mode, q: Array, standing: bool, refusal: str) -> None:
        """Take note of an order; begin with a session's first one, if all is as it must be."""
        session, number, _ = mode.hand.tolist()
        if session != self.session:
            self.session, self._number = session, 0
            self.end = refusal or self._cannot_begin(mode, q, standing)
        if number > self._number:
            self._number, self._counted_ns = number, t_ns
        if not self.end and self._motion is None:
            self.end = self._let_go(t_ns, mode)
        if not self.end and self._motion is None:
            speed = min(float(mode.approach_speed[0]), JOINT_SPEED)
            self._begin, self._motion = q, LineMotion(q, self._goal, speed, self._limits)

    def _cannot_begin(self, mode: Mode, q: Array, standing: bool) -> str:
        """Return why nothing begins with this order; empty if it may."""
        if not self._was_ready:
            return "the state before was not READY"
        if self._motion is not None or not standing:
            return "the arm does not stand"
        if mode.approach_from.shape != q.shape or not (abs(mode.approach_from - q) <= SAME_PLACE).all():
            return "the arm is not where its way was looked at"
        if mode.approach_speed.shape != (1,) or not 0.0 < mode.approach_speed[0] <= JOINT_SPEED:
            return "the speed asked for is none"
        if not (self._goal != q).any():
            return ARRIVED
        return ""

    def _let_go(self, t_ns: int, mode: Mode | None) -> str:
        """Return why the hand no longer counts; empty while it does: order and beat are fresh."""
        if mode is None or mode.state != State.APPROACHING or mode.hand.size != 3:
            return "the order is over"
        session, _, beat_ns = mode.hand.tolist()
        if session != self.session:
            return "another hand holds"
        if not abs(t_ns - mode.t_ns) <= HAND_TIMEOUT_NS:
            return "the order is old"
        both = abs(t_ns - beat_ns) <= HAND_TIMEOUT_NS and t_ns - self._counted_ns <= HAND_TIMEOUT_NS
        return "" if both else HAND_OFF

    def _moved(self, h: float) -> Array:
        """Return the next state on the line; at rest the session is over."""
        motion = self._motion
        assert motion is not None
        state = motion.step(h)
        if motion.over:
            self._motion, self.end = None, self.end or ARRIVED
        return state

    def _too_fast(self, q: Array, h: float) -> str:
        """Return in words which cap the next step would pass, or a brake after it; empty if none."""
        motion = self._motion
        assert motion is not None
        q_next, speed = motion.ahead(h)
        way = np.abs(self._goal - self._begin)
        joint = float(way.max()) * speed
        if not joint <= ENFORCED * JOINT_SPEED:
            return f"a joint would turn at {np.degrees(joint):.2f} deg/s"
        turned = float(np.abs(q_next - q).max())
        if not turned:
            return ""
        before, after = self._cube.corners(np.array((q, q_next)))
        corner = float(np.linalg.norm(after - before, axis=1).max()) / turned * joint
        if not corner <= ENFORCED * CORNER_SPEED:
            return f"a corner of the mock-up would move at {1e3 * corner:.1f} mm/s"
        return ""
