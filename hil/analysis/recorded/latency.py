"""A recording's stamps as what `zerog latency` analyses: the same functions measure both."""

import dataclasses
from collections.abc import Mapping

import numpy as np

from hil.analysis.latency.recording import LatencyRecording, joined
from hil.common.arrays import IntArray
from hil.configuration import Configuration
from hil.messaging.codec import Kind
from hil.messaging.messages import (
    CYCLE_COMMANDING,
    CYCLE_FOLLOWING,
    CYCLE_NEW_SESSION,
    CycleBlock,
    PlannerTimes,
    SimTimes,
    SliceTimes,
    TruthBlock,
)
from hil.recording.columns import Columns

PARTS = ("arrival_ns", "wake_ns", "judged_ns", "decided_ns", "sent_ns")
COUNTS = ("sequence", "count", "lost", "missed")


def latency_of(c: Configuration, channels: Mapping[str, Columns], machine: str) -> LatencyRecording:
    """Return the stamps of a recorded run; what a recording lacks is empty.

    Args:
        c: the run's configuration.
        channels: columns of the recording, by channel.
        machine: on which it ran.
    """
    states, truth = channels.get("/sim_state"), channels.get("/truth")
    return LatencyRecording(
        configuration=c,
        cycles=cycle_block(channels.get("/cycle")),
        slices=_all_of(SliceTimes, channels.get("/slice_times")),
        sim=_all_of(SimTimes, channels.get("/times_sim")),
        planner=_all_of(PlannerTimes, channels.get("/times_planner")),
        truth=None if truth is None else truth_block(truth),
        pace_ns=np.empty(0, np.int64) if states is None else states["t_ns"],
        pace=np.empty(0) if states is None else states["time_rate"],
        bare_ns=np.empty(0, np.int64),
        machine=machine,
    )


def cycle_block(columns: Columns | None) -> CycleBlock:
    """Return the columns of `/cycle` as one block; without any, one without rows."""
    if columns is None:
        return joined(CycleBlock, [])
    t_ns = columns["t_ns"]
    flags: IntArray = (
        CYCLE_COMMANDING * columns["commanding"].astype(np.int64)
        + CYCLE_FOLLOWING * columns["following"]
        + CYCLE_NEW_SESSION * columns["new_session"]
    )
    return CycleBlock(
        int(t_ns[-1]),
        np.column_stack([t_ns, *(t_ns + columns[part] for part in PARTS)]),
        np.column_stack([*(columns[name] for name in COUNTS), flags]),
        *(columns[name].astype(np.float64) for name in ("q_command", "q_measured", "wrench_object")),
    )


def truth_block(columns: Columns) -> TruthBlock:
    """Return the columns of `/truth` as one block."""
    sent, answer = columns["t_ns"], columns["answer_ns"]
    names = ("q", "p_world_object", "quat_world_object", "twist_world_object", "wrench_world")
    stamps = np.column_stack([sent, np.where(answer < 0, 0, sent + answer)])
    floats = {name: columns[name].astype(np.float64) for name in names}
    # what the controller's own monitor found is not recorded
    return TruthBlock(int(sent[-1]), columns["sequence"], stamps, violations=0, violation="", **floats)


def _all_of(kind: type[Kind], columns: Columns | None) -> Kind:
    """Return one message of a class with the rows of all, or with none."""
    if columns is None:
        return joined(kind, [])
    rows = {field.name: columns[field.name] for field in dataclasses.fields(kind)}
    return kind(**rows | {"t_ns": int(columns["t_ns"][-1])})
