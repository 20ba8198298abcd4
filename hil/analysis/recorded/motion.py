"""The arm's motion in a recording, on the robot's own clock, paired with the driver's cycles."""

from dataclasses import replace

import numpy as np

from hil.analysis.latency.motion import Motion, measured_motion, true_motion
from hil.analysis.latency.recording import LatencyRecording, packet_numbers, truth_rows
from hil.common.arrays import Array, BoolArray, IntArray

ROWS = ("stamp_ns", "p", "quat", "twist", "wrench")  # of a motion, beside its instants


def robot_clock(t_ns: IntArray, counts: IntArray, sample_time: float) -> IntArray:
    """Return when samples were taken by the robot's own clock, which is the packet counter [ns], shape (n,).

    The stamps follow the arrival of packets and move by microseconds; derivatives of the commands would
    show that. Where a new stream of packets begins, they bridge the gap.

    Args:
        t_ns: stamps of the samples, rising, shape (n,).
        counts: unwrapped packet counter, from anew for each stream, shape (n,).
        sample_time: from packet to packet [s].
    """
    steps = np.diff(counts)
    moved = np.where(steps > 0, steps * round(1e9 * sample_time), np.diff(t_ns))
    clock: IntArray = np.concatenate([t_ns[:1], t_ns[:1] + np.cumsum(moved)])
    return clock


def paired_motion(latency: LatencyRecording, t: Array) -> tuple[BoolArray, Motion, IntArray]:
    """Return which cycles have an arm's pose (n,), the arm's motion, and its row for each cycle (n,).

    The motion is what was really so, or by the measured joints where that was not recorded.

    Args:
        latency: the recording's stamps.
        t: the cycles' instants by the robot's clock [s], shape (n,); those of the motion are on it as well.
    """
    if latency.truth is None:
        return np.ones(len(t), bool), replace(measured_motion(latency), t=t), np.arange(len(t))
    motion, rows = true_motion(latency), truth_rows(latency)
    paired: BoolArray = rows >= 0
    if not paired.any():
        return paired, motion, rows
    truth, sample_time = latency.truth, latency.configuration.fri.sample_time
    sent = packet_numbers(truth.sequences, truth.stamps[:, 0], sample_time)
    instants = np.interp(sent, sent[rows[paired]], t[paired], np.nan, np.nan)
    inside = np.flatnonzero(np.isfinite(instants))
    first, last = int(inside[0]), int(inside[-1]) + 1
    cut = {name: getattr(motion, name)[first:last] for name in ROWS}
    return paired, replace(motion, t=instants[first:last], **cut), rows - first
