"""The impulse detector's state machine: one compiled call a sample (docs/theory.md, paper section 3.2).

A push starts when the derivative of the filtered wrench, or its slower change of level, passes a
threshold. Its start and end are then looked for in the raw samples, and its value is the integral of
the raw samples less what the wrench would have been, by the trapezoidal rule: no filter lag is in it, and
short gaps are bridged linearly. All sums are formed anew from the remembered samples, so that a better
start or end costs nothing.
"""

import math

from numba import njit

from hil.common.arrays import NO, YES, ZERO, Array, IntArray
from hil.wrench.detector.bridge import close_gap, open_gap, reckon
from hil.wrench.detector.flank import drawn_on
from hil.wrench.detector.intake import accept
from hil.wrench.detector.state import CLOSING, IDLE, MASK, PUSH, RING, SMOOTHING, Record
from hil.wrench.detector.sums import before, integrate, lone_sample, smoothed_projection, unit

ARMING_TIME = 0.15  # [s] no push is looked for before the baseline means something
MIN_DURATION = 0.010  # [s] no push is over sooner after it was seen
DIRECTION_MEMORY = 0.5  # [s] over which the push's present direction is averaged
LEVEL_UNREST = 10.0  # a push's level lies this many times the unrest above the baseline
WEAK_TIME = 0.3  # [s] below the level that starts one a push is over: what is left is a drifted offset
REST_LEAST = 0.3  # [s] and the least that makes such a mean
ONSET_FRACTION = 0.1  # smoothed raw samples below this part of the level at detection are before the push
END_FRACTION = 0.03  # ... and below this part of the peak after it
FOOT = 0.008  # [s] a push may begin so long before its flank
EDGE_UNREST = 5.0  # an edge lies this many times the unrest above the baseline


@njit(cache=True)
def advance(state: Record, limits: Record, t: float, sample: Array, flags: IntArray, numbers: Array) -> int:
    """Take one sample and return how many rows of `flags` and `numbers` report slices.

    Args:
        state: the detector's memory, STATE (1,); changed.
        limits: its THRESHOLDS (1,).
        t: time of the sample [s].
        sample: scaled wrench [N], (6,).
        flags: out, see ROW_FLAGS, (MAX_ROWS, 7).
        numbers: out, see ROW_NUMBERS, (MAX_ROWS, 9).
    """
    s, c = state[0], limits[0]
    if not accept(s, c, t, sample):
        return 0
    k = s.count - 1
    rows = ZERO
    if s.phase == PUSH:
        rows = grow(s, c, k, flags, numbers, rows)
    elif k > 0 and t - s.t[0 if k < RING else (k + 1) & MASK] > ARMING_TIME:
        if starts(s, c, k):
            rows = begin(s, c, k, flags, numbers, rows)
        elif s.phase == CLOSING and t - s.t[s.last & MASK] >= max(c.close_time, c.settle_time):
            rows = close(s, c, flags, numbers, rows)
    return rows


@njit(cache=True)
def steady_baseline(s: Record, c: Record) -> None:
    """Let a push that lasts use the long mean before it, unless the wrench was drifting then.

    What the earlier slices would have been with it goes to the present slice.
    """
    s.steadied = 1
    for i in range(6):
        s.steadied_by[i] = 0.0
    change = s.rest - s.baseline
    if s.rest_span < REST_LEAST or math.sqrt((change**2).sum()) > s.edge:
        return
    for i in range(6):
        s.baseline[i] = s.rest[i]
        s.steadied_by[i] = -change[i] * (s.t[s.slice_first & MASK] - s.t_first)


@njit(cache=True)
def in_echo(s: Record, c: Record, t: float) -> bool:
    """Return whether the last push's counter-swing may still be there."""
    return s.last >= 0 and t - s.t_over < c.echo_time


@njit(cache=True)
def reference(s: Record, c: Record, k: int) -> Array:
    """Return what the wrench would be without a push: (6,)."""
    if in_echo(s, c, s.t[k & MASK]):
        return s.baseline.copy()
    return s.base[s.lag & MASK].copy()


