"""How long each part of the chain takes, from the robot's packet to the command that answers a push.

A stage is the difference of two stamps of one monotonic clock. Where the simulation runs on another
workstation, its stamps carry the uncertainty of the clocks' offset; without one, nothing is said.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hil.analysis.latency.recording import (
    ARRIVAL,
    DECIDED,
    FLAGS,
    JUDGED,
    LOST,
    MISSED,
    SAMPLE,
    SENT,
    WAKE,
    LatencyRecording,
    truth_rows,
)
from hil.common.arrays import Array, IntArray
from hil.messaging.messages import CYCLE_NEW_SESSION

MS, US = np.float64(1e-6), np.float64(1e-3)  # from nanoseconds

STAGES = {
    "robot_to_driver": "robot packet to driver awake",
    "filter_and_detect": "filter and detect",
    "command_decided": "command decided",
    "command_sent": "command sent",
    "impulse_to_sim": "first slice of a push to sim",
    "world_corrected": "world corrected",
    "prediction_out": "prediction out",
    "plan_out": "plan out",
    "plan_in_effect": "plan in effect",
}
ACROSS = ("impulse_to_sim", "plan_in_effect")  # from driver to simulation, from planner to driver


@dataclass(frozen=True, eq=False)
class Stages:
    """Durations of one recording; an array is empty where there was nothing to measure.

    Attributes:
        stages: by the names of `STAGES` [ms].
        ring: from a slice's sample to the first command sent that rests on a plan containing it [ms].
        own_share: from packet sent by the robot to command sent by the driver [ms].
        round_trip: from packet sent to its answer's arrival, both by the robot [ms].
        wake_up: lateness of the driver behind the packet [us].
        compute: from wake-up to command sent [us].
        slack: from command sent to the next packet's due time [us].
        missed: answers that the robot missed.
        lost: packets that never reached the driver.
        overtaken: packets that a newer one overtook before the driver woke up: not answered.
        answered: packets answered.
        packets: packets that the robot sent, as far as the driver knows.
        not_measured: why something is missing, a sentence each.
    """

    stages: Mapping[str, Array]
    ring: Array
    own_share: Array
    round_trip: Array
    wake_up: Array
    compute: Array
    slack: Array
    missed: int
    lost: int
    overtaken: int
    answered: int
    packets: int
    not_measured: tuple[str, ...]


def measured_stages(recording: LatencyRecording) -> Stages:
    """Return the durations of all stages."""
    stamps = recording.cycles.stamps.astype(np.float64)
    packet_ns = _packet_sent(recording)
    found = {
        "robot_to_driver": (stamps[:, WAKE] - packet_ns) * MS,
        "filter_and_detect": (stamps[:, JUDGED] - stamps[:, WAKE]) * MS,
        "command_decided": (stamps[:, DECIDED] - stamps[:, JUDGED]) * MS,
        "command_sent": (stamps[:, SENT] - stamps[:, DECIDED]) * MS,
    }
    found |= _ring_stages(recording)
    remote = recording.remote_uncertainty
    if not np.isfinite(remote):
        found |= {name: np.empty(0) for name in ACROSS}
    period_ns = recording.configuration.fri.sample_time * 1e9
    missed, lost, overtaken, answered = _counts(recording)
    return Stages(
        stages={name: _finite(found[name]) for name in STAGES},
        ring=_ring(recording),
        own_share=_finite((stamps[:, SENT] - packet_ns) * MS),
        round_trip=_round_trip(recording),
        wake_up=_finite((stamps[:, ARRIVAL] - packet_ns) * US),
        compute=(stamps[:, SENT] - stamps[:, WAKE]) * US,
        slack=(stamps[:, SAMPLE] + period_ns - stamps[:, SENT]) * US,
        missed=missed,
        lost=lost,
        overtaken=overtaken,
        answered=answered,
        packets=answered + lost + overtaken,
        not_measured=tuple(_reasons(recording, packet_ns)),
    )


def _packet_sent(recording: LatencyRecording) -> Array:
    """Return when the robot sent each cycle's packet [ns], NaN where nobody knows, shape (n,).

    A real controller has another clock. The smooth stamp of the sample is the earliest that packets
    ever arrive, so what is counted from there is by how much one came later than the fastest.
    """
    stamps = recording.cycles.stamps
    if recording.truth is None:
        return stamps[:, SAMPLE].astype(np.float64)
    rows = truth_rows(recording)
    sent = np.full(len(stamps), np.nan)
    sent[rows >= 0] = recording.truth.stamps[rows[rows >= 0], 0]
    return sent


def _round_trip(recording: LatencyRecording) -> Array:
    if recording.truth is None:
        return np.empty(0)
    sent, answered = recording.truth.stamps.T
    return (answered - sent)[answered > 0] * MS


def _ring_stages(recording: LatencyRecording) -> dict[str, Array]:
    """Return the stages from a slice's report to the command that rests on its plan [ms]."""
    slices, sim, planner = recording.slices, recording.sim, recording.planner
    heard, corrected, predicted = sim.stamps.T
    out = sim.predictions >= 0
    numbers, first = np.unique(sim.predictions[out], return_index=True)
    plan_heard = _rows(planner.plans, numbers)
    planned = plan_heard >= 0
    in_effect = _rows(planner.plans, slices.plans)
    taken = in_effect >= 0
    first_rows = _first_revisions(slices.slices)
    told = _key_rows(sim.slices, slices.slices[first_rows])
    known = told >= 0
    return {
        "impulse_to_sim": (heard[told[known]] - slices.slice_stamps[first_rows[known], 1]) * MS,
        "world_corrected": (corrected - heard) * MS,
        "prediction_out": (predicted - corrected)[out] * MS,
        "plan_out": (planner.stamps[plan_heard[planned], 1] - predicted[out][first[planned]]) * MS,
        "plan_in_effect": (slices.plan_stamps[taken] - planner.stamps[in_effect[taken], 1]) * MS,
    }


