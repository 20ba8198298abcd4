"""The impulse detector's state machine: one compiled call a sample (docs/theory.md, paper section 3.2).

A push starts when the derivative of the filtered wrench, or its slower change of level, passes a
threshold. Its start and end are then looked for in the raw samples, and its value is the integral of
the raw samples less what the wrench would have been, by the trapezoidal rule: no filter lag is in it, and
short gaps are bridged linearly. All sums are formed anew from the remembered samples, so that a better
start or end costs nothing.

A compiled function holds all that it calls once more. So all large ones are called from here, and call
each other as little as can be.
"""

from numba import njit

from hil.common.arrays import NO, YES, ZERO, Array, IntArray
from hil.wrench.detector.bridge import STEPS, close_gap, follow, open_gap, reckon
from hil.wrench.detector.edges import found_end, found_start, later_end, other_start
from hil.wrench.detector.growth import FULL, NOTHING, OVER, grow, lean, steady_baseline
from hil.wrench.detector.intake import accept, rest
from hil.wrench.detector.noise_tracking import learn
from hil.wrench.detector.starting import armed, in_echo, least_level, loud, stands_out, starts
from hil.wrench.detector.state import CLOSING, IDLE, MASK, PUSH, Record
from hil.wrench.detector.sums import apart, integrate, lone_sample

UNREADY = -1


@njit(cache=True)
def advance(state: Record, limits: Record, t: float, sample: Array, flags: IntArray, numbers: Array) -> int:
    """Take one sample and return how many rows of `flags` and `numbers` report slices, or UNREADY.

    UNREADY: something was felt before the baseline meant anything; it must not become part of it.

    Args:
        state: the detector's memory, STATE (1,); changed.
        limits: its THRESHOLDS (1,).
        t: time of the sample [s].
        sample: scaled wrench [N], (6,).
        flags: out, see ROW_FLAGS, (MAX_ROWS, 7).
        numbers: out, see ROW_NUMBERS, (MAX_ROWS, 15).
    """
    s, c = state[0], limits[0]
    if not accept(s, c, t, sample):
        return 0
    k = s.count - 1
    rows = ZERO
    if s.phase != PUSH:
        follow(s, c, min(k, s.cursor + STEPS))
        if s.phase == IDLE and s.lagged == 1:
            learn(s, c, s.lag)
        if s.phase == IDLE and (s.last < 0 or s.t[s.lag & MASK] > s.t_over + c.echo_time):
            rest(s)
        if armed(s, k, k):
            s.armed = 1
            rows = _begin_or_close(s, c, k, flags, numbers)
        elif loud(s, c):
            return UNREADY
    if s.phase == PUSH:
        change = grow(s, c, k)
        if change == OVER:
            _end(s, c, k)
        elif change == FULL:
            s.last = k - 1
            if s.slice == 0:
                _redate_start(s, c, k - 1, k)
            rows = report(s, c, YES, NO, flags, numbers, rows)
            next_slice(s, k - 1)
            s.last = k
        if change not in (NOTHING, OVER) and s.steadied == 0 and t - s.t_first > c.sustained_time:
            steady_baseline(s)
        if change != NOTHING:
            rows = report(s, c, NO, NO, flags, numbers, rows)
    return rows


@njit(cache=True)
def _begin_or_close(s: Record, c: Record, k: int, flags: IntArray, numbers: Array) -> int:
    """See whether a push shows, or goes on, or is over for good."""
    t = s.t[k & MASK]
    shows = starts(s, c, k) or stands_out(s, c, k)
    rows = ZERO
    if shows:
        echo = in_echo(s, c, t)
        went_on = echo and s.steadied == 1
        j, m = found_start(s, c, k, echo)
        if went_on:  # behind a push that lasted nothing is lost: the hand has never let go
            j = s.last
        s.cursor = min(s.cursor, max(j, s.last))  # what was heard since is this push
    again = shows and s.phase == CLOSING and t - s.t_closing <= c.close_time
    due = shows or t - s.t[s.last & MASK] >= max(c.close_time, c.settle_time)
    if s.phase == CLOSING and due:
        rows = report(s, c, YES, not again, flags, numbers, rows)
        s.phase = IDLE
    if not shows:
        return rows
    if again:
        next_slice(s, s.last)
    else:
        _take_down(s, j, m, echo, went_on)
        s.peak = s.seen_level if s.seen < k else 0.0
        open_gap(s, c, j)
    s.phase = PUSH
    for i in range(6):
        s.direction[i] = 0.0
    for n in range(s.slice_first, k):
        lean(s, n)
    s.t_detected = s.t_strong = t
    s.least_level = least_level(s, c)
    return rows


@njit(cache=True)
def _take_down(s: Record, j: int, m: int, echo: bool, went_on: bool) -> None:
    """Begin a new push at sample `j`, whose baseline is the running mean at `m`."""
    for i in range(6):
        if not echo:
            s.baseline[i] = s.base[m & MASK, i]
        s.mean[i] = s.baseline[i]
        s.given[i] = s.steadied_by[i] = 0.0
    s.impulse_id += 1
    s.slice = 0
    s.revision = 0
    s.rest_span = s.t[s.lag & MASK] - s.rest_start if s.rest_count > 0 else 0.0
    s.rest_count = 0
    s.steadied = 1 if went_on else 0
    s.confirmed = 0
    s.uncertain = 1 if s.gap_at > s.t[j & MASK] else 0


@njit(cache=True)
def next_slice(s: Record, j: int) -> None:
    """Let another slice begin at sample `j`; what the last one made good is done."""
    for i in range(6):
        s.given[i] += s.correction[i]
    s.slice += 1
    s.revision = 0
    s.slice_first = j


@njit(cache=True)
def _redate_start(s: Record, c: Record, middle: int, k: int) -> None:
    """Date the start by the push's flank, if the first slice may still change."""
    j = other_start(s, middle, k)
    if j != s.first:
        open_gap(s, c, j)


@njit(cache=True)
def _end(s: Record, c: Record, k: int) -> None:
    """Find where the push ended in the raw samples and wait whether it goes on."""
    s.last = found_end(s, k)
    if s.steadied == 0:
        middle = (s.first + s.last) // 2
        if s.slice == 0:
            _redate_start(s, c, middle, k)
        s.last = later_end(s, max(middle, s.slice_first), k)
    close_gap(s, c)
    s.over = s.last
    s.t_over = s.t[s.last & MASK]
    s.glitch = 1 if s.slice == 0 and lone_sample(s) else 0
    s.phase = CLOSING
    s.t_closing = s.t[k & MASK]
    s.rate_closing = s.rate
    s.level_closing = apart(s.slow, s.baseline)


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
            numbers[rows, 3 + i] = 0.0
    s.revision += 1
    return rows + 1
