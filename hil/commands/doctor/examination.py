"""Is this machine fit for a run? Every finding is ok, warn or fail, with the remedy."""

import json
import os
import time
from pathlib import Path
from typing import Any

from hil.commands.doctor.finding import Finding
from hil.commands.doctor.machine import examine_machine
from hil.commands.doctor.network import examine_network
from hil.commands.doctor.storage import examine_storage
from hil.commands.doctor.timing import expected_load, running_load, wake_up
from hil.common.errors import ZeroGError
from hil.common.state_directory import state_directory
from hil.configuration import Configuration
from hil.configuration.schema import Fri, Run
from hil.messaging.bus import Bus
from hil.messaging.messages import Request
from hil.messaging.runtime_directory import REQUEST_SOCKET, runtime_directory


def examine(c: Configuration | None) -> list[Finding]:
    """Return all findings; without a configuration those that need none, with its defaults."""
    run, fri = (Run(), Fri()) if c is None else (c.run, c.fri)
    runtime = runtime_directory(run.runtime_directory)
    status = running_status(runtime)
    found = [
        *examine_machine(),
        *examine_network(fri, running=bool(status)),
        *examine_storage(runtime, state_directory(run.state_directory, os.environ)),
        *wake_up(fri.sample_time),
    ]
    if status.get("real_time_load"):
        found.append(running_load(status["real_time_load"]))
    elif c is not None:
        found.append(expected_load(c))
    return found


def running_status(runtime: Path) -> dict[str, Any]:
    """Return the status of the daemon in a run-time directory; empty if there is none."""
    if not (runtime / REQUEST_SOCKET).exists():
        return {}
    bus = Bus(runtime)
    try:
        return dict(json.loads(bus.ask(Request(time.monotonic_ns(), "status", "{}"), 0.5).status))
    except ZeroGError:
        return {}  # a socket that a dead one has left
    finally:
        bus.close()
