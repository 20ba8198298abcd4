"""Is this machine fit for a run? Every finding is ok, warn or fail, with the remedy."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hil.commands.doctor.finding import Finding, Look, looked
from hil.commands.doctor.machine import machine_looks
from hil.commands.doctor.network import network_looks
from hil.commands.doctor.sensor import sensor_looks
from hil.commands.doctor.storage import storage_looks
from hil.commands.doctor.timing import expected_load, running_load, wake_up
from hil.common.errors import ZeroGError
from hil.configuration import Configuration
from hil.configuration.schema import Fri, Run
from hil.messaging.bus import Bus
from hil.messaging.messages import Request
from hil.messaging.runtime_directory import REQUEST_SOCKET, runtime_directory


def examine(c: Configuration | None) -> list[Finding]:
    """Return all findings; without a configuration those that need none, with its defaults."""
    return looked(looks(c))


def looks(c: Configuration | None) -> Iterator[tuple[str, Look]]:
    """Return all looks, each with the name of its line."""
    run, fri = (Run(), Fri()) if c is None else (c.run, c.fri)
    status: dict[str, Any] = {}

    def ask() -> list[Finding]:
        status.update(running_status(runtime_directory(run.runtime_directory)))
        return []

    yield "running daemon", ask
    yield from machine_looks()
    yield from network_looks(fri, running=bool(status))
    if c is not None:
        yield from sensor_looks(c, running=bool(status))
    yield from storage_looks(run)
    yield "wake-up", lambda: wake_up(fri.sample_time)
    if status.get("real_time_load"):
        yield "real-time load", lambda: running_load(status["real_time_load"])
    elif c is not None:
        yield "real-time load", lambda: expected_load(c)


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
