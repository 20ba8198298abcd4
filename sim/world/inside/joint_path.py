"""Where an arm's joints are over object time: cubics, one behind the other; compiled.

Before the first and behind the last they stand.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit

from hil.common.arrays import Array


@dataclass(frozen=True, eq=False)
class JointPath:
    """Cubics in the time since each begins.

    Attributes:
        breaks: where they begin, and where the last ends, rising [s], shape (k + 1,).
        powers: coefficients of time's powers 0 to 3 [rad, rad/s, ...], shape (k, 4, n).
    """

    breaks: Array
    powers: Array

    @property
    def count(self) -> int:
        """Number of joints."""
        return int(self.powers.shape[2])

    def at(self, s: float) -> tuple[Array, Array]:
        """Return joints [rad] and their speeds [rad/s] at an object time [s], shapes (n,)."""
        q, dq = np.empty(self.count), np.empty(self.count)
        joints_into(q, dq, s, self.breaks, self.powers)
        return q, dq


def standing(q: Array) -> JointPath:
    """Return the path of joints (n,) that stand."""
    powers = np.zeros((1, 4, len(q)))
    powers[0, 0] = q
    return JointPath(np.array([0.0, 1.0]), powers)


@njit(cache=True, error_model="numpy")
def joints_into(q: Array, dq: Array, s: float, breaks: Array, powers: Array) -> None:
    """Write joints [rad] and their speeds [rad/s] at an object time `s` [s]; see `JointPath`."""
    last = powers.shape[0] - 1
    k = min(max(np.searchsorted(breaks, s, side="right") - 1, 0), last)
    t = min(max(s, breaks[0]), breaks[last + 1]) - breaks[k]
    moves = breaks[0] <= s < breaks[last + 1]
    for j in range(q.shape[0]):
        a, b, c, d = powers[k, 0, j], powers[k, 1, j], powers[k, 2, j], powers[k, 3, j]
        q[j] = a + t * (b + t * (c + t * d))
        dq[j] = b + t * (2.0 * c + t * 3.0 * d) if moves else 0.0
