"""Pushes drawn at random: when, how long, how much, where and in which direction."""

import math

import numpy as np

from drivers.emulation.operator.half_sine import HalfSinePush, peak_of
from hil.common.arrays import Array
from hil.common.errors import ConfigurationError
from hil.common.geometry import cross
from hil.configuration.schema import Configuration, RandomPushes

SEED_STREAM = 102
DIRECTIONS = 12  # drawn for a push that is to steer
RETURN_TIME = 4.0  # [s] in which a steered object drifts to the middle of its stops
ROTATION_LENGTH = 0.2  # [m] by which spin counts against speed


class RandomPushSource:
    """Draws one push after the other; deterministic by seed and by the object's states."""

    def __init__(self, configuration: Configuration, pushes: RandomPushes, seed: int) -> None:
        """Draw the times of all pushes.

        Raises:
            ConfigurationError: no push can keep the largest force.
        """
        least = peak_of(pushes.impulse_min, pushes.duration_max)
        if least > pushes.peak:
            raise ConfigurationError(
                f"operator.random: {pushes.impulse_min} N s within {1e3 * pushes.duration_max:g} ms need a "
                f"peak of {least:.3g} N; peak_n = {pushes.peak:g} must be at least that"
            )
        self._pushes = pushes
        self._rng = np.random.default_rng(np.random.SeedSequence([seed, SEED_STREAM]))
        gaps = pushes.gap + pushes.gap_spread * self._rng.random(pushes.count)
        self.times = pushes.first + np.concatenate(([0.0], np.cumsum(gaps)))[: pushes.count]
        self._mass, self._inertia = configuration.object.mass, configuration.object.inertia
        stops = configuration.stops
        self._centre = np.array(stops.centre)
        pitch, yaw = stops.axis_pitch, stops.axis_yaw
        self._axis = np.array(
            [math.cos(pitch) * math.cos(yaw), math.cos(pitch) * math.sin(yaw), -math.sin(pitch)]
        )

    def push(self, t: float, T_world_object: Array, twist: Array) -> HalfSinePush:
        """Draw the push that starts at `t` [s] on an object with this pose (4, 4) and twist (6,), world."""
        size, duration = self._drawn_size()
        lever = self._drawn_in_ball(self._pushes.lever)
        count = DIRECTIONS if self._pushes.steer else 1
        directions = self._rng.standard_normal((count, 3))
        directions /= np.linalg.norm(directions, axis=1)[:, None]
        costs = [self._cost(size * d, lever, T_world_object, twist) for d in directions]
        direction = directions[int(np.argmin(costs))]
        return HalfSinePush(t, peak_of(size, duration) * direction, duration, lever)

    def _drawn_size(self) -> tuple[float, float]:
        """Return impulse [N s] and duration [s], drawn again until the peak is allowed."""
        p = self._pushes
        while True:
            size = self._rng.uniform(p.impulse_min, p.impulse_max)
            duration = self._rng.uniform(p.duration_min, p.duration_max)
            if peak_of(size, duration) <= p.peak:
                return size, duration

    def _drawn_in_ball(self, radius: float) -> Array:
        direction = self._rng.standard_normal(3)
        drawn: Array = direction / np.linalg.norm(direction) * radius * self._rng.random() ** (1.0 / 3.0)
        return drawn

    def _cost(self, impulse: Array, lever: Array, T_world_object: Array, twist: Array) -> float:
        """Return how far the motion after a push is from a slow return to the middle of the stops."""
        R = np.ascontiguousarray(T_world_object[:3, :3])
        v = twist[:3] + impulse / self._mass
        spin_change = R @ ((R.T @ cross(R @ lever, impulse)) / self._inertia)
        v_wanted = (self._centre - T_world_object[:3, 3]) / RETURN_TIME
        tilt = cross(R[:, 2].copy(), self._axis)
        spin = twist[3:] + spin_change - tilt / RETURN_TIME
        return float(np.sum((v - v_wanted) ** 2) + ROTATION_LENGTH**2 * np.sum(spin**2))
