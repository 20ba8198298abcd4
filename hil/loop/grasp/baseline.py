"""The baseline of the wrench: the mean of the last second before a grasp, frozen as long as it lasts."""

from collections import deque

import numpy as np

from hil.common.arrays import Array

SECONDS = 1.0  # of the mean
LEAST = 0.5  # share of them without which there is no baseline


class Baseline:
    """Mean of what was felt while nothing pressed.

    Attributes:
        frozen: it, world axes about the object's centre [N, N m], (6,); None: not frozen.
    """

    def __init__(self, step: float) -> None:
        """Take samples every `step` [s]."""
        self._samples: deque[Array] = deque(maxlen=max(1, round(SECONDS / step)))
        self._least = max(1, round(LEAST * SECONDS / step))
        self.frozen: Array | None = None

    @property
    def known(self) -> bool:
        """Whether enough was felt."""
        return len(self._samples) >= self._least

    def take(self, wrench: Array) -> None:
        """Take a wrench in which nothing presses, world axes, (6,)."""
        self._samples.append(wrench.copy())

    def freeze(self) -> None:
        """Keep the mean from now on, if enough is known."""
        if self.known:
            self.frozen = np.mean(self._samples, axis=0)

    def anew(self) -> None:
        """Forget it, and begin another one."""
        self._samples.clear()
        self.frozen = None
