"""Every message that the processes exchange. Instants are monotonic nanoseconds, all else SI.

`slices` arrays list which impulse slices a prediction or plan already contains, one row each:
impulse id, slice index, revision. A `time_map` says how object time s runs with wall time t:
`[t_a, s_a, rate_a, target]` (t_a in seconds after the message's `t_ns`): the rate slews from
`rate_a` at t_a towards `target` at `TIME_RATE_SLEW` per second (see `hil.common.time_map`).
"""

import numpy as np

from hil.common.arrays import Array, IntArray, SingleArray
from hil.messaging.codec import Message, array_field, message, scalar_field


@message
class ImpulseSlice(Message):
    """A piece of a push, at most 100 ms long; only the newest revision of (impulse, slice) counts."""

    impulse_id: int = scalar_field("int")
    slice_index: int = scalar_field("int")
    revision: int = scalar_field("int")
    final: bool = scalar_field("bool")
    ended: bool = scalar_field("bool")  # the push is over: this is the impulse's last slice
    sustained: bool = scalar_field("bool")  # the push has lasted longer than 0.5 s
    uncertain: bool = scalar_field("bool")  # a gap in the samples lies within
    t_start_ns: int = scalar_field("int", "ns")
    t_end_ns: int = scalar_field("int", "ns")
    t_centroid_ns: int = scalar_field("int", "ns")
    impulse_object: Array = array_field((6,), "N s, N m s")  # about the centre of mass, object axes
    # standard deviation of the whole push so far, not of this slice, by the noise of the wrench; same axes
    deviation_object: Array = array_field((6,), "N s, N m s")

    @property
    def force_deviation(self) -> float:
        """The standard deviation on an axis of force, mean square of three [N s]: the same in all axes."""
        return float(np.sqrt(np.mean(self.deviation_object[:3] ** 2)))


@message
class Witness(Message):
    """What the joint torques say of an impulse slice: now and then while it grows, and when it is final."""

    impulse_id: int = scalar_field("int")
    slice_index: int = scalar_field("int")
    # what the slice has more than the torques explain, about the centre of mass, object axes
    disagreement: Array = array_field((6,), "N s, N m s")


@message
class Contact(Message):
    """A contact with real hardware under continuous force: now and then while it lasts, and when it is over.

    `approach` and `departure` are speeds along the line of the force, `energy` the object's kinetic one.
    """

    number: int = scalar_field("int")
    t_start_ns: int = scalar_field("int", "ns")
    t_end_ns: int = scalar_field("int", "ns")  # so far
    ended: bool = scalar_field("bool")
    felt: float = scalar_field("float", "s")  # from the first to the last force above the gate, so far
    stiffness: float = scalar_field("float", "N/m")  # identified; 0: not yet
    stiffness_deviation: float = scalar_field("float", "N/m")  # standard one, by noise alone
    damping: float = scalar_field("float", "N s/m")
    damping_deviation: float = scalar_field("float", "N s/m")
    port_mass: float = scalar_field("float", "kg")  # of what is touched; 0: it stands
    mass: float = scalar_field("float", "kg")  # of the object along the line of the force
    force: float = scalar_field("float", "N")  # now
    peak_force: float = scalar_field("float", "N")
    depth: float = scalar_field("float", "m")  # of the arm beyond the place of the touch, largest
    approach: float = scalar_field("float", "m/s")
    departure: float = scalar_field("float", "m/s")
    energy_before: float = scalar_field("float", "J")
    energy_after: float = scalar_field("float", "J")
    energy_created: float = scalar_field("float", "J")  # by the loop itself; what the cap took is not in it
    impulse_object: Array = array_field((6,), "N s, N m s")  # about the centre of mass, object axes


