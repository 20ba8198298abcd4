"""Where a push really began or ended: its flank drawn on to zero (docs/theory.md, 4).

The edge that is found by a threshold leaves the foot of a weak push outside. The line through a fifth and
a half of the flank's top meets zero where the foot begins, and knows no threshold.
"""

import math

from numba import njit

from hil.wrench.detector.state import MASK, Record
from hil.wrench.detector.sums import towards

WEAK, STRONG = 0.2, 0.5  # of the top: the flank is drawn through there
WEAKEST = 0.6  # of the edge, or what is called weak is noise, ...
WEAK_MOST = 0.4  # ... but not more than this of the top
SMOOTHED_SHARE = 0.03  # of the push's length, on either side of a sample, is averaged


@njit(cache=True)
def drawn_on(s: Record, edge: int, middle: int, oldest: int, newest: int) -> float:
    """Return where a flank meets zero, as a number of samples with its fraction.

    Args:
        s: the detector's memory.
        edge: sample where the push was found to begin, or to end.
        middle: sample within the push, before or behind `edge`.
        oldest: first sample that may be looked at.
        newest: last of them.

    Returns:
        `edge` itself if the samples show no flank.
    """
    inward = 1 if middle > edge else -1
    reach = max(1, int(SMOOTHED_SHARE * 2.0 * abs(middle - edge)))
    for i in range(6):
        s.axis[i] = 0.0
    m = edge
    while m != middle:  # the direction of its force on this side
        for i in range(6):
            s.axis[i] += s.wrench[m & MASK, i] - s.baseline[i]
        m += inward
    towards(s.axis, s.axis)
    top, m = 0.0, edge
    while m != middle:
        top = max(top, _along(s, m, reach, oldest, newest))
        m += inward
    if top <= 0.0:
        return float(edge)
    low = max(WEAK * top, min(WEAKEST * s.edge, WEAK_MOST * top))
    outermost = oldest if inward > 0 else newest
    weak = _crossing(s, edge, middle, outermost, inward, reach, oldest, newest, low)
    if weak < 0.0:
        return float(edge)
    begin = math.floor(weak) if inward > 0 else math.ceil(weak)
    strong = _crossing(s, begin, middle, begin, inward, reach, oldest, newest, STRONG * top)
    if strong < 0.0:
        return float(edge)
    return weak - (strong - weak) * low / (STRONG * top - low)


@njit(cache=True)
def _crossing(
    s: Record, start: int, middle: int, outermost: int, inward: int, reach: int,
    oldest: int, newest: int, limit: float,
) -> float:  # fmt: skip
    """Return where the flank passes `limit`, searched from `start` outwards, then inwards; -1 for nowhere."""
    m = start
    here = _along(s, m, reach, oldest, newest)
    while here >= limit:
        if m == outermost:
            return -1.0
        m -= inward
        here = _along(s, m, reach, oldest, newest)
    while m != middle:
        ahead = _along(s, m + inward, reach, oldest, newest)
        if ahead >= limit:
            return m + inward * (limit - here) / (ahead - here)
        m += inward
        here = ahead
    return -1.0


@njit(cache=True)
def _along(s: Record, m: int, reach: int, oldest: int, newest: int) -> float:
    """Return the mean of the raw samples around `m`, less the baseline, along the push's axis."""
    total, n = 0.0, 0
    for q in range(max(m - reach, oldest), min(m + reach, newest) + 1):
        for i in range(6):
            total += (s.wrench[q & MASK, i] - s.baseline[i]) * s.axis[i]
        n += 1
    return total / n
