"""`python -m hil`: on SIGUSR1 the daemon's turns fail, from SIGUSR2 on no process is started again.

Until then they are started again however often they end. On SIGALRM some turns are held up after they have
read the clock, and before they hear the others.
"""

import dataclasses
import signal
import sys
import time
from typing import Any

from hil.commands.cli import main
from hil.processes.supervisor import daemon
from hil.processes.supervisor.children import Children
from hil.processes.table import PROCESSES
from tests.hil.processes.breakable import HELD_S, MODULES, Asked

broken = Asked(signal.SIGUSR1)
held_up = Asked(signal.SIGALRM)
look, relay = daemon.Daemon._look, Children.relay
HELD_TURNS = 5
left_turns = 0


def breakable_look(self: daemon.Daemon, now_ns: int) -> Any:
    """Fail if asked to."""
    if broken.now:
        raise RuntimeError("broken on purpose")
    return look(self, now_ns)


def slow_relay(self: Children) -> None:
    """Be held up if asked to, in some turns."""
    global left_turns
    if held_up.now:
        held_up.now, left_turns = False, HELD_TURNS
    if left_turns:
        left_turns -= 1
        time.sleep(HELD_S)
    relay(self)


def give_up(*_: object) -> None:
    """From now on nothing is started again."""
    daemon.MAX_RESTARTS = 0


if __name__ == "__main__":
    daemon.Daemon._look = breakable_look  # type: ignore[method-assign]
    Children.relay = slow_relay  # type: ignore[method-assign]
    daemon.MAX_RESTARTS = 1000
    signal.signal(signal.SIGUSR2, give_up)
    for name, module in MODULES.items():
        PROCESSES[name] = dataclasses.replace(PROCESSES[name], module=module)
    sys.exit(main())