@message
class RobotState(Message):
    """What the driver measured and commanded in a cycle."""

    arrival_ns: int = scalar_field("int", "ns")  # of the robot's newest packet, by the host's clock
    session: str = scalar_field("str")  # monitor, command, lost
    quality: int = scalar_field("int")
    power_on: bool = scalar_field("bool")
    q_measured: Array = array_field((7,), "rad")
    q_command: Array = array_field((7,), "rad")
    dq_command: Array = array_field((7,), "rad/s")
    wrench_object: Array = array_field((6,), "N, N m")  # measured, about the centre of mass, object axes
    wrench_witness: Array = array_field((6,), "N, N m")  # the same as the joint torques have it
    delay: float = scalar_field("float", "s")  # the interface delay that is looked ahead
    following: bool = scalar_field("bool")  # the arm follows a plan (else it brakes or stands)
    braking_reason: str = scalar_field("str")  # empty while nothing is wrong
    fault: str = scalar_field("str")  # a guard's verdict: needs an operator's reset
    refusal: str = scalar_field("str")  # why no floating may begin: a sensor is missing, something presses
    warning: str = scalar_field("str")  # what controller or force sensor warn of, or warned of lately
    cycles: int = scalar_field("int")
    missed: int = scalar_field("int")  # answers that the controller counts as missed
    cycle_p50: float = scalar_field("float", "s")
    sample_to_command_p50: float = scalar_field("float", "s")
    ring_p50: float = scalar_field("float", "s")  # from a slice's report to the plan that contains it
    unsent: int = scalar_field("int")  # answers that the system did not take: no route, a cable pulled
    unsent_reason: str = scalar_field("str")  # as long as the last answer was one of them
    approach_session: int = scalar_field("int")  # the newest of a hand that was ordered; 0: none
    approach_end: str = scalar_field("str")  # why it is over, in words; empty while it is not


@message
class Mode(Message):
    """The supervisor's order to all: the state of the machine, repeated as its heartbeat."""

    state: str = scalar_field("str")  # STOPPED, READY, APPROACHING, CALIBRATING, FLOATING, HOLDING, FAULT
    epoch: int = scalar_field("int")  # counts the times that floating began anew
    reason: str = scalar_field("str")
    hold: bool = scalar_field("bool")  # the operator holds object time
    begin_ns: int = scalar_field("int", "ns")  # before which no object time passes; 0: as soon as it can
    # with which this floating began, world axes, shape (6,), and start_sigma, floor and level_floor of the
    # detector, shape (3,); empty: as configured
    initial_twist: Array = array_field((-1,), "m/s, rad/s")
    thresholds: Array = array_field((-1,), "1, N/s, N")
    # while a hand moves the arm: session, number of its newest heartbeat that counts, and when it was sent;
    # the way's begin, shape (7,), and the speed of its fastest joint, shape (1,); else empty
    hand: IntArray = array_field((-1,), "1, 1, ns", "i8")
    approach_from: Array = array_field((-1,), "rad")
    approach_speed: Array = array_field((-1,), "rad/s")


@message
class Heartbeat(Message):
    """A process is alive, and how far it is: `warming`, `ready` or `failed`."""

    process: str = scalar_field("str")
    phase: str = scalar_field("str")
    detail: str = scalar_field("str")
    pid: int = scalar_field("int")
    real_time: str = scalar_field(
        "str"
    )  # what was asked of the scheduler and got: JSON, see `hil.processes.real_time.set_up`


@message
class SimState(Message):
    """Where the simulated object is at `t_ns`."""

    epoch: int = scalar_field("int")
    object_time: float = scalar_field("float", "s")
    time_rate: float = scalar_field("float")
    p_world_object: Array = array_field((3,), "m")
    quat_world_object: Array = array_field((4,), "w x y z")
    twist_world_object: Array = array_field((6,), "m/s, rad/s")
    capped: bool = scalar_field("bool")  # the last push was cut to the certified speed
    stored_energy: float = scalar_field("float", "J")  # what the stops' springs hold
    # the impulse slices that acted lately (impulse, slice, revision), and for each the mean of the twists
    # before and after it, object axes: what the slice's work is made of
    slices: IntArray = array_field((-1, 3), "1", "i8")
    slice_twists: Array = array_field((-1, 6), "m/s, rad/s")
    contact_work: float = scalar_field("float", "J")  # what the scene's other moving bodies did on the object
    other_poses: SingleArray = array_field((-1, 7), "m, w x y z", "f4")  # of these bodies, to be drawn
    contact_points: SingleArray = array_field((-1, 3), "m", "f4")  # where pins and plates press on the object
    pressed: bool = scalar_field("bool")  # they did in the last 10 ms of object time
    outcome: str = scalar_field("str")  # of a docking: under way, docked, jammed, lost
    # of its seals and latches: how many hold (seals, all of them, latches, all of them), and what the latches
    # push module and servicer apart with; below zero they hold them together
    fastened: IntArray = array_field((4,), "1", "i8")
    latch_force: float = scalar_field("float", "N")
    # time since the approach began, depth of the pins' tips below the plate's face, force of seals and
    # latches against the insertion, work done on them so far
    insertion: Array = array_field((4,), "s, m, N, J")


