"""The clock of a run: monotonic time, less what an emulated robot has waited for a busy machine.

All processes of a run read one clock. With a real robot, or a strict emulation, it is the monotonic clock
itself. A patient emulation releases time bit by bit: it says up to which instant the others may go on, and
beyond that instant the clock stands until more is released. Whoever releases may be held up itself; then
time stands for everybody, and nobody has missed anything.

    t(h) = min(h - w, e)              while less than the patience P is over since the clock stood,
    t(h) = max(min(h - w, e), h - w - P)   in general,

with host time h, the waits w so far, and the end e of what has been released. It never runs backwards, and
after P it goes on whatever happens: a robot that is dead holds up nobody for ever.
"""

import mmap
import os
import time
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path

from hil.common.clock import NS

PATIENCE_NS = 5 * NS  # the longest wait: beyond it a process is not slow, it hangs
FILE = "clock"  # in the run-time directory
FREE = 0  # nothing is released bit by bit: time goes on
SIZE = 4096  # [bytes] of the page


class Mark(IntEnum):
    """What processes tell of how far they have come, an instant each; 0: nobody needs to wait for it."""

    TURNED = 0  # the simulation's last turn
    PREDICTED = 1  # its newest prediction that wants a plan
    PLANNED = 2  # the newest plan that the driver has
    ORDERED = 3  # the newest order that the driver has
    HEARD = 4  # since when, at the latest, the daemon has heard of all that it watches
    CARRIED = 5  # when the emulated vehicle said the newest pose that the driver has


TOLD_BY = {
    "sim": (Mark.TURNED, Mark.PREDICTED),
    "planner": (Mark.PREDICTED,),  # who has died answers no prediction
    "driver": (Mark.PLANNED, Mark.ORDERED, Mark.CARRIED),
    "daemon": (Mark.HEARD,),
    "vehicle": (Mark.CARRIED,),
}
SLOTS, MARKS = 1, 5  # places in the page, in words: behind the generation two pairs, then the marks


def time_at(host_ns: int, waited_ns: int, end_ns: int) -> int:
    """Return the run's time at an instant of the host.

    Args:
        host_ns: monotonic.
        waited_ns: all waits that are over.
        end_ns: up to which time has been released; `FREE`: for ever.
    """
    t_ns = host_ns - waited_ns
    return t_ns if end_ns == FREE or t_ns <= end_ns else max(end_ns, t_ns - PATIENCE_NS)


class RunClock:
    """The monotonic clock: nobody waits for anybody, and no mark is read."""

    now_ns: Callable[[], int] = staticmethod(time.monotonic_ns)

    def mark(self, mark: Mark, t_ns: int) -> None:
        """Tell how far this process has come."""

    def ended(self, process: str) -> None:
        """A process has ended, so nobody waits for it."""

    @property
    def waited_ns(self) -> int:
        """For how long time has stood so far, a wait that goes on included."""
        return 0


class SharedClock(RunClock):
    """The clock of a run whose emulated robot is patient, in a page of memory that its processes share.

    Two runs that one emulation serves have one clock, and a seat of marks each.

    No two instants that one process reads are equal: messages are named by them.
    """

    def __init__(self, directory: Path, new: bool = False, seat: int = 0) -> None:
        """Open the clock of a run-time directory; `new` makes one, on which time goes on freely.

        `seat`: of the marks of this run.
        """
        path = directory / FILE
        if new:
            beside = path.with_suffix(".new")
            beside.write_bytes(bytes(SIZE))
            os.replace(beside, path)
        with path.open("r+b") as file:
            self._words = memoryview(mmap.mmap(file.fileno(), SIZE)).cast("q")
        self._marks = MARKS + seat * len(Mark)
        self._last_ns = 0
        self.now_ns = self._now_ns

    def _now_ns(self) -> int:
        waited_ns, end_ns = self.released()
        self._last_ns = max(self._last_ns + 1, time_at(time.monotonic_ns(), waited_ns, end_ns))
        return self._last_ns

    def released(self) -> tuple[int, int]:
        """Return the waits that are over, and up to which instant time has been released [ns]."""
        words = self._words
        while True:
            generation = words[0]
            place = SLOTS + 2 * (generation & 1)
            pair = words[place], words[place + 1]
            if words[0] == generation:  # else it was overwritten meanwhile, by one who has gone on since
                return pair

    def release(self, waited_ns: int, end_ns: int) -> None:
        """Say how long was waited so far, and up to which instant all may go on; one process does."""
        words = self._words
        generation = words[0] + 1
        place = SLOTS + 2 * (generation & 1)  # the pair that nobody reads at the moment
        words[place], words[place + 1] = waited_ns, end_ns
        words[0] = generation

    def mark(self, mark: Mark, t_ns: int) -> None:
        """Tell how far this process has come."""
        self._words[self._marks + mark] = t_ns

    def marks(self, seat: int = 0) -> list[int]:
        """Return all marks of a seat, in the order of `Mark`."""
        first = MARKS + seat * len(Mark)
        return self._words[first : first + len(Mark)].tolist()

    def ended(self, process: str) -> None:
        """A process has ended, so nobody waits for it; without the emulated robot time goes on."""
        for mark in TOLD_BY.get(process, ()):
            self.mark(mark, 0)
        if process == "emulator":
            self.free()

    def free(self) -> None:
        """Let time go on from where it is."""
        self.release(self.waited_ns, FREE)

    @property
    def waited_ns(self) -> int:
        """For how long time has stood so far, a wait that goes on included."""
        waited_ns, end_ns = self.released()
        host_ns = time.monotonic_ns()
        return host_ns - time_at(host_ns, waited_ns, end_ns)
