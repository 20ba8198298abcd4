"""Recordings for the tests of `hil.analysis.latency`: from closed forms, and from the loop in lock-step."""

import dataclasses

import numpy as np

from hil.analysis.latency.recording import LatencyRecording
from hil.common.geometry import quat_from_matrix
from hil.loop.lockstep import START_NS, LockStep
from hil.messaging.messages import (
    CYCLE_COMMANDING,
    CYCLE_FOLLOWING,
    CYCLE_NEW_SESSION,
    CycleBlock,
    SliceTimes,
    TruthBlock,
)

FLAGS = CYCLE_COMMANDING | CYCLE_FOLLOWING


def with_delay(cube, delay=0.0, sample_time=0.002, **emulator):
    """The configuration with another interface delay and sample time [s]."""
    return cube.model_copy(
        update={
            "fri": cube.fri.model_copy(update={"sample_time": sample_time}),
            "emulator": cube.emulator.model_copy(update={"delay": delay, **emulator}),
        }
    )


def cycle_block(numbers, sample_time, q_command, q_measured, wrench=None, late_ns=300_000, flags=FLAGS):
    """Cycles of these packet numbers; the driver wakes `late_ns` after each and answers 200 us later."""
    n = len(numbers)
    sample = START_NS + np.round(numbers * sample_time * 1e9).astype(np.int64)
    wake = sample + late_ns
    stamps = np.column_stack([sample, wake, wake + 10_000, wake + 60_000, wake + 180_000, wake + 200_000])
    lost = np.zeros(n, np.int64)
    counts = np.column_stack([numbers % 65536, numbers, lost, lost, np.broadcast_to(flags, n)])
    wrench = np.zeros((n, 6)) if wrench is None else wrench
    return CycleBlock(0, stamps, counts, q_command, q_measured, wrench)


def closed_form_robot(configuration, duration, seed, keep=None, noise=1e-6):
    """A recording of a second-order lag with dead time, in steady state by its frequency response.

    Each joint's command is a sum of sines from 0.1 to 5 Hz whose speeds fall with frequency, as after
    pushes; the measurement is each sine behind the plant, in 32-bit floats with noise.
    """
    rng = np.random.default_rng(seed)
    T, plant = configuration.fri.sample_time, configuration.emulator
    w_0 = 2.0 * plant.damping / plant.lag
    numbers = np.arange(round(duration / T))
    t = numbers[:, None] * T
    command, measured = np.zeros((len(t), 7)), np.zeros((len(t), 7))
    for f in (0.1, 0.23, 0.41, 0.9, 1.7, 3.1, 5.0):
        w, phase = 2.0 * np.pi * f * rng.uniform(0.9, 1.1, 7), rng.uniform(0.0, 2.0 * np.pi, 7)
        size = 0.05 / w / np.sqrt(1.0 + (f / 0.5) ** 2)
        response = w_0**2 / (w_0**2 - w**2 + 2j * plant.damping * w_0 * w)
        command += size * np.sin(w * t + phase)
        measured += size * abs(response) * np.sin(w * (t - T - plant.delay) + phase + np.angle(response))
    measured += rng.normal(0.0, noise, measured.shape) + 2e-3
    measured = measured.astype(np.float32).astype(np.float64)
    rows = np.ones(len(t), bool) if keep is None else keep(rng, len(t))
    block = cycle_block(numbers[rows], T, command[rows], measured[rows])
    return LatencyRecording.from_messages(configuration, [block], [], [], [], None)


class RecordedLockStep(LockStep):
    """The loop on virtual time, recorded as the live one would tell of itself."""

    def __init__(self, configuration):
        super().__init__(configuration)
        self._cycles, self._slice_rows, self._truths, self._states = [], [], [], []

    def turn(self, rows=None):
        self._rows = rows
        super().turn(None if rows is None else self)

    def take(self, t_ns, cycle, wrench, slices, plan, state, sample, machine_state):
        """Take a row as the trace does, and what a recording has of it."""
        self._rows.take(t_ns, cycle, wrench, slices, plan, state, sample, machine_state)
        truth = self._controller.truth()
        flags = CYCLE_COMMANDING * sample.commanding | CYCLE_FOLLOWING * self._driver.following
        flags |= CYCLE_NEW_SESSION * sample.new_session
        self._cycles.append(
            (sample.count, self._driver.q_command, sample.q_measured, self._driver.wrench_object, flags)
        )
        self._truths.append((sample.sequence, t_ns, truth))
        self._states.append(state)
        self._slice_rows += [(s.impulse_id, s.slice_index, s.revision, s.t_ns) for s in slices]

    def recording(self):
        """What was recorded; the emulated arm's rows and the driver's, in blocks of 50."""
        c = self._c
        numbers, command, measured, wrench, flags = (
            np.array(part) for part in zip(*self._cycles, strict=True)
        )
        block = cycle_block(numbers, c.fri.sample_time, command, measured, wrench, flags=flags)
        rows = np.array(self._slice_rows, np.int64).reshape(-1, 4)
        stamps = np.column_stack([rows[:, 3], rows[:, 3] + 600_000])
        none = np.empty(0, np.int64)
        slices = SliceTimes(0, rows[:, :3], stamps, none, none)
        return LatencyRecording.from_messages(
            c, blocks(block), [slices], [], [], blocks(self._truth_block()), self._states
        )

    def _truth_block(self):
        sequences, sent, truths = zip(*self._truths, strict=True)
        sent = np.array(sent)
        return TruthBlock(
            0,
            np.array(sequences, np.int64),
            np.column_stack([sent, sent + 550_000]),
            np.array([truth.q for truth in truths]),
            np.array([truth.T_world_object[:3, 3] for truth in truths]),
            np.array([quat_of(truth.T_world_object) for truth in truths]),
            np.array([truth.twist_world_object for truth in truths]),
            np.array([truth.wrench_world for truth in truths]),
            0,
            "",
        )


def quat_of(T):
    """Attitude of a pose."""
    return quat_from_matrix(np.ascontiguousarray(T[:3, :3]))


def blocks(block, rows=50):
    """A block in pieces, as it comes off the bus."""
    arrays = {f.name: getattr(block, f.name) for f in dataclasses.fields(block)}
    count = max(len(value) for value in arrays.values() if isinstance(value, np.ndarray))
    return [
        dataclasses.replace(
            block, **{k: v[i : i + rows] for k, v in arrays.items() if isinstance(v, np.ndarray)}
        )
        for i in range(0, count, rows)
    ]
