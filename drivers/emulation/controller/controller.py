"""The controller's side of the Fast Research Interface 1.0 with an emulated arm: no socket, no clock.

A cycle is `send` (the sample at its start), `receive` (answers as they come), `advance` (to the end of
the cycle). Commands move the arm in command state only; it is entered by itself once the link has been
PERFECT for a while (if configured, not before the client asks through its first KRL integer) and left
for monitor state, braking the arm, when answers fail to come, the link's quality does not allow
commanding, a command breaks a limit, or a drive is off. Numbers marked as assumptions are not public
for the real controller.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np

from drivers.emulation.arm.arm import EmulatedArm, grid_of
from drivers.emulation.arm.wrench_estimate import WrenchEstimate
from drivers.emulation.controller.answer_statistics import AnswerStatistics
from drivers.emulation.controller.command_monitor import CommandMonitor
from drivers.emulation.controller.krl_slots import KrlSlots
from drivers.emulation.controller.monitor_fields import (
    fill_cycle_fields,
    fill_wrench,
    first_beyond,
    first_outside,
)
from drivers.emulation.controller.set_point_path import SetPointPath
from drivers.emulation.disturbances import Disturbances
from drivers.emulation.operator.replayed_wrench import ReplayedWrench
from drivers.emulation.operator.virtual_operator import VirtualOperator
from drivers.emulation.port.emulated_port import EmulatedPort
from drivers.emulation.port.holed_port import AnyPort, PortMaker
from drivers.emulation.sensor.emulated_sensor import EmulatedSensor
from drivers.emulation.sensor.measuring import Measured
from drivers.fri.codec import CommandDatagram, MonitorDatagram, decode_command, encode_command, encode_monitor
from drivers.fri.layout import (
    ALL_DRIVES,
    CONTROLLER_SPEEDS,
    KRL_STOP,
    SEQUENCE_MODULUS,
    CommandFlags,
    ControlStrategy,
    Quality,
    SessionState,
)
from hil.common.arrays import Array, frozen_array
from hil.common.errors import BadMessage
from hil.common.geometry import quat_from_matrix
from hil.configuration.schema import Configuration
from hil.messaging.messages import Push

# per-cycle limits as quoted from a controller's files
VELOCITY_LIMIT = frozen_array(np.deg2rad(CONTROLLER_SPEEDS))
POSITION_MARGIN = np.deg2rad(0.5)  # that it keeps from the ends of the joints' ranges
ROUNDING = 1e-6  # [rad]; positions travel as 32-bit floats
GOOD_TIME = 0.2  # [s] of PERFECT quality before command state: an assumption
MODEL_REFRESH = 0.05  # [s] between two computations of gravity and mass matrix


@dataclass(slots=True, eq=False)
class Truth:
    """What is really so in the emulation at time `t` [s].

    Attributes:
        t: since the emulation's start.
        q: joint positions [rad], (7,).
        T_world_object: pose of the object (its centre of mass and axes) that the arm holds, (4, 4).
        twist_world_object: its twist, world axes [m/s, rad/s], (6,).
        wrench_world: what operator and port exert, about the object's centre, world axes [N, N m], (6,).
    """

    t: float
    q: Array
    T_world_object: Array
    twist_world_object: Array
    wrench_world: Array


class EmulatedController:
    """Controller, arm and operator of an emulation.

    Attributes:
        arm: the arm.
        port: the emulated port, or None.
        operator: the virtual operator; its times count from the first entry into command state, but not
        operator_waits: while this is so: then he rests.
        state: the interface's state.
        sensor: the emulated force sensor at the flange, if the wrench comes from one.
        statistics: answers to the packets sent.
        monitor: checks every command of command state, apart from the limits that the controller enforces.
        fall_back_reason: why command state was left last; empty if it never was.
        power_on: the drives; switching them off brakes the arm.
        disturbances: what is made to go wrong, for training and tests.
        bridged: cycles of command state without an answer.
        cycle: number of the present cycle; it starts at `cycle * sample_time`.
        cycle_wrenches: the true wrench of operator and port at the ends of the grid steps of the cycle
            before, about the object's centre, world axes [N, N m], shape (steps, 6).
    """

    def __init__(
        self,
        configuration: Configuration,
        replay: ReplayedWrench | None = None,
        port_of: PortMaker = EmulatedPort,
    ) -> None:
        """Stand at the start pose in monitor state.

        Args:
            configuration: the run's.
            replay: a recorded wrench for the operator to apply.
            port_of: makes the port of a configuration that has one.

        Raises:
            RobotModelError: the robot model cannot be used.
            ConfigurationError: random pushes that cannot be drawn, or a port in the mock-up's place.
        """
        seed = configuration.run.seed
        fri, emulator = configuration.fri, configuration.emulator
        self.arm = EmulatedArm(configuration)
        self.port: AnyPort | None = None
        if configuration.port is not None or configuration.grasp is not None:
            self.port = port_of(configuration, self.arm.frames, self.arm.T_world_object)
        self.operator = VirtualOperator(configuration, seed, replay)
        self.operator_waits = False
        own = configuration.sensor.kind in ("emulated", "netft")
        self.sensor = EmulatedSensor(configuration, self.arm, seed) if own else None
        self.statistics = AnswerStatistics()
        self.monitor = CommandMonitor(configuration.limits, self.arm.joint_range, fri.sample_time)
        self.state = SessionState.MONITOR
        self.power_on = True
        self.disturbances = Disturbances()
        self.fall_back_reason = ""
        self.cycle = self.bridged = 0
        self._counted_from = 0  # added to it on the wire
        self._wrench = WrenchEstimate(configuration, self.arm, seed)
        self._T = fri.sample_time
        self._step, self._steps = grid_of(fri.sample_time)
        self._path = SetPointPath(
            self.arm.q, self._step, self._steps, emulator.delay, configuration.limits.acceleration
        )
        # that of an arm with faster joints allows what the run asks of them
        speeds = np.maximum(VELOCITY_LIMIT, configuration.limits.velocity)
        self._step_limit = speeds * fri.sample_time + ROUNDING
        self._lower = self.arm.joint_range[:, 0] + POSITION_MARGIN
        self._upper = self.arm.joint_range[:, 1] - POSITION_MARGIN
        self._model_refresh = max(1, round(MODEL_REFRESH / fri.sample_time))
        self._in_tool_axes = fri.wrench_frame == "tool"
        self._wrench_sign = float(fri.wrench_sign)
        self._torques_reversed = fri.torque_sign == -1
        self._missed_answers = emulator.missed_answers
        self._holds = emulator.lost_answers == "hold"
        self._wait_for_request = fri.handshake == "krl_int"
        self._control = (
            ControlStrategy.JOINT_IMPEDANCE if emulator.control == "impedance" else ControlStrategy.POSITION
        )
        self.cycle_wrenches = np.zeros((self._steps, 6))
        self._q_krl = self._path.reference.copy()  # the controller's own share of the command
        # what it commands, as it tells: after so many cycles
        self._echo = deque([self._path.reference.copy()] * fri.echo_cycles, maxlen=fri.echo_cycles)
        self._good_cycles = 0
        self._sent = False
        self._newest: CommandDatagram | None = None  # newest answer of this cycle
        self._in_time, self._latency = False, 0.0
        self._last_reflected = -1
        self._received_sequence = 0
        self._krl = KrlSlots()
        self._message = MonitorDatagram(sample_time=self._T, command_sample_time=self._T)

    @property
    def t(self) -> float:
        """Time of the present cycle's start since the emulation's start [s]."""
        return self.cycle * self._T

    @property
    def wrench_world(self) -> Array:
        """What operator and port exert, about the object's centre, world axes [N, N m], shape (6,)."""
        own = self.operator.wrench_world
        return own if self.port is None else own + self.port.wrench_world

    @property
    def quality(self) -> Quality:
        """The link's quality as the controller judges it."""
        own, most = self.statistics.quality, self.disturbances.current.quality
        return own if own <= most else Quality(most)

    @property
    def _drives_on(self) -> bool:
        return self.power_on and not self.disturbances.current.drives_off

    @property
    def _counter(self) -> int:
        """The packet counter of the present cycle, as it goes on the wire."""
        return (self.cycle + self._counted_from) % SEQUENCE_MODULUS

    @property
    def answered(self) -> bool:
        """Whether the present cycle's packet has its answer."""
        return self._in_time

    @property
    def left_alone(self) -> bool:
        """Whether nobody commands the arm, and it stands."""
        return self.state != SessionState.COMMAND and self._path.at_rest

    def sense(self) -> list[Measured]:
        """Return the records of the force sensor up to the start of the present cycle; none without one."""
        if self.sensor is None:
            return []
        return self.sensor.measure(self.t, self.wrench_world, self.disturbances.current.wrench)

    def send(self) -> bytes:
        """Return the datagram of the sample at the start of the present cycle."""
        m = self._message
        m.sequence, m.reflected = self._counter, self._received_sequence
        m.timestamp = self.t
        m.state, m.quality = int(self.state), int(self.quality)
        m.power = ALL_DRIVES if self._drives_on else 0
        wrong = self.disturbances.current
        m.control = int(self.disturbances.control(self._control))
        m.error, m.warning = wrong.drive_error, wrong.drive_warning
        m.miss_counter = self.statistics.missed
        self._krl.echo_into(m)
        if self.cycle % self._model_refresh == 0:
            self._refresh_slow_fields(m)
        wrench = self._wrench.sample(self.t, self.wrench_world)
        jacobian, T_base_tcp = self.arm.jacobian(), self.arm.T_base_tcp
        fill_cycle_fields(m.floats, self.arm.q, self._q_krl, self._echo[0], wrench, jacobian)
        if self._torques_reversed:
            torques = m.part("torque_external")
            np.negative(torques, out=torques)
        # only the wrench is spoiled: the joint torques come from other sensors
        spoiled = self.disturbances.wrench(wrench)
        fill_wrench(m.floats, spoiled, self._wrench_sign, self._in_tool_axes, T_base_tcp)
        self._sent = True
        return encode_monitor(m)

    def receive(self, data: bytes, latency: float = 0.0) -> CommandDatagram:
        """Take an answer that came `latency` [s] after the present cycle's packet was sent; return it.

        Raises:
            BadMessage: the bytes are no command datagram.
        """
        command = decode_command(data)
        age = self._age_of(command)
        if age >= SEQUENCE_MODULUS // 2:
            raise BadMessage(f"FRI: an answer to packet {command.reflected}, which was not sent yet")
        if self._newest is not None and self._age_of(self._newest) <= age:
            return command  # overtaken by a newer answer
        if self._last_reflected >= 0 and not (
            0 < (command.reflected - self._last_reflected) % SEQUENCE_MODULUS < SEQUENCE_MODULUS // 2
        ):
            return command  # not newer than what has been used already
        # without drives it is no command, as the packet says: this very cycle ends the session
        if self._drives_on and command.flags & CommandFlags.JOINT_POSITION:
            self.monitor.check(command.q, self.cycle - age)
        self._newest = command
        self._received_sequence = command.sequence
        self._krl.take(command)
        if age == 0:
            self._in_time, self._latency = True, latency
        return command

    def advance(self) -> None:
        """Go on to the next cycle's start: judge the answers, move the arm, let the operator push."""
        self._judge()
        self.operator.resting = self.operator_waits
        for i in range(self._steps):
            self._advance_grid(self.t + i * self._step)
            self.cycle_wrenches[i] = self.wrench_world
        self._echo.append(self._path.reference.copy())
        self._newest, self._in_time, self._sent = None, False, False
        self.cycle += 1
        self.disturbances.advance(self.t)

    def restart(self, counter: int) -> None:
        """Begin anew in monitor state, packets counted from `counter` on; the arm brakes."""
        self._fall_back("the controller was restarted")
        self._counted_from = counter - self.cycle
        self.statistics = AnswerStatistics()
        self._newest, self._in_time, self._sent, self._last_reflected = None, False, False, -1

    def stood_still(self, duration: float) -> None:
        """Leave command state, braking the arm: the controller itself has not run for `duration` [s]."""
        if self.state == SessionState.COMMAND:
            self._fall_back(f"the controller itself stood still for {1e3 * duration:.0f} ms")

    def truth(self) -> Truth:
        """Return what is really so at the present cycle's start (arrays are copies)."""
        return Truth(
            self.t,
            self.arm.q.copy(),
            self.arm.T_world_object.copy(),
            self.arm.twist_world_object.copy(),
            self.wrench_world.copy(),
        )

    def _age_of(self, command: CommandDatagram) -> int:
        return (self._counter - command.reflected) % SEQUENCE_MODULUS

    def _judge(self) -> None:
        """Update statistics and state, and set the path's course for this cycle."""
        if self._sent:
            self.statistics.add(self._in_time, self._latency, self._newest is not None)
        if self._newest is not None:
            self._last_reflected = self._newest.reflected
        perfect = self.quality == Quality.PERFECT
        self._good_cycles = self._good_cycles + 1 if perfect else 0
        if self.state == SessionState.COMMAND:
            fault = self._fault()
            if fault:
                self._fall_back(fault)
            elif self._newest is not None:
                self._path.follow(self.disturbances.commanded(self._newest.q))
            else:
                self._bridge()
        elif self._may_command():
            self.state = SessionState.COMMAND
            self._q_krl = self._path.reference.copy()
            self.monitor.begin(self._path.reference, self.cycle)
            self.statistics.forget_misses()
        if self.state == SessionState.COMMAND and not (self.operator.started or self.operator_waits):
            self.operator.start(self.t + self._T)

    def _bridge(self) -> None:
        """A cycle without an answer: the path goes on, or stands."""
        self.bridged += 1
        if self._holds:
            self._path.hold()

    def _may_command(self) -> bool:
        return (
            self._drives_on
            and self._path.at_rest
            and self._good_cycles * self._T >= GOOD_TIME
            and not self._krl.stops
            and (not self._wait_for_request or self._krl.starts)
        )

    def _fault(self) -> str:
        """Return why command state cannot go on, or nothing."""
        if not self._drives_on:
            return "drives off"
        if self._krl.stops:
            return f"the client asked for its stop ({KRL_STOP} in a KRL integer)"
        if self.quality == Quality.UNACCEPTABLE:
            return "the link's quality is unacceptable"
        if self.statistics.missed_in_row >= self._missed_answers:
            return f"{self.statistics.missed_in_row} answers missed in a row"
        if self._newest is None:
            return ""
        if not self._newest.flags & CommandFlags.JOINT_POSITION:
            return (
                f"a command without joint positions (flags {self._newest.flags:#06x} lack "
                f"{CommandFlags.JOINT_POSITION:#06x}): this controller moves by joint positions only"
            )
        return self._limit_broken(self._newest.q)

    def _limit_broken(self, q: Array) -> str:
        i = first_beyond(q, self._path.reference, self._step_limit)
        if i >= 0:
            step = q[i] - self._path.reference[i]
            bound = self._step_limit[i]
            return f"A{i + 1} was commanded a step of {step:.3g} rad, its limit is {bound:.3g} a cycle"
        i = first_outside(q, self._lower, self._upper)
        if i >= 0:
            within = f"{self._lower[i]:.4g} to {self._upper[i]:.4g} rad"
            return f"A{i + 1} was commanded to {q[i]:.4g} rad, its limits are {within}"
        return ""

    def _fall_back(self, reason: str) -> None:
        self.state = SessionState.MONITOR
        self.fall_back_reason = reason
        self._good_cycles = 0
        self.monitor.end()
        self._path.brake()

    def _advance_grid(self, t: float) -> None:
        self._path.advance()
        followed = self.disturbances.path(self._path.delayed_before, self._path.delayed)
        self.arm.step(*followed, self.operator.wrench_world)
        ended = self.operator.step(t, t + self._step, self.arm.T_world_object, self.arm.twist_world_object)
        if self.port is not None:
            self.port.step(t, t + self._step, self.arm.T_world_object, self.arm.twist_world_object)
        for record in ended:
            self._wrench.push_ended(record.t_end, record.peak_world)
        self._wrench.follow(t + self._step, self.wrench_world)

    def _refresh_slow_fields(self, m: MonitorDatagram) -> None:
        """Fill in what changes slowly or costs much: now and then is often enough."""
        gravity, mass = self.arm.gravity_and_mass()
        m.part("gravity")[:] = gravity
        m.part("mass_matrix")[:] = mass.ravel()
        pose = self.arm.T_base_tcp[:3].ravel()
        m.part("pose_measured")[:] = pose
        m.part("pose_commanded")[:] = pose
        m.part("temperature")[:] = 30.0
        s = self.statistics
        m.answer_rate, m.latency, m.jitter = s.answer_rate, s.latency, s.jitter
        m.miss_rate = 1.0 - s.answer_rate


def warm(configuration: Configuration, port_of: PortMaker = EmulatedPort) -> None:
    """Compile or load everything that a cycle needs, so that the first real one is as fast as any."""
    controller = EmulatedController(configuration, None, port_of)
    command = CommandDatagram(flags=int(CommandFlags.JOINT_POSITION))
    command.q[:] = configuration.robot.start
    controller.send()
    controller.receive(encode_command(command))
    controller.state = SessionState.COMMAND
    controller._limit_broken(command.q)  # a cycle would not get so far: no link is good from the start
    push = Push(0, np.array([1.0, 0.0, 0.0]), 2.0 * configuration.fri.sample_time, np.zeros(3))
    controller.operator.push(push, controller.t)
    quat_from_matrix(np.ascontiguousarray(controller.arm.T_world_object[:3, :3]))  # for the log of the truth
    for _ in range(4):  # until the push is over and its swing has begun
        controller.advance()
        controller.send()
