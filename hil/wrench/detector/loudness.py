"""How loud the disturbance is near a push, against the noise that was learned from long rest.

An arm's motion noise follows its speed, and a push changes that. What the filter did not expect of the
samples right before and right behind a push tells at once. White noise is the sensor's and stays.
"""

import math

from numba import njit

from hil.common.arrays import Array
from hil.wrench.detector.state import Record

MEMORY = 0.15  # [s] that counts as near
SURE = 20.0  # samples that what was learned from long rest is worth
MOST = 25.0  # times the expected square one sample counts at most
LEAST = 0.1  # of the learned variance


@njit(cache=True)
def note_near(s: Record, p: int, q: int, square: float, expected: float) -> None:
    """Take what was not expected of the sample in place `q`; the one before it is in place `p`.

    Summed are its square and what was expected of it, white noise apart; the latter as it is; and samples.
    """
    keep = math.exp(-(s.t[q] - s.t[p]) / MEMORY)
    s.near[q, 0] = keep * s.near[p, 0] + min(square, MOST * expected) - s.noise[0]
    s.near[q, 1] = keep * s.near[p, 1] + expected - s.noise[0]
    s.near[q, 2] = keep * s.near[p, 2] + expected
    s.near[q, 3] = keep * s.near[p, 3] + 1.0


@njit(cache=True)
def loudness(before: Array, behind: Array) -> float:
    """Return the variance of the disturbance over the learned one, from two of the sums above, (4,)."""
    samples = before[3] + behind[3]
    if samples <= 0.0:
        return 1.0
    doubt = SURE * (before[2] + behind[2]) / samples
    return max(LEAST, (doubt + before[0] + behind[0]) / (doubt + before[1] + behind[1]))
