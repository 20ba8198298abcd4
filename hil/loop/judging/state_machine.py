"""The states of the emulator and what may lead from one to another.

STOPPED -> READY -> FLOATING <-> HOLDING, READY <-> APPROACHING or CALIBRATING, FAULT from anywhere. FAULT
is left only by an operator's `reset`. A pure core: it is told what happened and says in which state the
machine is.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import OperatorError
from hil.loop.approach.permit import Permit
from hil.messaging.messages import Mode


class State(StrEnum):
    """What the arm may do."""

    STOPPED = "STOPPED"  # stands; something is not there yet, or an operator stopped it
    READY = "READY"  # stands; everything is there and may float
    APPROACHING = "APPROACHING"  # an operator's hand brings it to its start pose, as long as it holds
    CALIBRATING = "CALIBRATING"  # it moves to show what load data misses, as long as an operator's hand holds
    FLOATING = "FLOATING"  # the mock-up moves as in micro-gravity
    HOLDING = "HOLDING"  # object time stands still, by an operator or because no path exists
    FAULT = "FAULT"  # braked; an operator must look


MOVING = (State.FLOATING, State.HOLDING)
BY_HAND = (State.APPROACHING, State.CALIBRATING)
ERRANDS = {"approach": State.APPROACHING, "calibrate": State.CALIBRATING}
MODE_TIMEOUT_NS = 500_000_000  # an order older than this no longer holds: the arm brakes
NO_PATH = "no path"
RUN_OVER = "the run is over"
AS_CONFIGURED: Array = np.zeros(0)
NOTHING: Array = np.zeros(0)
NO_HAND = np.zeros(0, np.int64)


@dataclass(frozen=True)
class Machine:
    """The state with its reason; `epoch` counts how often floating began anew.

    `initial_twist` is what an operator asked of the present floating (6 numbers, or none: as configured),
    `permit` what his hand was granted while it moves the arm, `begin_ns` before which no object time passes.
    """

    state: State = State.STOPPED
    epoch: int = 0
    reason: str = "starting"
    stopped_by_operator: bool = False
    initial_twist: tuple[float, ...] = ()
    permit: Permit | None = None
    begin_ns: int = 0

    @property
    def driven(self) -> bool:
        """Whether the arm may move: it follows plans, or an operator's hand moves it."""
        return self.moving or self.by_hand

    @property
    def by_hand(self) -> bool:
        """Whether the arm may move as long as an operator's hand holds on."""
        return self.state in BY_HAND

    @property
    def moving(self) -> bool:
        """Whether the arm may follow a plan."""
        return self.state in MOVING

    def mode(self, t_ns: int, thresholds: Array = AS_CONFIGURED) -> Mode:
        """Return the order to all processes, with the detector's thresholds in force."""
        hold = self.state is State.HOLDING and not self.reason.startswith(NO_PATH)
        twist = np.array(self.initial_twist)
        permit = self.permit if self.by_hand else None
        if permit is None:
            approach = NO_HAND, NOTHING, NOTHING
        else:
            hand = np.array((permit.session, permit.number, permit.beat_ns))
            approach = hand, np.array(permit.begin), np.array((permit.speed,))
        said = self.state.value, self.epoch, self.reason, hold, self.begin_ns
        return Mode(t_ns, *said, twist, thresholds, *approach)

    def fault(self, reason: str) -> "Machine":
        """Anything unexpected: from every state to FAULT. The first reason stands until the reset."""
        if self.state is State.FAULT:
            return self
        return replace(self, state=State.FAULT, reason=reason)

    def health(self, missing: str) -> "Machine":
        """Report what is missing for readiness (empty: nothing)."""
        if self.state is State.STOPPED and not missing and not self.stopped_by_operator:
            return replace(self, state=State.READY, reason="")
        if self.state is State.READY and missing:
            return replace(self, state=State.STOPPED, reason=missing)
        if self.state is State.STOPPED and missing:
            return replace(self, reason=missing)
        if self.driven and missing:
            return self.fault(missing)
        return self

    def policy(self, policy: str, reason: str) -> "Machine":
        """The planner's policy: HOLD while floating leads to HOLDING, anything else back out of it."""
        if self.state is State.FLOATING and policy == "HOLD":
            return replace(self, state=State.HOLDING, reason=f"{NO_PATH}: {reason}")
        if self.state is State.HOLDING and policy != "HOLD" and self.reason.startswith(NO_PATH):
            return replace(self, state=State.FLOATING, reason="")
        return self

    def float(self, initial_twist: tuple[float, ...] = (), begin_ns: int = 0) -> "Machine":
        """Let the object float: anew from READY, with a motion if one is asked for; on from HOLDING.

        `begin_ns`: before which no object time passes; 0: as soon as it can.
        """
        if self.state is State.READY:
            return replace(
                self,
                state=State.FLOATING,
                epoch=self.epoch + 1,
                reason="",
                initial_twist=initial_twist,
                begin_ns=begin_ns,
            )
        if initial_twist:
            raise OperatorError(
                f"float with a motion is refused in {self.state}: a motion can begin from READY only"
            )
        if self.state is State.HOLDING:
            return replace(self, state=State.FLOATING, reason="")
        if self.state is State.FLOATING:
            return self
        raise OperatorError(f"float is refused in {self.state} ({self.reason}): {_remedy(self)}")

    def held_on(self, permit: Permit) -> "Machine":
        """Let an operator's hand move the arm, from READY only."""
        if self.state is State.READY:
            return replace(self, state=ERRANDS[permit.errand], reason="", permit=permit)
        raise OperatorError(f"{permit.errand} is refused in {self.state} ({self.reason}): {_remedy(self)}")

    def let_go(self, reason: str) -> "Machine":
        """The hand's motion is over and the arm stands: READY, with why it was over; empty if it is done."""
        return replace(self, state=State.READY, reason=reason, permit=None)

    def hold(self, reason: str = "by the operator") -> "Machine":
        """Bring object time to a stand until an operator lets it go on."""
        if self.state is State.FLOATING:
            return replace(self, state=State.HOLDING, reason=reason)
        if self.state is State.HOLDING:
            return replace(self, reason=reason)
        raise OperatorError(f"hold is refused in {self.state}: nothing floats")

    def stop(self, reason: str = "by the operator") -> "Machine":
        """Brake and stand; from everywhere but FAULT, which already stands."""
        if self.state is State.FAULT:
            return self
        return replace(self, state=State.STOPPED, reason=reason, stopped_by_operator=True)

    def reload(self) -> "Machine":
        """All processes start again: stand until they are there; a fault stays one."""
        return self if self.state is State.FAULT else replace(self, state=State.STOPPED, reason="reloading")

    def reset(self) -> "Machine":
        """Leave FAULT, or an operator's stop; readiness is then judged anew. Never moves the arm."""
        if self.driven:
            raise OperatorError(f"reset is refused in {self.state}: stop first")
        return replace(self, state=State.STOPPED, reason="reset", stopped_by_operator=False)


def _remedy(machine: Machine) -> str:
    if machine.state is State.FAULT or machine.stopped_by_operator:
        return "reset first"
    if machine.by_hand:
        return "let go first"
    if machine.moving:
        return "stop first"
    return "wait for READY"