@message
class Prediction(Message):
    """The object's path over object time, from `object_time_0` in steps of `step`."""

    epoch: int = scalar_field("int")
    number: int = scalar_field("int")
    object_time_0: float = scalar_field("float", "s")
    step: float = scalar_field("float", "s")
    time_map: Array = array_field((4,), "s, s, 1, 1")
    p_world_object: Array = array_field((-1, 3), "m")
    quat_world_object: Array = array_field((-1, 4), "w x y z")
    twist_world_object: Array = array_field((-1, 6), "m/s, rad/s")
    bounces: Array = array_field((-1,), "s")  # object times of sudden velocity changes (scene contact)
    slices: IntArray = array_field((-1, 3), "1", "i8")


@message
class Plan(Message):
    """A joint path over object time with the pace at which it is to be followed."""

    epoch: int = scalar_field("int")
    number: int = scalar_field("int")  # the prediction's number
    object_time_0: float = scalar_field("float", "s")
    step: float = scalar_field("float", "s")
    time_map: Array = array_field((4,), "s, s, 1, 1")
    q: Array = array_field((-1, 7), "rad")
    dq: Array = array_field((-1, 7), "rad/s")  # per second of object time
    ddq: Array = array_field((-1, 7), "rad/s2")
    arm_angle: Array = array_field((-1,), "rad")
    branch: int = scalar_field("int")
    slices: IntArray = array_field((-1, 3), "1", "i8")
    policy: str = scalar_field("str")  # RUN, SLOW, HOLD
    reason: str = scalar_field("str")  # why not RUN: reach, limit, velocity, singularity
    time_rate: float = scalar_field("float")  # the rate asked of the simulation
    depth: float = scalar_field("float", "s")  # object time that can be followed from its start


@message
class Push(Message):
    """An operator's push on the emulated mock-up: a half-sine force at a point of it."""

    force_world: Array = array_field((3,), "N")  # peak
    duration: float = scalar_field("float", "s")
    point_object: Array = array_field((3,), "m")  # from the centre of mass, object axes


@message
class Disturbance(Message):
    """What is to go wrong in the emulation for a while; it takes the place of the one before."""

    duration: float = scalar_field("float", "s")
    direction: str = scalar_field("str")  # packets meant: both, to_driver, from_driver
    loss: float = scalar_field("float")  # share of packets that vanish
    duplicates: float = scalar_field("float")  # share of packets that come twice
    reorder: float = scalar_field("float", "s")  # longest extra delay, drawn for each packet
    delay: float = scalar_field("float", "s")  # packets are held so long and come in a burst, again and again
    silence: bool = scalar_field("bool")  # the controller sends nothing
    quality: int = scalar_field("int")  # the controller judges the link no better
    drives_off: bool = scalar_field("bool")
    wrench: str = scalar_field("str")  # nan, saturated, stuck, reversed, or empty: as it is
    arm: str = scalar_field("str")  # stuck, reversed (it moves the other way), or empty: as it is
    astray: float = scalar_field("float", "rad")  # by which the controller commands every joint otherwise
    drive_error: int = scalar_field("int")  # drives in error, one bit each
    drive_warning: int = scalar_field("int")  # drives that warn, one bit each
    strategy: str = scalar_field(
        "str"
    )  # position, joint_impedance, cartesian_impedance, other; empty: as it is


