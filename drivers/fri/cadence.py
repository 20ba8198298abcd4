"""How often packets really come, by counters and arrivals: the sample time that they name need not be it.

An arrival is late, never early. So of each window of packets only the least lateness against the configured
sample time counts, and its slope from window to window tells the true one: a pause of this machine, or a
burst of the network, does not.
"""

WINDOW_NS = 250_000_000
LEAST_PACKETS = 10  # in a window
TOLERANCE = 0.05  # of the sample time; clocks differ by a thousandth of that
UNKNOWN = "how often its packets come is being measured"


class Cadence:
    """Measures the time between packets of one stream.

    Attributes:
        measured: the time from packet to packet [s]; 0 until it is known.
    """

    def __init__(self, sample_time: float) -> None:
        """Measure against the configured `sample_time` [s]."""
        self._period_ns, self._period = round(1e9 * sample_time), sample_time
        self.begin()

    def begin(self) -> None:
        """Begin anew with another stream."""
        self.measured = 0.0
        self._first_ns: int | None = None  # arrival of the window's first packet
        self._packets, self._least_ns = 0, 0
        self._before: tuple[int, int] | None = None  # beginning of the window before, and its least lateness

    def take(self, count: int, arrival_ns: int) -> None:
        """Take a packet in order: its unwrapped counter, and when it came."""
        late_ns = arrival_ns - count * self._period_ns
        if self._first_ns is None:
            self._first_ns, self._packets, self._least_ns = arrival_ns, 0, late_ns
        elif arrival_ns - self._first_ns >= WINDOW_NS and self._packets >= LEAST_PACKETS:
            self._close(self._first_ns)
            self._first_ns, self._packets, self._least_ns = arrival_ns, 0, late_ns
        self._packets += 1
        self._least_ns = min(self._least_ns, late_ns)

    @property
    def trouble(self) -> str:
        """Why the stream cannot be followed, in words; empty if it comes as configured."""
        if not self.measured:
            return UNKNOWN
        if abs(self.measured - self._period) <= TOLERANCE * self._period:
            return ""
        return (
            f"packets come every {1e3 * self.measured:.1f} ms, fri.sample_time_ms is {1e3 * self._period:g}: "
            "change the key or the argument of friOpen, or find what holds them up"
        )

    def _close(self, first_ns: int) -> None:
        if self._before is not None:
            begin_ns, least_ns = self._before
            slope = (self._least_ns - least_ns) / (first_ns - begin_ns)
            self.measured = self._period / max(1.0 - slope, TOLERANCE)
        self._before = first_ns, self._least_ns
