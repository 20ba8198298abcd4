"""What was really so of an emulated port, gathered row by row and sent in blocks: for measuring only."""

import numpy as np

from drivers.emulation.controller.controller import EmulatedController
from drivers.fri.layout import SEQUENCE_MODULUS
from hil.messaging.messages import PortBlock

BLOCK_TIME = 0.1  # [s] of cycles in a block


class PortLog:
    """Rows of the present block, one a packet that was sent."""

    def __init__(self, sample_time: float) -> None:
        """Prepare blocks of about a tenth of a second at cycles of `sample_time` [s]."""
        rows = max(1, round(BLOCK_TIME / sample_time))
        self._sequences, self._stamps = np.zeros((2, rows), np.int64)
        self._values = np.zeros((rows, 22))
        self._row = 0

    def add(self, controller: EmulatedController, sent_ns: int) -> PortBlock | None:
        """Take the controller's present cycle, before it advances; return the block that it completes.

        Nothing of a controller without a port. `sent_ns`: when the cycle's packet was sent.
        """
        if controller.port is None:
            return None
        row = self._row
        self._sequences[row], self._stamps[row] = controller.cycle % SEQUENCE_MODULUS, sent_ns
        self._values[row] = controller.port.told()
        self._row = row + 1
        return self.rest() if self._row == len(self._stamps) else None

    def rest(self) -> PortBlock | None:
        """Return what has not been told yet, if anything."""
        if not self._row:
            return None
        rows, self._row = slice(self._row), 0
        values = self._values[rows].copy()
        return PortBlock(
            int(self._stamps[rows][-1]),
            self._sequences[rows].copy(),
            self._stamps[rows].copy(),
            *(
                values[:, :6],
                values[:, 6],
                values[:, 7:10],
                values[:, 10:13],
                values[:, 13:16],
                values[:, 16:],
            ),
        )
