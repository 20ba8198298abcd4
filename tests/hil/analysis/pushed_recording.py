"""Recordings of an arm that answers pushes in a way known in closed form."""

from dataclasses import replace

import numpy as np

from hil.analysis.latency.recording import LatencyRecording
from hil.common.geometry import quat_multiply
from hil.configuration.stops_axis import nominal_quat
from hil.messaging.messages import TruthBlock
from tests.hil.analysis.latency.recordings import START_NS, blocks, cycle_block

T = 0.002
AXIS = np.array([0.6, -0.48, 0.64])  # of the velocity and of the spin that a push changes


def half_sine_rise(t, start, duration):
    """Velocity over its change, its integral, and force over its mean, of a half-sine push."""
    u = np.clip((t - start) / duration, 0.0, 1.0)
    place = 0.5 * duration * (u - np.sin(np.pi * u) / np.pi) + np.maximum(t - start - duration, 0.0)
    force = np.where((u > 0.0) & (u < 1.0), 0.5 * np.pi * np.sin(np.pi * u), 0.0)
    return 0.5 * (1.0 - np.cos(np.pi * u)), place, force


class PushedArm:
    """A body at rest in the middle of the stops, pushed along and about one axis, and an arm behind it.

    Attributes:
        columns: the truth's arrays, to be disturbed before `recording`.
    """

    def __init__(self, configuration, starts, durations, changes, delay=0.0, gain=1.0, duration=8.0):
        """Push at `starts` [s] for `durations` [s], each changing the velocity by `changes` [m/s].

        The spin changes by twice as many rad/s. The arm does `gain` times what the ideal body does,
        `delay` [s] later. The body has the same inertia about all axes.
        """
        self.c, self.numbers = configuration, np.arange(round(duration / T))
        t = self.numbers * T
        mass, inertia = configuration.object.mass, configuration.object.inertia[0]
        n = len(t)
        wrench, v, x = np.zeros((n, 6)), np.zeros(n), np.zeros(n)
        for start, length, change in zip(starts, durations, changes, strict=True):
            force = half_sine_rise(t, start, length)[2] * change / length
            wrench += np.outer(force, np.concatenate([mass * AXIS, 2.0 * inertia * AXIS]))
            speed, place, _ = half_sine_rise(t - delay, start, length)
            v += gain * change * speed
            x += gain * change * place
        half = x[:, None]  # half of the angle, which is twice the way
        self.columns = {
            "p": configuration.stops.centre + x[:, None] * AXIS,
            "quat": quat_product(nominal(configuration), np.hstack([np.cos(half), np.sin(half) * AXIS])),
            "twist": np.outer(v, np.concatenate([AXIS, 2.0 * AXIS])),
            "wrench": wrench,
        }
        self.kept = np.ones(n, bool)
        self.flags = np.full(n, 3)
        self.pace = np.ones(n)

    def recording(self, **more):
        """The recording, with nothing from simulation and planner but the pace of object time."""
        rows, numbers = self.kept, self.numbers[self.kept]
        sent = START_NS + np.round(numbers * T * 1e9).astype(np.int64)
        zeros = np.zeros((len(numbers), 7))
        columns = {name: column[rows] for name, column in self.columns.items()}
        truth = TruthBlock(
            0, numbers % 65536, np.column_stack([sent, sent + 400_000]), zeros, columns["p"], columns["quat"],
            columns["twist"], columns["wrench"], 0, "",
        )  # fmt: skip
        block = cycle_block(numbers, T, zeros, zeros, flags=self.flags[rows])
        made = LatencyRecording.from_messages(self.c, blocks(block), [], [], [], blocks(truth), **more)
        return replace(made, pace_ns=sent[::5], pace=self.pace[rows][::5])


def nominal(configuration):
    """Attitude in the middle of the stops, w x y z."""
    return nominal_quat(configuration.stops)


def quat_product(first, turns):
    """The attitudes `turns` (n, 4), in world, applied to `first`."""
    return np.array([quat_multiply(turn, first) for turn in turns])
