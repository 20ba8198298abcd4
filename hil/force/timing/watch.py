"""Is the drives' model in time with the arm? Watched in flight, from commands and measured positions.

The model runs on the commands alone. Where it is, less where the arm is measured, grows with the speed by as
much as the arm is later than the model, beside an offset of each axis (sag):

    x - x_model = b - late v

Sums fade with motion, not with time, so that the finding holds at rest. A delay that is taken anew meanwhile
shifts what was summed before by just that.
"""

import math
from dataclasses import dataclass

import numpy as np
from numba import njit
from scipy.linalg import expm

from hil.common.arrays import Array
from hil.force.setup import DriveModel

MEMORY = 20.0  # [s] of motion after which a sample weighs 1/e
LEAST_SPEED = 2e-3  # [m/s] below which the arm rests, for this
SETTLES = 5.0  # lags after a beginning, until the model has forgotten how it began
TOGETHER = 0.1  # [s] over which what is left hangs together
LEAST_MOTION = 0.5  # [s] of it before anything is said
CONFIDENT = 1.96
LONGEST_DEAD = 0.5  # [s]
WARNED = 1e-3  # [s] by which a model may be wrong
COUNT, MOTION = 14, 15  # in the sums: of samples, and of seconds that moved


@dataclass(frozen=True)
class Lateness:
    """By how much the arm is later than its drives' model [s], and half of its 95 % interval [s]."""

    late: float
    interval: float

    @property
    def wrong(self) -> bool:
        """Whether the model is wrong by more than contacts bear, beyond doubt."""
        return abs(self.late) - self.interval > WARNED


@njit(cache=True)
def _go_on(
    path: Array, model: Array, sums: Array, earlier: Array, later: Array, head: int, whole: int,
    commanded: Array, measured: Array, fade: float, least: float, counts: bool, step: float,
) -> int:  # fmt: skip
    """Carry the model over a cycle, at whose end the path is `commanded`; sum up; return the newest row.

    Args:
        path: the last commands [m], newest in row `head`, shape (k, 3).
        model: place and velocity, shape (2, 3).
        sums: per axis of v, e, v v, v e; their e e; samples, motion; shape (16,).
        earlier: what a part of a cycle makes of the model, see `_flow`, (2, 5),
        later: and the other part.
        head: row of the newest command so far.
        whole: cycles of the dead time.
        commanded: [m], shape (3,).
        measured: [m], shape (3,).
        fade: factor of the older sums at a sample in motion.
        least: speed below which nothing is summed [m/s].
        counts: whether the sample does: nothing pushes the arm, and the model has forgotten how it began.
        step: of a cycle [s].
    """
    size = path.shape[0]
    head = (head + 1) % size
    for i in range(3):
        path[head, i] = commanded[i]
    speed = 0.0
    for i in range(3):
        a = path[(head - whole - 2) % size, i]
        b = path[(head - whole - 1) % size, i]
        c = path[(head - whole) % size, i]
        share = earlier[0, 4]  # of a cycle, by which the dead time is longer than whole ones
        x, v = model[0, i], model[1, i]
        begin = b + (a - b) * share
        m = earlier
        x, v = (
            m[0, 0] * x + m[0, 1] * v + m[0, 2] * begin + m[0, 3] * (b - a),
            m[1, 0] * x + m[1, 1] * v + m[1, 2] * begin + m[1, 3] * (b - a),
        )
        m = later
        x, v = (
            m[0, 0] * x + m[0, 1] * v + m[0, 2] * b + m[0, 3] * (c - b),
            m[1, 0] * x + m[1, 1] * v + m[1, 2] * b + m[1, 3] * (c - b),
        )
        model[0, i], model[1, i] = x, v
        speed += v * v
    if not (counts and speed > least * least):
        return head
    for k in range(sums.shape[0]):
        sums[k] *= fade
    for i in range(3):
        v, e = model[1, i], measured[i] - model[0, i]
        sums[i] += v
        sums[3 + i] += e
        sums[6 + i] += v * v
        sums[9 + i] += v * e
        sums[12] += e * e
    sums[COUNT] += 1.0
    sums[MOTION] += step
    return head


