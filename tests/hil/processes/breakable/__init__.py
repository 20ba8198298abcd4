"""The program, but with processes that break when a hazard test asks them to by a signal."""

import signal

UNSENT = 10  # answers in a row
HELD_S = 0.1  # of a turn of the daemon
MODULES = {name: f"{__name__}.{name}" for name in ("driver", "emulator")}


class Asked:
    """Whether the signal has come."""

    def __init__(self, number: signal.Signals) -> None:
        self.now = False
        signal.signal(number, self._come)

    def _come(self, *_: object) -> None:
        self.now = True
