"""What a live loop told of itself while `zerog latency` listened, joined from its blocks."""

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hil.common.arrays import Array, BoolArray, IntArray
from hil.configuration import Configuration
from hil.messaging.codec import DTYPES, Kind
from hil.messaging.messages import (
    CYCLE_COMMANDING,
    CYCLE_FOLLOWING,
    CYCLE_NEW_SESSION,
    CycleBlock,
    PlannerTimes,
    SimState,
    SimTimes,
    SliceTimes,
    TruthBlock,
)

SAMPLE, ARRIVAL, WAKE, JUDGED, DECIDED, SENT = range(6)  # columns of `CycleBlock.stamps`
SEQUENCE, COUNT, LOST, MISSED, FLAGS = range(5)  # columns of `CycleBlock.counts`
MODULUS = 1 << 16  # of the packet counter on the wire


@dataclass(frozen=True, eq=False)
class LatencyRecording:
    """All rows of a recording; every stamp is on this machine's monotonic clock.

    Attributes:
        configuration: the run's.
        cycles: of the driver, one row a packet that was answered.
        slices: reported impulse slices, and plans as they came into effect.
        sim: what became of slices in the simulation.
        planner: what became of predictions.
        truth: of the emulation, one row a packet; None for a real arm.
        pace_ns: instants at which the pace of object time is known, shape (n,).
        pace: the pace there, shape (n,); 1 while the object floats freely.
        bare_ns: from packet sent to answer sent of a bare answering loop [ns], shape (n,).
        bare_sent: packets sent to it.
        real_time: what each process asked for and got, for the report's head.
        machine: on which it ran.
        remote_uncertainty: of the clock of simulation and planner against the driver's [s]; 0 on one
            machine, inf where it is not known.
        doubts: what is wrong with the recording, a sentence each.
    """

    configuration: Configuration
    cycles: CycleBlock
    slices: SliceTimes
    sim: SimTimes
    planner: PlannerTimes
    truth: TruthBlock | None
    pace_ns: IntArray
    pace: Array
    bare_ns: IntArray
    bare_sent: int = 0
    real_time: Mapping[str, Any] = field(default_factory=dict)
    machine: str = ""
    remote_uncertainty: float = 0.0
    doubts: tuple[str, ...] = ()

    @classmethod
    def from_messages(
        cls,
        configuration: Configuration,
        cycles: Sequence[CycleBlock],
        slices: Sequence[SliceTimes],
        sim: Sequence[SimTimes],
        planner: Sequence[PlannerTimes],
        truth: Sequence[TruthBlock] | None,
        states: Sequence[SimState] = (),
        bare_ns: Sequence[int] | IntArray = (),
        bare_sent: int = 0,
        real_time: Mapping[str, Any] | None = None,
        machine: str = "",
        remote_uncertainty: float = 0.0,
        lost: Mapping[str, int] | None = None,
    ) -> "LatencyRecording":
        """Return the recording made of messages in the order of their coming.

        Args:
            configuration: the run's.
            cycles: blocks of the driver's cycles.
            slices: the driver's slices and plans.
            sim: the simulation's times.
            planner: the planner's times.
            truth: blocks of the emulation's truth; None for a real arm.
            states: states of the simulation, which tell the pace of object time.
            bare_ns: latencies of a bare answering loop [ns].
            bare_sent: packets sent to it.
            real_time: what each process asked for and got.
            machine: on which it ran.
            remote_uncertainty: see the attribute.
            lost: messages missed by topic, from gaps in the publishers' numbers.
        """
        doubts = [f"{n} messages of topic {topic} were lost" for topic, n in (lost or {}).items() if n]
        doubts += _cycle_gaps(cycles)
        if truth is not None:
            doubts += _truth_gaps(truth)
        return cls(
            configuration=configuration,
            cycles=joined(CycleBlock, cycles),
            slices=joined(SliceTimes, slices),
            sim=joined(SimTimes, sim),
            planner=joined(PlannerTimes, planner),
            truth=None if truth is None else joined(TruthBlock, truth),
            pace_ns=np.array([state.t_ns for state in states], np.int64),
            pace=np.array([state.time_rate for state in states], np.float64),
            bare_ns=np.asarray(bare_ns, np.int64),
            bare_sent=bare_sent,
            real_time=real_time or {},
            machine=machine,
            remote_uncertainty=remote_uncertainty,
            doubts=tuple(doubts),
        )

    @property
    def commanding(self) -> BoolArray:
        """Whether a cycle's command moved the arm and belonged to a running session, shape (n,)."""
        flags = self.cycles.counts[:, FLAGS]
        running: BoolArray = (flags & CYCLE_COMMANDING != 0) & (flags & CYCLE_NEW_SESSION == 0)
        return running

    @property
    def following(self) -> BoolArray:
        """Whether a cycle's command rested on a plan, shape (n,)."""
        found: BoolArray = self.commanding & (self.cycles.counts[:, FLAGS] & CYCLE_FOLLOWING != 0)
        return found


