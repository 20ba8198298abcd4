"""The drives' dead time, lag and damping, from what was commanded and what was measured in one motion.

Output error: the model runs on the commands alone, and its path is compared with the measured one; each
coordinate has an offset of its own (sag). Deviations come from what is left, gathered over stretches of time:
noise that is coloured, and drives that are no such lag, make them larger.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares
from scipy.special import stdtrit

from hil.common.arrays import Array
from hil.common.errors import OperatorError
from hil.force.timing.lag_response import lag_response

STRETCH = 0.1  # [s] over which what is left is taken to hang together
CONFIDENCE = 0.95
SHORTEST_LAG, LONGEST_LAG = 5e-4, 0.2  # [s]
LEAST_DAMPING, MOST_DAMPING = 0.15, 4.0
LONGEST_DELAY = 0.5  # [s], of dead time and lag together
COARSE = 8  # delays that are tried first lie so many cycles apart
SHARES = (0.3, 0.8)  # of the delay that are taken for lag to begin with
LEAST_ROWS = 200
SHIFT = 1e-5  # relative step of the differences by which the fit is judged
LAG_KNOWN, DAMPING_KNOWN = 1e-3, 0.1  # half intervals [s, 1] within which lag and damping count as told apart
MISFIT = 1e-3  # [s] of the motion that may be left: more, and the drives are no such lag
FOLLOWS = 0.5  # of the motion that may be left; more, and nothing follows the commands


@dataclass(frozen=True)
class FoundDrive:
    """What was found; intervals are halves of 95 %.

    Attributes:
        dead_time: from a command's instant on [s]; the one cycle that a command takes is part of it.
        lag: with which a ramp is followed beyond that [s].
        damping: ratio of the lag.
        intervals: of these three, shape (3,).
        total: dead time and lag together [s], known best, and its interval.
        total_interval: [s].
        misfit: what is left, over the motion's speed [s].
        spread: of the coordinates' own delays: the greatest distance from the common one [s].
    """

    dead_time: float
    lag: float
    damping: float
    intervals: Array
    total: float
    total_interval: float
    misfit: float
    spread: float

    @property
    def apart(self) -> bool:
        """Whether the motion tells dead time, lag and damping apart; otherwise only their sum is known."""
        inside = SHORTEST_LAG * 1.01 < self.lag < LONGEST_LAG and MOST_DAMPING > self.damping > LEAST_DAMPING
        return bool(inside and self.intervals[1] < LAG_KNOWN and self.intervals[2] < DAMPING_KNOWN)

    @property
    def suits(self) -> bool:
        """Whether the arm follows as such a lag does."""
        return self.misfit < MISFIT


def found_drive(command: Array, measured: Array, step: float) -> FoundDrive:
    """Return the drive that suits a motion best.

    Args:
        command: sent in answer to each packet, in its row, evenly apart, the first ones at rest, (n, m).
        measured: in the packet of the same row, shape (n, m).
        step: between two rows [s].

    Raises:
        OperatorError: too little moved, or what was measured does not follow what was commanded.
    """
    moved = np.ptp(command, axis=0) > 0.0
    if len(command) < LEAST_ROWS or not moved.any():
        raise OperatorError(
            f"calibrate: {len(command)} cycles with {np.count_nonzero(moved)} coordinates that move are too "
            "little to find the drives in; repeat it"
        )
    u, y = command[:, moved], measured[:, moved]
    y = y - y.mean(axis=0)

    def left(p: Array) -> Array:
        followed = lag_response(u, step, p[0], p[1], p[2])
        return y - (followed - followed.mean(axis=0))

    size = math.sqrt(float(np.mean(y**2))) or 1.0  # that all derivatives are of one size

    def scaled(p: Array) -> Array:
        flat: Array = left(p * scale).ravel() / size
        return flat

    total = _rough_delay(u, y, step)
    scale = np.array([max(total, step), max(total, step), 1.0])
    low = np.array([0.0, SHORTEST_LAG, LEAST_DAMPING]) / scale
    high = np.array([LONGEST_DELAY, LONGEST_LAG, MOST_DAMPING]) / scale
    fits = []
    for share in SHARES:
        lag = min(max(share * total, 2.0 * SHORTEST_LAG), 0.9 * LONGEST_LAG)
        begin = np.array([max(total - lag, 0.1 * step), lag, 0.8]) / scale
        fits.append(least_squares(scaled, begin, bounds=(low, high), xtol=1e-9, ftol=1e-12, gtol=1e-12))
    p = scale * min(fits, key=lambda fit: float(fit.cost)).x
    return _judged(p, left, u, step, math.sqrt(float(np.mean(y**2))))


def _rough_delay(u: Array, y: Array, step: float) -> float:
    """Return the delay, of a pure dead time, that suits best [s]: to a cycle."""
    n, most = len(u), min(round(LONGEST_DELAY / step), len(u) // 3)

    def misses(k: int) -> float:
        apart = y[k:] - u[: n - k]
        return float(np.mean((apart - apart.mean(axis=0)) ** 2))

    k = min(range(0, most, COARSE), key=misses)
    k = min(range(max(0, k - COARSE), min(most, k + COARSE) + 1), key=misses)
    return max(k, 1) * step


def _judged(p: Array, left: Callable[[Array], Array], u: Array, step: float, size: float) -> FoundDrive:
    """Return the finding with its deviations, for parameters (dead time, lag, damping)."""
    r = left(p)
    rms = math.sqrt(float(np.mean(r**2)))
    if not rms < FOLLOWS * size:
        raise OperatorError(
            "calibrate: what was measured does not follow what was commanded: is the arm under control?"
        )
    columns = []
    for i in range(3):
        by = np.zeros(3)
        by[i] = SHIFT * max(p[i], step if i < 2 else 1.0)
        columns.append((left(p - by) - left(p + by)) / (2.0 * by[i]))
    J = np.array(columns)  # what the path gains by a unit of each, (3, n, m)
    deviations, half = _deviations(J, r, max(1, round(STRETCH / step)))
    speed = math.sqrt(float(np.mean((np.diff(u, axis=0) / step) ** 2)))
    own = np.einsum("nm,nm->m", J[0], r) / np.einsum("nm,nm->m", J[0], J[0])
    return FoundDrive(
        float(p[0]),
        float(p[1]),
        float(p[2]),
        half * np.linalg.norm(deviations, axis=1),
        float(p[0] + p[1]),
        half * float(np.linalg.norm(deviations[0] + deviations[1])),
        rms / speed,
        float(np.abs(own).max()),
    )


def _deviations(J: Array, r: Array, rows: int) -> tuple[Array, float]:
    """Return a root (3, k) of the parameters' covariance, and how many deviations half an interval is.

    theory: with J = Q R the covariance is R^-1 (sum_k s_k s_k^T) R^-T, s_k = Q_k^T r_k over stretch k; by Q
    and R, for J^T J of a slow motion is singular to rounding.

    Args:
        J: what the path gains by a unit of each parameter, shape (3, n, m).
        r: what is left, shape (n, m).
        rows: of a stretch.
    """
    sizes = np.linalg.norm(J.reshape(3, -1), axis=1)
    Q, R = np.linalg.qr((J.reshape(3, -1).T) / sizes)
    count = len(r) // rows
    parts = (Q.reshape(*r.shape, 3) * r[:, :, None])[: count * rows]
    scores = parts.reshape(count, -1, 3).sum(axis=1) * math.sqrt(count / (count - 3))
    half = float(stdtrit(count - 3, 0.5 + 0.5 * CONFIDENCE))
    root: Array = np.linalg.solve(R, scores.T) / sizes[:, None]
    return root, half
