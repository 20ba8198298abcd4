"""Where a push began and ended in the raw samples (docs/theory.md, 4)."""

import math

from numba import njit

from hil.wrench.detector.flank import drawn_on
from hil.wrench.detector.starting import refer
from hil.wrench.detector.state import MASK, RING, SMOOTHING, Record
from hil.wrench.detector.sums import apart, before, smoothed_projection, towards

ONSET_FRACTION = 0.1  # smoothed raw samples below this part of the level at detection are before the push
WEAK_FRACTION = 0.5  # ... and of its strongest, where it shows in its sum alone
END_FRACTION = 0.03  # ... and below this part of the peak after it
FOOT = 0.008  # [s] a push may begin so long before its flank
EDGE_UNREST = 5.0  # an edge lies this many times the unrest above the baseline


@njit(cache=True)
def found_start(s: Record, c: Record, k: int, echo: bool) -> tuple[int, int]:
    """Return where a push that shows at `k` began, and the sample whose running mean is its baseline."""
    oldest = max(k - RING + 2 * SMOOTHING, 0)
    earliest = max(oldest, s.last) if echo else oldest
    s.edge = max(c.edge, EDGE_UNREST * s.unrest[s.lag & MASK])
    if s.seen == k:
        refer(s, c, k)
        for i in range(6):
            s.axis[i] = s.filtered[i] - s.reference[i]
        towards(s.axis, s.axis)
        edge = max(s.edge, ONSET_FRACTION * apart(s.filtered, s.reference))
    else:
        edge = min(s.edge, WEAK_FRACTION * s.seen_level)
    j, m = s.seen, s.seen
    while j > earliest and s.t[k & MASK] - s.t[j & MASK] < 2.0 * c.level_delay:
        m = before(s, j, m, oldest, c.baseline_delay)
        if not echo:
            for i in range(6):
                s.reference[i] = s.base[m & MASK, i]
        if smoothed_projection(s, j, k, s.reference, s.axis) < edge:
            break
        j -= 1
    j = max(j - 1, earliest)
    return j, before(s, j, m, oldest, c.baseline_delay)


@njit(cache=True)
def other_start(s: Record, middle: int, k: int) -> int:
    """Return where the push's flank says that it began.

    Farther back; or on, if noise before the push was taken for it.
    """
    oldest = max(s.over, k - RING + 2 * SMOOTHING)
    if s.first <= oldest or middle <= s.first:
        return s.first
    j = max(math.floor(drawn_on(s, s.first, middle, oldest, k)), oldest)
    return min(j, max(s.first, before(s, j, j, oldest, FOOT)))


@njit(cache=True)
def found_end(s: Record, k: int) -> int:
    """Return where a push that seems over at `k` ended."""
    towards(s.axis, s.direction)
    edge = max(s.edge, END_FRACTION * s.peak)
    j = k
    while j > s.slice_first and smoothed_projection(s, j, k, s.baseline, s.axis) < edge:
        j -= 1
    return min(j + 1, k)


@njit(cache=True)
def later_end(s: Record, middle: int, k: int) -> int:
    """Return the push's end, put off by its other flank."""
    if middle >= s.last:
        return s.last
    j = math.ceil(drawn_on(s, s.last, middle, middle, k))
    return min(max(j, s.last), k)