@njit(cache=True)
def starts(s: Record, c: Record, k: int) -> bool:
    """Return whether a push shows at sample `k`, above what is left of the last one's echo."""
    t = s.t[k & MASK]
    rate_limit = c.derivative
    level_limit = least_level(s, c)
    if s.last >= 0:
        envelope = c.echo_fraction * s.peak * math.exp(-(t - s.t_over) / c.echo_decay)
        level_limit += envelope + s.level_closing * math.exp(-(t - s.t_closing) / c.level_tau)
        rate_limit += envelope * c.echo_rate + s.rate_closing * math.exp(-(t - s.t_closing) / c.tau)
    if s.rate > rate_limit:
        return True
    base = reference(s, c, k)
    level = 0.0
    for i in range(6):
        level += (s.slow[i] - base[i]) ** 2
    return math.sqrt(level) > level_limit


@njit(cache=True)
def least_level(s: Record, c: Record) -> float:
    """Return how far above its reference the wrench must lie to be a push [N]."""
    return max(c.level, LEVEL_UNREST * s.unrest[s.lag & MASK])


@njit(cache=True)
def onset(s: Record, c: Record, k: int, echo: bool) -> tuple[int, int]:
    """Return where a push seen at `k` began, and the sample whose running mean is its baseline."""
    oldest = max(k - RING + 2 * SMOOTHING, 0)
    earliest = max(oldest, s.last) if echo else oldest
    base = reference(s, c, k)
    change = s.filtered - base
    axis = unit(change)
    s.edge = max(c.edge, EDGE_UNREST * s.unrest[s.lag & MASK])
    edge = max(s.edge, ONSET_FRACTION * math.sqrt((change**2).sum()))
    j, m = k, k
    while j > earliest and s.t[k & MASK] - s.t[j & MASK] < 2.0 * c.level_delay:
        m = before(s, j, m, oldest, c.baseline_delay)
        if not echo:
            base = s.base[m & MASK]
        if smoothed_projection(s, j, k, base, axis) < edge:
            break
        j -= 1
    j = max(j - 1, earliest)
    return j, before(s, j, m, oldest, c.baseline_delay)


@njit(cache=True)
def begin(s: Record, c: Record, k: int, flags: IntArray, numbers: Array, rows: int) -> int:
    """Start a push, dated back to its onset, or go on with the one that seemed over."""
    t = s.t[k & MASK]
    echo = in_echo(s, c, t)
    j, m = onset(s, c, k, echo)
    went_on = echo and s.steadied == 1
    if went_on:  # behind a push that lasted nothing is lost: the hand has never let go
        j = s.last
    s.cursor = min(s.cursor, max(j, s.last))  # what was heard since is this push
    if s.phase == CLOSING and t - s.t_closing > c.close_time:
        rows = close(s, c, flags, numbers, rows)
    if s.phase == CLOSING:
        rows = report(s, c, YES, NO, flags, numbers, rows)
        next_slice(s, s.last)
    else:
        for i in range(6):
            if not echo:
                s.baseline[i] = s.base[m & MASK, i]
            s.mean[i] = s.baseline[i]
        s.impulse_id += 1
        s.slice = 0
        s.revision = 0
        start_at(s, c, j)
        s.rest_span = s.t[s.lag & MASK] - s.rest_start if s.rest_count > 0 else 0.0
        s.rest_count = 0
        s.steadied = 1 if went_on else 0
        s.peak = 0.0
        s.confirmed = 0
        for i in range(6):
            s.given[i] = s.steadied_by[i] = 0.0
        s.uncertain = 1 if s.gap_at > s.t[j & MASK] else 0
    s.phase = PUSH
    for i in range(6):
        s.direction[i] = 0.0
    for m in range(s.slice_first, k):
        lean(s, m)
    s.t_detected = s.t_strong = t
    s.least_level = least_level(s, c)
    return grow(s, c, k, flags, numbers, rows)


@njit(cache=True)
def next_slice(s: Record, j: int) -> None:
    """Let another slice begin at sample `j`; what the last one made good is done."""
    for i in range(6):
        s.given[i] += s.correction[i]
    s.slice += 1
    s.revision = 0
    s.slice_first = j


@njit(cache=True)
def start_at(s: Record, c: Record, j: int) -> None:
    """Let the push start at sample `j`."""
    open_gap(s, c, j)
    s.slice_first = j
    s.t_first = s.t[j & MASK]


