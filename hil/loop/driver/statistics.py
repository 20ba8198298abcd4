"""What the driver's shell measures of itself: cycles, misses, compute time and sample to command."""

from dataclasses import replace

import numpy as np

from hil.common.arrays import Array
from hil.loop.driver.cycle import Counters

WINDOW = 5000  # cycles over which medians are taken
REFRESH_NS = 1_000_000_000


class DriverStatistics:
    """Rings of the newest cycle times; adding one costs a microsecond, medians once a second."""

    def __init__(self) -> None:
        self._compute = np.zeros(WINDOW)
        self._sample_to_command = np.zeros(WINDOW)
        self.cycles = 0
        self._missed = 0
        self._ring = np.zeros(WINDOW)
        self._rings = 0
        self._missed_before: int | None = None
        self._counters = Counters()
        self._next_ns = 0

    def add(self, begin_ns: int, sample_ns: int, end_ns: int, missed_answers: int, late: int) -> None:
        """Count one cycle.

        Args:
            begin_ns: when the cycle's work began.
            sample_ns: when the robot took the sample.
            end_ns: when its answer had been sent.
            missed_answers: what the controller counts.
            late: packets that were answered without a computation, because a newer one had come.
        """
        slot = self.cycles % WINDOW
        self._compute[slot] = (end_ns - begin_ns) * 1e-9
        self._sample_to_command[slot] = (end_ns - sample_ns) * 1e-9
        self.cycles += 1 + late
        if self._missed_before is None:
            self._missed_before = missed_answers  # from before this process answered
        self._missed = missed_answers - self._missed_before

    def ring(self, durations: list[float]) -> None:
        """Note how long slices took round the ring, until a plan contained them [s]."""
        for duration in durations:
            self._ring[self._rings % WINDOW] = duration
            self._rings += 1

    def counters(self, now_ns: int, unsent: int = 0, unsent_reason: str = "") -> Counters:
        """Return the counts; medians are taken anew once a second.

        Args:
            now_ns: now.
            unsent: answers that could not be sent.
            unsent_reason: why the last one could not, if it was one of them.
        """
        if now_ns >= self._next_ns:
            self._next_ns = now_ns + REFRESH_NS
            self._counters = Counters(
                cycles=self.cycles,
                missed=self._missed,
                cycle_p50=_median(self._compute, self.cycles),
                sample_to_command_p50=_median(self._sample_to_command, self.cycles),
                ring_p50=_median(self._ring, self._rings),
            )
        if (unsent, unsent_reason) != (self._counters.unsent, self._counters.unsent_reason):
            self._counters = replace(self._counters, unsent=unsent, unsent_reason=unsent_reason)
        return self._counters


def _median(values: Array, count: int) -> float:
    return float(np.median(values[: min(count, WINDOW)])) if count else 0.0
