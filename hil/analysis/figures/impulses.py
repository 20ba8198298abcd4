"""Detected impulses against true pushes: matching by onset, and errors."""

from dataclasses import dataclass

import numpy as np

from hil.analysis.figures.windows import LENGTH, spread
from hil.common.arrays import Array, IntArray
from hil.loop.trace.fields import Trace

EARLY = 0.02  # [s] an onset may come before the push
LATE = 0.03  # [s] and after its end
SCALE = np.array([1.0, 1.0, 1.0, 1.0 / LENGTH, 1.0 / LENGTH, 1.0 / LENGTH])


@dataclass(frozen=True, eq=False)
class Matches:
    """Which impulse belongs to which push.

    Attributes:
        impulse: row of the impulse that belongs to each push, -1 for none, shape (m,).
        error: norm of the difference, torques divided by 0.2 m [N s], NaN for missed ones, shape (m,).
        relative_error: the same over the norm of the true impulse, shape (m,).
        false: number of impulses that belong to no push, or to one that already has its own.
    """

    impulse: IntArray
    error: Array
    relative_error: Array
    false: int


def match_impulses(trace: Trace) -> Matches:
    """Match impulses with pushes by onset, each in turn with the nearest push that has none yet."""
    start, end = trace.push_t_start, trace.push_t_end
    impulse = np.full(len(start), -1, dtype=np.int64)
    false = 0
    for row in np.argsort(trace.impulse_t_start, kind="stable"):
        onset = trace.impulse_t_start[row]
        fits = (onset >= start - EARLY) & (onset <= end + LATE) & (impulse < 0)
        candidates = np.flatnonzero(fits)
        if len(candidates):
            impulse[candidates[np.argmin(np.abs(start[candidates] - onset))]] = row
        else:
            false += 1
    error = np.full(len(start), np.nan)
    found = impulse >= 0
    difference = (trace.impulse_value[impulse[found]] - trace.push_value[found]) * SCALE
    error[found] = np.linalg.norm(difference, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        relative_error = error / np.linalg.norm(trace.push_value * SCALE, axis=1)
    return Matches(impulse, error, relative_error, false)


def impulse_figures(trace: Trace) -> dict[str, float | int | None]:
    """Return `{true, detected, missed, false, error_median, error_p95}`."""
    matches = match_impulses(trace)
    detected = int(np.count_nonzero(matches.impulse >= 0))
    errors = spread(matches.relative_error[np.isfinite(matches.relative_error)])
    return {
        "true": len(matches.impulse),
        "detected": detected,
        "missed": len(matches.impulse) - detected,
        "false": matches.false,
        "error_median": errors["median"],
        "error_p95": errors["p95"],
    }
