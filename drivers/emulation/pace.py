"""What paces the emulated controller: monotonic time, or a time that waits for a busy machine."""

import time
from collections.abc import Callable

from drivers.emulation.patience import Patience
from drivers.emulation.waits import WaitLog
from hil.common.clock import nanoseconds
from hil.common.run_clock import RunClock, SharedClock, time_at
from hil.messaging.messages import Wait

# By how much a packet may be late before time stands: no kernel wakes at the nanosecond, and a busy one some
# milliseconds late. What is late is made good in a burst, answer by answer. The others' time is ahead of the
# robot's by as much, which must stay below the driver's look-ahead: no plan may begin after what it looks at.
SLACK = 0.006  # [s]


class Pace:
    """A strict emulation: time goes on whatever the others do.

    Attributes:
        slack: by how much a packet may be late before its cycle has been missed, beside a cycle [s].
    """

    slack = 0.0

    def __init__(self) -> None:
        self._clock = RunClock()

    @property
    def now_ns(self) -> Callable[[], int]:
        """Reads the clock of the run [ns]."""
        return self._clock.now_ns

    def now(self) -> float:
        """Return the run's time [s]."""
        return self.now_ns() * 1e-9

    def release(self, end: float) -> None:
        """Let the others go on through the cycle that ends at `end` [s]."""

    def holds(self, *unanswered: bool) -> bool:
        """Return whether the next cycle must wait.

        Args:
            unanswered: a packet has left and no answer to it has come, of each controller.
        """
        return False

    def waits(self) -> list[Wait]:
        """Return the waits that have ended since the last call."""
        return []

    def end(self) -> None:
        """Let time go on without an emulated robot."""


class PatientPace(Pace):
    """A patient emulation: a cycle begins when nobody owes anything, and time stands until it does."""

    slack = SLACK

    def __init__(
        self,
        clock: SharedClock,
        host_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Pace an emulation on the clock that the processes share."""
        self._shared = self._clock = clock
        self._host_ns = host_ns
        self._patiences, self._log = (Patience(), Patience()), WaitLog()  # a seat each
        self._for = ""  # whom the present cycle waits for

    def release(self, end: float) -> None:
        """Let the others go on through the cycle that ends at `end` [s]; note how long time has stood."""
        waited_ns, released_ns = self._shared.released()
        host_ns = self._host_ns()
        t_ns = time_at(host_ns, waited_ns, released_ns)
        stood_ns = host_ns - waited_ns - t_ns
        self._shared.release(waited_ns + stood_ns, nanoseconds(end + self.slack))
        self._log.stood(t_ns, stood_ns, self._for or "emulator", waited_ns + stood_ns)
        self._for = ""

    def holds(self, *unanswered: bool) -> bool:
        """Return whether the next cycle must wait, for a process that owes an answer, a turn or a plan."""
        host_ns, t_ns = self._host_ns(), self.now_ns()
        owing = ""
        for seat, (patience, lacks) in enumerate(zip(self._patiences, unanswered, strict=False)):
            owed = patience.waits_for(host_ns, t_ns, self._shared.marks(seat), lacks)
            owing = owing or owed
        self._for = self._for or owing
        return bool(owing)

    def waits(self) -> list[Wait]:
        """Return the waits that have ended since the last call."""
        return self._log.taken(self.now_ns())

    def end(self) -> None:
        """Let time go on without an emulated robot."""
        self._shared.free()
