"""The page's hand on the tip: six deflections, from the page's own jog or a gamepad at its browser.

A page says them again and again while something is held. One that says nothing more, because it was closed
or its machine has gone to sleep, has let go: the motion comes to rest.
"""

from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.workbench.page.numbers import numbers

SILENT_S = 0.3  # of the session's time; pages speak every 50 ms


class PageJog:
    """A twist from deflections within -1 and 1: full deflection is full speed."""

    def __init__(self, linear: float, angular: float) -> None:
        """Begin at rest.

        Args:
            linear: speed at full deflection [m/s].
            angular: the same [rad/s].
        """
        self.speeds(linear, angular)
        self._axes, self._until = np.zeros(6), 0.0

    def speeds(self, linear: float, angular: float) -> None:
        """Let full deflection be another speed [m/s, rad/s]."""
        self._scale = np.repeat([linear, angular], 3)

    def push(self, axes: Any, t: float) -> None:
        """Take what a page says at a time since the session listens to it [s].

        Raises:
            ValueError: it is no six numbers.
        """
        self._axes, self._until = np.clip(numbers(axes, 6, "a jog"), -1.0, 1.0), t + SILENT_S

    def release(self) -> None:
        """Let go: what was held before another source came is held no more."""
        self._axes[:] = 0.0

    def twist(self, t: float) -> Array:
        """Return the twist that is wanted now, base axes [m/s, rad/s], shape (6,)."""
        out: Array = self._scale * self._axes if t <= self._until else np.zeros(6)
        return out
