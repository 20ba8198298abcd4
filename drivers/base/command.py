"""What the vehicle is told: the planned speed of when it will have reacted, and what it is off by.

theory: `u(t) = v_ref(t + T) + k (x_ref(t) - x_measured(t))` with T the dead time and the lag as identified;
`k T` is at most 0.2, so that a late pose does not make the vehicle sway. Speeds keep the vehicle's bounds.
Without a fresh path it brakes to rest by itself, at its largest acceleration. Pure.
"""

import math

import numpy as np

from hil.common.arrays import Array
from hil.configuration.base import Base

STIFFEST, SHARE = 1.0, 0.2  # k [1/s], and k T


class BaseCommand:
    """Makes the commands.

    Attributes:
        velocity: the last command: speeds x, y [m/s] and heading [rad/s] in world, shape (3,).
    """

    def __init__(self, base: Base) -> None:
        """Stand."""
        self._base = base
        self._stiffness = min(STIFFEST, SHARE / base.reaction) if base.reaction > 0.0 else STIFFEST
        self.velocity = np.zeros(3)

    def follow(self, now: Array, ahead: Array, pose: Array, dt: float) -> Array:
        """Return the command that follows a path, `dt` [s] after the one before; no pose makes it jump.

        Where anything is no number it brakes.

        Args:
            now: planned pose, rate and acceleration, shape (3, 3).
            ahead: the same of `Base.reaction` later, shape (3, 3).
            pose: measured, shape (3,).
            dt: [s].
        """
        if not (np.isfinite(now[0]).all() and np.isfinite(ahead[1]).all() and np.isfinite(pose).all()):
            return self.brake(dt)
        wanted = self._bounded(ahead[1] + self._stiffness * (now[0] - pose))
        self.velocity = self.velocity + self._changed(wanted - self.velocity, dt)
        return self.velocity

    def _changed(self, change: Array, dt: float) -> Array:
        """Return a change of velocity that the vehicle can make in `dt` [s]."""
        straight, most = math.hypot(change[0], change[1]), self._base.max_acceleration * dt
        share = min(1.0, most / straight) if straight > 0.0 else 1.0
        turn = self._base.max_turn_acceleration * dt
        return np.array([share * change[0], share * change[1], min(max(change[2], -turn), turn)])

    def brake(self, dt: float) -> Array:
        """Return the command on the way to rest, `dt` [s] after the one before."""
        straight = math.hypot(*self.velocity[:2])
        keep = max(0.0, 1.0 - self._base.max_acceleration * dt / straight) if straight > 0.0 else 0.0
        turn, slower = float(self.velocity[2]), self._base.max_turn_acceleration * dt
        left = math.copysign(max(0.0, abs(turn) - slower), turn)
        self.velocity = np.array([*keep * self.velocity[:2], left])
        return self.velocity

    def _bounded(self, velocity: Array) -> Array:
        """Return a velocity within the vehicle's bounds, along its rail."""
        x, y, turn = velocity
        if self._base.kind == "rail":
            c, s = math.cos(self._base.axis_yaw), math.sin(self._base.axis_yaw)
            along = c * x + s * y
            x, y, turn = c * along, s * along, 0.0
        speed = math.hypot(x, y)
        share = min(1.0, self._base.max_speed / speed) if speed > 0.0 else 1.0
        return np.array([share * x, share * y, min(max(turn, -self._base.max_turn), self._base.max_turn)])
