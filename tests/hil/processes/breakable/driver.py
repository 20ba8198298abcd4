"""The driver: from SIGUSR1 on whatever follows its answers fails; on SIGUSR2 some answers cannot be sent."""

import errno
import os
import signal
import socket
import sys
from typing import Any

from hil.processes.context import run_process
from hil.processes.mains.driver import Answered, Shell, body
from tests.hil.processes.breakable import UNSENT, Asked

broken, unplugged = Asked(signal.SIGUSR1), Asked(signal.SIGUSR2)
answer, tell = Shell.answer, Shell.tell


class Unplugged:
    """A socket from which some datagrams do not leave."""

    def __init__(self, plain: socket.socket) -> None:
        self._plain, self._left = plain, UNSENT

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plain, name)

    def sendto(self, *arguments: Any) -> int:
        """Fail as without a route, then no longer."""
        if not self._left:
            return self._plain.sendto(*arguments)
        self._left -= 1
        raise OSError(errno.ENETUNREACH, os.strerror(errno.ENETUNREACH))


def breakable_answer(self: Shell, leaving: bool) -> Answered | None:
    """Be unplugged if asked to."""
    if unplugged.now:
        unplugged.now = False
        self.client._socket = Unplugged(self.client._socket)  # type: ignore[assignment]
    return answer(self, leaving)


def breakable_tell(self: Shell, turn: Answered) -> None:
    """Fail if asked to, when everything has been told."""
    tell(self, turn)
    if broken.now:
        raise RuntimeError("broken on purpose")


if __name__ == "__main__":
    Shell.answer, Shell.tell = breakable_answer, breakable_tell  # type: ignore[method-assign]
    sys.exit(run_process("driver", body))
