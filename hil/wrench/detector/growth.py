"""A push that goes on: whether it is one, is over, or fills a slice; and the baseline of one that lasts."""

import math

from numba import njit

from hil.wrench.detector.state import IDLE, MASK, Record
from hil.wrench.detector.sums import apart, towards

MIN_DURATION = 0.010  # [s] no push is over sooner after it was seen
DIRECTION_MEMORY = 0.5  # [s] over which the push's present direction is averaged
WEAK_TIME = 0.3  # [s] below the level that starts one a push is over: what is left is a drifted offset
REST_LEAST = 0.3  # [s] and the least that makes such a mean
NOTHING, GROWN, FULL, OVER = 0, 1, 2, 3  # what a sample does to a push


@njit(cache=True)
def grow(s: Record, c: Record, k: int) -> int:
    """Go on with a push; return what the sample at `k` does to it."""
    lean(s, k)
    t = s.t[k & MASK]
    s.peak = max(s.peak, apart(s.filtered, s.baseline))
    s.last = k
    if s.confirmed == 0:
        if s.peak <= c.confirm:
            if t - s.t_detected > c.confirm_time:
                s.phase = IDLE
                s.impulse_id -= 1
            return NOTHING
        s.confirmed = 1
    if apart(s.slow, s.baseline) > s.least_level:
        s.t_strong = t
    towards(s.axis, s.direction)
    along = 0.0
    for i in range(6):
        along += (s.filtered[i] - s.baseline[i]) * s.axis[i]
    over = along < 0.5 * s.peak and (along < c.end or (s.rate < c.flat and along < c.end_fraction * s.peak))
    over = over or t - s.t_strong > WEAK_TIME
    if over and t - s.t_detected >= MIN_DURATION:
        return OVER
    return FULL if t - s.t[s.slice_first & MASK] > c.slice_time else GROWN


@njit(cache=True)
def lean(s: Record, m: int) -> None:
    """Turn the push's direction with the raw sample `m`."""
    if m < 1:
        return
    dt = s.t[m & MASK] - s.t[(m - 1) & MASK]
    keep = math.exp(-dt / DIRECTION_MEMORY)
    for i in range(6):
        s.direction[i] = keep * s.direction[i] + (s.wrench[m & MASK, i] - s.baseline[i]) * dt


@njit(cache=True)
def steady_baseline(s: Record) -> None:
    """Let a push that lasts use the long mean before it, unless the wrench was drifting then.

    What the earlier slices would have been with it goes to the present slice.
    """
    s.steadied = 1
    for i in range(6):
        s.steadied_by[i] = 0.0
    if s.rest_span < REST_LEAST or apart(s.rest, s.baseline) > s.edge:
        return
    for i in range(6):
        s.steadied_by[i] = -(s.rest[i] - s.baseline[i]) * (s.t[s.slice_first & MASK] - s.t_first)
        s.baseline[i] = s.rest[i]