@message
class Wait(Message):
    """Emulated time stood because the machine was busy; `t_ns` is where it stood."""

    process: str = scalar_field("str")  # that it waited for, most of the time
    duration: float = scalar_field("float", "s")
    total: float = scalar_field("float", "s")  # of all waits of the run so far, also those too short to tell


@message
class CycleBlock(Message):
    """The driver's last cycles, one row each; sent in blocks, so that the loop pays little."""

    # sample taken, packet arrived, work began, wrench judged, command decided, answer sent
    stamps: IntArray = array_field((-1, 6), "ns", "i8")
    # packet counter on the wire, unwrapped, packets lost, answers missed, flags: see CYCLE_*
    counts: IntArray = array_field((-1, 5), "1", "i8")
    q_command: Array = array_field((-1, 7), "rad")
    q_measured: Array = array_field((-1, 7), "rad")
    wrench_object: Array = array_field((-1, 6), "N, N m")  # about the centre of mass, object axes


@message
class SliceTimes(Message):
    """When the driver reported impulse slices, and from when on plans were in effect."""

    slices: IntArray = array_field((-1, 3), "1", "i8")  # impulse, slice, revision
    slice_stamps: IntArray = array_field((-1, 2), "ns", "i8")  # sample taken, slice published
    plans: IntArray = array_field((-1,), "1", "i8")  # numbers of the predictions planned
    plan_stamps: IntArray = array_field((-1,), "ns", "i8")  # first command resting on the plan sent


@message
class SimTimes(Message):
    """What became of impulse slices in the simulation, one row each; sent with the prediction."""

    slices: IntArray = array_field((-1, 3), "1", "i8")  # impulse, slice, revision
    stamps: IntArray = array_field((-1, 3), "ns", "i8")  # heard, world corrected, prediction sent
    predictions: IntArray = array_field((-1,), "1", "i8")  # number of that prediction


@message
class PlannerTimes(Message):
    """When the planner heard of predictions and sent their plans, one row each."""

    plans: IntArray = array_field((-1,), "1", "i8")  # numbers of the predictions
    stamps: IntArray = array_field((-1, 2), "ns", "i8")  # heard, plan sent


@message
class TruthBlock(Message):
    """What was really so in the emulation, one row a packet: for measuring, never for the loop."""

    sequences: IntArray = array_field((-1,), "1", "i8")  # packet counter on the wire
    stamps: IntArray = array_field((-1, 2), "ns", "i8")  # packet sent, its answer arrived (0: none in time)
    q: Array = array_field((-1, 7), "rad")
    p_world_object: Array = array_field((-1, 3), "m")
    quat_world_object: Array = array_field((-1, 4), "w x y z")
    twist_world_object: Array = array_field((-1, 6), "m/s, rad/s")
    wrench_world: Array = array_field((-1, 6), "N, N m")  # true push, and a port's, about the object's centre
    violations: int = scalar_field("int")  # commands that broke a limit, by the controller's own monitor
    violation: str = scalar_field("str")  # the first of them, in words


@message
class PortBlock(Message):
    """What was really so of an emulated port, one row a packet: for measuring, never for the loop."""

    sequences: IntArray = array_field((-1,), "1", "i8")  # packet counter on the wire
    stamps: IntArray = array_field((-1,), "ns", "i8")  # packet sent
    wrench_world: Array = array_field((-1, 6), "N, N m")  # on the mock-up about the object's centre
    penetration: Array = array_field((-1,), "m")  # of the deepest foot; negative: a gap
    p_world_port: Array = array_field((-1, 3), "m")  # the point of its face
    v_world_port: Array = array_field((-1, 3), "m/s")
    deflection_world: Array = array_field((-1, 3), "m")  # of the mock-up from where the joints have it
    # what the port's own sensor measured on it, about the point of its face; zero where it has none
    measured_world: Array = array_field((-1, 6), "N, N m")


