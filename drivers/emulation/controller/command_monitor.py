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

import numpy as np

from drivers.emulation.controller.command_rates import (
    JOINTS,
    SPAN,
    STRIDES,
    outermost,
    rates,
    rounding_into,
    worst_into,
)
from hil.common.arrays import Array
from hil.configuration.schema import Limits

ROOM = 8 * SPAN  # commands held before old ones are moved out
RELATIVE = 1e-6  # of every rate's bound: rounding of 64-bit commands before they are sent
ROUNDING = 1.3e-7  # [rad]; of a 32-bit position below 4 rad, and of a 64-bit bound
STANDING = 4e-7  # [rad]; three 32-bit roundings below 4 rad, on the way to the client and back
QUANTITIES = (("velocity", "rad/s"), ("acceleration", "rad/s2"), ("jerk", "rad/s3"))
UNKNOWN = np.inf  # rounding of commands that are not known


class CommandMonitor:
    """Judges every command of every session.

    Attributes:
        commands: number of commands judged.
        violations: commands that broke a bound; each is counted once, the stream begins anew after it.
        first: the first violation in words: joint, quantity, value, bound, packet; empty without one.
        last: the last one.
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
        self._T = sample_time
        # the stream: packets' counters, set-points [rad], and the rounding that each may have [rad]
        self._packets = np.zeros(ROOM, dtype=np.int64)
        self._q, self._rounding = np.zeros((ROOM, JOINTS)), np.zeros((ROOM, JOINTS))
        self._last = 0  # row of the newest
        self._worst = np.zeros((len(STRIDES), 3, 7))
        self._outermost = 0.0
        self._standing: Array | None = None  # what the controller commands until the session's first command
        self._open = False
        self.commands = self.violations = 0
        self.first = self.last = ""
        self._rehearse()

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
        self._fill(self._standing, packet)
        rounding_into(self._rounding[0], self._standing)
        self._rounding[:SPAN] = 2.0 * self._rounding[0]  # rounded on the way to the client and back

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
            self.first, self.last = self.first or finding, finding
            if np.isfinite(q).all():  # else the stream goes on from the command before
                self._fill(q, packet)
                self._rounding[: SPAN - 1] = UNKNOWN
                rounding_into(self._rounding[SPAN - 1], q)
            self._standing = None
        return finding

    def _finding(self, q: Array, packet: int) -> str:
        if not np.isfinite(q).all():
            i = int(np.argmin(np.isfinite(q)))
            return f"A{i + 1} position {q[i]} rad is no number (packet {packet})"
        if finding := self._misplaced(q, packet):
            return finding
        if packet <= self._packets[self._last]:
            return (
                ""  # answers a packet of before the session: it has been compared with where the arm stands
            )
        self._standing = None
        self._append(q, packet)
        return self._too_fast(packet)

    def _misplaced(self, q: Array, packet: int) -> str:
        """Return whether a position is beyond the limits, or not where the session starts."""
        i, beyond = outermost(q, self._lower, self._upper)
        self._outermost = max(self._outermost, 1.0 + beyond / (0.5 * (self._upper[i] - self._lower[i])))
        if beyond > ROUNDING:
            bound = self._lower[i] if q[i] < self._lower[i] else self._upper[i]
            return f"A{i + 1} position {q[i]:.7f} rad is beyond its limit {bound:.7f} rad (packet {packet})"
        if self._standing is None or packet > self._packets[self._last] + 1:
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
        last, stream = self._last, (self._packets, self._q, self._rounding)
        share, s, k, i = worst_into(self._worst, *stream, last, self._bounds, self._T)
        if share <= 1.0 + RELATIVE:
            return ""
        value, added = rates(*stream, last, STRIDES[s], self._T)
        name, unit = QUANTITIES[k]
        return (
            f"A{i + 1} {name} {value[k, i]:.5g} {unit} over strides of {STRIDES[s]} cycles is beyond its "
            f"limit {self._bounds[k, i]:g} {unit} (packet {packet}, rounding {added[k, i]:.2g})"
        )

    def _rehearse(self) -> None:
        """Compile what a check needs now, not in a session, and forget what came out."""
        self.begin(np.zeros(JOINTS), 0)
        self._misplaced(np.zeros(JOINTS), 0)
        self._too_fast(0)
        self.end()
        self._worst[:] = 0.0
        self._outermost = 0.0

    def _append(self, q: Array, packet: int) -> None:
        if self._last == ROOM - 1:
            for held in (self._packets, self._q, self._rounding):
                held[: SPAN - 1] = held[ROOM - SPAN + 1 :].copy()
            self._last = SPAN - 2
        self._last += 1
        self._packets[self._last], self._q[self._last] = packet, q
        rounding_into(self._rounding[self._last], q)

    def _fill(self, q: Array, packet: int) -> None:
        """Let the stream begin anew, as if `q` had been commanded for ever up to `packet`."""
        self._packets[:SPAN] = np.arange(packet - SPAN + 1, packet + 1)
        self._q[:SPAN] = q
        self._last = SPAN - 1
