"""What signals ask of the daemon: to end, to read its configuration again, not to wait for the arm."""

import os
import signal

INTERRUPTS_TO_CUT_SHORT = 3


class Signals:
    """Takes note of signals; the loop looks at it.

    SIGINT and SIGTERM end the run, with the arm braked first; only a third SIGINT ends it without waiting
    for that. SIGHUP reloads, but from a terminal it means that the terminal has gone: then the run ends.
    """

    def __init__(self) -> None:
        self.ending = False
        self.reload = False
        self.interrupts = 0
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._end)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as under nohup
            signal.signal(signal.SIGHUP, self._end if os.isatty(0) else self._reload)

    @property
    def impatient(self) -> bool:
        """Whether the operator no longer wants to wait until the arm stands."""
        return self.interrupts >= INTERRUPTS_TO_CUT_SHORT

    def take_reload(self) -> bool:
        """Return whether a reload was asked for since the last call."""
        asked, self.reload = self.reload, False
        return asked

    def _end(self, number: int, _: object) -> None:
        self.ending = True
        self.interrupts += number == signal.SIGINT

    def _reload(self, *_: object) -> None:
        self.reload = True
