"""The robot's interface delay, identified on the spot from commanded and measured joints.

theory: for every lag i dt up to the longest, E_i keeps a slowly fading mean of the squared difference
|y(t) - c(t - i dt)|^2 of measured joints y and commands c. Near its minimum E is a parabola whose apex
is the delay at low frequencies: a dead time T followed by w^2 / (s^2 + 2 z w s + w^2) gives T + 2 z / w.
Both signals first lose their slow part through the same high-pass, which leaves their delay alone and
takes away a standing offset (sag under load). What has no motion in it teaches nothing and is left out:
sums fade with motion, not with time, so the estimate holds at rest and cannot drift.
"""

import numpy as np
from numba import njit

from hil.common.arrays import Array

JOINTS = 7
MEMORY = 2.0  # [s] of motion after which a sample weighs 1/e
SHORTEST_MEMORY = 0.2  # [s], of the beginning, whose transients are soon to be forgotten
GROWING = 0.3  # memory per motion seen so far, until it has its full length
HIGH_PASS = 1.0  # [s], its time constant
LEAST_SPEED = 0.01  # [rad/s], norm over the joints of the filtered command; slower is no motion
LEAST_MOTION = 0.4  # [s] of motion before anything is said
SHARPNESS = 0.05  # E at the apex over the mean E at +-`SHARP_LAG` around it must be below this
LEAST_ENERGY = 0.25  # of the measured motion over that of the commanded one
SHARP_LAG = 0.016  # [s]
LONGEST_DELAY = 0.5  # [s] that is found
BRIDGED_CYCLES = 20  # without an answer, at most
APPROACH = 0.1  # [s], time constant with which the estimate follows the apex
SETTLED = 10.0 * APPROACH  # [s] of motion with a clear minimum, after which the estimate stands there


@njit(cache=True)
def _observe(
    sums: Array, energy: Array, ring: Array, filtered: Array, before: Array, head: int,
    command: Array, measured: Array, leak: float, fade: float, least: float,
) -> tuple[int, bool]:  # fmt: skip
    """Filter and store a command, update the sums; return the newest row and whether there was motion.

    Args:
        sums: fading squared differences, one a lag, shape (L,).
        energy: fading squares of command and measurement themselves, shape (2,).
        ring: filtered commands, newest first from row `head` on, each written twice, shape (2 L, 7).
        filtered: command and measured joints behind the high-pass, shape (2, 7).
        before: the same before it, of the cycle before, shape (2, 7).
        head: row of the newest command so far.
        command: [rad], shape (7,).
        measured: [rad], shape (7,).
        leak: factor of the high-pass.
        fade: factor of the older sums at a sample with motion.
        least: norm of the filtered command's step that counts as motion [rad].
    """
    lags, joints = ring.shape[0] // 2, ring.shape[1]
    for m in range(joints):
        if not (np.isfinite(command[m]) and np.isfinite(measured[m])):
            return head, False
    head = head - 1 if head > 0 else lags - 1
    moved = 0.0
    for m in range(joints):
        last = filtered[0, m]
        filtered[0, m] = leak * (last + command[m] - before[0, m])
        filtered[1, m] = leak * (filtered[1, m] + measured[m] - before[1, m])
        before[0, m], before[1, m] = command[m], measured[m]
        moved += (filtered[0, m] - last) ** 2
        ring[head, m] = ring[head + lags, m] = filtered[0, m]
    if not moved > least * least:
        return head, False
    for row in range(2):
        square = 0.0
        for m in range(joints):
            square += filtered[row, m] ** 2
        energy[row] = fade * energy[row] + square
    for i in range(lags):
        error = 0.0
        for m in range(joints):
            error += (filtered[1, m] - ring[head + i, m]) ** 2
        sums[i] = fade * sums[i] + error
    return head, True


@njit(cache=True)
def _apex(sums: Array) -> tuple[float, int]:
    """Return the place of the minimum in lags, refined by the parabola through three, and its row."""
    i = int(np.argmin(sums))
    if i == 0 or i == sums.shape[0] - 1:
        return float(i), i
    below, above = sums[i - 1] - sums[i], sums[i + 1] - sums[i]
    curvature = below + above
    return (i + 0.5 * (below - above) / curvature if curvature > 0.0 else float(i)), i


