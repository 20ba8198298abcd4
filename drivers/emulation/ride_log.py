"""How the base moved that carried an emulated arm, cycle by cycle in blocks: to run the arm again."""

import numpy as np

from drivers.emulation.controller.controller import EmulatedController
from hil.common.arrays import Array
from hil.messaging.base_messages import BaseRide

BLOCK_TIME = 0.1  # [s] of cycles in a block


class RideLog:
    """Rows of the present block."""

    def __init__(self, sample_time: float) -> None:
        """Prepare blocks of about a tenth of a second at cycles of `sample_time` [s]."""
        rows = max(1, round(BLOCK_TIME / sample_time))
        self._cycles, self._motion = np.zeros(rows, np.int64), np.zeros((rows, 9))
        self._row, self._t_ns = 0, 0

    def add(self, controller: EmulatedController, t_ns: int, motion: Array) -> BaseRide | None:
        """Take how the base moves from the present cycle's end on, (3, 3); return the block it completes."""
        self._cycles[self._row], self._motion[self._row] = controller.cycle, motion.ravel()
        self._row, self._t_ns = self._row + 1, t_ns
        return self.rest() if self._row == len(self._cycles) else None

    def rest(self) -> BaseRide | None:
        """Return what has not been told yet, if anything."""
        if not self._row:
            return None
        rows, self._row = slice(self._row), 0
        return BaseRide(self._t_ns, self._cycles[rows].copy(), self._motion[rows].copy())
