"""A sensor's stream: records in order, what is lost of it, and each one's instant in host time. Pure.

The sensor's clock is its record number times its period. How it lies to the host's is learned from the
arrivals as for the robot's packets (`drivers.fri.clock`): an offset, and a rate by which both drift apart.
"""

from collections import deque
from typing import NamedTuple

from drivers.fri.clock import FriClock, Order
from drivers.sensor.rdt import SEQUENCE_MODULUS, SensorRecord

JITTER_NS = 1_000_000_000  # over which the greatest lateness is kept


class StampedRecord(NamedTuple):
    """A record with the host time at which it was measured, as well as that is known."""

    t_ns: int
    record: SensorRecord


class RecordStream:
    """Orders and stamps the records of one sensor.

    Attributes:
        duplicates: records that came twice.
        late: records that newer ones had overtaken.
        restarts: times that numbers began anew.
        began_ns: arrival of the stream's first record; 0 before it.
        gap: time has jumped, or begins to be corrected, with the newest record.
    """

    def __init__(self, rate: float) -> None:
        """Expect records at `rate` [1/s]."""
        self.period = 1.0 / rate
        self._clock = FriClock(self.period, SEQUENCE_MODULUS)
        self._lateness: deque[tuple[int, int]] = deque()  # arrivals and latenesses, greatest first
        self.duplicates = self.late = self.restarts = 0
        self.began_ns = 0
        self.gap = False

    @property
    def lost(self) -> int:
        """Records that never came."""
        return self._clock.lost

    @property
    def count(self) -> int:
        """Number of the newest record, from 0 at the stream's first; negative before it."""
        return self._clock.count

    @property
    def offset_ns(self) -> int:
        """Host time of the stream's first record, as the newest one has it."""
        return self._clock.host.offset_ns

    @property
    def drift(self) -> float:
        """By how much the sensor's second is longer than the host's."""
        return self._clock.host.rate

    @property
    def jitter(self) -> float:
        """Greatest time by which a record of the last second came after its stamp [s]."""
        return 1e-9 * self._lateness[0][1] if self._lateness else 0.0

    def take(self, record: SensorRecord, steady: bool) -> StampedRecord | None:
        """Return a record with its stamp; None if it is not to be used: it came twice, or too late.

        Args:
            record: as it came.
            steady: the object floats: no stamp may step.
        """
        self._clock.steady = steady
        order = self._clock.receive(record.sequence, record.arrival_ns)
        if order is Order.DUPLICATE:
            self.duplicates += 1
            return None
        if order is Order.LATE:
            self.late += 1
            return None
        if order is Order.NEW_STREAM:
            self.restarts += self.began_ns > 0
            self.began_ns = record.arrival_ns
            self._lateness.clear()
        self.gap = self._clock.gap
        t_ns = self._clock.stamp_ns()
        self._note(record.arrival_ns, record.arrival_ns - t_ns)
        return StampedRecord(t_ns, record)

    def _note(self, arrival_ns: int, late_ns: int) -> None:
        while self._lateness and arrival_ns - self._lateness[0][0] > JITTER_NS:
            self._lateness.popleft()
        while self._lateness and self._lateness[-1][1] <= late_ns:
            self._lateness.pop()
        self._lateness.append((arrival_ns, late_ns))
