"""How much a wrench changes over a lag while nobody pushes: half the mean square of its differences.

Other than a variance it does not see an offset, and a slow drift only at long lags.
"""

from dataclasses import dataclass
from functools import reduce

import numpy as np

from hil.common.arrays import Array, BoolArray, IntArray, frozen_array

LONGEST_LAG = 0.26  # [s]
AXES = 6


@dataclass(frozen=True, eq=False)
class Semivariance:
    """Sums over pairs of samples, so that those of several stretches can be put together.

    Attributes:
        step: from sample to sample [s].
        lags: between the samples of a pair, in samples, shape (k,).
        sums: of half the squared differences [N2], torques divided by a length, shape (k, 6).
        counts: of pairs, shape (k,).
        seconds: of samples that are in them [s].
    """

    step: float
    lags: IntArray
    sums: Array
    counts: IntArray
    seconds: float

    @property
    def apart(self) -> Array:
        """The lags [s], shape (k,)."""
        apart: Array = self.lags * np.float64(self.step)
        return apart

    @property
    def values(self) -> Array:
        """Semivariance of each axis [N2], shape (k, 6); NaN at lags without pairs."""
        with np.errstate(invalid="ignore"):
            found: Array = self.sums / self.counts[:, None]
        return found

    @property
    def mean(self) -> Array:
        """The mean over all axes [N2], shape (k,)."""
        mean: Array = self.values.mean(axis=1)
        return mean

    def __add__(self, other: "Semivariance") -> "Semivariance":
        """Return what both stretches show together; their steps must be equal."""
        return Semivariance(
            self.step, self.lags, self.sums + other.sums, self.counts + other.counts,
            self.seconds + other.seconds,
        )  # fmt: skip


def lags_of(step: float) -> IntArray:
    """Return the lags that are looked at, in samples: 1, 2, 4 and so on up to 0.26 s, shape (k,)."""
    longest = max(1, int(LONGEST_LAG / step))
    return 2 ** np.arange(int(np.log2(longest)) + 1)


def semivariance(wrench: Array, stretch: IntArray, step: float) -> Semivariance:
    """Return how much a wrench changes within stretches of rest.

    Args:
        wrench: torques divided by a length [N], shape (n, 6).
        stretch: number of the stretch that a sample belongs to, -1 for none, shape (n,).
        step: from sample to sample within a stretch [s].
    """
    lags = lags_of(step)
    sums, counts = np.zeros((len(lags), wrench.shape[1])), np.zeros(len(lags), np.int64)
    for i, lag in enumerate(lags.tolist()):
        paired = (stretch[lag:] == stretch[:-lag]) & (stretch[lag:] >= 0)
        difference = wrench[lag:][paired] - wrench[:-lag][paired]
        sums[i], counts[i] = 0.5 * np.sum(difference**2, axis=0), len(difference)
    seconds = float(step * np.count_nonzero(stretch >= 0))
    return Semivariance(step, lags, frozen_array(sums), counts, seconds)


def stretches(t: Array, rest: BoolArray, step: float, epoch: IntArray | None = None) -> IntArray:
    """Return the number of the stretch of rest that each sample belongs to, -1 for none, shape (n,).

    Args:
        t: instants, rising [s], shape (n,).
        rest: samples that count, shape (n,).
        step: usual time between samples [s]; a hole of more than 1.5 of them ends a stretch.
        epoch: a change of which ends a stretch too, shape (n,).
    """
    if not len(t):
        return np.empty(0, np.int64)
    broken = np.concatenate([[True], (np.diff(t) > 1.5 * step) | ~rest[1:] | ~rest[:-1]])
    if epoch is not None:
        broken[1:] |= np.diff(epoch) != 0
    numbers: IntArray = np.where(rest, np.cumsum(broken), -1)
    return numbers


def together(parts: list[Semivariance]) -> Semivariance:
    """Return what several stretches of equal step show together; at least one."""
    return reduce(lambda a, b: a + b, parts)
