"""A push with the hand: force `F sin(pi u / T)` of fixed direction at a point that moves with the body."""

import math

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import cross


def impulse_of(peak: float, duration: float) -> float:
    """Return the impulse [N s] of a half-sine: `2 T F / pi`."""
    return 2.0 * duration * peak / math.pi


def peak_of(impulse: float, duration: float) -> float:
    """Return the peak force [N] of the half-sine with that impulse [N s]."""
    return math.pi * impulse / (2.0 * duration)


class HalfSinePush:
    """A push under way.

    Attributes:
        t_start: its start [s].
        t_end: its end [s].
        impulse: what it has given so far about the moving centre of mass, world axes [N s, N m s], (6,).
    """

    def __init__(self, t_start: float, force_world: Array, duration: float, point_object: Array) -> None:
        """Prepare a push.

        Args:
            t_start: its start [s].
            force_world: peak force [N], shape (3,).
            duration: [s].
            point_object: where it acts, from the centre of mass, object axes [m], shape (3,).
        """
        self.t_start, self.t_end = t_start, t_start + duration
        self._force = np.array(force_world, dtype=np.float64)
        self._point = np.array(point_object, dtype=np.float64)
        self._duration = duration
        self.impulse = np.zeros(6)

    def peak_wrench(self, R_world_object: Array) -> Array:
        """Return the wrench of the peak force about the centre of mass, world axes, shape (6,)."""
        return np.concatenate((self._force, cross(R_world_object @ self._point, self._force)))

    def wrench_at(self, t: float, R_world_object: Array) -> Array:
        """Return the wrench at time `t` [s] about the centre of mass, world axes, shape (6,)."""
        if not self.t_start < t < self.t_end:
            return np.zeros(6)
        size = math.sin(math.pi * (t - self.t_start) / self._duration)
        return size * self.peak_wrench(R_world_object)

    def accumulate(self, t_0: float, t_1: float, R_world_object: Array) -> None:
        """Add the impulse from `t_0` to `t_1` [s]: force integrated exactly, lever as it is now."""
        share = self._share(t_1) - self._share(t_0)
        if share > 0.0:
            self.impulse += share * self.peak_wrench(R_world_object)

    def _share(self, t: float) -> float:
        """Return the integral of the unit half-sine up to `t` [s]."""
        u = min(max(t - self.t_start, 0.0), self._duration)
        return self._duration / math.pi * (1.0 - math.cos(math.pi * u / self._duration))
