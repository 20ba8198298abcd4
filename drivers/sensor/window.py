"""What a sensor reads at an instant: the line through its newest records, evaluated there. Pure.

A record held until the next one comes is late by half a period on average; a line is not. Over the last
four records, or over a cycle of the robot where that holds more, its value at the end has 0.7 of a record's
variance at four records and 4/n at many; half a period beyond the newest 1.1 (least squares).
"""

from collections import deque

import numpy as np

from drivers.sensor.stream import StampedRecord
from hil.common.arrays import Array

RECORDS = 4  # least number of periods that the line spans
REACH = 1.5  # periods beyond the newest record that it is believed for


class ReadingWindow:
    """Keeps the newest records."""

    def __init__(self, period: float, cycle: float) -> None:
        """Look at records `period` apart every `cycle` [s]."""
        self._span_ns = round(1e9 * max((RECORDS - 0.5) * period, cycle))
        self._reach_ns = round(1e9 * REACH * period)
        # a heap of packets that came late is read one by one
        self._newest: deque[StampedRecord] = deque(maxlen=int(4 * self._span_ns * 1e-9 / period) + 64)

    def clear(self) -> None:
        """Forget all: what comes is of another stream."""
        self._newest.clear()

    def add(self, stamped: StampedRecord) -> None:
        """Take a record, newer than all before."""
        self._newest.append(stamped)

    def at(self, t_ns: int) -> Array | None:
        """Return the counts at `t_ns`, shape (6,); None if there is no record yet."""
        picked = self._around(t_ns)
        if not picked:
            return None
        at_ns = min(t_ns, picked[0].t_ns + self._reach_ns)  # the newest comes first
        total = [0.0] * 6
        for weight, stamped in zip(_weights([1e-9 * (s.t_ns - at_ns) for s in picked]), picked, strict=True):
            for i, count in enumerate(stamped.record.counts):
                total[i] += weight * count
        return np.array(total)

    def _around(self, t_ns: int) -> list[StampedRecord]:
        """Return the records of a span up to `t_ns`, with the first one beyond, newest first."""
        picked: list[StampedRecord] = []
        for stamped in reversed(self._newest):
            if stamped.t_ns > t_ns:
                picked = [stamped]  # of those beyond only the nearest counts
                continue
            if len(picked) >= 2 and stamped.t_ns < t_ns - self._span_ns:
                break
            picked.append(stamped)
        return picked


def _weights(times: list[float]) -> list[float]:
    """Return the weights of values at `times` [s] in the value at zero of the line of least squares."""
    n = len(times)
    mean = sum(times) / n
    spread = sum((t - mean) ** 2 for t in times)
    if spread <= 0.0:
        return [1.0 / n] * n
    return [1.0 / n - mean * (t - mean) / spread for t in times]
