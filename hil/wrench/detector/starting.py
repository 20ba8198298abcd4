"""Whether a push shows: by the derivative of the filtered wrench, its slower change of level, or its sum."""

import math

from numba import njit

from hil.wrench.detector.bridge import gap_variance
from hil.wrench.detector.disturbance import GATHERED, integrals
from hil.wrench.detector.loudness import loudness
from hil.wrench.detector.state import MASK, RING, Record
from hil.wrench.detector.sums import apart, smoothed_projection, towards

LEVEL_UNREST = 10.0  # a push's level lies this many times the unrest above the baseline
NEW_NOISE = 20.0  # ... and this many times the root of the steps' semivariance: new noise shows there first
STANDS_OUT = 6.5  # standard deviations of what was expected of the last `level_delay`
LOUD_MOST = 4.0  # times the learned variance: of a noise that is louder nothing else is known
LOOK_EVERY = 4  # samples
ARMING_TIME = 0.15  # [s] no push is looked for before the baseline means something
FAR = 3.0  # levels from the baseline of before: what an arm that moves feels otherwise is less
LEAST_SHARE = 0.05  # of an axis in the noise


@njit(cache=True)
def armed(s: Record, n: int, k: int) -> bool:
    """Return whether the baseline meant something at sample `n`, the newest being `k`."""
    return s.t[n & MASK] - s.t[0 if k < RING else (k + 1) & MASK] > ARMING_TIME


@njit(cache=True)
def loud(s: Record, c: Record) -> bool:
    """Return whether the newest sample is no rest: a push's level from the mean so far.

    Nor is one that is far from the baseline of before: a push at its height changes little.
    """
    if s.known_before == 1 and apart(s.filtered, s.before) > FAR * c.level:
        return True
    return apart(s.filtered, s.mean) > c.level


@njit(cache=True)
def in_echo(s: Record, c: Record, t: float) -> bool:
    """Return whether the last push's counter-swing may still be there."""
    return s.last >= 0 and t - s.t_over < c.echo_time


@njit(cache=True)
def refer(s: Record, c: Record, k: int) -> None:
    """Find what the wrench would be without a push at sample `k`: `reference`."""
    echo = in_echo(s, c, s.t[k & MASK])
    for i in range(6):
        s.reference[i] = s.baseline[i] if echo else s.base[s.lag & MASK, i]


@njit(cache=True)
def starts(s: Record, c: Record, k: int) -> bool:
    """Return whether a push shows at sample `k`, above what is left of the last one's echo."""
    t = s.t[k & MASK]
    s.seen = k
    rate_limit = c.derivative
    level_limit = least_level(s, c)
    if s.last >= 0:
        envelope = c.echo_fraction * s.peak * math.exp(-(t - s.t_over) / c.echo_decay)
        level_limit += envelope + s.level_closing * math.exp(-(t - s.t_closing) / c.level_tau)
        rate_limit += envelope * c.echo_rate + s.rate_closing * math.exp(-(t - s.t_closing) / c.tau)
    if s.rate > rate_limit:
        return True
    refer(s, c, k)
    return apart(s.slow, s.reference) > level_limit


@njit(cache=True)
def stands_out(s: Record, c: Record, k: int) -> bool:
    """Return whether the samples since `lag` add up to more than the disturbance does.

    They are taken for a push: the filter stands where it would have begun. A weak and slow one shows in
    their sum alone.
    """
    first, q = s.lag & MASK, k & MASK
    span = s.t[q] - s.t[first]
    if k % LOOK_EVERY != 0 or s.cursor < k or span <= 0.0 or in_echo(s, c, s.t[q]):
        return False
    if not armed(s, s.lag, k):  # what an arm does as it sets off is no push
        return False
    for m in range(6):
        s.axis[m] = 0.0
    for n in range(s.lag, k):
        a, b = n & MASK, (n + 1) & MASK
        half = 0.5 * (s.t[b] - s.t[a])
        for m in range(6):
            s.axis[m] += half * (s.wrench[a, m] + s.wrench[b, m])
    h = integrals(c, span)
    over, square = 0.0, 0.0
    for m in range(6):
        for n in range(GATHERED):
            s.axis[m] -= h[n] * s.disturbance[first, m, n]
        over += s.axis[m] ** 2 / max(s.share[m], LEAST_SHARE)
        square += s.axis[m] ** 2
    if square < (c.level * span) ** 2:
        return False
    loud = max(loudness(s.nothing_near, s.near[first]), loudness(s.nothing_near, s.near[q]))
    variance = loud * gap_variance(s, c, s.spread[first], h, span) + s.noise[0] * span**2 / (k - s.lag)
    if loud > LOUD_MOST or over <= STANDS_OUT**2 * variance:
        return False
    find_strongest(s, k)
    return True


@njit(cache=True)
def find_strongest(s: Record, k: int) -> None:
    """Find where since `lag` a push along `axis` was strongest: it may be half over when it shows."""
    towards(s.axis, s.axis)
    s.seen_level = 0.0
    for n in range(s.lag, k + 1):
        level = smoothed_projection(s, n, k, s.reference, s.axis)
        if level > s.seen_level:
            s.seen_level = level
            s.seen = n


@njit(cache=True)
def least_level(s: Record, c: Record) -> float:
    """Return how far above its reference the wrench must lie to be a push [N]."""
    lag = s.lag & MASK
    steps = max(0.0, s.rough[(s.count - 1) & MASK] - s.noise[0])
    return max(c.level, LEVEL_UNREST * s.unrest[lag], NEW_NOISE * math.sqrt(steps))
