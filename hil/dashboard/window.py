"""The last seconds of some curves, thinned out so that no peak is lost.

Time is cut into short intervals of equal length on a grid that stays; of each, the least and the greatest
value of every curve are kept, and drawn in the order in which they came. What is past never changes, so
curves do not flicker.
"""

import numpy as np

from hil.common.arrays import Array

SPAN = 10.0  # [s] shown
POINTS = 500  # a curve, at most
NEVER = np.iinfo(np.int64).min


class Window:
    """The newest `SPAN` seconds of some curves with common times."""

    def __init__(self, curves: int, span: float = SPAN, points: int = POINTS) -> None:
        self._cells = points // 2
        self._length = span / self._cells
        n = self._cells
        self._number = np.full(n, NEVER)  # which interval stands in a cell
        self._low, self._high = np.zeros((n, curves)), np.zeros((n, curves))
        self._low_at, self._high_at = np.zeros((n, curves)), np.zeros((n, curves))

    def add(self, t: Array, values: Array) -> None:
        """Take samples in the order of their times.

        Args:
            t: times [s], shape (n,).
            values: finite, shape (n, curves).
        """
        numbers = np.floor(t / self._length).astype(np.int64)
        starts = np.flatnonzero(np.diff(numbers, prepend=numbers[0] - 1))
        for begin, end in zip(starts, [*starts[1:], len(t)], strict=True):
            self._put(int(numbers[begin]), t[begin:end], values[begin:end])

    def curves(self, now: float) -> Array:
        """Return times before `now` [s] and the curves at them, at most `POINTS`, shape (1 + curves, n)."""
        newest = int(np.floor(now / self._length))
        shown = np.flatnonzero((self._number > newest - self._cells) & (self._number <= newest))
        shown = shown[np.argsort(self._number[shown])]
        out = np.empty((1 + self._low.shape[1], 2 * len(shown)))
        begin = self._number[shown] * self._length - now
        out[0, 0::2], out[0, 1::2] = begin, begin + 0.5 * self._length
        low, high = self._low[shown], self._high[shown]
        rising = self._low_at[shown] <= self._high_at[shown]
        out[1:, 0::2] = np.where(rising, low, high).T
        out[1:, 1::2] = np.where(rising, high, low).T
        return out

    def _put(self, number: int, t: Array, values: Array) -> None:
        """Take samples of one interval."""
        cell = number % self._cells
        columns = np.arange(values.shape[1])
        least, greatest = np.argmin(values, axis=0), np.argmax(values, axis=0)
        low, high = values[least, columns], values[greatest, columns]
        fresh = self._number[cell] != number
        self._number[cell] = number
        lower, higher = fresh | (low < self._low[cell]), fresh | (high > self._high[cell])
        self._low[cell][lower], self._low_at[cell][lower] = low[lower], t[least][lower]
        self._high[cell][higher], self._high_at[cell][higher] = high[higher], t[greatest][higher]