class DriveWatch:
    """Follows one arm; between two floatings it begins anew, and keeps what it knows."""

    def __init__(self, step: float, drive: DriveModel) -> None:
        """Watch on a cycle of `step` [s] beside a model."""
        self._step, self._fade = step, math.exp(-step / MEMORY)
        self._path = np.zeros((round(LONGEST_DEAD / step) + 4, 3))
        self._model, self._sums = np.zeros((2, 3)), np.zeros(16)
        self._head, self._seen = 0, 0
        self._drive = drive
        self.retime(drive)

    def retime(self, drive: DriveModel) -> None:
        """Take another model; what was summed beside the one before is carried over to it."""
        before, self._drive = self._drive, drive
        more = drive.dead_time + drive.lag - before.dead_time - before.lag
        s = self._sums  # theory: the model is later by `more`, so e grows by more v
        s[12] += float(2.0 * more * s[9:12].sum() + more * more * s[6:9].sum())
        s[9:12] += more * s[6:9]
        s[3:6] += more * s[0:3]
        self._whole = min(math.floor(drive.dead_time / self._step + 1e-9), len(self._path) - 4)
        rest = max(0.0, drive.dead_time - self._whole * self._step)
        self._earlier = _flow(drive, rest, self._step)
        self._later = _flow(drive, self._step - rest, self._step)
        self._needed = math.ceil(SETTLES * drive.lag / self._step) + self._whole + 2

    def begin(self) -> None:
        """Another stretch of flight begins: the model starts where the arm is."""
        self._seen = 0

    def take(self, commanded: Array, measured: Array, cycles: int = 1, free: bool = True) -> None:
        """Take a sample.

        Args:
            commanded: where the last command puts the object's centre at the sample's instant [m], (3,).
            measured: where it is measured [m], (3,).
            cycles: since the sample before; over those without a sample the path is straight.
            free: nothing pushes the arm; otherwise only the model goes on.
        """
        if self._seen == 0:
            self._path[:], self._model[0], self._model[1] = commanded, commanded, 0.0
        before, measured = self._path[self._head].copy(), np.ascontiguousarray(measured)
        for cycle in range(1, cycles + 1):
            self._seen += 1
            counts = free and self._seen > self._needed and cycle == cycles
            self._head = _go_on(
                self._path, self._model, self._sums, self._earlier, self._later, self._head, self._whole,
                before + (commanded - before) * (cycle / cycles), measured, self._fade, LEAST_SPEED, counts,
                self._step,
            )  # fmt: skip

    def lateness(self) -> Lateness | None:
        """Return by how much the arm is later than the model; None before enough has moved."""
        s = self._sums
        n = s[COUNT]
        if s[MOTION] < LEAST_MOTION:
            return None
        vv = float(s[6:9].sum() - (s[0:3] ** 2).sum() / n)
        ve = float(s[9:12].sum() - (s[0:3] * s[3:6]).sum() / n)
        ee = float(s[12] - (s[3:6] ** 2).sum() / n)
        if not vv > 0.0:
            return None
        left = max(ee - ve * ve / vv, 0.0) / (3.0 * n)
        return Lateness(-ve / vv, CONFIDENT * math.sqrt(left * TOGETHER / self._step / vv))

    def warm(self) -> None:
        """Compile or load the kernel; learns nothing."""
        DriveWatch(self._step, self._drive).take(np.zeros(3), np.zeros(3))


def _flow(drive: DriveModel, duration: float, step: float) -> Array:
    """Return what a part of a cycle makes of (place, velocity, input, its change over a cycle), (2, 5).

    The last column is the part's share of the cycle.
    """
    out = np.zeros((2, 5))
    out[:, 4] = duration / step
    if drive.lag <= 0.0:
        out[0, 2:4] = 1.0, duration / step
        out[1, 3] = 1.0 / step
        return out
    w = 2.0 * drive.damping / drive.lag
    A = np.zeros((4, 4))
    A[0, 1], A[1] = 1.0, [-w * w, -2.0 * drive.damping * w, w * w, 0.0]
    A[2, 3] = 1.0 / step
    out[:, :4] = expm(A * duration)[:2]
    return out
