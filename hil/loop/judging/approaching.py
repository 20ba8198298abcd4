"""The operator's hand that moves the arm: who holds, since when, and when it is over.

It brings the arm to its start pose, or lets it show what load data misses. An operator asks first: the way is
looked at and a session is granted, in which heartbeats count. The first of them leads from READY to
APPROACHING or CALIBRATING. It is over when the driver says so or the hand is off, and the
arm stands: READY.
"""

import json
from dataclasses import replace

from hil.common.arrays import Array
from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.loop.approach.caps import HAND_TIMEOUT_NS, JOINT_SPEED
from hil.loop.approach.fresh_beats import FreshBeats
from hil.loop.approach.permit import Permit
from hil.loop.approach.way import WayHome
from hil.loop.judging.calibration_way import WayOfCalibration
from hil.loop.judging.state_machine import Machine, State
from hil.messaging.messages import RobotState

ARRIVED = "the arm is at its start pose"
SHOWN = "the motion is over"
DONE = ("", ARRIVED, SHOWN)  # ends that are none to tell of
FOLLOWS_NOTHING = "the arm follows nothing here (run.follow = false)"
HAND_OFF = "the hand is off"
REFUSALS = ("approach_refused", "calibrate_refused")  # keys of the status
ASK_AGAIN = "{} is refused: {}; let go, and hold again"


class Approaching:
    """Judges what a hand asks for; without an arm that follows there is nothing to approach.

    Attributes:
        errand: what was asked for last: approach or calibrate.
    """

    def __init__(self, configuration: Configuration) -> None:
        """Prepare to judge.

        Raises:
            RobotModelError: the arm's model cannot be used.
        """
        follows = configuration.run.follow
        self._home = WayHome(configuration) if follows else None
        self._calibration = WayOfCalibration(configuration) if follows else None
        self._granted: Permit | None = None
        self.errand = "approach"
        self._beats = FreshBeats(0, own_clock=True)
        self._way = ""
        self._session = 0  # the newest
        self._told: tuple[bytes, dict[str, str]] = b"", {}

    def way_refusal(self, robot: RobotState | None, errand: str, speed: float) -> str:
        """Look at the way from where the arm stands; return why it may not be taken, empty if it may.

        Args:
            robot: the driver's newest state: the way leads from its commanded pose.
            errand: approach or calibrate.
            speed: of the fastest joint, asked for [rad/s]; of an approach.
        """
        self._granted, self.errand = None, errand
        if self._home is None or self._calibration is None:
            return FOLLOWS_NOTHING
        if robot is None:
            return "it is not known where the arm stands"
        q = robot.q_command
        permit = Permit(0, 0, 0, tuple(q.tolist()), 0.0, errand)
        if errand == "calibrate":
            shown, refusal = self._calibration.judged(q)
            self._way = "" if shown is None else shown.words()
        else:
            way, refusal = self._home.judged(q, speed)
            if way is not None:
                self._way, permit = way.words(), replace(permit, speed=way.speed)
        if not refusal:
            self._granted = permit
        return refusal

    def status(self, robot: RobotState | None) -> dict[str, str]:
        """Return as plain values why either may not begin now; empty if it may, or nobody could ask.

        Args:
            robot: the driver's newest state, or None in states in which nobody could ask.
        """
        if robot is None:
            return dict.fromkeys(REFUSALS, "")
        key = robot.q_command.tobytes()
        if self._told[0] != key:
            self._told = key, dict(zip(REFUSALS, self._refused_from(robot.q_command), strict=True))
        return self._told[1]

    def _refused_from(self, q: Array) -> tuple[str, str]:
        if self._home is None or self._calibration is None:
            return FOLLOWS_NOTHING, FOLLOWS_NOTHING
        return self._home.judged(q, JOINT_SPEED)[1], self._calibration.refused_here(q)

    def grant(self, t_ns: int) -> None:
        """Grant the way that was looked at last a session of heartbeats."""
        assert self._granted is not None
        self._session = max(t_ns, self._session + 1)
        self._granted = replace(self._granted, session=self._session)
        self._beats = FreshBeats(self._session, own_clock=True)

    @property
    def granted(self) -> str:
        """The session that was granted last and its way, as JSON."""
        assert self._granted is not None
        return json.dumps({"session": self._granted.session, "way": self._way})

    def beat(self, t_ns: int, machine: Machine, robot: RobotState | None, argument: str) -> Machine:
        """Return the machine after a heartbeat of the hand that counts.

        Args:
            t_ns: now.
            machine: as it is.
            robot: the driver's newest state.
            argument: session, number and when it was sent (our clock) as JSON, and perhaps `released`.

        Raises:
            OperatorError: it does not count, for the reason that is told.
        """
        session, number, sent_ns, released = json.loads(argument)
        granted = self._granted
        if granted is None or not (machine.by_hand or machine.state is State.READY):
            raise OperatorError(f"{self.errand} is refused in {machine.state}: nothing is granted; ask first")
        if refusal := self._beats.refusal(session, number, sent_ns, t_ns):
            raise OperatorError(f"a heartbeat does not count: {refusal}")
        if machine.by_hand:
            permit = machine.permit
            assert permit is not None
            if not permit.beat_ns or t_ns - permit.beat_ns > HAND_TIMEOUT_NS:
                raise OperatorError(ASK_AGAIN.format(self.errand, "the hand was off"))
            return replace(machine, permit=replace(permit, number=number, beat_ns=0 if released else sent_ns))
        self._granted_again(robot, granted)
        return machine if released else machine.held_on(replace(granted, number=number, beat_ns=sent_ns))

    def _granted_again(self, robot: RobotState | None, granted: Permit) -> None:
        """Raise unless the arm stands where the granted way begins."""
        if robot is None or not _near(robot.q_command, granted.begin):
            self._granted = None
            gone = "the arm is no longer where its way was looked at"
            raise OperatorError(ASK_AGAIN.format(granted.errand, gone))

    def step(self, t_ns: int, machine: Machine, moving: bool, robot: RobotState | None) -> Machine:
        """Return the machine, READY when the motion is over and the arm stands."""
        if not machine.by_hand:
            return machine
        permit = machine.permit
        assert permit is not None
        told = robot is not None and robot.approach_session == permit.session
        end = robot.approach_end if robot is not None and told else ""
        if not permit.beat_ns or t_ns - permit.beat_ns > HAND_TIMEOUT_NS:
            end = end or HAND_OFF
        if not end or moving:
            return machine
        self._granted = None  # whoever goes on asks anew: the way then begins elsewhere
        return machine.let_go("" if end in DONE else end)


def _near(q: Array, begin: tuple[float, ...]) -> bool:
    return all(a == b for a, b in zip(q.tolist(), begin, strict=True))
