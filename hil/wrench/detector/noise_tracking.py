"""The noise of the wrench, learned from its rest between pushes (docs/theory.md, 4).

How much the wrench changes over lags of 1, 2, 4 ... samples tells of white noise and of processes of
every pace, and knows no offset. The parts are fitted without negative ones, a step now and then.
"""

import math

from numba import njit

from hil.wrench.detector.state import MASK, PROCESSES, Record

MEMORY = 3.0  # [s] of rest that the noise is averaged over
SETTLED = 0.4  # [s] after a push its swing is still in the wrench
GROWTH = 9.0  # a pair of samples counts at most so many times the mean: what is no noise yet is none
FIT_EVERY = 8  # samples
LEAST = 1e-9  # [N2]
FIRST_PAIRS = 30  # that the guess of the noise is worth


@njit(cache=True)
def learn(s: Record, c: Record, k: int) -> None:
    """Learn from sample `k` of a rest: the newest of which it is known that no push begins there."""
    for i in range(c.lags):
        before = k - (1 << i)
        if before < 0 or (s.last >= 0 and s.t[before & MASK] - s.t_over < SETTLED):
            break
        _take_pair(s, i, before, k)
    if k % FIT_EVERY == 0:
        _fit(s, c)


@njit(cache=True)
def _take_pair(s: Record, i: int, before: int, k: int) -> None:
    """Take what two samples differ by into the mean at lag number `i`."""
    s.learned[i] += 1
    passed = s.t[k & MASK] - s.t[(k - 1) & MASK]
    n = s.learned[i] + FIRST_PAIRS
    keep = min(math.exp(-passed / MEMORY), n / (n + 1.0))
    total, mean = 0.0, 0.0
    for m in range(6):
        total += 0.5 * (s.wrench[k & MASK, m] - s.wrench[before & MASK, m]) ** 2
        mean += s.structure[i, m]
    shrink = min(1.0, GROWTH * mean / max(total, LEAST))
    for m in range(6):
        half = 0.5 * (s.wrench[k & MASK, m] - s.wrench[before & MASK, m]) ** 2
        s.structure[i, m] = keep * s.structure[i, m] + (1.0 - keep) * shrink * half


@njit(cache=True)
def _fit(s: Record, c: Record) -> None:
    """Go a multiplicative step towards the least relative squares; find the axes' shares."""
    for m in range(6):
        s.share[m] = 0.0
    for i in range(c.lags):
        mean = _mean(s, i)
        for m in range(6):
            s.share[m] += s.structure[i, m] / (mean * c.lags)
    for j in range(1 + PROCESSES):
        up, down = 0.0, 1e-30
        for i in range(c.lags):
            mean, model = _mean(s, i), 0.0
            for n in range(1 + PROCESSES):
                model += c.shapes[i, n] * s.noise[n]
            up += c.shapes[i, j] / mean
            down += c.shapes[i, j] * model / mean**2
        s.noise[j] = max(s.noise[j] * up / down, LEAST)


@njit(cache=True)
def _mean(s: Record, i: int) -> float:
    """Return the mean over the axes at lag number `i` [N2], never zero."""
    total = 0.0
    for m in range(6):
        total += s.structure[i, m]
    return max(total / 6.0, LEAST)
