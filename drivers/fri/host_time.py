"""The controller's time in host time: an offset and a rate, learned from arrivals, which only ever come late.

The offset is the lower envelope of `arrival - counter * sample time`. It is followed slowly, to leave the
stamps smooth: an earlier arrival pulls it down, and it grows by what the last window of packets has shown it
to lack. Its slope in most of the last windows is the rate by which both clocks differ, and goes ahead of it.

What no drift explains anchors it anew: the controller has paused, or one of the clocks has stepped.
"""

from collections import deque

SHRINK_DIVISOR = 100  # an earlier arrival pulls the offset down by at most 1 % of the time passed,
SETTLING_DIVISOR = 4  # and by up to 25 % while the stream is young (its first packet may have waited),
SETTLING_NS = (
    1_000_000_000  # or by all of it where packets come in a heap, which proves that they have waited
)
WINDOW_NS = 500_000_000  # of the controller's time, over which the least lateness is looked for
WINDOWS = 8  # whose slopes make the rate: the mean without the quarter of the steepest either way,
LEAST_WINDOWS = 3  # and the least for it
LEAST_GROWTH, MOST_GROWTH = 2e-5, 1e-3  # what the offset grows by: what it lacks, within one window
MOST_RATE = 2e-3  # two clocks of 500 ppm each, one of them slewed by another 500: far within
ANCHOR_NS = 2_000_000  # what lies further from the arrivals is anchored anew:
PROOF_NS = 100_000_000  # behind them only if every packet has been so late for so long (bursts are shorter),
BACK_DIVISOR = 2  # ahead of them at once, by half of the time passed at most: stamps never go back
STEADY_NS = 200_000  # the most that a stamp steps beyond the sample time while the object floats
NEVER = 2**62


class HostTime:
    """Where the controller's time lies in the host's.

    Attributes:
        offset_ns: host time of the counter's zero, by the newest packet.
        rate: by how much the controller's second is longer than the host's.
    """

    def __init__(self) -> None:
        """Begin at zero; `begin` comes with the first packet."""
        self.begin(0)

    def begin(self, arrival_ns: int) -> None:
        """Begin anew with a stream whose first packet came at `arrival_ns`."""
        self.offset_ns, self.rate = arrival_ns, 0.0
        self._passed_ns, self._window_ns = 0, WINDOW_NS
        self._least_ns = NEVER  # lateness in this window
        self._growth = LEAST_GROWTH
        self._slopes: deque[float] = deque(maxlen=WINDOWS)
        self._mark: tuple[int, int] | None = None  # offset without anchors at the last window's end, and when
        self._anchored_ns = 0  # sum of what anchors have moved
        self._late_since_ns = 0  # arrival of the first of the packets in a row that were too late,
        self._late_ns = NEVER  # and the least of their lateness
        self._owed_ns = 0  # by which the offset is being anchored later
        self._ahead = False  # it is being anchored earlier

    def follow(self, arrival_ns: int, taken_ns: int, passed_ns: int, heaped: bool, steady: bool) -> bool:
        """Take the arrival of a packet in order.

        Args:
            arrival_ns: its arrival, host time.
            taken_ns: the controller's time of its sample, from the counter's zero.
            passed_ns: the controller's time since the packet before.
            heaped: it came hard on the heels of the one before.
            steady: the object floats: no stamp may step.

        Returns:
            Whether the clock begins to be anchored anew with this packet: time has a gap before it.
        """
        self._passed_ns += passed_ns
        drift_ns = round(self.rate * passed_ns)
        late_ns = arrival_ns - taken_ns - self.offset_ns - drift_ns
        gap = self._gap(arrival_ns, late_ns)
        change = drift_ns + self._correction(late_ns, passed_ns, heaped)
        if steady:
            change = max(-STEADY_NS, min(change, STEADY_NS))
        self.offset_ns += change
        if self._owed_ns or self._ahead:
            self._anchored_ns += change - drift_ns
            self._owed_ns = max(0, self._owed_ns - max(0, change - drift_ns))
        else:
            self._least_ns = min(self._least_ns, late_ns)
        if self._passed_ns >= self._window_ns:
            self._end_window()
        return gap

    def _gap(self, arrival_ns: int, late_ns: int) -> bool:
        """Judge a packet's lateness; return whether it is the one that proves that the anchor has slipped."""
        before, self._ahead = self._ahead, late_ns < -ANCHOR_NS
        if self._owed_ns:
            self._owed_ns = max(0, min(self._owed_ns, late_ns))
        elif late_ns <= ANCHOR_NS:
            self._late_ns = NEVER
        else:
            if self._late_ns == NEVER:
                self._late_since_ns = arrival_ns
            self._late_ns = min(self._late_ns, late_ns)
            if arrival_ns - self._late_since_ns >= PROOF_NS:
                self._owed_ns, self._late_ns = self._late_ns, NEVER
                return True
        return self._ahead and not before

    def _correction(self, late_ns: int, passed_ns: int, heaped: bool) -> int:
        """Return by how much to move the offset for a packet that came `late_ns` after its stamp."""
        if self._owed_ns:
            return self._owed_ns
        if late_ns >= 0:
            return min(late_ns, int(self._growth * passed_ns))
        divisor = BACK_DIVISOR if self._ahead else SHRINK_DIVISOR
        if self._passed_ns < SETTLING_NS:
            divisor = 1 if heaped else min(divisor, SETTLING_DIVISOR)
        return max(late_ns, 1 - passed_ns, -passed_ns // divisor)  # no two stamps are the same

    def _end_window(self) -> None:
        """Learn from a window what the offset lacks, and from the last ones the rate."""
        self._window_ns = self._passed_ns + WINDOW_NS
        lacks = 0.0 if self._least_ns == NEVER else self._least_ns / WINDOW_NS
        self._growth, self._least_ns = max(LEAST_GROWTH, min(lacks, MOST_GROWTH)), NEVER
        if self._passed_ns < SETTLING_NS:
            return
        before, self._mark = self._mark, (self.offset_ns - self._anchored_ns, self._passed_ns)
        if before is not None:
            self._slopes.append((self._mark[0] - before[0]) / (self._mark[1] - before[1]))
        if len(self._slopes) >= LEAST_WINDOWS:
            steep = len(self._slopes) // 4
            middle = sorted(self._slopes)[steep : len(self._slopes) - steep]
            self.rate = max(-MOST_RATE, min(sum(middle) / len(middle), MOST_RATE))
