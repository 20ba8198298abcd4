"""The pushes in a recorded wrench, found without the detector that they are to judge.

The sensor's offset and noise are those of its first quiet stretch. A push is where the wrench stands out of
both, and reaches as far on either side as it does.
"""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array, IntArray

QUIET = 0.3  # [s] of a stretch that tells offset and noise
AS_QUIET = 1.5  # times the quietest stretch's deviation: the first of these is taken
LENGTH = 0.2  # [m] by which torques are divided
LEAST = 1.2  # [N] that a push reaches,
LEAST_SIGMA = 6.0  # and times the noise
PROMINENCE = 1.0  # of that, by which it rises above what lies between it and a larger one
FOOT = 0.03  # of its height above that, down to which it reaches
STEP, SMOOTH = 0.001, 0.008  # [s]
MOST_STEPS = 2_000_000


@dataclass(frozen=True)
class Interval:
    """Where a push lies: its first and its last sample."""

    first: int
    last: int


def rest_level(t: Array, wrench: Array) -> tuple[Array, float]:
    """Return offset [N, N m], shape (6,), and deviation [N] of the first quiet stretch.

    Args:
        t: increasing times [s], shape (N,).
        wrench: shape (N, 6).
    """
    starts, ends = _stretches(t)
    sums = np.vstack((np.zeros(6), np.cumsum(wrench, axis=0)))
    squares = np.vstack((np.zeros(6), np.cumsum(wrench**2, axis=0)))
    count = (ends - starts)[:, None]
    mean = (sums[ends] - sums[starts]) / count
    variance = np.maximum((squares[ends] - squares[starts]) / count - mean**2, 0.0) / _scale() ** 2
    deviation = np.sqrt(variance.sum(axis=1))
    rounding = 1e-7 * (1.0 + float(np.abs(wrench / _scale()).max()))
    first = int(np.argmax(deviation <= AS_QUIET * deviation.min() + rounding))
    return mean[first], float(deviation[first])


def pushes_in(t: Array, wrench: Array, deviation: float) -> list[Interval]:
    """Return the pushes in a wrench without offset, in order.

    Args:
        t: increasing times [s], shape (N,).
        wrench: shape (N, 6).
        deviation: of its noise [N].
    """
    # here: every emulator would load them, which takes as long as all else, and few replay anything
    from scipy.ndimage import gaussian_filter1d
    from scipy.signal import find_peaks, peak_widths

    step = max(STEP, (t[-1] - t[0]) / MOST_STEPS)
    even = np.arange(t[0], t[-1], step)
    size = np.linalg.norm(wrench / _scale(), axis=1)
    smooth = gaussian_filter1d(np.interp(even, t, size), SMOOTH / step)
    least = max(LEAST, LEAST_SIGMA * deviation)
    peaks, _ = find_peaks(smooth, height=least, prominence=PROMINENCE * least)
    _, _, begin, end = peak_widths(smooth, peaks, rel_height=1.0 - FOOT)
    found: list[Interval] = []
    for a, b in zip(begin * step + t[0], end * step + t[0], strict=True):
        first, last = int(np.searchsorted(t, a)), int(np.searchsorted(t, b, side="right")) - 1
        if found and first <= found[-1].last:
            found[-1] = Interval(found[-1].first, max(last, found[-1].last))
        elif last > first:
            found.append(Interval(first, last))
    return found


def _stretches(t: Array) -> tuple[IntArray, IntArray]:
    """Return the first sample of each stretch, and the one behind its last."""
    ends = np.searchsorted(t, t + QUIET)
    # where rows are missing a stretch has few, which are as quiet as nothing else and tell nothing
    enough = 0.5 * QUIET / float(np.median(np.diff(t))) if len(t) > 1 else 0.0
    whole = np.flatnonzero((t + QUIET <= t[-1]) & (ends - np.arange(len(t)) >= enough))
    if not len(whole):
        return np.array([0]), np.array([len(t)])
    return whole, np.maximum(ends[whole], whole + 1)


def _scale() -> Array:
    return np.repeat([1.0, LENGTH], 3)
