"""Looks a recording through for what happened in it, a little at a time, while it is being shown."""

import time
from collections.abc import Callable

from hil.dashboard.showing.timeline import Timeline
from hil.messaging.messages import Contact, ImpulseSlice, Mode
from hil.recording.moments import Moments, decoded

TOLD_BY = ("/mode", "/impulse", "/contact")


class LookingThrough:
    """One pass over the chunks of a recording, which fills its line."""

    def __init__(self, moments: Moments, clock: Callable[[], float] = time.monotonic) -> None:
        """Prepare; `clock` [s] says when a turn has taken its time."""
        self._moments, self._clock, self._next = moments, clock, 0
        self.timeline = Timeline(moments.begin_ns, moments.end_ns, moments.begin_ns)

    @property
    def share(self) -> float:
        """How much of the recording was looked through."""
        return self._next / self._moments.chunks

    def turn(self, budget: float) -> None:
        """Look at the next chunks, at one at least, for about `budget` [s]."""
        end = self._clock() + budget
        while not self.timeline.complete:
            self._chunk(self._next)
            self._next += 1
            self.timeline.complete = self._next == self._moments.chunks
            if self._clock() >= end:
                break

    def _chunk(self, number: int) -> None:
        line, rows = self.timeline, self._moments.read(number, TOLD_BY)
        begin_ns, end_ns = self._moments.span(number)
        if number in self._moments.damaged:
            if line.begin_ns <= begin_ns <= end_ns <= line.end_ns:
                line.hole(begin_ns, end_ns)
            return
        if "/mode" in rows:
            told = (decoded("/mode", data) for data in rows["/mode"].data)
            line.orders(msg for msg in told if isinstance(msg, Mode))
        if "/impulse" in rows:
            told = (decoded("/impulse", data) for data in rows["/impulse"].data)
            line.pushes(msg for msg in told if isinstance(msg, ImpulseSlice))
        if "/contact" in rows:
            told = (decoded("/contact", data) for data in rows["/contact"].data)
            line.touches(msg for msg in told if isinstance(msg, Contact))
        line.known_ns = max(line.known_ns, end_ns)
