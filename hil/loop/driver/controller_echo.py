"""The controller's echo: what it says that it commands, compared with what it was sent. Pure.

Every packet names the answer that the controller had received last. If that is the answer to the packet
before, then what the controller commands is that command, but for the rounding of 32-bit floats. Over
lost answers a controller goes its own way: it may stand, or go on at its last speed, and nothing says
which. As long as it is without an answer it is therefore only bounded by what its own full speed
carries it; with the first answer that it has again it must be where it was sent.

The same echo bounds what is sent. A controller that stood over lost answers would make up for them in one
cycle: a step faster than the limit is not sent. A session that gets no answers ends by itself.

theory: c_h the command of the newest answer heard, which replied to packet h, in packet n: it holds
|e_n - c_h| <= m U T + r with m = n - h - 1 cycles without an answer, the controller's own speeds U and
rounding r; and q_n is sent if |q_n - e_n| <= k V T + r with the limits V and k cycles until a command
shows (`fri.echo_cycles`).
"""

import numpy as np
from numba import njit

from drivers.fri.layout import CONTROLLER_SPEEDS
from drivers.fri.session import NONE_HEARD, FriSample
from hil.common.arrays import Array
from hil.configuration.schema import Fri, Limits

ROUNDING = 1e-6  # [rad]; a command and both shares of the echo are 32-bit floats below 4 rad: 4e-7
KEPT = 512  # cycles; no session outlives so many without an answer
JOINTS = 7


@njit(cache=True)
def _told_into(
    lower: Array, upper: Array, row: int, expected: Array, step: Array, alone: int, echo: Array
) -> tuple[int, float]:
    """Note where the controller must be and return the joint that is farthest elsewhere, and by how much.

    Args:
        lower: least positions of the last cycles [rad], (K, 7); row `row` is written.
        upper: and greatest.
        row: of this packet.
        expected: position that it was sent [rad], (7,).
        step: how far full speed carries it in a cycle [rad], (7,).
        alone: cycles for which it has gone on by itself.
        echo: what it commands [rad], (7,).

    Returns:
        The joint and its signed distance from what is allowed [rad]; -1 and 0 if all are where they must be.
    """
    joint, most = -1, 0.0
    for i in range(echo.shape[0]):
        room = alone * step[i] + ROUNDING
        lower[row, i], upper[row, i] = expected[i] - room, expected[i] + room
        low, high = lower[0, i], upper[0, i]
        for k in range(1, lower.shape[0]):
            low, high = min(low, lower[k, i]), max(high, upper[k, i])
        away = max(low - echo[i], echo[i] - high)
        if not away <= most:
            joint, most = i, away
    return joint, most


@njit(cache=True)
def _step_beyond(q: Array, echo: Array, bound: Array) -> int:
    """Return the first joint whose way from `echo` to `q` is beyond its bound [rad], or -1."""
    for i in range(q.shape[0]):
        if not abs(q[i] - echo[i]) <= bound[i]:
            return i
    return -1


class ControllerEcho:
    """Keeps what was sent in a session and judges what comes back."""

    def __init__(self, limits: Limits, fri: Fri) -> None:
        """Wait for the first session of an arm with these limits, on this interface."""
        self._cycles, self._dt = fri.echo_cycles, fri.sample_time
        self._step = limits.velocity * fri.sample_time  # [rad] in a cycle at full speed
        # the same of the controller: answers that come late let it go on faster than it was told
        self._own_step = np.maximum(self._step, np.deg2rad(CONTROLLER_SPEEDS) * fri.sample_time)
        self._bound = fri.echo_cycles * self._step + ROUNDING
        self._counts = [-1] * KEPT
        self._sent = np.zeros((KEPT, JOINTS))
        self._first = 0
        self._lower, self._upper = np.zeros((2, fri.echo_cycles, JOINTS))

    def warm(self) -> None:
        """Compile what a cycle needs; another session begins before it counts."""
        self.begin(0, self._sent[0].copy())
        self._judge(1, 0, self._sent[0])
        self.withheld(self._sent[0], self._sent[0], 0)

    def begin(self, count: int, q: Array) -> None:
        """A session begins with packet `count`: the controller stands at `q` [rad], (7,)."""
        self._first = count
        self._lower[:] = self._upper[:] = q
        self.sent(count, q)

    def sent(self, count: int, q: Array) -> None:
        """Packet `count` is answered with `q` [rad], (7,)."""
        row = count % KEPT
        self._counts[row], self._sent[row] = count, q

    def judge(self, sample: FriSample) -> str:
        """Return that the controller commands something else than it was sent; empty if it does not."""
        return self._judge(sample.count, sample.heard, sample.q_commanded)

    def _judge(self, count: int, heard: int, echo: Array) -> str:
        if heard == NONE_HEARD or heard < self._first:
            heard, alone = self._first, 0  # it stands where the session began
        else:
            alone = count - heard - 1
        row = heard % KEPT
        if self._counts[row] != heard:
            return ""  # an answer that was not built in this session, or is older than any session bears
        expected = self._sent[row]
        joint, away = _told_into(
            self._lower, self._upper, count % self._cycles, expected, self._own_step, alone, echo
        )
        if joint < 0:
            return ""
        lost = f" and {alone} lost answers explain" if alone else ""
        return (
            f"the controller commands A{joint + 1} to {echo[joint]:.5f} rad, but was sent "
            f"{expected[joint]:.5f}: {1e3 * away:.3g} mrad more than rounding{lost}. Another program "
            f"commands the arm, or commands show later than after fri.echo_cycles = {self._cycles}"
        )

    def withheld(self, q: Array, echo: Array, lost: int) -> str:
        """Return why a command must not be sent: the controller would have to go faster than the limit.

        Args:
            q: the command [rad], (7,).
            echo: what the controller commands now [rad], (7,).
            lost: cycles without an answer, as far as the controller says.
        """
        joint = _step_beyond(q, echo, self._bound)
        if joint < 0:
            return ""
        behind = abs(q[joint] - echo[joint])
        speed = np.rad2deg(behind / (self._cycles * self._dt))
        bound = np.rad2deg(self._step[joint] / self._dt)
        return (
            f"the controller is {1e3 * behind:.3g} mrad behind A{joint + 1}'s command after {lost} answers "
            f"lost or late: to make up for them takes {speed:.0f} deg/s, {bound:.0f} allowed. "
            "No answer is sent"
        )
