"""Monotonic time, and a ticker with absolute deadlines that skips and counts what it missed."""

import time
from collections.abc import Callable
from dataclasses import dataclass

NS = 1_000_000_000


def seconds(ns: int) -> float:
    """Return nanoseconds as seconds."""
    return ns * 1e-9


def nanoseconds(s: float) -> int:
    """Return seconds as the nearest whole nanosecond."""
    return round(s * 1e9)


@dataclass(frozen=True)
class Tick:
    """One turn of a loop: its index, whole periods skipped before it, time left until it was due [s]."""

    index: int
    skipped: int
    slack: float
    deadline_ns: int


class Ticker:
    """Absolute schedule: never a burst after a stall; missed periods are skipped and counted."""

    def __init__(
        self,
        period_ns: int,
        now: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._period, self._now, self._sleep = period_ns, now, sleep
        self._deadline = now() + period_ns
        self._index = 0
        self.skipped = 0

    def remaining_ns(self) -> int:
        """Return the time until the next deadline, not below zero."""
        return max(0, self._deadline - self._now())

    def wait(self) -> Tick:
        """Sleep until the next deadline and return its tick."""
        now = self._now()
        slack = (self._deadline - now) * 1e-9
        while now < self._deadline:  # a clock may have stood meanwhile
            self._sleep((self._deadline - now) * 1e-9)
            now = self._now()
        late_periods = max(0, (now - self._deadline) // self._period)
        tick = Tick(
            self._index + late_periods, late_periods, slack, self._deadline + late_periods * self._period
        )
        self._index = tick.index + 1
        self._deadline = tick.deadline_ns + self._period
        self.skipped += late_periods
        return tick
