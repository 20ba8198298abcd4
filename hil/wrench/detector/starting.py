"""Whether a push shows: by the derivative of the filtered wrench, or by its slower change of level."""

import math

from numba import njit

from hil.wrench.detector.state import MASK, Record
from hil.wrench.detector.sums import apart

LEVEL_UNREST = 10.0  # a push's level lies this many times the unrest above the baseline


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
def least_level(s: Record, c: Record) -> float:
    """Return how far above its reference the wrench must lie to be a push [N]."""
    return max(c.level, LEVEL_UNREST * s.unrest[s.lag & MASK])
