"""A push as a gap in what is heard of the disturbance (docs/theory.md, 4).

The disturbance's filter stands where the push started. From there it is predicted over the push, behind
which samples tell of it again and of what it was in between. A cursor goes through the samples: a new
start or end of the push only moves it, and no sample has to make good for many.
"""

import math

from numba import njit

from hil.common.arrays import NO, YES, Array
from hil.wrench.detector.disturbance import (
    GATHERED,
    SWING,
    SWUNG,
    begun,
    gathered_variance,
    hear,
    integrals,
    predict,
)
from hil.wrench.detector.loudness import loudness, note_near
from hil.wrench.detector.state import MASK, NEAR, PUSH, STATES, Record

STEPS = 6  # of the cursor for each sample that comes, at most
SWING_SHARE = 0.3  # of the push's peak: standard deviation of the swing behind it
SWING_PHASE = 0.05  # and of how much of it is there at once
RELEASED, RELEASE_SHARE = 2, 0.05  # the process that a hand lets go by (80 ms), and its share of the peak
SWING_SEEN = 0.03  # [s] behind a push what is not expected is its swing
KNOCK = 0.2  # [s] a push that is no longer leaves nothing behind; one of twice the length leaves that share


@njit(cache=True)
def follow(s: Record, c: Record, k: int) -> None:
    """Move the filter on to sample `k`, one after the other; begin with the first."""
    if k == 0:
        begun(s.disturbance[0], s.spread[0], s.noise, s.wrench[0])
        for n in range(NEAR):
            s.near[0, n] = 0.0
        s.cursor = 0
    while s.cursor < k:
        p, q = s.cursor & MASK, (s.cursor + 1) & MASK
        x, P = s.disturbance[q], s.spread[q]
        for n in range(STATES):
            for m in range(6):
                x[m, n] = s.disturbance[p, m, n]
            for m in range(STATES):
                P[m, n] = s.spread[p, m, n]
        predict(x, P, c, s.noise, s.t[q] - s.t[p], NO)
        for n in range(NEAR):
            s.near[q, n] = s.near[p, n]
        if s.t[q] >= s.deaf_until:
            square, expected = hear(x, P, s.noise[0], s.wrench[q])
            if s.t[q] >= s.near_from:
                note_near(s, p, q, square, expected)
        s.cursor += 1


@njit(cache=True)
def open_gap(s: Record, c: Record, j: int) -> None:
    """Let the push, and its first slice, begin at sample `j`: the gap begins there."""
    s.slice_first = j
    s.t_first = s.t[j & MASK]
    if s.cursor < j:
        follow(s, c, j)
    s.cursor, s.first = j, j
    q = j & MASK
    for n in range(NEAR):
        s.first_near[n] = s.near[q, n]
    for n in range(STATES):
        for m in range(6):
            s.first_disturbance[m, n] = 0.0 if n == GATHERED else s.disturbance[q, m, n]
        for m in range(STATES):
            within = n != GATHERED and m != GATHERED
            s.first_spread[m, n] = s.spread[q, m, n] if within else 0.0


@njit(cache=True)
def close_gap(s: Record, c: Record) -> None:
    """Let the gap end with the present slice: from there the samples are heard again, and a swing may be."""
    q = s.last & MASK
    for n in range(STATES):
        for m in range(6):
            s.disturbance[q, m, n] = s.first_disturbance[m, n]
        for m in range(STATES):
            s.spread[q, m, n] = s.first_spread[m, n]
    predict(s.disturbance[q], s.spread[q], c, s.noise, s.t[q] - s.t_first, YES)
    s.spread[q, SWUNG, SWUNG] += (SWING_SHARE * s.peak) ** 2
    s.spread[q, SWING, SWING] += (SWING_PHASE * SWING_SHARE * s.peak) ** 2
    slowly = min(max(0.0, (s.t[q] - s.t_first - KNOCK) / KNOCK), 1.0)
    s.spread[q, RELEASED, RELEASED] += (RELEASE_SHARE * slowly * s.peak) ** 2
    for n in range(NEAR):
        s.near[q, n] = 0.0
    s.near_from = s.t[q] + SWING_SEEN
    s.cursor = s.last
    if s.steadied == 1:  # where a hand lay so long, it may still lie weakly
        s.deaf_until = s.t[q] + c.echo_time


@njit(cache=True)
def gap_variance(s: Record, c: Record, P: Array, h: Array, span: float) -> float:
    """Return the variance of the disturbance's integral over a gap, its white noise apart.

    Args:
        s: the detector's memory.
        c: its THRESHOLDS.
        P: covariance of the states where the gap begins, (STATES, STATES).
        h: what they gather over it, (STATES,).
        span: how long it is [s].
    """
    variance = gathered_variance(c, s.noise, span)
    for m in range(GATHERED):
        for n in range(GATHERED):
            variance += h[m] * h[n] * P[m, n]
    return variance


@njit(cache=True)
def reckon(s: Record, c: Record) -> None:
    """Find what the present slice is to make good, and how well the push so far is known."""
    span = s.t[s.last & MASK] - s.t_first
    samples = max(s.last - s.first, 1)
    q = s.cursor & MASK
    if s.phase == PUSH:
        h = integrals(c, span)
        for m in range(6):
            total = 0.0
            for n in range(GATHERED):
                total += h[n] * s.first_disturbance[m, n]
            s.correction[m] = s.baseline[m] * span - total
        variance = gap_variance(s, c, s.first_spread, h, span)
        loud = loudness(s.first_near, s.nothing_near)
    else:
        for m in range(6):
            s.correction[m] = s.baseline[m] * span - s.disturbance[q, m, GATHERED]
        variance = s.spread[q, GATHERED, GATHERED]
        loud = loudness(s.first_near, s.near[q])
    variance = loud * variance + s.noise[0] * span**2 / samples
    for m in range(6):
        if s.steadied == 1:
            s.correction[m] = s.steadied_by[m]
        s.correction[m] -= s.given[m]
        s.deviation[m] = math.sqrt(max(variance * s.share[m], 0.0))
