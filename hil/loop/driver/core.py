"""The driver's cycle: one robot packet in, one command out. Pure: no socket, no clock.

Sample -> wrench at the object's centre of mass -> filter and detector -> plan looked ahead by the
interface delay, bent by the short cut -> limiter -> certificate -> guard -> command. The caller wraps
`cycle` once: whatever it raises goes to `emergency`, which brakes; from then on a command has always been
chosen.
"""

from collections.abc import Sequence

import numpy as np

from drivers.fri.session import FriSample
from drivers.sensor.rdt import SensorRecord
from hil.common.arrays import Array
from hil.common.errors import ConfigurationError
from hil.common.freshness import is_fresh
from hil.configuration import Configuration
from hil.configuration.base_rules import undriven
from hil.configuration.frames import Frames
from hil.loop.carried.carried_arm import CarriedArm
from hil.loop.driver.by_hand import ByHand
from hil.loop.driver.certificate import Certificate
from hil.loop.driver.continuous_force import continuous_force
from hil.loop.driver.cycle import Conclusion, Counters, Cycle
from hil.loop.driver.interface_delay import InterfaceDelay
from hil.loop.driver.lacking import Lacking
from hil.loop.driver.live_slices import live_slices_of
from hil.loop.driver.robot_session import session_name
from hil.loop.driver.robot_watch import RobotWatch
from hil.loop.driver.sensing import Sensing
from hil.loop.driver.touching import Touching
from hil.loop.judging.liveness import LOST
from hil.loop.judging.state_machine import MODE_TIMEOUT_NS, MOVING, State
from hil.messaging.inside_messages import InsideState
from hil.messaging.messages import ImpulseSlice, Mode, Plan, RobotState
from hil.messaging.sensor_messages import SensorState
from hil.wrench.detector.push_report import PushReport
from planner.following.closing import closing_of
from planner.following.guard import Guard, Verdict
from planner.following.interpolator import Interpolator, JointCommand
from planner.kinematics.arm_model import ArmModel

NOWHERE = np.full(7, np.nan)  # a command that the guard answers with its brake


