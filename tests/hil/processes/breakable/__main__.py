"""`python -m hil`: on SIGUSR1 the daemon's turns fail, from SIGUSR2 on no process is started again.

Until then they are started again however often they end.
"""

import dataclasses
import signal
import sys
from typing import Any

from hil.commands.cli import main
from hil.processes.supervisor import daemon
from hil.processes.table import PROCESSES
from tests.hil.processes.breakable import MODULES, Asked

broken = Asked(signal.SIGUSR1)
look = daemon.Daemon._look


def breakable_look(self: daemon.Daemon, now_ns: int) -> Any:
    """Fail if asked to."""
    if broken.now:
        raise RuntimeError("broken on purpose")
    return look(self, now_ns)


def give_up(*_: object) -> None:
    """From now on nothing is started again."""
    daemon.MAX_RESTARTS = 0


if __name__ == "__main__":
    daemon.Daemon._look = breakable_look  # type: ignore[method-assign]
    daemon.MAX_RESTARTS = 1000
    signal.signal(signal.SIGUSR2, give_up)
    for name, module in MODULES.items():
        PROCESSES[name] = dataclasses.replace(PROCESSES[name], module=module)
    sys.exit(main())