@message
class DriverInputs(Message):
    """What the driver's core consumed since the block before: enough to run it again."""

    process: int = scalar_field("int")  # whose core; another one began anew
    start: int = scalar_field("int")  # samples that its core had taken before this block
    # arrival of each sample's packet, by the host's clock: what orders and plans were judged by
    arrival_stamps: IntArray = array_field((-1,), "ns", "i8")
    # sample taken, unwrapped packet counter, quality of the link, flags: see INPUT_*; then, if this sample
    # was answered, the instants of the order that held and of the plan that came with it (0: none)
    rows: IntArray = array_field((-1, 6), "1", "i8")
    # joints measured, wrench at the tcp, external torques: in the wire's own precision
    values: SingleArray = array_field((-1, 20), "rad, N, N m", "f4")
    echoes: IntArray = array_field((-1, 7), "1", "i8")  # what the controller itself commands: see `EchoBits`
    # the controller's own: drives that are on, control strategy, drives in error, drives that warn; and by
    # how many packets the one whose answer it had received last lies behind (0: not known)
    controller: IntArray = array_field((-1, 5), "1", "i8")


@message
class SimTurns(Message):
    """What the simulation's core consumed since the block before: enough to run it again."""

    process: int = scalar_field("int")  # whose core; another one began anew
    start: int = scalar_field("int")  # turns that its core had taken before this block
    # now, instants of order, robot's state and plan (0: none), number of slices, number of the prediction
    # that was made (-1: none)
    rows: IntArray = array_field((-1, 6), "1", "i8")
    slices: IntArray = array_field((-1, 4), "1", "i8")  # impulse, slice, revision, instant of each message


@message
class PlannerTurn(Message):
    """What the planner's core consumed for a plan; `t_ns` is the prediction's and the plan's instant."""

    process: int = scalar_field("int")  # whose core; another one began anew
    turn: int = scalar_field("int")  # plans that its core had made before
    number: int = scalar_field("int")  # the prediction's
    robot_ns: int = scalar_field("int", "ns")  # instant of the robot's state
    digest: str = scalar_field("str")  # of the prediction


@message
class SupervisorTurn(Message):
    """What the supervisor's core consumed in a turn: enough to judge it again."""

    process: int = scalar_field("int")  # whose core; another one began anew
    turn: int = scalar_field("int")  # turns that its core had had before
    missing: str = scalar_field("str")  # for readiness, in words
    stuck: str = scalar_field("str")  # why the arm does not follow though it should, in words
    fault: str = scalar_field("str")  # the driver's
    moving: bool = scalar_field("bool")
    plan_ns: int = scalar_field("int", "ns")  # instants of the newest plan and of the object's state; 0: none
    sim_ns: int = scalar_field("int", "ns")
    slices: IntArray = array_field((-1, 4), "1", "i8")  # heard: impulse, slice, revision, instant
    witnesses: IntArray = array_field((-1, 3), "1", "i8")  # heard: impulse, slice, instant
    orders: str = scalar_field("str")  # verbs and arguments in order, JSON; "judge" stands for its judgement


@message
class EmulatorInputs(Message):
    """What the emulator's core consumed since the block before (`drivers.emulation.emulation_log`)."""

    process: int = scalar_field("int")  # whose core; another one began anew
    start: int = scalar_field("int")  # the block's first cycle
    rows: IntArray = array_field((-1,), "1", "i8")  # flags of each cycle
    answers: IntArray = array_field((-1, 3), "1", "i8")  # cycle, packet that is answered, own counter
    latencies: SingleArray = array_field((-1,), "s", "f4")  # of each answer
    events: IntArray = array_field((-1, 3), "1", "i8")  # cycle, push (0) or disturbance (1), instant


INPUT_COMMANDING, INPUT_NEW_SESSION, INPUT_POWER, INPUT_ANSWERED, INPUT_MIRRORED = 1, 2, 4, 8, 16
INPUT_GAP = 32  # stamps jumped with this sample
CYCLE_COMMANDING, CYCLE_FOLLOWING, CYCLE_NEW_SESSION = 1, 2, 4  # flags of `CycleBlock.counts`


@message
class Request(Message):
    """An operator's command to the daemon: float, hold, reset, stop, status, push or disturb."""

    verb: str = scalar_field("str")
    arguments: str = scalar_field("str")  # JSON


@message
class Reply(Message):
    """The daemon's answer to a request."""

    accepted: bool = scalar_field("bool")
    text: str = scalar_field("str")
    status: str = scalar_field("str")  # JSON
