"""From what a source wants to a commanded pose that moves within limits: speed and acceleration of the tip.

A path is met by its own velocity (from the pose asked for last to the one now asked for, that of the end of
the step) and a correction of what is left of the way to it. The correction is the
greatest speed from which the limit of acceleration still stops it in time (`braking`), so the command comes
to a path that is elsewhere, or jumps, without passing it by; on the path it stays exactly. A lost source is a
wish for rest.
"""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.workbench.driving.braking import stopping_speed
from hil.workbench.driving.rigid import halves, moved, scaled, way
from hil.workbench.driving.source import Source

TINY = 1e-300


@dataclass
class TwistLimits:
    """Greatest motion of the commanded tip; may change while it moves.

    Attributes:
        linear: speed [m/s].
        angular: speed [rad/s].
        linear_rate: acceleration [m/s2].
        angular_rate: angular acceleration [rad/s2].
    """

    linear: float = 0.25
    angular: float = 1.0
    linear_rate: float = 1.0
    angular_rate: float = 4.0

    @property
    def speeds(self) -> tuple[float, float]:
        """Of the two halves of a twist."""
        return self.linear, self.angular

    @property
    def rates(self) -> tuple[float, float]:
        """Accelerations of the two halves of a twist."""
        return self.linear_rate, self.angular_rate


def capped(six: Array, bounds: tuple[float, float]) -> Array:
    """Return a six-vector whose halves are no longer than their bounds, directions kept."""
    linear, angular = (min(1.0, bound / length) if length > 0.0 else 1.0
                       for length, bound in zip(halves(six), bounds, strict=True))  # fmt: skip
    return scaled(six, linear, angular)


def towards(left: Array, limits: TwistLimits, dt: float) -> Array:
    """Return the twist that brings a way [m, rad] of shape (6,) to nothing within the limits."""
    bounds = zip(halves(left), limits.speeds, limits.rates, strict=True)
    linear, angular = (
        min(speed, stopping_speed(length, rate, dt)) / max(length, TINY) for length, speed, rate in bounds
    )
    return scaled(left, linear, angular)


class Follower:
    """The commanded pose.

    Attributes:
        T: commanded pose of the tip in the base, shape (4, 4).
        twist: with which it moves, shape (6,).
        limited: the last step was shortened by a limit.
    """

    def __init__(self, T: Array, limits: TwistLimits) -> None:
        """Begin at rest at a pose."""
        self.T, self.limits = T.copy(), limits
        self.twist = np.zeros(6)
        self.limited = False
        self._asked: Array | None = None  # the pose that the source wanted last

    def forget(self) -> None:
        """Another source comes: nothing is known of its path."""
        self._asked = None

    def step(self, source: Source | None, t: float, dt: float) -> None:
        """Move by one command towards what a source wants; without one to rest.

        Raises:
            SourceLost: the source has gone; nothing has moved yet.
        """
        wish = np.zeros(6) if source is None else self._wish(source, t, dt)
        fast = capped(wish, self.limits.speeds)
        change = capped(fast - self.twist, (self.limits.linear_rate * dt, self.limits.angular_rate * dt))
        self.limited = bool(np.abs(self.twist + change - wish).max() > 1e-9)
        self.twist = self.twist + change
        self.T = moved(self.T, self.twist * dt)

    def _wish(self, source: Source, t: float, dt: float) -> Array:
        if hasattr(source, "twist"):  # isinstance of a protocol costs as much as half a step of the arm
            return source.twist(t)
        ahead = source.pose(t + dt)
        here = ahead if self._asked is None else self._asked
        self._asked = ahead
        wish: Array = way(here, ahead) / dt + towards(way(self.T, here), self.limits, dt)
        return wish
