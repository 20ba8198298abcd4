"""An independent monitor of the commands that the emulated controller gets in command state.

It knows the limits and the stream of set-points as they come over the wire, nothing of who made them,
and checks each one: a number; position within the robot model's range less the margin; velocity,
acceleration and jerk within `[limits]`, from standing on; the answer to a session's first packet (and to
any before it) is what the controller commands itself.

theory: a command belongs to the instant of the packet that it answers, so the stream is a function on
the grid of the cycles, with gaps where packets or answers were lost. Its rates are divided differences
over the true times, [q0,q1], 2 [q0,q1,q2] and 6 [q0..q3]. One over a coarser choice of the same
commands is a convex combination of those over finer ones (knots are taken out of a B-spline), so a
stream that keeps the bounds keeps them at every stride and with every gap: there are no false alarms.

Set-points travel as 32-bit floats. That alone can add sum |w_i| e_i to a difference with weights w_i,
e_i half a unit in the last place: exactly this is tolerated, for each difference anew. Near 3 rad and at
cycles of 2 ms it is, at strides of 1, 2, 4, 8 and 16 cycles, in

    jerk          119      15      1.9     0.23    0.03    rad/s3
    acceleration  0.12     0.03    7e-3    2e-3    5e-4    rad/s2
    velocity      1.2e-4   6e-5    3e-5    1.5e-5  8e-6    rad/s

(half of it between 1 and 2 rad; eight times the jerk at 1 ms). The smallest violation that is surely
found is one that exceeds its bound by twice the number above throughout 3 (jerk), 2 (acceleration) or
1 (velocity) strides: a jerk of 0.5 rad/s3 too much if it lasts 48 ms, of 240 rad/s3 if it lasts 6 ms.
A single cycle's position error of 1e-6 rad is found as jerk (6 x 1e-6 / 8e-9 = 750 rad/s3).
"""

from bisect import bisect_right

import numpy as np

from hil.arrays import Array, IntArray, frozen_array
from hil.configuration.schema import Limits

STRIDES = (1, 2, 4, 8, 16)  # cycles
SPAN = 3 * STRIDES[-1] + 1  # commands that a check looks at, at most
ROOM = 8 * SPAN  # commands held before old ones are moved out
RELATIVE = 1e-6  # of every rate's bound: rounding of 64-bit commands before they are sent
STANDING = 4e-7  # [rad]; three 32-bit roundings below 4 rad, on the way to the client and back
QUANTITIES = (("velocity", "rad/s"), ("acceleration", "rad/s2"), ("jerk", "rad/s3"))
EVEN = np.array([[SPAN - 1 - k * stride for k in range(4)] for stride in STRIDES])  # rows without gaps
ALTERNATING = frozen_array([[[1.0], [-1.0], [1.0], [-1.0]]])
UNKNOWN = np.inf  # rounding of commands that are not known


