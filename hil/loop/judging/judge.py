"""The state machine with all that judges it: readiness, faults, policy, energy, experiments. Pure.

The daemon and the lock-step loop share it. Every change of the state goes through it and is noted, so that
what was ordered and judged in a turn can be told, and judged again.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.loop.approach.permit import Permit
from hil.loop.judging.approaching import REFUSALS, Approaching
from hil.loop.judging.energy_monitor import EnergyMonitor
from hil.loop.judging.entrance import Entrance
from hil.loop.judging.experimenter import Experimenter
from hil.loop.judging.real_arm import CHECKED, FORGETS, PASSED, RealArm
from hil.loop.judging.state_machine import Machine, State
from hil.messaging.messages import ImpulseSlice, RobotState, SimState, Witness

JUDGED = ("judge", "")  # what nearly every turn notes,
JUDGED_ONLY = json.dumps([JUDGED])  # and nothing else
FORGETTING_NS = 500_000_000  # within which the driver forgets a fault that was reset, once the arm stands
BEGIN_NS = 800_000_000  # until object time passes where two arms float: until both are there, and planned
HELD = "held"  # notes the instant of the robot's state from which a motion began, or by which it is over


def both(*refusals: str) -> str:
    """Return reasons in one sentence, without those that are empty."""
    return "; ".join(filter(None, refusals))


class Policy(Protocol):
    """What counts of a plan."""

    @property
    def t_ns(self) -> int:
        """Its instant."""

    @property
    def epoch(self) -> int:
        """Which floating it is meant for."""

    @property
    def policy(self) -> str:
        """RUN, SLOW or HOLD."""

    @property
    def reason(self) -> str:
        """Why not RUN."""


@dataclass(frozen=True)
class Evidence:
    """What a turn has seen.

    Attributes:
        missing: for readiness, in words; empty if nothing is.
        stuck: why the arm does not follow though it should, in words.
        fault: the driver's.
        moving: the arm moves.
        plan: the newest.
        sim: the object's newest state.
        robot: the driver's newest state, whose commanded pose floating would begin at.
    """

    missing: str = ""
    stuck: str = ""
    fault: str = ""
    moving: bool = False
    plan: Policy | None = None
    sim: SimState | None = None
    robot: RobotState | None = None


class Judge:
    """Keeps the machine.

    Attributes:
        machine: the state of the run.
        energy: the monitor of the object's energy.
        experiments: the series of experiments.
        entrance: the door from READY to FLOATING.
        real_arm: what a real arm's configuration lacks before it may move.
        second_arm: why a second arm is in the way of what a hand holds on to; empty if it is not.
        grip_unknown: why nobody knows whether a second arm holds on, or why an arm that shares this one's
            motion does not float with it; empty if neither is so.
        approaching: the hand that brings the arm to its start pose, or lets it show what load data misses.
    """

    def __init__(self, configuration: Configuration, machine: Machine | None = None) -> None:
        self.machine = machine or Machine()
        self._noted: list[tuple[str, str]] = []
        self._robot: RobotState | None = None  # as the last turn has seen it
        self._t_ns = 0  # of the last turn
        self.second_arm = self.grip_unknown = ""
        self._fault = self._forgiven = ""  # the driver's in the last turn, and the one that was reset last
        self._forgiven_ns = 0
        self.configured(configuration)

    def configured(self, configuration: Configuration) -> None:
        """Take another configuration; the state stays.

        Raises:
            RobotModelError: the arm's model cannot be used; then all stays as it was.
        """
        entrance, approaching = Entrance(configuration), Approaching(configuration)
        self.entrance, self.approaching, self.real_arm = entrance, approaching, RealArm(configuration)
        self.energy, self.experiments = EnergyMonitor(configuration), Experimenter(configuration)
        self._shared = configuration.shared is not None
        self._pushed = configuration.admittance is None  # else nothing is a push whose work could be reckoned

    def hear(self, slices: Sequence[ImpulseSlice], witnesses: Sequence[Witness]) -> None:
        """Hear of the slices that were reported, and of what the joint torques say of them."""
        for item in slices:
            self.experiments.hear(item)
            self.energy.push(item)
        for statement in witnesses:
            self.energy.witness(statement)

    def step(self, t_ns: int, seen: Evidence) -> Machine:
        """Judge what a turn has seen and return the machine."""
        self._noted.append(JUDGED)
        self._robot, self._fault, self._t_ns = seen.robot, seen.fault, t_ns
        machine = self._faulted(self.machine.health(seen.missing or self._braking(seen)), seen)
        if seen.stuck and machine.moving:
            machine = machine.fault(seen.stuck)
        if seen.plan is not None and seen.plan.epoch == machine.epoch:
            machine = machine.policy(seen.plan.policy, seen.plan.reason)
        if machine.by_hand:
            self._note_robot()
            machine = self.approaching.step(t_ns, machine, seen.moving, seen.robot)
        if self._pushed:
            machine = self.energy.step(t_ns, machine, seen.sim)
        self.machine = self.experiments.step(t_ns, machine, seen.moving)
        return self.machine

    def _braking(self, seen: Evidence) -> str:
        """Return in words that the arm still brakes, after a stop that was reset; else empty."""
        return "the arm comes to rest" if seen.moving and self.machine.state is State.STOPPED else ""

    def _faulted(self, machine: Machine, seen: Evidence) -> Machine:
        """Return the machine, in FAULT for a fault of the driver's, whatever the state.

        The driver forgets a fault only when the order is READY and the arm stands: one that an operator has
        reset is shown for a while yet.
        """
        if not seen.fault:
            self._forgiven = ""
        if seen.moving:
            self._forgiven_ns = self._t_ns
        late = self._t_ns - self._forgiven_ns > FORGETTING_NS
        if seen.fault and (machine.driven or late or seen.fault != self._forgiven):
            return machine.fault(seen.fault)
        return machine

    def order(self, verb: str, argument: str = "") -> Machine:
        """Do what an operator or the daemon orders and return the machine.

        Args:
            verb: float, follow (float with the arm that shares the motion), approach, calibrate, beat, hold,
                reset, stop, fault, reload, `CHECKED`, or `FORGETS`.
            argument: the reason of a stop, fault or hold; of float the initial twist as JSON, or nothing; of
                follow the instant before which no object time passes [ns]; of approach the speed [rad/s]; of
                beat a hand's heartbeat, see `Approaching.beat`; of `CHECKED` whether the check of the wrench
                has passed; of `FORGETS` why the run's state does not last.

        Raises:
            OperatorError: the state does not allow it, a real arm's configuration is not checked, or floating
                would begin outside the stops too fast.
        """
        machine = self.machine
        if verb == "float":
            begin_ns = self._t_ns + BEGIN_NS if self._shared else 0
            self.machine = self._floated(tuple(json.loads(argument or "[]")), begin_ns)
        elif verb == "follow":
            self.machine = self._floated((), int(argument))
        elif verb == CHECKED:
            self.real_arm.heard(argument == PASSED)
        elif verb == FORGETS:
            self.real_arm.forgets = argument
        elif verb == "approach":
            self._look_at_way(verb, float(argument))
        elif verb == "calibrate":
            self._look_at_way(verb)
        elif verb == "beat":
            self.machine = self._held_on(argument)
        elif verb in ("stop", "fault"):
            self.experiments.waiting = False  # whoever stops a series need not be quicker than it
            self.machine = (machine.stop if verb == "stop" else machine.fault)(argument)
        else:
            hold = partial(machine.hold, argument) if argument else machine.hold
            self.machine = {"hold": hold, "reset": machine.reset, "reload": machine.reload}[verb]()
        if verb == "reset":
            self._forgiven, self._forgiven_ns = self._fault, self._t_ns
        self._noted.append((verb, argument))
        return self.machine

    def _floated(self, twist: tuple[float, ...], begin_ns: int) -> Machine:
        """Return the machine that floats; every way into FLOATING that begins a motion leads through here."""
        before, robot = self.machine, self._robot
        if self._shared and before.state is State.HOLDING:
            raise OperatorError(
                "float is refused in HOLDING: what two arms share goes on for none of them once it was held: "
                "stop both, bring both back to their starts (`zerog approach`), then float anew"
            )
        machine = before.float(twist, begin_ns)
        if before.state is State.READY:
            felt = "" if robot is None else robot.refusal
            self._admit(
                "float", both(felt, self.grip_unknown, self.entrance.refusal(robot, machine.epoch, twist))
            )
        return machine

    def _look_at_way(self, errand: str, speed: float = 0.0) -> None:
        """Grant an operator's hand a way, to the start pose or of calibration; nothing moves yet."""
        if self.machine.state is not State.READY:
            self.machine.held_on(Permit(0, 0, 0, (), speed, errand))  # says why not
        refusal = self.approaching.way_refusal(self._robot, errand, speed)
        self._admit(errand, both(refusal, self.second_arm))
        self.approaching.grant(self._t_ns)

    def _held_on(self, argument: str) -> Machine:
        """Return the machine after a heartbeat of the hand; the first one begins the motion."""
        if self.machine.state is State.READY:
            self._admit(self.approaching.errand, self.second_arm)
        return self.approaching.beat(self._t_ns, self.machine, self._robot, argument)

    def _admit(self, verb: str, refusal: str) -> None:
        """Let a motion begin from READY, whoever asks for whatever: the one place where that is judged.

        What is known of the check of a real arm's wrench is noted beside, to be judged by again.

        Args:
            verb: float, approach or calibrate.
            refusal: why it may not begin from where the arm stands; empty if it may.

        Raises:
            OperatorError: it may not, or a real arm's configuration is not checked; all is told at once.
        """
        if why := both(refusal, self.real_arm.refusal):
            raise OperatorError(f"{verb} is refused: {why}")
        if self.real_arm.wrench_checked:
            self._noted.append((CHECKED, PASSED))
        self._note_robot()

    def _note_robot(self) -> None:
        """Note which of the robot's states was judged."""
        if self._robot is not None:
            self._noted.append((HELD, str(self._robot.t_ns)))

    def status(self) -> dict[str, Any]:
        """Return as plain values what lacks and, before it moves, where the object is held to the stops."""
        machine, robot = self.machine, self._robot
        ready = robot if machine.state is State.READY else None
        held = self.entrance.status(None if machine.moving else robot, machine.epoch + 1)
        held |= self.approaching.status(ready)
        if robot is not None and robot.refusal and not machine.moving:
            held = held | {"float_refused": both(robot.refusal, held["float_refused"])}
        if self.grip_unknown and not machine.moving:
            keys = "float_refused", "motion_refused"
            held = held | {key: both(self.grip_unknown, held[key]) for key in keys}
        if self.second_arm and ready:
            held = held | {key: both(held[key], self.second_arm) for key in REFUSALS}
        if (refusal := self.real_arm.refusal) and not machine.moving:
            told = ("float_refused", "motion_refused", *(REFUSALS if ready else ()))
            held = held | {key: both(held[key], refusal) for key in told}
        return held | self.real_arm.status()

    def taken(self) -> str:
        """Return what was judged and ordered since the last call, in order, as JSON."""
        noted, self._noted = self._noted, []
        return JUDGED_ONLY if noted == [JUDGED] else json.dumps(noted)
