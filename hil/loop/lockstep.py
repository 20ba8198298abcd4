"""The whole loop on virtual time in one process: the same cores, no socket, no clock, no thread.

Same seed, same bytes. What the operating system and the sockets cost in the live loop is stood for by
fixed latencies, so that reactions round the ring are as late as they are there (4 to 8 ms).
"""

from collections import deque
from collections.abc import Callable

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.emulation_log import DISTURBANCE, PUSH
from drivers.emulation.operator.replayed_wrench import ReplayedWrench
from drivers.fri.codec import CommandDatagram
from drivers.fri.session import FriSample, FriSession
from drivers.sensor.rdt import SensorRecord, decode_record
from hil.common.arrays import Array
from hil.common.clock import nanoseconds
from hil.common.errors import LinkError
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.carried.lockstep_base import LockStepBase
from hil.loop.driver.core import DriverCore
from hil.loop.driver.cycle import Conclusion, Counters, Cycle
from hil.loop.driver.robot_session import session_name
from hil.loop.judging.energy_monitor import EnergyMonitor
from hil.loop.judging.judge import Evidence, Judge
from hil.loop.judging.liveness import LOST, robot_missing
from hil.loop.judging.state_machine import AS_CONFIGURED, Machine, State
from hil.loop.lockstep_inside import LockStepInside
from hil.loop.lockstep_link import LockStepLink
from hil.loop.lockstep_logs import LockStepLogs, content_of
from hil.loop.partner.found import grasp_of
from hil.loop.real_port import port_of
from hil.loop.sim_core import SimCore
from hil.loop.trace.cycle_rows import CycleRows
from hil.loop.trace.recorder import Trace, TraceRecorder
from hil.loop.true_pushes import tell_true_pushes
from hil.messaging.codec import Message, over_the_wire
from hil.messaging.messages import (
    Disturbance,
    ImpulseSlice,
    Mode,
    Plan,
    Prediction,
    Push,
    RobotState,
    SimState,
)
from planner.branches.path_planner import PathPlanner
from planner.kinematics.arm_model import load_arm_model

START_NS = 1_000_000_000
SIM_LATENCY_NS = 1_000_000  # from a slice's report to the simulation's turn
STATE_PERIOD_NS = 10_000_000  # of the driver's state, as in the live loop,
MODE_PERIOD_NS = 20_000_000  # and of the supervisor's order
PLAN_LATENCY_NS = 4_000_000  # from a prediction to its plan in the driver
LONGEST_START = 5000  # cycles until command mode


Operator = Callable[[int, Judge], None]  # gives orders after each judgement, told the instant [ns]


def float_when_ready(_: int, judge: Judge) -> None:
    """Let the object float whenever the machine is ready: the operator of a run that nobody attends."""
    if judge.machine.state is State.READY:
        judge.order("float")


