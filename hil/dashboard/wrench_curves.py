"""What the detector sees of the wrench, for the eye: raw, filtered, and how fast it changes."""

import math

import numpy as np

from hil.common.arrays import Array, BoolArray
from hil.configuration import Configuration


class WrenchCurves:
    """The filter of docs/theory.md, equation 3, on the cycles that the driver tells of; without kernels."""

    def __init__(self, configuration: Configuration) -> None:
        dt = configuration.fri.sample_time
        self._dt, self._keep = dt, math.exp(-dt / configuration.filter.tau)
        self._scale = np.repeat([1.0, 1.0 / configuration.filter.length], 3)
        self._filtered: Array | None = None

    def take(self, wrench: Array) -> tuple[Array, Array, Array]:
        """Return the norms of raw and filtered wrench [N] and of the latter's derivative [N/s], each (n,).

        A sample that is no number is left out, as the driver does: its raw norm is told as 0.

        Args:
            wrench: of the next cycles, about the object's centre, object axes [N, N m], shape (n, 6).
        """
        sound: BoolArray = np.logical_and.reduce(np.isfinite(wrench), axis=1)
        raw = np.where(sound[:, None], wrench, 0.0) * self._scale
        before = raw[0] if self._filtered is None else self._filtered
        filtered = np.empty((len(raw) + 1, 6))
        filtered[0] = before
        for k, sample in enumerate(raw):
            keep = self._keep if sound[k] else 1.0
            filtered[k + 1] = keep * filtered[k] + (1.0 - keep) * sample
        self._filtered = filtered[-1]
        rates = np.diff(filtered, axis=0) / self._dt
        return _norms(raw), _norms(filtered[1:]), _norms(rates)


def _norms(values: Array) -> Array:
    norms: Array = np.linalg.norm(values, axis=1)
    return norms
