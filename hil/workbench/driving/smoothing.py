"""Joint references between two commands: a uniform quadratic B-spline through their middles.

Commands come every few milliseconds, the drives want a reference each step of the simulation. Of the last
three commands q0, q1, q2 and 0 <= u <= 1,
    q(u) = ((1-u)^2 q0 + (1 + 2u - 2u^2) q1 + u^2 q2) / 2
has no jump in velocity, stays within what was commanded, and is half a command late.
"""

import numpy as np

from hil.common.arrays import Array


class Smoothing:
    """The last three commands."""

    def __init__(self, q: Array, period: float) -> None:
        """Begin at rest.

        Args:
            q: joint positions [rad, m], shape (n,).
            period: of the commands [s].
        """
        self._q = np.stack([q, q, q])
        self._period = period

    def push(self, q: Array) -> None:
        """Take the next command."""
        self._q = np.stack([self._q[1], self._q[2], q])

    def at(self, shares: Array) -> tuple[Array, Array]:
        """Return positions [rad, m] and velocities [rad/s, m/s] at shares (k,) of the period, (k, n)."""
        u = shares
        position = np.stack([0.5 * (1.0 - u) ** 2, 0.5 + u * (1.0 - u), 0.5 * u * u], axis=1)
        velocity = np.stack([u - 1.0, 1.0 - 2.0 * u, u], axis=1) / self._period
        return position @ self._q, velocity @ self._q
