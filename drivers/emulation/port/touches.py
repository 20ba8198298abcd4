"""The touches of an emulated port, as the operator's pushes are told: when, and with which impulse."""

from collections import deque

import numpy as np

from drivers.emulation.operator.virtual_operator import NEVER, RECORDS_KEPT, PushRecord
from hil.common.arrays import Array


class Touches:
    """Adds up what a port exerts, from the first force to the step without one.

    Attributes:
        records: touches that are over, in order; the last ones of very many.
        under_way: when the touch began that is not over [s]; infinity if there is none.
    """

    def __init__(self) -> None:
        """Nothing touches."""
        self.records: deque[PushRecord] = deque(maxlen=RECORDS_KEPT)
        self.under_way = NEVER
        self._before, self._impulse, self._peak = np.zeros(6), np.zeros(6), np.zeros(6)

    def add(self, t_0: float, t_1: float, wrench: Array) -> None:
        """Take the wrench at the end of the step from `t_0` to `t_1` [s], world axes [N, N m], shape (6,)."""
        touching = bool(wrench.any())
        if touching and self.under_way == NEVER:
            self.under_way = t_0
            self._impulse[:], self._peak[:] = 0.0, 0.0
        if self.under_way == NEVER:
            return
        self._impulse += 0.5 * (t_1 - t_0) * (self._before + wrench)
        if wrench[:3] @ wrench[:3] > self._peak[:3] @ self._peak[:3]:
            self._peak[:] = wrench
        self._before[:] = wrench
        if not touching:
            self.records.append(PushRecord(self.under_way, t_1, self._impulse.copy(), self._peak.copy()))
            self.under_way = NEVER
