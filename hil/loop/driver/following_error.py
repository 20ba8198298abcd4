"""The following error: measured joints against commanded ones, less the interface's delay. Pure.

Each joint has a lag of its own, and the identified delay is the one that suits all of them best. So a
measured joint is not compared with one command but with all those of the cycles around the delay: it must
lie between the least and the greatest of them, or not far from there. As long as the delay is not known,
they are those of the longest delay that can be found.

theory: e_i(t) = distance of y_i(t) from [min, max] of c_i over lags from d - w to d + w, with the delay d
and w = `SPREAD` + `SHARE` d; the lags reach from 0 to D while d is not known. It holds e_i <= E_i with
E_i = `FULL_SPEED` V_i, or as configured. An arm that stands while it is commanded at v is found after
E_i / v + d + w, or E_i / v + D; one that goes the other way after less.
"""

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.configuration.schema import Limits
from hil.loop.driver.interface_delay import LONGEST_DELAY, InterfaceDelay

FULL_SPEED = 0.03  # [s] at the limit of velocity: how far a joint may be off
SPREAD = 0.04  # [s], of the joints' own lags about the one that is identified,
SHARE = 0.25  # and of that delay
JOINTS = 7


@njit(cache=True)
def _push(ring: Array, head: int, q: Array, cycles: int) -> int:
    """Store a command `cycles` after the one before, and what lies between as a straight way; return its row.

    The newest stands in row `head`, each is written twice: the last R are the rows from `head` on, (2 R, 7).
    """
    kept = ring.shape[0] // 2
    before = ring[head].copy()
    for cycle in range(max(1, cycles - kept + 1), cycles + 1):
        head = head - 1 if head > 0 else kept - 1
        for i in range(q.shape[0]):
            way = q[i] if cycle == cycles else before[i] + (q[i] - before[i]) * cycle / cycles
            ring[head, i] = ring[head + kept, i] = way
    return head


@njit(cache=True)
def _farthest(ring: Array, first: int, last: int, measured: Array, allowed: Array) -> tuple[int, float]:
    """Return the joint that is farthest beyond what it is allowed, and its distance from the commands [rad].

    Args:
        ring: commands [rad], (2 R, 7).
        first: row of the newest that counts,
        last: and of the oldest.
        measured: joints [rad], (7,).
        allowed: distance of each from the least or greatest of these commands [rad], (7,).

    Returns:
        -1 and 0 if none is.
    """
    joint, most, distance = -1, 0.0, 0.0
    for i in range(measured.shape[0]):
        low = high = ring[first, i]
        for row in range(first + 1, last + 1):
            low, high = min(low, ring[row, i]), max(high, ring[row, i])
        away = max(low - measured[i], measured[i] - high)
        if not away - allowed[i] <= most:
            joint, most, distance = i, away - allowed[i], away
    return joint, distance


class FollowingError:
    """Keeps the last commands and judges where the arm is."""

    def __init__(self, limits: Limits, dt: float) -> None:
        """Watch an arm with these limits on a cycle of `dt` [s]."""
        self._dt = dt
        self._allowed = allowed_error(limits)
        self._kept = int(np.ceil(LONGEST_DELAY / dt)) + 2
        self._ring = np.zeros((2 * self._kept, JOINTS))
        self._head = 0

    def warm(self) -> None:
        """Compile what a cycle needs; `begin` comes before it counts."""
        q = self._ring[0].copy()
        self.sent(q, 1)
        self.judge(q, 1, InterfaceDelay(0.0, self._dt, 4.0 * self._dt))

    def begin(self, q: Array) -> None:
        """The arm is commanded to stand at `q` [rad], (7,), as if it had been for long."""
        self._ring[:] = q

    def sent(self, q: Array, cycles: int) -> None:
        """The command `q` [rad], (7,), goes out, so many cycles after the one before."""
        self._head = _push(self._ring, self._head, q, cycles)

    def judge(self, q_measured: Array, cycles: int, delay: InterfaceDelay) -> str:
        """Return that the arm is not where it was commanded; empty if it is.

        Args:
            q_measured: joints [rad], (7,), in a packet that is not answered yet.
            cycles: since the newest command.
            delay: as identified so far.
        """
        first, last = self._window(cycles, delay)
        joint, away = _farthest(self._ring, self._head + first, self._head + last, q_measured, self._allowed)
        if joint < 0:
            return ""
        return (
            f"A{joint + 1} is {np.rad2deg(away):.2f} deg from where it was commanded, "
            f"{np.rad2deg(self._allowed[joint]):.2f} allowed (limits.following_error_deg): the arm is stuck, "
            "pushed away or not under control"
        )

    def _window(self, cycles: int, delay: InterfaceDelay) -> tuple[int, int]:
        """Return which commands count, the newest being 0: the first and the last."""
        if not delay.settled:
            return 0, self._kept - 1
        width = SPREAD + SHARE * delay.estimate
        first = int((delay.estimate - width) / self._dt) - cycles
        last = int((delay.estimate + width) / self._dt) + 1 - cycles
        return min(max(first, 0), self._kept - 1), min(max(last, 0), self._kept - 1)


def allowed_error(limits: Limits) -> Array:
    """Return how far each joint may be from its commands [rad], (7,)."""
    configured = limits.following_error
    return np.array(FULL_SPEED * limits.velocity if configured is None else configured)
