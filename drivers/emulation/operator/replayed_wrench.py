"""A recorded wrench that is applied to the mock-up at the object's centre, in world axes."""

import numpy as np

from hil.common.arrays import Array, frozen_array
from hil.common.errors import RecordingError


class ReplayedWrench:
    """A wrench over time, linear between its samples, zero before the first and after the last."""

    def __init__(self, t: Array, wrench: Array) -> None:
        """Take times [s], shape (N,), from the operator's start, and wrenches [N, N m], shape (N, 6).

        Raises:
            RecordingError: fewer than two samples, times that do not increase, or numbers that are none.
        """
        self.t, self.wrench = frozen_array(t), frozen_array(wrench)
        if self.t.ndim != 1 or len(self.t) < 2 or self.wrench.shape != (len(self.t), 6):
            raise RecordingError(
                f"replay: times of shape {self.t.shape} and wrenches of shape {self.wrench.shape}; "
                "expected (N,) and (N, 6) with N of at least 2"
            )
        if not (np.isfinite(self.t).all() and np.isfinite(self.wrench).all()):
            raise RecordingError("replay: the recording holds numbers that are not finite; clean it first")
        if not (np.diff(self.t) > 0.0).all():
            raise RecordingError("replay: time must increase from sample to sample; drop equal stamps first")
        self._integral = np.vstack(
            (
                np.zeros(6),
                np.cumsum(0.5 * np.diff(self.t)[:, None] * (self.wrench[1:] + self.wrench[:-1]), axis=0),
            )
        )

    def at(self, t: float) -> Array:
        """Return the wrench at time `t` [s], shape (6,)."""
        if not self.t[0] <= t <= self.t[-1]:
            return np.zeros(6)
        i = min(int(np.searchsorted(self.t, t, side="right")), len(self.t) - 1)
        u = (t - self.t[i - 1]) / (self.t[i] - self.t[i - 1])
        value: Array = (1.0 - u) * self.wrench[i - 1] + u * self.wrench[i]
        return value

    def impulse(self, t_0: float, t_1: float) -> Array:
        """Return the exact integral of the wrench from `t_0` to `t_1` [s], shape (6,)."""
        total: Array = self._until(t_1) - self._until(t_0)
        return total

    def _until(self, t: float) -> Array:
        t = min(max(t, float(self.t[0])), float(self.t[-1]))
        i = max(int(np.searchsorted(self.t, t, side="right")) - 1, 0)
        part: Array = self._integral[i] + 0.5 * (t - self.t[i]) * (self.wrench[i] + self.at(t))
        return part