def _ring(recording: LatencyRecording) -> Array:
    """Return how long each revision of a slice took until a command rested on a plan containing it [ms].

    A revision is contained in the first prediction that left after the world was corrected by it, and
    in all later ones. Both ends are stamps of the driver. Where the robot's session ended in between, the
    revision has never been in a plan that was followed.
    """
    slices, sim = recording.slices, recording.sim
    told = _key_rows(sim.slices, slices.slices)
    row = np.flatnonzero(told >= 0)
    # of each row of the simulation the first prediction that went out from there on
    out = np.flatnonzero(sim.predictions >= 0)
    following = np.searchsorted(out, told[row])
    row, following = row[following < len(out)], following[following < len(out)]
    number = sim.predictions[out[following]]
    order = np.argsort(slices.plans, kind="stable")
    plan = np.searchsorted(slices.plans[order], number)
    row, plan = row[plan < len(order)], plan[plan < len(order)]
    begin, end = slices.slice_stamps[row, 0], slices.plan_stamps[order[plan]]
    idle = np.sort(recording.cycles.stamps[~recording.commanding, SAMPLE])
    within_session = np.searchsorted(idle, begin) == np.searchsorted(idle, end)
    return (end - begin)[within_session] * MS


def _counts(recording: LatencyRecording) -> tuple[int, int, int, int]:
    """Return answers missed, packets lost, packets overtaken and packets answered; streams apart."""
    counts = recording.cycles.counts
    if len(counts) < 2:
        return 0, 0, 0, len(counts)
    steps = np.diff(counts, axis=0)
    # the robot forgets what it counted when a session begins
    running = (steps[:, 1] > 0) & (counts[1:, FLAGS] & CYCLE_NEW_SESSION == 0)
    missed = np.maximum(steps[running, MISSED], 0).sum()
    lost = steps[running, LOST].sum()
    return int(missed), int(lost), int((steps[running, 1] - 1).sum() - lost), len(counts)


def _first_revisions(keys: IntArray) -> IntArray:
    """Return the rows of the first report of each impulse, shape (impulses,)."""
    if not len(keys):
        return np.empty(0, np.int64)
    order = np.lexsort(keys.T[::-1])
    _, first = np.unique(keys[order, 0], return_index=True)
    found: IntArray = order[first]
    return found


def _key_rows(table: IntArray, wanted: IntArray) -> IntArray:
    """Return the first rows of `table` (m, k) that hold the keys `wanted` (n, k), -1 where none does."""
    places: dict[tuple[int, ...], int] = {}
    for row, key in enumerate(table.tolist()):
        places.setdefault(tuple(key), row)
    return np.array([places.get(tuple(key), -1) for key in wanted.tolist()], np.int64)


def _rows(table: IntArray, wanted: IntArray) -> IntArray:
    """Return the first rows of `table` (m,) that hold the numbers `wanted` (n,), -1 where none does."""
    return _key_rows(table[:, None], wanted[:, None])


def _finite(values: Array) -> Array:
    found: Array = values[np.isfinite(values)]
    return found


def _reasons(recording: LatencyRecording, packet_ns: Array) -> list[str]:
    reasons = []
    if recording.truth is None:
        reasons.append(
            "When the robot sent a packet: its clock is not ours. Wake-up and own share count from the "
            "earliest arrival that the packet counter explains: the least time on the way is not in them."
        )
    elif np.isnan(packet_ns).any():
        unknown = int(np.isnan(packet_ns).sum())
        reasons.append(
            f"When {unknown} of {len(packet_ns)} packets were sent: rows of the emulated arm are missing."
        )
    if not np.isfinite(recording.remote_uncertainty):
        reasons.append(
            "The ways between driver, simulation and planner: they run on two machines, and the offset of "
            "their clocks is not known."
        )
    if not len(recording.slices.slices):
        reasons.append("The ring: no impulse was reported.")
    return reasons
