"""Paths of legs: from pose to pose and rest to rest, each with the least jerk.

Of a leg's share s of its time, its way is x(s) = 10 s^3 - 15 s^4 + 6 s^5: 15/8 of the mean speed in the
middle, 10/sqrt(3) of way over time squared as greatest acceleration. A leg takes as long as both need.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.workbench.driving.follower import TwistLimits
from hil.workbench.driving.rigid import halves, moved, way

PEAK_SPEED, PEAK_RATE = 15.0 / 8.0, 10.0 / math.sqrt(3.0)
SHARE = 0.8  # of the limits that a table uses, so that the follower's never bind


def least_jerk(s: float) -> float:
    """Return how much of its way a leg has made after a share of its time."""
    s = min(1.0, max(0.0, s))
    return s * s * s * (10.0 + s * (6.0 * s - 15.0))


def time_of(left: Array, limits: TwistLimits, share: float = SHARE) -> float:
    """Return how long a leg of a way [m, rad], shape (6,), takes within a share of the limits [s]."""
    times = [0.0]
    for length, speed, rate in zip(halves(left), limits.speeds, limits.rates, strict=True):
        times += [PEAK_SPEED * length / (share * speed), math.sqrt(PEAK_RATE * length / (share * rate))]
    return max(times)


@dataclass(frozen=True)
class Stop:
    """Where a leg leads, and how long the tip stays there [s]."""

    T: Array
    rest: float = 0.0


class Legs:
    """A path through stops.

    Attributes:
        duration: of the whole [s].
    """

    def __init__(self, T_start: Array, stops: Sequence[Stop], limits: TwistLimits, rest: float = 0.5) -> None:
        """Lay out the legs; before the first the tip rests."""
        self._begins, self._times, self._poses, self._ways = [], [], [T_start], []
        t, T = rest, T_start
        for stop in stops:
            left = way(T, stop.T)
            self._begins.append(t)
            self._times.append(max(time_of(left, limits), 1e-3))
            self._ways.append(left)
            self._poses.append(stop.T)
            t, T = t + self._times[-1] + stop.rest, stop.T
        self.duration = t

    def pose(self, t: float) -> Array:
        """Return where the tip is at a time, shape (4, 4)."""
        leg = int(np.searchsorted(self._begins, t, side="right")) - 1
        if leg < 0:
            return self._poses[0]
        share = least_jerk((t - self._begins[leg]) / self._times[leg])
        return moved(self._poses[leg], share * self._ways[leg]) if share < 1.0 else self._poses[leg + 1]
