"""The arm's motion and the pushes on it, from the emulation's truth or from what a real arm measures.

Instants are seconds on the robot's own clock: its packet counter times the sample time. Nothing of the
loop's timing is in them.
"""

from dataclasses import dataclass

import numpy as np

from hil.analysis.figures.windows import FIT, TWIST_SCALE, fitted_twists
from hil.analysis.latency.recording import SAMPLE, SEQUENCE, LatencyRecording, packet_numbers
from hil.common.arrays import Array, IntArray, frozen_array
from hil.common.geometry import matrix_from_quat, quat_from_matrix
from hil.configuration.frames import Frames
from hil.wrench.held_body import object_pose
from planner.kinematics.arm_model import load_arm_model

SOONER = 0.06  # [s] before its first report a measured push began, at most
QUIET = 0.05  # [s] of wrench before that, whose mean and noise are taken
LONGEST = 1.0  # [s]; a measured push that lasts longer is looked at no further
NOISE_LEVEL = 5.0  # standard deviations above the mean at which a measured wrench is a push
END_LEVEL = 0.1  # of its peak below which a measured push is over


@dataclass(frozen=True, eq=False)
class Motion:
    """One row a packet.

    Attributes:
        exact: whether twists are exact; otherwise they are fitted to poses, over 10 ms on either side.
        t: on the robot's clock [s], shape (n,).
        stamp_ns: the same instants on the loop's clock, as well as known, shape (n,).
        p: centre of mass of the object that the arm holds, world [m], shape (n, 3).
        quat: its attitude in world, shape (n, 4).
        twist: its velocity, world axes [m/s, rad/s], shape (n, 6).
        wrench: push about its centre, world axes [N, N m], shape (n, 6).
    """

    exact: bool
    t: Array
    stamp_ns: IntArray
    p: Array
    quat: Array
    twist: Array
    wrench: Array


@dataclass(frozen=True)
class PushTime:
    """When a push began and ended, on the robot's clock [s]."""

    start: float
    end: float


def true_motion(recording: LatencyRecording) -> Motion:
    """Return the emulated arm's motion under the operator's true force."""
    truth = recording.truth
    assert truth is not None
    sample_time = recording.configuration.fri.sample_time
    numbers = packet_numbers(truth.sequences, truth.stamps[:, 0], sample_time)
    return Motion(
        exact=True,
        t=numbers.astype(np.float64) * sample_time,
        stamp_ns=truth.stamps[:, 0],
        p=np.ascontiguousarray(truth.p_world_object),
        quat=np.ascontiguousarray(truth.quat_world_object),
        twist=truth.twist_world_object,
        wrench=truth.wrench_world,
    )


def measured_motion(recording: LatencyRecording) -> Motion:
    """Return the motion by the measured joints, under the measured wrench."""
    c, cycles = recording.configuration, recording.cycles
    model, frames = load_arm_model(c.robot.model), Frames.from_configuration(c)
    count, q_measured = len(cycles.stamps), frozen_array(cycles.q_measured)
    p, quat, wrench = np.empty((count, 3)), np.empty((count, 4)), np.empty((count, 6))
    for k in range(count):
        T = object_pose(model.geometry, q_measured[k], frames.T_world_base, frames.T_flange_object)
        p[k], quat[k] = T[:3, 3], quat_from_matrix(np.ascontiguousarray(T[:3, :3]))
        R = matrix_from_quat(quat[k])
        wrench[k, :3], wrench[k, 3:] = R @ cycles.wrench_object[k, :3], R @ cycles.wrench_object[k, 3:]
    stamps = cycles.stamps[:, SAMPLE]
    numbers = packet_numbers(cycles.counts[:, SEQUENCE], stamps, c.fri.sample_time)
    t = numbers.astype(np.float64) * c.fri.sample_time
    twist = fitted_twists(t, p, quat, 0, count)
    return Motion(exact=False, t=t, stamp_ns=stamps, p=p, quat=quat, twist=twist, wrench=wrench)


