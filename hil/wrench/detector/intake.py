"""A sample on its way into the impulse detector's memory: refused, filtered, remembered."""

import math

from numba import njit

from hil.common.arrays import Array
from hil.wrench.detector.state import IDLE, MASK, PUSH, RING, Record
from hil.wrench.filter import smooth_into

UNREST_MEMORY = 0.3  # [s] over which the wrench's unrest is measured
UNREST_GROWTH = 9.0  # one sample's square counts at most so many times the mean: pushes are no unrest
UNREST_MOST = 0.5  # [N] larger unrest is not taken for noise
ROUGH_MEMORY = 0.06  # [s] over which the change from sample to sample is averaged
REST_MEMORY = 1.0  # [s] over which the wrench before a push is averaged for one that lasts


@njit(cache=True)
def accept(s: Record, c: Record, t: float, sample: Array) -> bool:
    """Filter and remember the sample; return False for one that says nothing new."""
    for i in range(6):
        if not math.isfinite(sample[i]):
            s.non_finite += 1
            return False
    k = s.count
    if k == 0:
        for i in range(6):
            s.filtered[i] = s.slow[i] = s.mean[i] = sample[i]
    else:
        p = (k - 1) & MASK
        dt = t - s.t[p]
        repeated = True
        for i in range(6):
            repeated = repeated and sample[i] == s.wrench[p, i]
        if dt <= 0.0 or (repeated and dt < c.repeat):
            s.dropped += 1
            return False
        if dt > c.gap:
            s.gaps += 1
            s.gap_at = t
            if s.phase == PUSH:
                s.uncertain = 1
        filter_sample(s, c, dt, k, sample)
    j = k & MASK
    s.t[j] = t
    for i in range(6):
        s.wrench[j, i] = sample[i]
        s.base[j, i] = s.mean[i]
    s.unrest[j] = math.sqrt(s.variance)
    roughen(s, k)
    s.count = k + 1
    lag = s.lag
    while s.lag < k and s.t[(s.lag + 1) & MASK] <= t - c.level_delay:
        s.lag += 1
    s.lag = max(s.lag, k - RING + 2)
    s.lagged = 1 if s.lag > lag else 0
    return True


@njit(cache=True)
def roughen(s: Record, k: int) -> None:
    """Take what the sample `k` differs by from the one before it into the running semivariance."""
    j, p = k & MASK, (k - 1) & MASK
    if k == 0:
        s.rough[0] = s.noise[0]
        return
    keep = math.exp(-(s.t[j] - s.t[p]) / ROUGH_MEMORY)
    square = 0.0
    for i in range(6):
        square += (s.wrench[j, i] - s.wrench[p, i]) ** 2
    s.rough[j] = keep * s.rough[p] + (1.0 - keep) * square / 12.0


@njit(cache=True)
def rest(s: Record) -> None:
    """Take the sample at `lag` into the mean over the rest before a push."""
    q = s.lag & MASK
    if s.rest_count == 0:
        s.rest_start = s.t[q]
    s.rest_count += 1
    part = 1.0 / min(s.rest_count, max(1.0, REST_MEMORY * s.rest_count / max(s.t[q] - s.rest_start, 1e-9)))
    for i in range(6):
        s.rest[i] += part * (s.wrench[q, i] - s.rest[i])


@njit(cache=True)
def filter_sample(s: Record, c: Record, dt: float, k: int, sample: Array) -> None:
    """Move the three low-passes on; the baseline begins as a plain mean."""
    last = s.filtered.copy()
    smooth_into(s.filtered, sample, math.exp(-dt / c.tau))
    smooth_into(s.slow, sample, math.exp(-dt / c.level_tau))
    if s.phase != PUSH:  # the push itself stays out of the baseline
        smooth_into(s.mean, sample, min(math.exp(-dt / c.baseline_tau), k / (k + 1.0)))
    rate, unrest = 0.0, 0.0
    for i in range(6):
        rate += ((s.filtered[i] - last[i]) / dt) ** 2
        unrest += (s.filtered[i] - s.mean[i]) ** 2
    s.rate = math.sqrt(rate)
    if s.phase == IDLE:
        keep = min(math.exp(-dt / UNREST_MEMORY), k / (k + 1.0))
        bound = min(UNREST_GROWTH * max(s.variance, c.quiet**2), UNREST_MOST**2)
        s.variance = keep * s.variance + (1.0 - keep) * min(unrest / 6.0, bound)
