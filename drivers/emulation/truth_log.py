"""What was really so in the emulation, gathered row by row and sent in blocks: for measuring only."""

import numpy as np

from drivers.emulation.controller.controller import EmulatedController
from drivers.fri.layout import SEQUENCE_MODULUS
from hil.common.geometry import quat_from_matrix
from hil.messaging.messages import TruthBlock

BLOCK_TIME = 0.1  # [s] of cycles in a block


class TruthLog:
    """Rows of the present block, one a packet that was sent."""

    def __init__(self, sample_time: float) -> None:
        """Prepare blocks of about a tenth of a second at cycles of `sample_time` [s]."""
        rows = max(1, round(BLOCK_TIME / sample_time))
        self._sequences = np.zeros(rows, np.int64)
        self._stamps = np.zeros((rows, 2), np.int64)
        self._q, self._p, self._quat = np.zeros((rows, 7)), np.zeros((rows, 3)), np.zeros((rows, 4))
        self._twist, self._wrench = np.zeros((rows, 6)), np.zeros((rows, 6))
        self._row = 0

    def add(self, controller: EmulatedController, sent_ns: int, answered_ns: int) -> TruthBlock | None:
        """Take the controller's present cycle, before it advances; return the block that it completes.

        Args:
            controller: at the start of its cycle.
            sent_ns: when the cycle's packet was sent.
            answered_ns: when its answer arrived, 0 if none came in time.
        """
        row, arm = self._row, controller.arm
        self._sequences[row] = controller.cycle % SEQUENCE_MODULUS
        self._stamps[row] = sent_ns, answered_ns
        self._q[row] = arm.q
        self._p[row] = arm.T_world_object[:3, 3]
        self._quat[row] = quat_from_matrix(np.ascontiguousarray(arm.T_world_object[:3, :3]))
        self._twist[row] = arm.twist_world_object
        self._wrench[row] = controller.wrench_world
        self._row = row + 1
        return self.rest(controller) if self._row == len(self._sequences) else None

    def rest(self, controller: EmulatedController) -> TruthBlock | None:
        """Return what has not been told yet, if anything."""
        if not self._row:
            return None
        rows, self._row = slice(self._row), 0
        return TruthBlock(
            int(self._stamps[rows][-1, 0]), self._sequences[rows], self._stamps[rows], self._q[rows],
            self._p[rows], self._quat[rows], self._twist[rows], self._wrench[rows],
            controller.monitor.violations, controller.monitor.first,
        )  # fmt: skip