def true_pushes(motion: Motion) -> list[PushTime]:
    """Return when the true wrench was not zero; edges between rows are found by a straight line."""
    size = np.linalg.norm(motion.wrench / TWIST_SCALE, axis=1)
    edges = np.diff(np.concatenate([[0], (size > 0.0).astype(np.int64), [0]]))
    begins, ends = np.flatnonzero(edges == 1).tolist(), np.flatnonzero(edges == -1).tolist()
    pushes = []
    for first, last in zip(begins, ends, strict=True):
        if first == 0 or last == len(size):
            continue  # begun before the recording, or not over at its end
        start = _foot(motion.t, size, first, -1)
        pushes.append(PushTime(start, _foot(motion.t, size, last - 1, 1)))
    return pushes


def measured_pushes(recording: LatencyRecording, motion: Motion) -> list[PushTime]:
    """Return when the measured wrench rose and fell, for each impulse that the driver reported."""
    slices = recording.slices
    ids, first = np.unique(slices.slices[:, 0], return_index=True)
    reported = [slices.slice_stamps[slices.slices[:, 0] == i, 0].min() for i in ids[np.argsort(first)]]
    found = (_measured_push(motion, int(np.searchsorted(motion.stamp_ns, t_ns))) for t_ns in reported)
    return [push for push in found if push is not None]


def less_offset(motion: Motion, start: float) -> Array:
    """Return the wrench less its mean before a push that began at `start` [s], shape (n, 6).

    The true wrench has no offset.
    """
    if motion.exact:
        return motion.wrench
    first, last = np.searchsorted(motion.t, [start - QUIET - FIT, start - FIT])
    if first == last:
        return motion.wrench
    offset: Array = motion.wrench[first:last].mean(axis=0)
    return motion.wrench - offset


def _measured_push(motion: Motion, row: int) -> PushTime | None:
    """Return the push that was reported at `row`, or None where its edges cannot be found."""
    t = motion.t
    if row >= len(t):
        return None
    low, quiet, high = np.searchsorted(t, [t[row] - SOONER - QUIET, t[row] - SOONER, t[row] + LONGEST])
    if quiet - low < 3:
        return None
    wrench = (motion.wrench[low:high] - motion.wrench[low:quiet].mean(axis=0)) / TWIST_SCALE
    size = np.linalg.norm(wrench, axis=1)
    noise = size[: quiet - low]
    level = noise.mean() + NOISE_LEVEL * noise.std()
    below = np.flatnonzero(size[: row - low + 1] < level)
    if not len(below) or below[-1] + 1 >= len(size):
        return None
    begin = int(below[-1]) + 1
    # the direction of the push is that of its peak; what swings back is not part of it
    peak = begin + _first_peak(size[begin:])
    along = wrench @ wrench[peak] / size[peak]
    over = np.flatnonzero(along[peak:] < END_LEVEL * size[peak])
    if not len(over):
        return None
    end = peak + int(over[0]) - 1
    return PushTime(_foot(t[low:], along, begin, -1), _foot(t[low:], along, end, 1))


def _first_peak(size: Array) -> int:
    """Return the row of the largest value before the size has fallen to a half of it."""
    largest = np.maximum.accumulate(size)
    fallen = np.flatnonzero(size < 0.5 * largest)
    return int(np.argmax(size[: fallen[0] if len(fallen) else len(size)]))


def _foot(t: Array, size: Array, row: int, out: int) -> float:
    """Return where a straight line through `row` and the one further in meets zero [s].

    Never beyond the next row outwards (`out` -1: towards earlier ones, 1: later). Half a sine's edge
    is nearly straight.
    """
    outside, inside = row + out, row - out
    if not 0 <= inside < len(size) or not 0 <= outside < len(size) or size[inside] <= size[row]:
        return float(t[min(max(outside, 0), len(size) - 1)])
    foot = t[row] - size[row] * (t[inside] - t[row]) / (size[inside] - size[row])
    low, high = sorted((float(t[row]), float(t[outside])))
    return float(min(max(foot, low), high))