class CommandMonitor:
    """Judges every command of every session.

    Attributes:
        commands: number of commands judged.
        violations: commands that broke a bound; each is counted once, the stream begins anew after it.
        first: the first violation in words: joint, quantity, value, bound, packet; empty without one.
    """

    def __init__(self, limits: Limits, joint_range: Array, sample_time: float) -> None:
        """Wait for the first session.

        Args:
            limits: what the configuration allows.
            joint_range: the robot model's least and greatest joint positions [rad], shape (7, 2).
            sample_time: the cycle [s].
        """
        self._lower = joint_range[:, 0] + limits.position_margin
        self._upper = joint_range[:, 1] - limits.position_margin
        self._bounds = np.stack((limits.velocity, limits.acceleration, limits.jerk))
        self._scale = 1.0 / self._bounds[None]
        self._T = sample_time
        self._packets: list[int] = []
        self._held = np.zeros((ROOM, 14))  # set-points [rad] and the rounding that each may have
        self._worst = np.zeros((len(STRIDES), 3, 7))
        self._outermost = 0.0
        self._standing: Array | None = None  # what the controller commands until the session's first command
        self._open = False
        self.commands = self.violations = 0
        self.first = ""

    @property
    def worst(self) -> dict[str, float]:
        """The largest share of its bound that each quantity reached, less what rounding may have added."""
        shares = {"position": self._outermost}
        for k, (name, _) in enumerate(QUANTITIES):
            shares[name] = float(self._worst[:, k].max())
        return shares

    def begin(self, q: Array, packet: int) -> None:
        """Begin a session: the controller stands at `q` [rad], shape (7,), up to `packet`."""
        self._open = True
        self._standing = np.array(q)
        self._fill(self._standing, np.spacing(np.abs(q).astype(np.float32)).astype(np.float64), packet)

    def end(self) -> None:
        """End the session: what comes is no longer a command."""
        self._open = False

    def check(self, q: Array, packet: int) -> str:
        """Return what is wrong with a command; empty if nothing. Commands come in the order of their packets.

        Args:
            q: [rad], shape (7,).
            packet: that it answers, counted without wrapping.
        """
        if not self._open:
            return ""
        self.commands += 1
        finding = self._finding(q, packet)
        if finding:
            self.violations += 1
            self.first = self.first or finding
            if np.isfinite(q).all():  # else the stream goes on from the command before
                self._fill(q, np.full(7, UNKNOWN), packet)
                self._held[len(self._packets) - 1, 7:] = _rounding(q)
            self._standing = None
        return finding

    def _finding(self, q: Array, packet: int) -> str:
        if not np.isfinite(q).all():
            i = int(np.argmin(np.isfinite(q)))
            return f"A{i + 1} position {q[i]} rad is no number (packet {packet})"
        rounding = _rounding(q)
        if finding := self._misplaced(q, rounding, packet):
            return finding
        if packet <= self._packets[-1]:
            return (
                ""  # answers a packet of before the session: it has been compared with where the arm stands
            )
        self._standing = None
        self._append(q, rounding, packet)
        return self._too_fast(packet)

    def _misplaced(self, q: Array, rounding: Array, packet: int) -> str:
        """Return whether a position is beyond the limits, or not where the session starts."""
        beyond = np.maximum(self._lower - q, q - self._upper)
        i = int(beyond.argmax())
        self._outermost = max(self._outermost, 1.0 + beyond[i] / (0.5 * (self._upper[i] - self._lower[i])))
        if beyond[i] > rounding[i] + RELATIVE * STANDING:
            bound = self._lower[i] if q[i] < self._lower[i] else self._upper[i]
            return f"A{i + 1} position {q[i]:.7f} rad is beyond its limit {bound:.7f} rad (packet {packet})"
        if self._standing is None or packet > self._packets[-1] + 1:
            return ""  # the session's first answer was lost: the rates from standing on say what is allowed
        away = np.abs(q - self._standing)
        i = int(away.argmax())
        if away[i] <= STANDING:
            return ""
        return (
            f"A{i + 1} position {q[i]:.7f} rad begins a session {away[i]:.3g} rad from where the controller "
            f"commands it, {STANDING:g} rad allowed (packet {packet})"
        )

    def _too_fast(self, packet: int) -> str:
        """Return which rate is beyond its bound by more than rounding, over which stride."""
        values, tolerance = self._rates()
        shares = (np.abs(values) - tolerance) * self._scale
        np.maximum(self._worst, shares, out=self._worst)
        worst = int(shares.argmax())
        if shares.flat[worst] <= 1.0 + RELATIVE:
            return ""
        row, k, i = np.unravel_index(worst, shares.shape)
        name, unit = QUANTITIES[k]
        return (
            f"A{i + 1} {name} {values[row, k, i]:.5g} {unit} over strides of {STRIDES[row]} cycles is beyond "
            f"its limit {self._bounds[k, i]:g} {unit} (packet {packet}, rounding {tolerance[row, k, i]:.2g})"
        )

    def _rates(self) -> tuple[Array, Array]:
        """Return the newest rates and what rounding may have added to them, each (strides, 3, 7).

        The weights of a divided difference alternate in sign, and so do the roundings here: their
        difference is the sum of all |w_i| e_i.
        """
        rows, packets = self._rows()
        t = self._T * packets
        values = self._held[rows]
        values[:, :, 7:] *= ALTERNATING
        out = np.empty((len(STRIDES), 3, 14))
        for order in (1, 2, 3):
            span = (t[:, :-order] - t[:, order:]) / order
            values = (values[:, :-1] - values[:, 1:]) / span[:, :, None]
            out[:, order - 1] = values[:, 0]
        return out[:, :, :7], out[:, :, 7:]

    def _rows(self) -> tuple[IntArray, IntArray]:
        """Return the rows of the four commands that each stride looks at, newest first, and their packets.

        The nearest command that is at least a stride older is at most a stride of rows away: `SPAN` rows
        always suffice. Both have the shape (strides, 4).
        """
        packets, last = self._packets, len(self._packets) - 1
        if packets[last] - packets[last - SPAN + 1] == SPAN - 1:
            return EVEN + (last - SPAN + 1), EVEN
        rows = []
        for stride in STRIDES:
            line = [last]
            for _ in range(3):
                line.append(bisect_right(packets, packets[line[-1]] - stride) - 1)
            rows.append(line)
        return np.array(rows), np.array([[packets[row] for row in line] for line in rows])

    def _append(self, q: Array, rounding: Array, packet: int) -> None:
        if len(self._packets) == ROOM:
            self._packets = self._packets[-SPAN:]
            self._held[:SPAN] = self._held[-SPAN:].copy()
        row = len(self._packets)
        self._packets.append(packet)
        self._held[row, :7], self._held[row, 7:] = q, rounding

    def _fill(self, q: Array, rounding: Array, packet: int) -> None:
        """Let the stream begin anew, as if `q` had been commanded for ever up to `packet`."""
        self._packets = list(range(packet - SPAN + 1, packet + 1))
        self._held[:SPAN, :7], self._held[:SPAN, 7:] = q, rounding


def _rounding(q: Array) -> Array:
    """Return half a unit in the last place of `q` as a 32-bit float [rad]."""
    return 0.5 * np.spacing(np.abs(q).astype(np.float32)).astype(np.float64)
