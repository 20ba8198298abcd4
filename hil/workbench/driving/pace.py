"""How fast a session goes: by absolute deadlines of a clock, or as fast as it can. Time is given to it.

A late command is not caught up by a burst: the missed time is skipped, and told as lateness.
"""

from collections.abc import Callable

import numpy as np

from hil.common.clock import nanoseconds

BIN, BINS = 1e-5, 10_000  # [s] of lateness that count as one, and how many of them are told apart


class Pace:
    """Paces a loop, and knows how it went.

    Attributes:
        late_s: by how much the newest command began late.
        worst_s: the same, the worst of all.
        missed: commands that began late by more than a whole period.
    """

    def __init__(
        self,
        period: float,
        real_time: bool,
        now: Callable[[], int],
        sleep: Callable[[float], None],
    ) -> None:
        """Begin now.

        Args:
            period: of a command [s].
            real_time: wait for deadlines.
            now: monotonic clock [ns].
            sleep: for so many seconds.
        """
        self._period, self._real_time = nanoseconds(period), real_time
        self._now, self._sleep = now, sleep
        self._begin = self._deadline = now()
        self.late_s = self.worst_s = 0.0
        self._late = np.zeros(BINS, dtype=np.int64)  # commands by their lateness, in constant memory
        self.missed = self._commands = 0

    def wait(self) -> None:
        """Wait until the next command is due."""
        self._commands += 1
        if not self._real_time:
            return
        self._deadline += self._period
        while (left := self._deadline - self._now()) > 0:
            self._sleep(1e-9 * left)
        self.late_s = -1e-9 * left
        self.worst_s = max(self.worst_s, self.late_s)
        self._late[min(int(self.late_s / BIN), BINS - 1)] += 1
        if -left >= self._period:
            self.missed += 1
            self._deadline += -left // self._period * self._period

    def late_within(self, share: float) -> float:
        """Return the lateness that a share of all commands kept within [s], to 10 us, 0.1 s at most."""
        below = np.cumsum(self._late)
        return BIN * float(np.searchsorted(below, share * below[-1]) + 1) if below[-1] else 0.0

    @property
    def factor(self) -> float:
        """Simulated time over time gone, since the beginning."""
        gone = self._now() - self._begin
        return self._commands * self._period / gone if gone > 0 else 0.0
