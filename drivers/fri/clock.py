"""The robot's clock: its packet counter, unwrapped, times the sample time, mapped to host time.

The controller's own time stamp is a 32-bit float and loses resolution within hours. The counter does
not. How both clocks lie to each other is learned from the arrivals (`drivers.fri.host_time`).
"""

from enum import Enum

from drivers.fri.host_time import HostTime
from drivers.fri.layout import SEQUENCE_MODULUS

REORDER_WINDOW = 128  # packets, at 1 ms thus 0.13 s of delay; anything older is another stream
LONGEST_GAP_NS = 10_000_000_000  # after a longer silence the stream counts as new
GAP_SLACK = 64  # packets by which a jump of the counter may exceed what the elapsed time explains


class Order(Enum):
    """How a packet stands to those before it."""

    NEXT = "next"
    DUPLICATE = "duplicate"
    LATE = "late"
    NEW_STREAM = "new stream"


class FriClock:
    """Unwraps the counter, counts lost packets and stamps samples with host time.

    Attributes:
        lost: packets that never came.
        steady: the object floats: no stamp steps by more than `host_time.STEADY_NS` beyond the sample time.
        gap: time has jumped, or begins to be corrected, before the newest packet in order.
    """

    def __init__(self, sample_time: float, modulus: int = SEQUENCE_MODULUS) -> None:
        """Start without a stream.

        Args:
            sample_time: the controller's [s].
            modulus: at which its counter begins anew.
        """
        self._period_ns, self._modulus = round(sample_time * 1e9), modulus
        self._count = -1  # unwrapped; negative: no packet yet
        self._sequence = 0
        self._arrival_ns = 0
        self._host = HostTime()
        self.lost = 0
        self.steady = self.gap = False

    @property
    def count(self) -> int:
        """The unwrapped counter of the newest packet, from 0 at the stream's first."""
        return self._count

    @property
    def host(self) -> HostTime:
        """Where the robot's time lies in the host's."""
        return self._host

    def receive(self, sequence: int, t_ns: int) -> Order:
        """Take a packet's counter and its arrival time [ns]; say how it stands to those before."""
        if self._count < 0:
            return self._begin(sequence, t_ns)
        step = (sequence - self._sequence) % self._modulus
        elapsed_ns = max(0, t_ns - self._arrival_ns)  # a host's clock that steps back is no new stream
        if elapsed_ns > LONGEST_GAP_NS:
            return self._begin(sequence, t_ns)
        if step == 0:
            return Order.DUPLICATE
        if step >= self._modulus - REORDER_WINDOW:
            return Order.LATE
        if (step - GAP_SLACK) * self._period_ns > 2 * elapsed_ns:
            return self._begin(sequence, t_ns)
        self.lost += step - 1
        self._count += step
        self._sequence = sequence
        heaped, taken_ns = 2 * elapsed_ns < self._period_ns, self._count * self._period_ns
        self.gap = self._host.follow(t_ns, taken_ns, step * self._period_ns, heaped, self.steady)
        self._arrival_ns = t_ns
        return Order.NEXT

    def stamp_ns(self) -> int:
        """Return the host time [ns] at which the newest packet's sample was taken, as well as known."""
        return self._count * self._period_ns + self._host.offset_ns

    def _begin(self, sequence: int, t_ns: int) -> Order:
        self.gap = self._count >= 0
        self._count, self._sequence, self._arrival_ns = 0, sequence, t_ns
        self._host.begin(t_ns)
        return Order.NEW_STREAM
