"""How far the other host's monotonic clock is ahead of ours, from exchanges of four instants. Pure.

A question leaves here at `asked`, is heard there at `heard`; the answer leaves there at `answered` and is
back here at `back`. No message arrives before it was sent. So, however different the two ways are,

    answered - back  <=  other clock - our clock  <=  heard - asked

up to what the clocks have drifted apart since. The true offset lies between the highest lower and the
lowest upper bound of a window of exchanges. We take the middle, and half the distance as the uncertainty:
a slow exchange (an outlier) bounds nothing and does no harm.
"""

import math
from collections import deque
from dataclasses import dataclass

# the most that two disciplined clocks drift apart, each being slewed by at most 500 ppm
DRIFT = 1e-3
WINDOW = 100


@dataclass(frozen=True)
class Estimate:
    """Other clock minus our clock, within +- uncertainty; and the shortest round trip [all ns]."""

    offset_ns: int
    uncertainty_ns: int
    round_trip_ns: int


@dataclass(frozen=True)
class _Exchange:
    asked_ns: int
    lower_ns: int
    upper_ns: int


class ClockOffset:
    """Keeps the newest exchanges and what they say together."""

    def __init__(self, drift: float = DRIFT, window: int = WINDOW) -> None:
        self._drift = drift
        self._exchanges: deque[_Exchange] = deque(maxlen=window)
        self._bounds_ns = (0.0, 0.0)  # of the offset at the newest exchange
        self._newest_ns = self._shortest_ns = 0

    def __len__(self) -> int:
        """Return how many exchanges the estimate rests on."""
        return len(self._exchanges)

    def add(self, asked_ns: int, heard_ns: int, answered_ns: int, back_ns: int) -> bool:
        """Take note of an exchange; asked and back in our clock, heard and answered in the other's.

        Returns:
            Whether it agrees with the ones before. If not, one of the clocks has jumped or stood still: the
            earlier exchanges are forgotten.
        """
        exchange = _Exchange(asked_ns, answered_ns - back_ns, heard_ns - asked_ns)
        if exchange.lower_ns > exchange.upper_ns:
            return False  # faster than nothing: not of this world
        self._exchanges.append(exchange)
        agrees = self._combine(back_ns)
        if not agrees:
            self._exchanges.clear()
            self._exchanges.append(exchange)
            self._combine(back_ns)
        return agrees

    def estimate(self, now_ns: int) -> Estimate | None:
        """Return the offset as it is known now (our clock); None before the first exchange."""
        if not self._exchanges:
            return None
        lower, upper = self._bounds_ns
        half = (upper - lower) / 2 + self._drift * (now_ns - self._newest_ns)
        return Estimate(round((lower + upper) / 2), math.ceil(half), self._shortest_ns)

    def _combine(self, now_ns: int) -> bool:
        """Find the tightest bounds of the offset at `now_ns`; return whether anything lies between."""
        drift = self._drift
        lower = max(item.lower_ns - drift * (now_ns - item.asked_ns) for item in self._exchanges)
        upper = min(item.upper_ns + drift * (now_ns - item.asked_ns) for item in self._exchanges)
        self._bounds_ns, self._newest_ns = (lower, upper), now_ns
        self._shortest_ns = min(item.upper_ns - item.lower_ns for item in self._exchanges)
        return lower <= upper
