"""A force sensor's records as the driver's core consumed them, for running it again."""

from collections.abc import Sequence

import numpy as np

from drivers.sensor.rdt import SensorRecord
from hil.messaging.sensor_messages import SensorInputs

BLOCK_NS = 100_000_000  # of records in a block
MOST_ROWS = 1000


class SensorInputLog:
    """Rows of the present block."""

    def __init__(self, process: int) -> None:
        self._process, self._start = process, 0
        self._rows: list[tuple[int, ...]] = []

    def add(self, taken: int, records: Sequence[SensorRecord]) -> SensorInputs | None:
        """Take the records of one turn; return the block that they complete.

        Args:
            taken: samples that the core had taken before it was given them.
            records: oldest first.
        """
        for r in records:
            self._rows.append((taken, r.arrival_ns, r.sequence, r.measurement, r.status, *r.counts))
        full = len(self._rows) >= MOST_ROWS
        over = bool(self._rows) and self._rows[-1][1] - self._rows[0][1] >= BLOCK_NS
        return self.rest() if full or over else None

    def rest(self) -> SensorInputs | None:
        """Return what has not been told yet, if anything."""
        if not self._rows:
            return None
        rows = np.array(self._rows, np.int64)
        block = SensorInputs(int(rows[-1, 1]), self._process, self._start, rows)
        self._start += len(rows)
        self._rows = []
        return block


def record_of(row: Sequence[int]) -> SensorRecord:
    """Return the record that a row tells of."""
    _, arrival_ns, sequence, measurement, status, *counts = row
    return SensorRecord(arrival_ns, sequence, measurement, status, tuple(counts))