class LockStep:
    """One run on virtual time.

    Attributes:
        t_ns: of the next turn.
        cycles: that are over.
        thresholds: of the detector in the orders, as in `Mode`.
        operator_rests: the virtual operator's pushes wait.
        predicted: the newest prediction.
        port: the emulated port in the arm's way, if there is one.
        base: the emulated vehicle that carries the arm, if there is one.
        grasp: the second arm that grasps the mock-up, if there is one.
        inside: what is said of bodies inside the object, and to them.
        docking: what a docking has come to, in a word; empty where there is none.
        fastened: how many of its seals and latches hold, see `SimState.fastened`.
        fault: when the run came to FAULT, and why; empty if it did not.
    """

    docking = fault = ""
    fastened = (0, 0, 0, 0)

    def __init__(
        self,
        configuration: Configuration,
        replay: ReplayedWrench | None = None,
        listener: Callable[[str, Message], None] | None = None,
        operator: Operator = float_when_ready,
    ) -> None:
        """Set up the loop.

        Args:
            configuration: of an emulated robot.
            replay: a recorded wrench that acts instead of pushes.
            listener: is given every message that a live loop publishes, with its topic.
            operator: gives orders.

        Raises:
            RobotModelError: the robot model cannot be used.
            ConfigurationError: a second arm's plan cannot be done.
        """
        c = configuration
        model = load_arm_model(c.robot.model)
        self.t_ns, self.cycles = START_NS, 0
        self._period_ns = nanoseconds(c.fri.sample_time)
        self._operator, self.thresholds, self.operator_rests = operator, AS_CONFIGURED, False
        self._asked: list[Push | Disturbance] = []
        self.predicted: Prediction | None = None
        self._controller = EmulatedController(c, replay, port_of)
        self.port = self._controller.port
        self._session = FriSession(c.fri)
        self._link = LockStepLink(c, self._controller, self._session)
        self._sample: FriSample | None = None  # the newest
        self._records: list[SensorRecord] = []  # of a force sensor, that wait for the next sample
        self._tell: Callable[[str, Message], None] = listener or (lambda topic, msg: None)
        self.base = None if c.base.kind == "none" else LockStepBase(c, model, START_NS, self._tell)
        self._driver = DriverCore(c, model, None if self.base is None else self.base.arm)
        self.grasp = grasp_of(c, model, self._controller, self._driver, self._tell)
        self._sim = SimCore(c, model)
        self._planner = PathPlanner(model, c)
        self._judge = Judge(c)
        self._c = c
        self._slices: deque[tuple[int, ImpulseSlice]] = deque()
        self._prediction: Prediction | None = None
        self._plan: Plan | None = None  # the newest that was made
        self._plan_due_ns = 0
        self._robot: RobotState | None = None  # as the others heard of it last
        self._robot_due_ns = 0
        self._plan_on_its_way = False
        self._logs = None if listener is None else LockStepLogs(c.fri.sample_time)
        self.inside = LockStepInside(self._tell)
        self._mode: Mode | None = None  # as the others heard of it last
        self._mode_due_ns = 0
        self._floats_ns = 0  # since when; 0: not yet
        self._ordered: Machine | None = None  # the machine that the newest order was compared with

    def run(self, duration_s: float, progress: Callable[[float], None] | None = None) -> Trace:
        """Float for `duration_s` of virtual time and return the trace.

        Args:
            duration_s: from the moment that floating begins [s].
            progress: called about every virtual second with the time floated so far [s].

        Raises:
            LinkError: the emulated controller does not reach command mode.
            OperatorError: the object is held outside the stops, where they would hurl it.
        """
        frames = Frames.from_configuration(self._c)
        recorder = TraceRecorder(self._c, frames, int(duration_s * 1e9) // self._period_ns + 10)
        rows = CycleRows(recorder, self._controller, self._period_ns)
        while not self.floated_for(duration_s):
            self.turn(rows)
            if self.cycles > LONGEST_START + 1 and not self._floats_ns:
                raise LinkError("the emulated controller did not reach command mode")
            if progress is not None and self._floats_ns and self.cycles % 500 == 0:
                progress(self.floated_s)
        tell_true_pushes(recorder, self._controller, START_NS)
        self.tell_rest()
        return recorder.finish()

    @property
    def floated_s(self) -> float:
        """For how long the run has gone on since it floated for the first time [s]; 0: it has not yet."""
        return (self.t_ns - self._floats_ns) * 1e-9 if self._floats_ns else 0.0

    def floated_for(self, duration_s: float) -> bool:
        """Return whether it has gone on for so long since it floated for the first time [s]."""
        return bool(self._floats_ns) and self.t_ns - self._floats_ns >= duration_s * 1e9

    def ask(self, asked: Push | Disturbance) -> None:
        """Let an operator's push or disturbance act from the next cycle on."""
        self._asked.append(asked)

    def tell_rest(self) -> None:
        """Tell the listener, if there is one, what the last blocks would have told."""
        if self._logs is None:
            return
        self._tell_if("sensor_inputs", self._logs.sensor.rest())
        self._tell_if("driver_inputs", self._logs.driver.rest())
        self._tell_if("sim_turns", self._logs.sim.rest())
        self._tell_if("emulator_inputs", self._logs.emulator.block(self.t_ns, rest=True))
        self._tell_if("cycles", self._logs.cycles.rest())
        self._tell_if("truth", self._logs.truth.rest(self._controller))
        self._tell_if("port", self._logs.port.rest())
        if self.base is not None:
            self.base.tell_rest(self.t_ns)
        if self.grasp is not None:
            self.grasp.tell_rest(self.t_ns)

    @property
    def _taken(self) -> int:
        """Samples that the driver has taken, for a recording of what it consumed."""
        return 0 if self._logs is None else self._logs.driver.taken

    def turn(self, rows: CycleRows | None = None) -> None:
        """Do the next cycle; `rows` are given what it shows once the object has floated."""
        self._act_on_asked()
        self._turn(self.t_ns, rows if self._floats_ns else None)
        if not self._floats_ns and self._machine.moving:
            self._floats_ns = self.t_ns
        self.cycles += 1
        self.t_ns = START_NS + self.cycles * self._period_ns

    def _act_on_asked(self) -> None:
        """Let the emulated controller hear what was asked since the last cycle."""
        self._controller.operator_waits = self.operator_rests
        for asked in self._asked:
            if isinstance(asked, Push):
                topic, kind = "push", PUSH
                self._controller.operator.push(asked, self._controller.t)
            else:
                topic, kind = "disturbance", DISTURBANCE
                self._controller.disturbances.begin(asked, self._controller.t)
            self._tell(topic, asked)
            if self._logs is not None:
                self._logs.emulator.event(self._controller.cycle, kind, asked.t_ns)
        self._asked.clear()

    def _turn(self, t_ns: int, rows: CycleRows | None) -> None:
        """One cycle of the robot: packet, answer, and what the others do meanwhile."""
        self._session.keep_steady(self._driver.afloat)
        if self.base is not None:
            self.base.hear(t_ns, self._taken)
        self._records += self._sensed()
        samples = self._link.received(t_ns)
        mode, plan, cycle, conclusion = self._mode, None, Cycle(None), Conclusion()
        slices: list[ImpulseSlice] = []
        if samples:
            self._sample = samples[-1]
            plan = self._arrived_plan(t_ns)
            cycle = self._answered(samples, mode)
            slices = self._driver.slices_of(cycle)
            if plan is not None and self.base is not None:
                self.base.plan_arrives()
            self.inside.let_hear(self._driver, t_ns, self._taken + len(samples))
            conclusion = self._driver.conclude(samples[-1], slices, plan)
        elif self._link.silent(t_ns):
            self._driver.silence()
        if self._sample is None:  # not even the first packet has come
            self._controller.advance()
            return
        sample = self._sample
        self._pass_on(t_ns, slices, conclusion)
        self._tell_of_inputs(samples, mode, plan)
        state = self._simulate_and_plan(t_ns, mode)
        if rows is not None and state is not None:
            self.inside.let_see(rows)
            seen_state = self._machine.state.value
            rows.take(t_ns, cycle, self._driver.wrench_object, slices, plan, state, sample, seen_state)
        seen = self._look(t_ns, sample, plan, state)
        orders = self._judge.taken()
        if self._logs is not None:
            heard = slices, conclusion.witnesses
            self._tell("supervisor_turn", self._logs.supervisor.add(t_ns, seen, *heard, orders))
        self._give_order(t_ns)
        unanswered = not samples or cycle.withheld
        answer = None if unanswered else self._session.answer(sample, cycle.q_command)
        self._tell_of_cycle(t_ns, sample if samples else None, self._link.answer(answer))
        if self.base is not None:
            order = None if self._driver.fault else self._mode
            self.base.advance(t_ns, self._taken, order, self._controller)
        if self.grasp is not None:
            self.grasp.step(self._judge, t_ns, sample, self._taken)
        self._controller.advance()

    def _answered(self, samples: list[FriSample], mode: Mode | None) -> Cycle:
        """Return what the driver makes of the samples that have come."""
        self._driver.sense(self._records)
        for sample in samples:
            self._driver.observe(sample)
        return self._driver.cycle(samples[-1], mode)

    def _tell_of_inputs(self, samples: list[FriSample], mode: Mode | None, plan: Plan | None) -> None:
        """Tell the listener, if there is one, what the driver has consumed, if anything."""
        if not samples:
            return
        records, self._records = self._records, []
        if self._logs is not None:
            self._tell_if("sensor_inputs", self._logs.sensor.add(self._logs.driver.taken, records))
            told = self._logs.driver.add(samples, self._driver.q_command, mode, plan)
            self._tell_if("driver_inputs", told)

    def _pass_on(self, t_ns: int, slices: list[ImpulseSlice], conclusion: Conclusion) -> None:
        """Let the others hear of what the driver has felt."""
        for item in slices:
            self._tell("impulse", item)
            self._slices.append((t_ns + SIM_LATENCY_NS, over_the_wire(item)))
        for statement in conclusion.witnesses:
            self._tell("witness", statement)
        for touch in conclusion.contacts:
            self._tell("contact", touch)
        for timing in conclusion.drives:
            self._tell("drive_timing", timing)
        self._judge.hear(slices, conclusion.witnesses)

    def _sensed(self) -> list[SensorRecord]:
        """Return what the emulated force sensor has measured since the last cycle, as it came: at once."""
        return [decode_record(data, START_NS + nanoseconds(t)) for t, data in self._controller.sense()]

    def _tell_of_cycle(self, t_ns: int, sample: FriSample | None, command: CommandDatagram | None) -> None:
        """Tell the listener, if there is one, of a cycle and what was really so in it.

        `sample` is None where its packet was lost.
        """
        if self._logs is None:
            return
        logs, driver = self._logs, self._driver
        stamps = (t_ns,) * 4
        if sample is not None:
            block = logs.cycles.add(sample, stamps, driver.q_command, driver.wrench_object, driver.following)
            self._tell_if("cycles", block)
        self._tell_if("truth", logs.truth.add(self._controller, t_ns, t_ns))
        self._tell_if("port", logs.port.add(self._controller, t_ns))
        if command is not None:
            logs.emulator.answer(self._controller.cycle, command, 0.0)
        logs.emulator.cycle(sent=True, waited=self._controller.operator_waits)
        self._tell_if("emulator_inputs", logs.emulator.block(t_ns))

    def _tell_if(self, topic: str, msg: Message | None) -> None:
        if msg is not None:
            self._tell(topic, msg)

    def _give_order(self, t_ns: int) -> None:
        """Tell the others the order when it has changed, and again now and then."""
        if self._machine is self._ordered and t_ns < self._mode_due_ns:
            return
        self._ordered = self._machine
        before, now = self._mode, self._machine.mode(t_ns, self.thresholds)
        changed = before is None or content_of(before) != content_of(now)
        if before is None or changed or t_ns >= self._mode_due_ns:
            self._mode_due_ns = t_ns + MODE_PERIOD_NS
            self._mode = over_the_wire(now)
            self._tell("mode", self._mode)

    def _arrived_plan(self, t_ns: int) -> Plan | None:
        """Return the plan that reaches the driver now, if any."""
        if self._plan is None or not self._plan_on_its_way or t_ns < self._plan_due_ns:
            return None
        self._plan_on_its_way = False
        return self._plan

    def _simulate_and_plan(self, t_ns: int, mode: Mode | None) -> SimState | None:
        """Let the simulation turn, and the planner if it is idle and has something new."""
        due = []
        while self._slices and self._slices[0][0] <= t_ns:
            due.append(self._slices.popleft()[1])
        if t_ns >= self._robot_due_ns:
            self._robot_due_ns = t_ns + STATE_PERIOD_NS
            self._robot = over_the_wire(self._driver.state(t_ns, Counters()))
            self._sim.base_pose = None if self.base is None else self.base.seen(t_ns)
            self._tell("robot_state", self._robot)
            self._tell_if("sensor_state", self._driver.sensor_state(t_ns))
        robot = self._robot
        heard = None if self._plan_on_its_way else self._plan  # the simulation hears it with the driver
        state = self._sim.step(t_ns, mode, robot, due, heard, self.inside.orders(t_ns))
        self.inside.told(self._sim.inside(t_ns))
        if state is not None:
            self.docking, self.fastened = state.outcome, tuple(state.fastened.tolist())
            self._tell("sim_state", state)
        prediction = self._sim.predict(t_ns)
        if self._logs is not None:
            plan_ns = 0 if heard is None else heard.t_ns
            self._tell_if("sim_turns", self._logs.sim.add(t_ns, mode, robot, due, plan_ns, prediction))
        if prediction is not None:
            self._prediction = self.predicted = over_the_wire(prediction)
        idle = self._c.run.follow and not self._plan_on_its_way
        if idle and self._prediction is not None and robot is not None:
            self._plan = over_the_wire(self.planned(self._prediction, robot.q_command))
            self._tell("plan", self._plan)
            if self._logs is not None:
                self._tell("planner_turn", self._logs.planner.add(self._prediction, robot))
            self._prediction = None
            self._plan_due_ns, self._plan_on_its_way = t_ns + PLAN_LATENCY_NS, True
        return state

    def planned(self, prediction: Prediction, q_command: Array) -> Plan:
        """Return the arm's plan for a prediction; `q_command` are the joints commanded now [rad], (7,)."""
        planner = self._planner.step if self.base is None else self.base.planned
        return planner(prediction, q_command)

    def _look(self, t_ns: int, sample: FriSample, plan: Plan | None, state: SimState | None) -> Evidence:
        """Let the state be judged by everything that a turn has seen, and return it."""
        session = LOST if self._link.silent(t_ns) else session_name(sample)
        missing = robot_missing(session, sample.quality, sample.power_on)
        if not (missing or self._machine.driven):
            missing = self._driver.lacking(sample.arrival_ns)
        seen = Evidence(missing, "", self._driver.fault, self._driver.moving, plan, state, self._robot)
        machine = self._judge.step(t_ns, seen)
        self._operator(t_ns, self._judge)
        if machine.state is State.FAULT and not self.fault:
            self.fault = f"FAULT after {1e-9 * (t_ns - self._floats_ns):.2f} s: {machine.reason}"
        return seen

    @property
    def _machine(self) -> Machine:
        return self._judge.machine

    @property
    def judge(self) -> Judge:
        """Who keeps the state, and whom an operator gives orders."""
        return self._judge

    @property
    def energy(self) -> EnergyMonitor:
        """The monitor of the object's energy."""
        return self._judge.energy
