"""By how much the held body accelerates where it should fly free: what is left of gravity, so to say."""

import numpy as np

from hil.analysis.figures.tracking import followed_rows
from hil.analysis.figures.windows import holes
from hil.common.arrays import Array, BoolArray
from hil.loop.trace.fields import Trace

SHORTEST = 1.0  # [s] of a free segment that is looked at
AROUND = 0.2  # [s] of a contact that belong to the bounce: the arm rounds it off, and must


def residual_accelerations(trace: Trace) -> Array:
    """Return the arm's acceleration in each free segment of at least 1 s [m/s2], shape (k,).

    A parabola is fitted to the position of the centre of mass, each axis by least squares; a free body's
    has none. A segment floats at full pace, from 1 s after a push on, 0.2 s off every contact.
    """
    return np.array([_acceleration(trace, first, end) for first, end in free_segments(trace)])


def free_segments(trace: Trace) -> list[tuple[int, int]]:
    """Return first row and row behind the last of each free segment of at least 1 s."""
    free = followed_rows(trace) & ~_bouncing(trace) & (trace.rate >= 1.0 - 1e-9)
    if not free.any():
        return []
    broken = holes(trace) | np.concatenate([[True], np.diff(trace.epoch) != 0])
    begins = np.flatnonzero(free & (broken | ~np.concatenate([[False], free[:-1]])))
    ends = np.flatnonzero(free & np.concatenate([broken[1:] | ~free[1:], [True]])) + 1
    return [
        (int(first), int(end))
        for first, end in zip(begins, ends, strict=True)
        if trace.t[end - 1] - trace.t[first] >= SHORTEST
    ]


def acceleration_figures(trace: Trace) -> dict[str, float | int | None]:
    """Return `{segments, median_mm_s2, most_mm_s2}`."""
    found = 1e3 * residual_accelerations(trace)
    return {
        "segments": len(found),
        "median_mm_s2": float(np.median(found)) if len(found) else None,
        "most_mm_s2": float(found.max()) if len(found) else None,
    }


def _bouncing(trace: Trace) -> BoolArray:
    """Return the rows in contact, or at most 0.2 s before or behind one, shape (n,)."""
    touched = trace.t[trace.contact_sim]
    if not len(touched):
        return trace.contact_sim
    behind = np.searchsorted(touched, trace.t)
    since = trace.t - np.concatenate([[-np.inf], touched])[behind]
    until = np.concatenate([touched, [np.inf]])[behind] - trace.t
    bouncing: BoolArray = np.minimum(since, until) <= AROUND
    return bouncing


def _acceleration(trace: Trace, first: int, end: int) -> float:
    t = trace.t[first:end] - 0.5 * (trace.t[first] + trace.t[end - 1])
    quadratic = np.polynomial.polynomial.polyfit(t, trace.p_world_object_arm[first:end], 2)[2]
    return float(np.linalg.norm(2.0 * quadratic))
