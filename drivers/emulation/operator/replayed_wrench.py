"""A recorded wrench that is applied to the mock-up at the object's centre, in world axes."""

from dataclasses import dataclass

import numpy as np

from drivers.emulation.operator.pushes_in_wrench import pushes_in, rest_level
from hil.common.arrays import Array, frozen_array
from hil.common.errors import RecordingError


@dataclass(frozen=True, eq=False)
class ReplayedPush:
    """A push in the wrench, at the recording's times.

    Attributes:
        start: [s].
        end: [s].
        impulse: what acts from start to end, integrated [N s, N m s], shape (6,).
        peak: the wrench when it is largest [N, N m], shape (6,).
    """

    start: float
    end: float
    impulse: Array
    peak: Array


class ReplayedWrench:
    """A wrench over time, linear between its samples, zero before the first and after the last.

    Attributes:
        t: times of its samples [s], shape (N,).
        wrench: at them [N, N m], shape (N, 6).
        pushes: in it, in order.
    """

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

        offset, deviation = rest_level(self.t, self.wrench)
        found = pushes_in(self.t, self.wrench - offset, deviation)
        self.pushes = [self._push(push.first, push.last) for push in found]

    def _push(self, first: int, last: int) -> ReplayedPush:
        start, end = float(self.t[first]), float(self.t[last])
        size = np.linalg.norm(self.wrench[first : last + 1, :3], axis=1)
        peak = self.wrench[first + int(np.argmax(size))]
        return ReplayedPush(start, end, self.impulse(start, end), peak)

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
