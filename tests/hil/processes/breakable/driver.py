"""The driver: from SIGUSR1 on whatever follows its answers fails."""

import signal
import sys

from hil.processes.context import run_process
from hil.processes.mains.driver import Answered, Shell, body
from tests.hil.processes.breakable import Asked

broken = Asked(signal.SIGUSR1)
tell = Shell.tell


def breakable_tell(self: Shell, turn: Answered) -> None:
    """Fail if asked to, when everything has been told."""
    tell(self, turn)
    if broken.now:
        raise RuntimeError("broken on purpose")


if __name__ == "__main__":
    Shell.tell = breakable_tell  # type: ignore[method-assign]
    sys.exit(run_process("driver", body))