class DriverCore:
    """Between a measured sample and a checked command; `touching` is lasting force, `carried` by a base."""

    def __init__(
        self, configuration: Configuration, model: ArmModel, carried: CarriedArm | None = None
    ) -> None:
        """Set up for a run and an arm; `carried` where a base carries it.

        Raises:
            ConfigurationError: a base is to carry the arm, and nobody tells of it.
        """
        c = configuration
        if carried is None and c.base.kind != "none":
            raise ConfigurationError(undriven(c))
        self._setting = c.interpolation
        self._frames = Frames.from_configuration(c)
        self._dt = c.fri.sample_time
        self.touching = continuous_force(c, model, self._frames)
        self._sensing = Sensing(c, model, self._frames, self.touching)
        self._order: Mode | None = None  # the newest; its thresholds are taken when the answer has left
        closing = closing_of(model, self._frames.T_flange_object, c.stops, c.interpolation)
        self._interpolator = Interpolator(model, c.limits, c.interpolation, self._dt, closing)
        self._guard = Guard(model, c.limits, self._dt)
        self._certificate = Certificate(c, model)
        self._delay = InterfaceDelay(c.interpolation.lead_time, self._dt)
        self._watch = RobotWatch(c)
        self._live = live_slices_of(c, self.touching is not None)
        self.carried = carried
        self._lacking = Lacking(c, model, self._live, self.touching, carried)
        self._by_hand = ByHand(c, model)
        self._plan: Plan | None = None
        self._unfollowed: int | None = None  # number of a plan that was taken and not followed yet
        self._answered_cycles = 0  # between the last two commands, as long as nothing was learned from them
        self._epoch = 0
        self._reports: list[PushReport] = []
        self._sample: FriSample | None = None
        self._silent = False  # since the newest sample no packet has come in time
        self._q_command, self._dq_command = np.zeros(7), np.zeros(7)
        self._commanding = False
        self._sent_count = 0  # the packet that was answered with the last command
        self.following = self.afloat = False  # afloat: by the order of the last cycle the object floats
        self.reason = self.fault = ""
        self._fault_ordered = False  # the supervisor has taken the fault for one

    def warm(self) -> None:
        """Compile or load everything that a cycle can need."""
        self._sensing.warm()
        self._lacking.warm()
        self._live.warm()
        self._by_hand.warm()
        self._interpolator.warm()
        self._guard.warm()
        self._certificate.warm()
        self._delay.warm()
        self._watch.warm()
        if self.touching is not None:
            self.touching.warm()
        if self.carried is not None:
            self.carried.warm()

    @property
    def q_command(self) -> Array:
        """The last command [rad], shape (7,)."""
        return self._q_command

    @property
    def wrench_object(self) -> Array:
        """The newest wrench at the object's centre of mass, in its axes [N, N m], shape (6,)."""
        return self._sensing.wrench_object

    @property
    def moving(self) -> bool:
        """Whether the commands of the last cycle were not at rest."""
        return bool(self._dq_command.any())

    @property
    def _rests(self) -> bool:
        """Whether the arm stands, untouched, and nobody floats or holds it: a sensor then reads its bias."""
        idle = self._order is None or self._order.state in (State.STOPPED, State.READY, State.FAULT)
        return idle and not (self.moving or self.following or self.afloat or self._by_hand.pressed)

    def sensor_missing(self, now_ns: int) -> str:
        """Return why no motion may begin on a force sensor's wrench; empty if one may, or there is none."""
        external = self._sensing.external
        return "" if external is None else external.missing(now_ns)

    def lacking(self, now_ns: int) -> str:
        """Return why no motion may begin, by a force sensor or by a base; empty if one may."""
        base = "" if self.carried is None else self.carried.missing(now_ns)
        return self.sensor_missing(now_ns) or base

    def sensor_state(self, t_ns: int) -> SensorState | None:
        """Return how the force sensor's stream is; None if there is no sensor."""
        external = self._sensing.external
        return None if external is None else external.state(t_ns)

    @property
    def lead(self) -> float:
        """How far the plan is looked ahead [s]."""
        if self._setting.lead == "none":
            return 0.0
        return self._setting.lead_time if self._setting.lead == "fixed" else self._delay.estimate

    def sense(self, records: Sequence[SensorRecord]) -> None:
        """Take a force sensor's records that came since the last sample, before that is observed."""
        self._sensing.sense(records, self.afloat)

    def hear_inside(self, state: InsideState) -> None:
        """Take how the object with its bodies inside answers pushes now: from the next one on."""
        self._live.answer_by(np.array(state.mobility))

    def observe(self, sample: FriSample) -> None:
        """Take a sample's wrench: filter and detector see every sample, also of packets that came late."""
        self._sample, self._silent = sample, False
        self._suspect(self._watch.observe(sample))
        if self.touching is not None:
            self._place(sample, self.touching)
        if self.carried is not None:
            self._suspect(self.carried.step(sample.t_ns, sample.arrival_ns, self.afloat))
            self._sensing.faked = self.carried.faked(sample.q_measured, self._dq_command)
        report = self._sensing.observe(sample, self._q_command)
        if self.touching is not None:
            self._suspect(self.touching.fault)
        if report is not None:
            self._live.add(report)
            self._reports.append(report)

    def slices_of(self, cycle: Cycle) -> list[ImpulseSlice]:
        """Return the slices that a cycle reports, when its answer has left; if it fails, the next brakes."""
        try:
            return [item for report in cycle.reports for item in report.messages()]
        except Exception as error:
            self._failed(error)
            return []

    def conclude(self, sample: FriSample, slices: list[ImpulseSlice], plan: Plan | None) -> Conclusion:
        """Do what no answer waits for, when a cycle's answer has left; should it fail, the next one brakes.

        Args:
            sample: that has been answered.
            slices: of its cycle.
            plan: that has come since the last cycle, or None; it is followed from the next one on.
        """
        try:
            self._sensing.retune(self._order)
            self._sensing.rest(self._rests)
            self._learn(sample)
            self._sensing.retime(self._delay.estimate)
            contacts, drives = [], []
            if (touching := self.touching) is not None:
                touching.retime(self.lead)
                contacts, drives = touching.told(), touching.drives.told(sample.t_ns)
            ring = [] if plan is None else self._take(sample.t_ns, plan)
            return Conclusion(self._sensing.testify(slices), contacts, ring, drives)
        except Exception as error:
            self._failed(error)
            return Conclusion()

    def _take(self, t_ns: int, plan: Plan) -> list[float]:
        """Take a plan and return how long the slices that it contains took round the ring [s]."""
        if plan.epoch != self._epoch or self._interpolator.accept(plan):
            return []
        if self._plan is None:  # the arm sets off by it, however late it comes: that is no push
            self._sensing.restart()
        self._plan, self._unfollowed = plan, plan.number
        return self._live.arrived(t_ns, plan)

    def _learn(self, sample: FriSample) -> None:
        """Take what a cycle teaches of the robot's delay."""
        if self._answered_cycles:
            self._delay.step(self._q_command, sample.q_measured, self._answered_cycles)
        self._answered_cycles = 0

    def cycle(self, sample: FriSample, mode: Mode | None) -> Cycle:
        """Answer one robot packet, which has been observed.

        Args:
            sample: the decoded packet.
            mode: the supervisor's newest order, however old.
        """
        reports, self._reports = self._reports, []
        self.afloat = moving = self._obey(sample.arrival_ns, mode)
        if (moving or self._by_hand.moves) and (implausible := self._sensing.implausible(sample)):
            self._suspect(implausible)
        if not sample.commanding:
            self._commanding = self.following = False
            self._by_hand.forget()
            self.reason = f"robot in {session_name(sample)} mode"
            self._q_command, self._dq_command = sample.q_commanded, np.zeros(7)
            return Cycle(None, reports)
        if not self._commanding or sample.new_session:
            # a new session continues from what the controller commands, never from an old set-point
            self._commanding = True
            self._restart(sample.q_commanded)
            self._watch.begin(sample.count, sample.q_commanded)
            self._sent_count = sample.count
            return Cycle(sample.q_commanded, reports)
        self._suspect(self._watch.judge(sample, self._delay))
        q_command = self._command(sample, moving and not self.fault, mode)
        withheld = self._sent(sample, q_command)
        first, self._unfollowed = (self._unfollowed, None) if self.following else (None, self._unfollowed)
        return Cycle(q_command, reports, first, withheld)

    def silence(self) -> bool:
        """No packet came in time. Should the robot still take commands, the stream goes on over the gap.

        Returns:
            Whether there is a state to tell: a robot was there before.
        """
        self.following, self.afloat, self._silent = False, False, True
        self.reason = "the robot is silent"
        return self._sample is not None

    def emergency(self, sample: FriSample, error: Exception) -> Cycle:
        """Brake after a failure within a sample's cycle: the guard lays out the way to rest."""
        self._failed(error)
        self.following = False
        self._sample = sample
        # failures may last until the next session has begun: then nothing of the last one may go out
        self._commanding &= sample.commanding and not sample.new_session
        if not self._commanding:
            return Cycle(None)
        q_command = self._checked(NOWHERE, sample.count).q
        return Cycle(q_command, withheld=self._sent(sample, q_command))

    def _place(self, sample: FriSample, touching: Touching) -> None:
        """Say where the body is at a sample's instant, as long as the arm follows a plan."""
        planned = self._interpolator.planned(sample.t_ns) if self.following else None
        missing = None if planned is None else self._live.missing(sample.t_ns, sample.t_ns)
        held = self._order is not None and self._order.state == State.HOLDING
        touching.place(sample, self._q_command, planned, missing, held, self._interpolator.pace(sample.t_ns))

    def _suspect(self, finding: str) -> None:
        """Note what was found of the robot, if anything: from now on the arm brakes."""
        self.fault = self.fault or finding

    def _sent(self, sample: FriSample, q_command: Array) -> bool:
        """Let the watch know of a command and return whether it must not be sent."""
        withheld = self._watch.sent(sample, q_command)
        self._suspect(withheld)
        return bool(withheld)

    def _failed(self, error: Exception) -> None:
        """Note a failure: from the next cycle on the arm brakes."""
        self.fault = self.fault or f"driver: {type(error).__name__}: {error}"

    def state(self, t_ns: int, counters: Counters) -> RobotState:
        """Return what the others want to know about the last cycle, or about the silence since."""
        sample, carried = self._sample, self.carried
        assert sample is not None
        hurled = "" if carried is None or self.afloat else carried.refusal(self._q_command)
        return RobotState(
            t_ns=t_ns,
            arrival_ns=sample.arrival_ns,
            session=LOST if self._silent else session_name(sample),
            quality=0 if self._silent else sample.quality,
            power_on=sample.power_on,
            q_measured=sample.q_measured,
            q_command=self._q_command,
            dq_command=self._dq_command,
            wrench_object=self.wrench_object,
            wrench_witness=self._sensing.wrench_witness,
            delay=self.lead,
            following=self.following,
            braking_reason=self.reason,
            fault=self.fault,
            refusal=self._sensing.refusal(sample.arrival_ns) or self._by_hand.pressed or hurled,
            warning=self._watch.warning(t_ns) or self._sensing.warning,
            cycles=counters.cycles,
            missed=counters.missed,
            cycle_p50=counters.cycle_p50,
            sample_to_command_p50=counters.sample_to_command_p50,
            ring_p50=counters.ring_p50,
            unsent=counters.unsent,
            unsent_reason=counters.unsent_reason,
            approach_session=self._by_hand.session,
            approach_end=self._by_hand.end,
        )

    def _obey(self, now_ns: int, mode: Mode | None) -> bool:
        """Take note of the supervisor's order and return whether, by host time, the arm may follow a plan."""
        if mode is None:
            return False
        self._order = mode
        if mode.epoch != self._epoch:
            self._epoch, self._plan, self._unfollowed = mode.epoch, None, None
            self._live.clear()
            self._sensing.restart()
            self._suspect(self._sensing.pressed or self._by_hand.pressed)  # should anybody have ordered it
        self._obey_reset(mode)
        fresh = is_fresh(now_ns, mode.t_ns, MODE_TIMEOUT_NS)
        return fresh and mode.state in MOVING and not self.fault

    def _obey_reset(self, mode: Mode) -> None:
        """Forget a fault when the arm stands and the order is READY after it was FAULT: by a reset only."""
        self._fault_ordered &= bool(self.fault)
        if self.fault and mode.state == State.FAULT:
            self._fault_ordered = True
        standing = self._guard.at_rest and not self._dq_command.any()
        if self._fault_ordered and mode.state == State.READY and standing:
            self.fault, self._fault_ordered = "", False
            if self.carried is not None:
                self.carried.reset()
            self._restart(self._q_command)

    def _restart(self, q: Array) -> None:
        self._by_hand.forget()
        self._interpolator.reset(q)
        self._guard.reset(q)
        self._delay.interrupt()
        self._q_command, self._dq_command = q, np.zeros(7)

    def _command(self, sample: FriSample, moving: bool, mode: Mode | None) -> Array:
        follow = moving and self._plan is not None
        twist = J = None
        if follow:
            planned = self._interpolator.planned_velocity(sample.t_ns)
            twist, J = self._lacking.at(sample, self._interpolator.lead, planned)
        cycles = sample.count - self._sent_count
        dq_before = self._interpolator.dq
        step = self._held_on(sample, mode, cycles) or self._interpolator.step(
            sample.t_ns, self.lead, twist, J, follow, cycles, sample.arrival_ns,
            0.0 if self.touching is None else self.touching.closing_rate,
        )  # fmt: skip
        objection = self._certificate.objection(self._q_command, dq_before, step, self._interpolator.lead)
        verdict = self._checked(step.q, sample.count, objection)
        if not self.fault:
            self.fault = verdict.violation or (step.reason if self._interpolator.latched else "")
        self.following, self.reason = step.following and not verdict.violation, step.reason
        self._answered_cycles = cycles
        return verdict.q

    def _held_on(self, sample: FriSample, mode: Mode | None, cycles: int) -> JointCommand | None:
        """Return the step of a motion that an operator's hand holds on to; None if none goes on."""
        if cycles <= 0:
            return None
        standing = not (self.moving or self.following) and self._guard.at_rest
        felt, dt = self.wrench_object, cycles * self._dt
        state = self._by_hand.step(sample.arrival_ns, mode, felt, self._q_command, standing, self.fault, dt)
        return None if state is None else self._interpolator.carried(state, cycles, self._by_hand.certified)

    def _checked(self, q: Array, count: int, objection: str = "") -> Verdict:
        """Let the guard judge the command that answers packet `count`, or brake for an `objection`.

        Time is counted in the robot's packets: they are exact, and what the robot moves by. A packet
        whose command has been judged is answered with that one whatever fails afterwards.
        """
        if count == self._sent_count:
            return Verdict(self._q_command, self._guard.fault)
        elapsed = (count - self._sent_count) * self._dt
        verdict = self._guard.check(q, elapsed, objection)
        self._dq_command = (verdict.q - self._q_command) / elapsed
        self._q_command, self._sent_count = verdict.q, count
        return verdict
