"""Detected impulses against true pushes: matching by onset, and errors."""

from dataclasses import dataclass

import numpy as np

from hil.analysis.figures.windows import LENGTH, spread
from hil.common.arrays import Array, BoolArray, IntArray
from hil.loop.trace.fields import Trace
from hil.loop.trace.run_end import EARLY, LATE

SCALE = np.array([1.0, 1.0, 1.0, 1.0 / LENGTH, 1.0 / LENGTH, 1.0 / LENGTH])


@dataclass(frozen=True, eq=False)
class Matches:
    """Which impulse belongs to which push.

    Attributes:
        impulse: row of the impulse that belongs to each push, -1 for none, shape (m,).
        judged: whether the end of the run left the push whole, shape (m,).
        error: norm of the difference, torques divided by 0.2 m [N s], NaN for pushes that were missed or
            are not judged, shape (m,).
        size: norm of the true impulse, torques divided by 0.2 m [N s], shape (m,).
        false: number of impulses that belong to no push, or to one that already has its own.
    """

    impulse: IntArray
    judged: BoolArray
    error: Array
    size: Array
    false: int

    @property
    def relative_error(self) -> Array:
        """The error over the true impulse's norm, shape (m,)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            relative: Array = self.error / self.size
        return relative

    @property
    def missed(self) -> int:
        """Number of pushes that were judged and have no impulse."""
        return int(np.count_nonzero(self.judged & (self.impulse < 0)))


def match_impulses(trace: Trace) -> Matches:
    """Match impulses with pushes by onset, each in turn with the nearest push that has none yet.

    What the end of the run cuts off is neither right nor wrong: pushes and impulses from `cut_from` on, and
    an impulse that was still growing, with its push. One that has lasted too long for that is not excused.
    """
    start, end = trace.push_t_start, trace.push_t_end
    impulse = np.full(len(start), -1, dtype=np.int64)
    growing = ~trace.impulse_ended & ~trace.impulse_sustained
    cut = growing | (trace.impulse_t_start >= trace.cut_from - EARLY)
    false = 0
    for row in np.argsort(trace.impulse_t_start, kind="stable"):
        onset = trace.impulse_t_start[row]
        fits = (onset >= start - EARLY) & (onset <= end + LATE) & (impulse < 0)
        candidates = np.flatnonzero(fits)
        if len(candidates):
            impulse[candidates[np.argmin(np.abs(start[candidates] - onset))]] = row
        else:
            false += not cut[row]
    judged = start < trace.cut_from
    found = impulse >= 0
    judged[found] &= ~growing[impulse[found]]
    error = np.full(len(start), np.nan)
    known = judged & found
    difference = (trace.impulse_value[impulse[known]] - trace.push_value[known]) * SCALE
    error[known] = np.linalg.norm(difference, axis=1)
    size: Array = np.linalg.norm(trace.push_value * SCALE, axis=1)
    return Matches(impulse, judged, error, size, false)


def impulse_figures(trace: Trace) -> dict[str, float | int | None]:
    """Return `{true, detected, missed, false, error_median, error_p95}` of what is judged."""
    matches = match_impulses(trace)
    true = int(np.count_nonzero(matches.judged))
    errors = spread(matches.relative_error[np.isfinite(matches.relative_error)])
    return {
        "true": true,
        "detected": true - matches.missed,
        "missed": matches.missed,
        "false": matches.false,
        "error_median": errors["median"],
        "error_p95": errors["p95"],
    }