class InterfaceDelay:
    """Estimates the time from a command to its being measured."""

    def __init__(self, initial: float, dt: float, max_delay: float = LONGEST_DELAY) -> None:
        """Begin with `initial` [s] on a cycle of `dt` [s]; delays up to `max_delay` [s] are found."""
        self.estimate = initial
        self.confident = False
        self._dt = dt
        lags = int(np.ceil(max_delay / dt)) + 2
        self._sums = np.zeros(lags)
        self._energy = np.zeros(2)
        self._around = max(3, round(SHARP_LAG / dt))
        self._leak = float(np.exp(-dt / HIGH_PASS))
        self._ring = np.zeros((2 * lags, JOINTS))
        self._filtered = np.zeros((2, JOINTS))
        self._before: Array | None = None
        self._head = 0
        self._motion = self._clear = 0.0

    @property
    def settled(self) -> bool:
        """Whether the estimate has come to where the motion so far places it."""
        return self._clear > SETTLED

    def step(self, q_command: Array, q_measured: Array, cycles: int = 1) -> tuple[float, bool]:
        """Return the delay [s] and whether it is to be relied on.

        What lies between two answers is taken to be straight, so that lags count in cycles of the robot
        also where answers are missing; a longer gap begins the stream anew.

        Args:
            q_command: command of this cycle, sent in answer to the packet that brought `q_measured`
                [rad], shape (7,). So the delay counts from that answer, and a plan looked at that much
                ahead of the packet is where the robot will be.
            q_measured: measured joints [rad], shape (7,). Samples that are not finite are passed over.
            cycles: of the robot since the step before.
        """
        if cycles > BRIDGED_CYCLES:
            self.interrupt()
        if self._before is None:
            self._before = np.array((q_command, q_measured))
            if not np.isfinite(self._before).all():
                self._before = None
                return self.estimate, self.confident
        before = self._before.copy() if cycles > 1 else self._before
        for cycle in range(1, cycles if cycles <= BRIDGED_CYCLES else 1):
            share = cycle / cycles
            self._take(
                before[0] + share * (q_command - before[0]), before[1] + share * (q_measured - before[1])
            )
        self._take(q_command, q_measured)
        return self.estimate, self.confident

    def _take(self, q_command: Array, q_measured: Array) -> None:
        """Take a cycle's command and measurement."""
        assert self._before is not None
        memory = min(max(GROWING * self._motion, SHORTEST_MEMORY), MEMORY)
        self._head, moved = _observe(
            self._sums, self._energy, self._ring, self._filtered, self._before, self._head,
            q_command, q_measured, self._leak, 1.0 - self._dt / memory, LEAST_SPEED * self._dt,
        )  # fmt: skip
        if moved:
            self._motion += self._dt
            if self._motion > LEAST_MOTION:
                self._learn()

    def interrupt(self) -> None:
        """Say that the command stream begins anew, at rest: what was learned is kept."""
        self._ring[:] = 0.0
        self._filtered[:] = 0.0
        self._before = None

    def warm(self) -> None:
        """Compile what a step needs; learns nothing."""
        other = InterfaceDelay(self.estimate, self._dt, 4.0 * self._dt)
        for cycle in range(round(2.0 * LEAST_MOTION / self._dt)):
            q = np.full(JOINTS, cycle * LEAST_SPEED * self._dt)
            other.step(q, q)

    def _learn(self) -> None:
        """Move the estimate towards the apex of the sums, if they have a clear one."""
        apex, row = _apex(self._sums)
        left, right = max(row - self._around, 0), min(row + self._around, len(self._sums) - 1)
        walls = 0.5 * (self._sums[left] + self._sums[right])
        inside = 0 < row < len(self._sums) - 1
        follows = self._energy[1] > LEAST_ENERGY * self._energy[0]
        self.confident = bool(inside and follows and self._sums[row] < SHARPNESS * walls)
        if self.confident:
            self._clear += self._dt
            self.estimate += self._dt / APPROACH * (apex * self._dt - self.estimate)
