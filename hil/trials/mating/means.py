"""Forces averaged over a short time: an impact's force in a step follows from the step's length."""

import numpy as np

from hil.common.arrays import Array

MEAN = 0.02  # [s]


def mean_of(values: Array, step: float) -> Array:
    """Return the mean over `MEAN` about every row; values and result of shape (n,), step [s]."""
    count = max(1, round(MEAN / step))
    sums = np.concatenate([[0.0], np.cumsum(values)])
    low = np.clip(np.arange(len(values)) - count // 2, 0, len(values))
    high = np.clip(low + count, 0, len(values))
    return np.asarray((sums[high] - sums[low]) / np.maximum(high - low, 1))
