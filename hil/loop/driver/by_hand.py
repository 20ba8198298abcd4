"""The driver's part of motions by hand: it judges for itself whether to begin and whether to go on.

What it is told is one hand's order: begin of a way that was looked at, and the newest heartbeat. Whatever is
not as it should be ends the session: the arm brakes, and only another session moves it again.
"""

from typing import Protocol

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.loop.approach.caps import HAND_TIMEOUT_NS
from hil.loop.driver.contact_force import ContactForce
from hil.loop.driver.exciting import Exciting
from hil.loop.driver.homing import Homing
from hil.loop.judging.approaching import HAND_OFF
from hil.loop.judging.state_machine import BY_HAND, State
from hil.messaging.messages import Mode
from planner.kinematics.arm_model import ArmModel

SAME_PLACE = 1e-9  # [rad] between the way's begin and where the arm is commanded to


class HandMotion(Protocol):
    """A motion that a hand's order begins: to the start pose, or to show missed inertia.

    Attributes:
        done: in words, that it has come to its end.
        certified: every command must keep what is certified.
    """

    done: str
    certified: bool

    @property
    def moves(self) -> bool:
        """Whether it moves the arm, or brings it to rest."""

    def warm(self) -> None:
        """Lay out a motion once: the first time is slow."""

    def refusal(self, mode: Mode, q: Array) -> str:
        """Return why it does not begin with this order from `q` [rad], shape (7,); empty if it may."""

    def begin(self, mode: Mode, q: Array) -> str:
        """Begin, and return why it cannot; empty if it does."""

    def objection(self, q: Array, h: float) -> str:
        """Return which bound the next step would pass, in words; empty if none."""

    def brake(self) -> None:
        """Come to rest as soon as the limits allow."""

    def forget(self) -> None:
        """Move no more: another part of the driver brakes."""

    def step(self, h: float) -> Array | None:
        """Return the joints' state `h` [s] later, (3, 7); None if another part of the driver brakes."""


class ByHand:
    """One cycle after the other: a state of the joints to command, or none.

    Attributes:
        session: the newest that was ordered; 0: none.
        end: why it is over, in words; empty while it is not.
    """

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        self._motions: dict[str, HandMotion] = {
            State.APPROACHING: Homing(configuration, model),
            State.CALIBRATING: Exciting(configuration, model),
        }
        self._motion = self._motions[State.APPROACHING]  # the one that was ordered last
        self._state: str = State.APPROACHING  # by which it was
        self._contact = ContactForce(configuration)
        self._was_ready = self._was_stopped = False  # the order before was READY, or STOPPED
        self._number = self._counted_ns = 0  # of the newest heartbeat, and when we first saw it
        self.session, self.end = 0, ""

    @property
    def moves(self) -> bool:
        """Whether a session moves the arm, or brings it to rest."""
        return self._motion.moves

    @property
    def pressed(self) -> str:
        """Why no floating may begin: what a motion met presses still; empty if nothing does."""
        return self._contact.refusal

    @property
    def certified(self) -> bool:
        """Whether the certificate judges what is commanded."""
        return self._motion.certified

    def warm(self) -> None:
        """Lay out motions once: ruckig's first call is slow."""
        for motion in self._motions.values():
            motion.warm()

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
        if not self.moves and standing:
            if self._was_stopped and mode is not None and mode.state == State.READY:
                self._contact.forget()
            self._contact.at_rest(wrench)
        if mode is not None and mode.state in BY_HAND and mode.hand.size == 3:
            self._hear(t_ns, mode, q, standing, refusal)
        self._was_ready = mode is not None and mode.state == State.READY
        self._was_stopped = mode is not None and mode.state == State.STOPPED
        if not self.moves:
            return None
        if not self.end:
            self.end = refusal or self._let_go(t_ns, mode) or self._contact.judge(wrench)
        self.end = self.end or self._motion.objection(q, h)
        if self.end:
            self._motion.brake()
        state = self._motion.step(h)
        if not self.moves:
            self.end = self.end or self._motion.done
        return state

    def forget(self) -> None:
        """End the session: another part of the driver brakes."""
        if self.moves:
            self._motion.forget()
            self.end = self.end or "the driver brakes"

    def _hear(self, t_ns: int, mode: Mode, q: Array, standing: bool, refusal: str) -> None:
        """Take note of an order; begin with a session's first one, if all is as it must be."""
        session, number, _ = mode.hand.tolist()
        if session != self.session:
            self.session, self._number = session, 0
            self.end = refusal or self._cannot_begin(mode, q, standing)
            if not self.end:
                self._motion, self._state = self._motions[mode.state], mode.state
                self.end = self._motion.refusal(mode, q)
        if number > self._number:
            self._number, self._counted_ns = number, t_ns
        if not self.end and not self.moves:
            self.end = self._let_go(t_ns, mode) or self._motion.begin(mode, q)

    def _cannot_begin(self, mode: Mode, q: Array, standing: bool) -> str:
        """Return why nothing begins with this order; empty if it may."""
        if not self._was_ready:
            return "the state before was not READY"
        if self.moves or not standing:
            return "the arm does not stand"
        if mode.approach_from.shape != q.shape or not (abs(mode.approach_from - q) <= SAME_PLACE).all():
            return "the arm is not where its way was looked at"
        return ""

    def _let_go(self, t_ns: int, mode: Mode | None) -> str:
        """Return why the hand no longer counts; empty while it does: order and beat are fresh."""
        if mode is None or mode.state != self._state or mode.hand.size != 3:
            return "the order is over"
        session, _, beat_ns = mode.hand.tolist()
        if session != self.session:
            return "another hand holds"
        if not abs(t_ns - mode.t_ns) <= HAND_TIMEOUT_NS:
            return "the order is old"
        both = abs(t_ns - beat_ns) <= HAND_TIMEOUT_NS and t_ns - self._counted_ns <= HAND_TIMEOUT_NS
        return "" if both else HAND_OFF