def joined(kind: type[Kind], blocks: Sequence[Kind]) -> Kind:
    """Return one block with the rows of all; scalars are the last one's."""
    values: dict[str, Any] = {}
    for item in dataclasses.fields(kind):
        what, shape = item.metadata["kind"], item.metadata["shape"]
        if what in DTYPES:
            empty = np.empty((0, *shape[1:]), DTYPES[what])
            values[item.name] = np.concatenate([empty, *(getattr(block, item.name) for block in blocks)])
        else:
            values[item.name] = getattr(blocks[-1], item.name) if blocks else "" if what == "str" else 0
    return kind(**values)


def packet_numbers(sequences: IntArray, stamps_ns: IntArray, sample_time: float) -> IntArray:
    """Return packet counters unwrapped from 16 bits, shape (n,); holes of many turns are bridged by time.

    Args:
        sequences: counters in the order of sending, shape (n,).
        stamps_ns: when the packets were sent or came, shape (n,).
        sample_time: between packets [s].
    """
    if not len(sequences):
        return np.empty(0, np.int64)
    steps = np.mod(np.diff(sequences), MODULUS)
    expected = np.diff(stamps_ns) * (1e-9 / sample_time)
    turns = np.round((expected - steps) / MODULUS).astype(np.int64)
    return np.concatenate([sequences[:1], sequences[0] + np.cumsum(steps + MODULUS * turns)])


def truth_rows(recording: LatencyRecording) -> IntArray:
    """Return for each cycle the row of `truth` that tells of its packet, -1 where there is none, (n,)."""
    cycles, truth = recording.cycles, recording.truth
    missing = np.full(len(cycles.stamps), -1, np.int64)
    if truth is None or not len(truth.sequences) or not len(missing):
        return missing
    numbers = packet_numbers(truth.sequences, truth.stamps[:, 0], recording.configuration.fri.sample_time)
    near = np.interp(cycles.stamps[:, ARRIVAL], truth.stamps[:, 0], numbers)
    sequence = cycles.counts[:, SEQUENCE]
    wanted = sequence + MODULUS * np.round((near - sequence) / MODULUS).astype(np.int64)
    rows = np.minimum(np.searchsorted(numbers, wanted), len(numbers) - 1)
    return np.where(numbers[rows] == wanted, rows, -1)


def _cycle_gaps(blocks: Sequence[CycleBlock]) -> list[str]:
    """Say whether whole blocks are missing: more packets untold of between two than a block holds."""
    missing = 0
    for before, after in itertools.pairwise(blocks):
        if len(before.counts) and len(after.counts):
            step = after.counts[0] - before.counts[-1]
            untold = step[COUNT] - 1 - step[LOST]
            missing += int(untold) if untold >= len(before.counts) else 0
    return [f"{missing} cycles of the driver are missing from the recording"] if missing else []


def _truth_gaps(blocks: Sequence[TruthBlock]) -> list[str]:
    missing = 0
    for before, after in itertools.pairwise(blocks):
        if len(before.sequences) and len(after.sequences):
            untold = int(np.mod(after.sequences[0] - before.sequences[-1], MODULUS)) - 1
            missing += untold if untold >= len(before.sequences) else 0
    if not missing:
        return []
    return [f"{missing} cycles of the emulated arm are missing: it stood still, or their blocks were lost"]
