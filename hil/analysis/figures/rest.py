"""The wrench of a run while nobody pushes: its noise over the whole run, and near by each push."""

import numpy as np

from hil.analysis.figures.windows import TWIST_SCALE, moving_rows
from hil.common.arrays import Array, BoolArray, IntArray
from hil.configuration import Configuration
from hil.loop.trace.fields import Trace
from hil.wrench.worth.bound import Swing
from hil.wrench.worth.noise_model import fitted
from hil.wrench.worth.semivariance import Semivariance, lags_of, semivariance, stretches
from hil.wrench.worth.words import worth_in_words

BEFORE, AFTER = 0.05, 0.5  # [s] about a push that are no rest: its foot, and the swing behind it
LEAST_REST = 5.0  # [s] that tell of the noise
NEAR_BEFORE = (-0.6, -0.03)  # [s] from a push's start: where the noise near by is looked at
NEAR_AFTER = (0.4, 0.79)  # [s] from its end
NEAR_LEAST = 0.2  # [s] of rest in one of them that tell something


def rest_stretches(trace: Trace, before: float = BEFORE, after: float = AFTER) -> IntArray:
    """Return the number of the stretch of rest afloat that each row belongs to, -1 for none, shape (n,).

    Where no push is known, what was detected counts as one.
    """
    start, end = pushed_times(trace)
    rest = moving_rows(trace) & (trace.t < trace.cut_from - before)
    rest &= np.isfinite(trace.wrench_measured).all(axis=1)
    rest &= ~_within(trace.t, start - before, end + after)
    return stretches(trace.t, rest, row_step(trace), trace.epoch)


def row_step(trace: Trace) -> float:
    """Return the usual time from row to row [s]."""
    return float(np.median(np.diff(trace.t)))


def pushed_times(trace: Trace) -> tuple[Array, Array]:
    """Return starts and ends of the true pushes, or of the impulses where none is known [s]."""
    if len(trace.push_t_start):
        return trace.push_t_start, trace.push_t_end
    return trace.impulse_t_start, trace.impulse_t_end


def scaled_wrench(trace: Trace) -> Array:
    """Return the measured wrench with torques divided by 0.2 m [N], shape (n, 6)."""
    scaled: Array = trace.wrench_measured / TWIST_SCALE
    return scaled


def rest_noise(trace: Trace) -> Semivariance:
    """Return how much the measured wrench changes at rest."""
    return semivariance(scaled_wrench(trace), rest_stretches(trace), row_step(trace))


def worth_of_impulses(trace: Trace, c: Configuration) -> str:
    """Return in words what an impulse is worth in the run's noise; known of real arms too."""
    noise = rest_noise(trace) if len(trace.t) > 1 else None
    if noise is None or noise.seconds < LEAST_REST:
        return f"not known: less than {LEAST_REST:g} s afloat without a push"
    force = fitted(noise.apart, noise.values[:, :3].mean(axis=1))
    return worth_in_words(force, noise.step, Swing.of(c.detector))


def near_pushes(trace: Trace) -> list[tuple[slice, slice]]:
    """Return for each push the rows before and behind it at which the noise near by is looked at."""
    before = trace.push_t_start[:, None] + NEAR_BEFORE
    behind = trace.push_t_end[:, None] + NEAR_AFTER
    edges = np.searchsorted(trace.t, np.hstack([before, behind])).tolist()
    return [(slice(a, b), slice(c, d)) for a, b, c, d in edges]


def near_noise(trace: Trace) -> Array:
    """Return the semivariance near by each push, mean over six axes [N2], shape (m, lags).

    The noise follows the arm's speed, so that of the whole run is not that of a push. NaN where nothing of
    the time before and behind a push is rest.
    """
    wrench, step = scaled_wrench(trace), row_step(trace)
    stretch = rest_stretches(trace, -NEAR_BEFORE[1], NEAR_AFTER[0])
    found = np.full((len(trace.push_t_start), len(lags_of(step))), np.nan)
    for push, windows in enumerate(near_pushes(trace)):
        parts = [semivariance(wrench[rows], stretch[rows], step) for rows in windows]
        means = [part.mean for part in parts if part.seconds >= NEAR_LEAST]
        if means:
            found[push] = np.mean(means, axis=0)
    return found


def _within(t: Array, starts: Array, ends: Array) -> BoolArray:
    """Return which instants lie within any of the spans, shape (n,)."""
    change = np.zeros(len(t) + 1, np.int64)
    np.add.at(change, np.searchsorted(t, starts), 1)
    np.add.at(change, np.searchsorted(t, ends, side="right"), -1)
    within: BoolArray = np.cumsum(change)[:-1] > 0
    return within
