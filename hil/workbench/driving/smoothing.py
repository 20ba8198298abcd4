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

    def __init__(self, q: Array, period: float, shares: Array) -> None:
        """Begin at rest.

        Args:
            q: joint positions [rad, m], shape (n,).
            period: of the commands [s].
            shares: of the period, at which references are wanted, shape (k,).
        """
        self._q = np.array([q, q, q])
        u, self._count = shares, len(shares)
        position = np.stack([0.5 * (1.0 - u) ** 2, 0.5 + u * (1.0 - u), 0.5 * u * u], axis=1)
        velocity = np.stack([u - 1.0, 1.0 - 2.0 * u, u], axis=1) / period
        self._weights = np.concatenate([position, velocity])

    def push(self, q: Array) -> None:
        """Take the next command."""
        self._q[:2] = self._q[1:]
        self._q[2] = q

    def references(self) -> tuple[Array, Array]:
        """Return positions [rad, m] and velocities [rad/s, m/s] at the shares of the period, each (k, n)."""
        both = self._weights @ self._q
        return both[: self._count], both[self._count :]