@njit(cache=True)
def redate_start(s: Record, c: Record, middle: int, k: int) -> None:
    """Date the start by the push's flank, if the first slice may still change.

    Farther back; or on, if noise before the push was taken for it.
    """
    oldest = max(s.over, k - RING + 2 * SMOOTHING)
    if s.first <= oldest or middle <= s.first:
        return
    j = math.floor(drawn_on(s, s.first, middle, oldest, k))
    j = max(j, oldest)
    j = min(j, max(s.first, before(s, j, j, oldest, FOOT)))
    if j != s.first:
        start_at(s, c, j)


@njit(cache=True)
def redate_end(s: Record, middle: int, k: int) -> None:
    """Put the end off by the push's other flank."""
    if middle >= s.last:
        return
    j = math.ceil(drawn_on(s, s.last, middle, middle, k))
    s.last = min(max(j, s.last), k)


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
def grow(s: Record, c: Record, k: int, flags: IntArray, numbers: Array, rows: int) -> int:
    """Go on with a push: its slices, and whether it is over."""
    lean(s, k)
    t = s.t[k & MASK]
    change = s.filtered - s.baseline
    level = math.sqrt((change**2).sum())
    s.peak = max(s.peak, level)
    along = (change * unit(s.direction)).sum()
    s.last = k
    if s.confirmed == 0:
        if s.peak > c.confirm:
            s.confirmed = 1
        elif t - s.t_detected > c.confirm_time:
            s.phase = IDLE
            s.impulse_id -= 1
            return rows
        else:
            return rows
    if math.sqrt(((s.slow - s.baseline) ** 2).sum()) > s.least_level:
        s.t_strong = t
    over = along < 0.5 * s.peak and (along < c.end or (s.rate < c.flat and along < c.end_fraction * s.peak))
    over = over or t - s.t_strong > WEAK_TIME
    if over and t - s.t_detected >= MIN_DURATION:
        return end(s, c, k, flags, numbers, rows)
    if t - s.t[s.slice_first & MASK] > c.slice_time:
        s.last = k - 1
        if s.slice == 0:
            redate_start(s, c, k - 1, k)
        rows = report(s, c, YES, NO, flags, numbers, rows)
        next_slice(s, k - 1)
        s.last = k
    if s.steadied == 0 and t - s.t_first > c.sustained_time:
        steady_baseline(s, c)
    return report(s, c, NO, NO, flags, numbers, rows)


@njit(cache=True)
def end(s: Record, c: Record, k: int, flags: IntArray, numbers: Array, rows: int) -> int:
    """Find where the push ended in the raw samples and wait whether it goes on."""
    axis = unit(s.direction)
    edge = max(s.edge, END_FRACTION * s.peak)
    j = k
    while j > s.slice_first and smoothed_projection(s, j, k, s.baseline, axis) < edge:
        j -= 1
    s.last = min(j + 1, k)
    if s.steadied == 0:
        middle = (s.first + s.last) // 2
        if s.slice == 0:
            redate_start(s, c, middle, k)
        redate_end(s, max(middle, s.slice_first), k)
    close_gap(s, c)
    s.over = s.last
    s.t_over = s.t[s.last & MASK]
    s.glitch = 1 if s.slice == 0 and lone_sample(s) else 0
    s.phase = CLOSING
    s.t_closing = s.t[k & MASK]
    s.rate_closing = s.rate
    s.level_closing = math.sqrt(((s.slow - s.baseline) ** 2).sum())
    return report(s, c, NO, NO, flags, numbers, rows)


@njit(cache=True)
def close(s: Record, c: Record, flags: IntArray, numbers: Array, rows: int) -> int:
    """Report the last slice for good."""
    s.phase = IDLE
    return report(s, c, YES, YES, flags, numbers, rows)


@njit(cache=True)
def report(s: Record, c: Record, final: bool, ended: bool, flags: IntArray, numbers: Array, rows: int) -> int:
    """Write the present slice as the next row; a glitch is written as zero."""
    start, stop = s.t_first, s.t[s.last & MASK]
    flags[rows, 0], flags[rows, 1], flags[rows, 2] = s.impulse_id, s.slice, s.revision
    flags[rows, 3], flags[rows, 4] = final, ended
    flags[rows, 5], flags[rows, 6] = stop - start > c.sustained_time, s.uncertain
    integrate(s, numbers[rows])
    reckon(s, c)
    for i in range(6):
        numbers[rows, 3 + i] += s.correction[i]
        numbers[rows, 9 + i] = s.deviation[i]
    if s.phase != PUSH and s.glitch == 1:
        numbers[rows, 3:9] = 0.0
    s.revision += 1
    return rows + 1
