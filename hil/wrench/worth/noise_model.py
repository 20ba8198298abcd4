"""The noise of a wrench at rest as white noise and first-order processes."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from hil.common.arrays import Array
from hil.wrench.correlation_times import CORRELATION_TIMES


@dataclass(frozen=True, eq=False)
class NoiseModel:
    """One axis, or the mean over several.

    Attributes:
        white: variance of the white part [N2].
        variances: of the processes [N2], shape (k,).
        times: their correlation times [s], shape (k,).
    """

    white: float
    variances: Array
    times: Array

    def covariance(self, apart: Array) -> Array:
        """Return the covariance of two samples that lie so far apart [s], any shape; white at zero only."""
        decays = np.exp(-np.abs(apart)[..., None] / self.times)
        coloured: Array = decays @ self.variances
        return coloured + self.white * (apart == 0.0)

    def semivariance(self, lags: Array) -> Array:
        """Return half the mean square of differences over lags above zero [s], shape (k,)."""
        return _shapes(lags, self.times) @ np.concatenate([[self.white], self.variances])

    def times_variance(self, factor: float) -> "NoiseModel":
        """Return the noise whose variance is so many times this one's."""
        return NoiseModel(factor * self.white, factor * self.variances, self.times)


def fitted(lags: Array, values: Array) -> NoiseModel:
    """Return the model whose semivariance is nearest, by relative least squares without negative parts.

    Args:
        lags: above zero [s], shape (k,).
        values: semivariance there [N2], shape (k,).
    """
    known = values > 0.0
    if not known.any():
        return NoiseModel(0.0, np.zeros(len(CORRELATION_TIMES)), CORRELATION_TIMES)
    shapes = _shapes(lags[known], CORRELATION_TIMES) / values[known, None]
    parts, _ = nnls(shapes, np.ones(len(shapes)))
    return NoiseModel(float(parts[0]), parts[1:], CORRELATION_TIMES)


def _shapes(lags: Array, times: Array) -> Array:
    """Return what unit variances of white noise and of the processes show, shape (k, 1 + processes)."""
    return np.column_stack([np.ones(len(lags)), 1.0 - np.exp(-lags[:, None] / times)])
