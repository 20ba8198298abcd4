"""Blocks of cycles as single messages: in a recording every cycle stands for itself, at its own time."""

from collections.abc import Iterator

import numpy as np

from hil.common.arrays import Array, IntArray, SingleArray
from hil.loop.trace.plan_record import KEPT
from hil.messaging.codec import Message, array_field, message, scalar_field
from hil.messaging.digest import digest
from hil.messaging.messages import (
    CYCLE_COMMANDING,
    CYCLE_FOLLOWING,
    CYCLE_NEW_SESSION,
    CycleBlock,
    Plan,
    PortBlock,
    TruthBlock,
)


@message
class Cycle(Message):
    """One cycle of the driver; `t_ns` is when the sample was taken, and all durations count from there."""

    arrival_ns: int = scalar_field("int", "ns")  # until the packet came
    wake_ns: int = scalar_field("int", "ns")  # until work began
    judged_ns: int = scalar_field("int", "ns")  # until the wrench was judged
    decided_ns: int = scalar_field("int", "ns")  # until the command was decided
    sent_ns: int = scalar_field("int", "ns")  # until the answer was sent
    sequence: int = scalar_field("int")  # packet counter on the wire
    count: int = scalar_field("int")  # the same, unwrapped
    lost: int = scalar_field("int")  # packets lost so far
    missed: int = scalar_field("int")  # answers missed so far, as the robot counts them
    commanding: bool = scalar_field("bool")
    following: bool = scalar_field("bool")
    new_session: bool = scalar_field("bool")
    q_command: Array = array_field((7,), "rad")
    # in single precision: so the controller sends what it measured
    q_measured: SingleArray = array_field((7,), "rad", "f4")
    wrench_object: SingleArray = array_field((6,), "N, N m", "f4")  # about the centre of mass, object axes


@message
class Truth(Message):
    """What was really so in the emulation when a packet was sent, at `t_ns`; in single precision."""

    answer_ns: int = scalar_field("int", "ns")  # until its answer arrived; -1: none in time
    sequence: int = scalar_field("int")  # packet counter on the wire
    q: SingleArray = array_field((7,), "rad", "f4")
    p_world_object: SingleArray = array_field((3,), "m", "f4")
    quat_world_object: SingleArray = array_field((4,), "w x y z", "f4")
    twist_world_object: SingleArray = array_field((6,), "m/s, rad/s", "f4")
    wrench_world: SingleArray = array_field((6,), "N, N m", "f4")  # true push, a port's too, about the centre


@message
class PortTruth(Message):
    """What was really so of an emulated port when a packet was sent, at `t_ns`; in single precision."""

    sequence: int = scalar_field("int")  # packet counter on the wire
    wrench_world: SingleArray = array_field((6,), "N, N m", "f4")  # on the mock-up, about the object's centre
    penetration: float = scalar_field("float", "m")  # of the deepest foot; negative: a gap
    p_world_port: SingleArray = array_field((3,), "m", "f4")  # the point of its face
    v_world_port: SingleArray = array_field((3,), "m/s", "f4")
    deflection_world: SingleArray = array_field(
        (3,), "m", "f4"
    )  # of the mock-up from where the joints have it
    measured_world: SingleArray = array_field((6,), "N, N m", "f4")  # by its own sensor, about the point


@message
class PlanNews(Message):
    """What is told of every plan; paths in full are recorded now and then (`/plan_path`)."""

    epoch: int = scalar_field("int")
    number: int = scalar_field("int")  # the prediction's number
    branch: int = scalar_field("int")
    nodes: int = scalar_field("int")
    policy: str = scalar_field("str")  # RUN, SLOW, HOLD
    reason: str = scalar_field("str")  # why not RUN
    time_rate: float = scalar_field("float")  # the rate asked of the simulation
    depth: float = scalar_field("float", "s")  # object time that can be followed from its start
    slices: IntArray = array_field((-1, 3), "1", "i8")  # impulse, slice, revision: those it contains
    digest: str = scalar_field("str")  # of the whole plan: two that are the same to the bit have the same
    object_time_0: float = scalar_field("float", "s")  # of its first sample
    step: float = scalar_field("float", "s")  # object time between two samples
    time_map: Array = array_field((4,), "s, s, 1, 1")
    arm_angle: SingleArray = array_field((-1,), "rad", "f4")  # of the samples of the first second


@message
class RecorderState(Message):
    """What the recorder has missed."""

    lost: int = scalar_field("int")  # messages so far, by gaps in their publishers' counts
    topics: str = scalar_field("str")  # the same by topic, JSON


def news_of(plan: Plan) -> PlanNews:
    """Return what is told of every plan."""
    return PlanNews(
        plan.t_ns,
        plan.epoch,
        plan.number,
        plan.branch,
        len(plan.q),
        plan.policy,
        plan.reason,
        plan.time_rate,
        plan.depth,
        plan.slices,
        digest(plan),
        plan.object_time_0,
        plan.step,
        plan.time_map,
        plan.arm_angle[: 1 + round(KEPT / plan.step)].astype(np.float32),
    )


def cycles_of(block: CycleBlock) -> Iterator[Cycle]:
    """Return the cycles of a block, oldest first."""
    rows = zip(block.stamps.tolist(), block.counts.tolist(), strict=True)
    for row, ((t_ns, *stamps), (*counts, flags)) in enumerate(rows):
        arrival, wake, judged, decided, sent = (stamp - t_ns for stamp in stamps)
        sequence, count, lost, missed = counts
        yield Cycle(
            t_ns,
            arrival_ns=arrival,
            wake_ns=wake,
            judged_ns=judged,
            decided_ns=decided,
            sent_ns=sent,
            sequence=sequence,
            count=count,
            lost=lost,
            missed=missed,
            commanding=bool(flags & CYCLE_COMMANDING),
            following=bool(flags & CYCLE_FOLLOWING),
            new_session=bool(flags & CYCLE_NEW_SESSION),
            q_command=block.q_command[row],
            q_measured=block.q_measured[row],
            wrench_object=block.wrench_object[row],
        )


def truths_of(block: TruthBlock) -> Iterator[Truth]:
    """Return the instants of a block, oldest first."""
    rows = zip(block.stamps.tolist(), block.sequences.tolist(), strict=True)
    for row, ((sent_ns, answer_ns), sequence) in enumerate(rows):
        yield Truth(
            sent_ns,
            answer_ns - sent_ns if answer_ns else -1,
            sequence,
            block.q[row],
            block.p_world_object[row],
            block.quat_world_object[row],
            block.twist_world_object[row],
            block.wrench_world[row],
        )


def port_truths_of(block: PortBlock) -> Iterator[PortTruth]:
    """Return the instants of a port's block, oldest first."""
    rows = zip(block.stamps.tolist(), block.sequences.tolist(), block.penetration.tolist(), strict=True)
    for row, (sent_ns, sequence, penetration) in enumerate(rows):
        yield PortTruth(
            sent_ns,
            sequence,
            block.wrench_world[row],
            penetration,
            block.p_world_port[row],
            block.v_world_port[row],
            block.deflection_world[row],
            block.measured_world[row],
        )
