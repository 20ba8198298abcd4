"""A terminal that gives single characters, and is as it was before in every way out."""

import os
import select
import signal
import sys
import termios
import tty
from contextlib import suppress
from types import FrameType, TracebackType

from hil.common.errors import OperatorError

ENDING = (signal.SIGTERM, signal.SIGHUP)


class KeyTerminal:
    """Standard input, key by key; a context manager. Ctrl-C interrupts as ever."""

    def __init__(self, command: str) -> None:
        """Look whether there is a terminal.

        Args:
            command: that wants one, for messages.

        Raises:
            OperatorError: there is none.
        """
        self._command = command
        if not sys.stdin.isatty():
            raise OperatorError(
                f"{command} is refused without a terminal: somebody must hold a key down; no program may"
            )
        self._file = sys.stdin.fileno()

    def __enter__(self) -> "KeyTerminal":
        self._before = termios.tcgetattr(self._file)
        self._handlers = {number: signal.signal(number, _leave) for number in ENDING}
        tty.setcbreak(self._file, termios.TCSAFLUSH)  # what was typed before goes unheard
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(termios.error):  # the terminal may have gone
            termios.tcsetattr(self._file, termios.TCSAFLUSH, self._before)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def keys(self, timeout_s: float) -> str:
        """Return what has been typed, waiting for a first character at most so long.

        Raises:
            OperatorError: the terminal has gone.
        """
        if not select.select([self._file], [], [], timeout_s)[0]:
            return ""
        heard = os.read(self._file, 4096)
        if not heard:
            raise OperatorError(f"{self._command}: the terminal has gone")
        return heard.decode("ascii", "replace")

    def forget(self) -> None:
        """Throw away what has been typed and not been read."""
        termios.tcflush(self._file, termios.TCIFLUSH)


def _leave(number: int, frame: FrameType | None) -> None:
    """Leave all contexts, as an interrupt does."""
    sys.exit(128 + number)
