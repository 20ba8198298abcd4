"""How often a sensor's records really come: its clock counts by the configured rate, which need not be true.

As for the robot's packets (`drivers.fri.cadence`), but ten times as exact: an Axia that is set to 1000 sends
976 a second, and a stamp that counts by 1000 runs away by a millisecond every 41.
"""

WINDOW_NS = 1_000_000_000
TOLERANCE = 0.0025  # two clocks of 500 ppm each, and a millisecond of a window's least lateness


class Pace:
    """Measures the records a second of one stream.

    Attributes:
        measured: records a second; 0 until it is known.
    """

    def __init__(self, rate: float) -> None:
        """Measure against the configured `rate` [1/s]."""
        self._rate, self._period_ns = rate, 1e9 / rate
        self.begin()

    def begin(self) -> None:
        """Begin anew with another stream."""
        self.measured = 0.0
        self._first_ns: int | None = None
        self._least_ns = 0.0
        self._before: tuple[int, float] | None = None

    def take(self, count: int, arrival_ns: int) -> None:
        """Take a record in order: its unwrapped number, and when it came."""
        late_ns = arrival_ns - count * self._period_ns
        if self._first_ns is None:
            self._first_ns, self._least_ns = arrival_ns, late_ns
        elif arrival_ns - self._first_ns >= WINDOW_NS:
            self._close(self._first_ns)
            self._first_ns, self._least_ns = arrival_ns, late_ns
        self._least_ns = min(self._least_ns, late_ns)

    @property
    def trouble(self) -> str:
        """Why the stream's clock cannot be counted by, in words; empty if it can, or is not known yet."""
        if not self.measured or abs(self.measured / self._rate - 1.0) <= TOLERANCE:
            return ""
        return (
            f"the force sensor sends {self.measured:.1f} records a second, sensor.rate_hz = {self._rate:g}: "
            "change the key, or the rate on the sensor's page"
        )

    def _close(self, first_ns: int) -> None:
        if self._before is not None:
            begin_ns, least_ns = self._before
            slope = (self._least_ns - least_ns) / (first_ns - begin_ns)
            self.measured = self._rate * max(1.0 - slope, 0.0)
        self._before = first_ns, self._least_ns
