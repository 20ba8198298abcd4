"""Which clock the processes of a run go by: the only place that asks."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hil.common.errors import LinkError
from hil.common.run_clock import RunClock, SharedClock
from hil.configuration import Configuration


def is_patient(c: Configuration, site: str = "") -> bool:
    """Return whether emulated time waits for a busy machine.

    A run that is split over two hosts (`site`) shares no clock: it is strict.
    """
    return c.robot.kind == "emulated" and c.emulator.patient and not site


def clock_of(c: Configuration, directory: Path, site: str = "", new: bool = False) -> RunClock:
    """Return the clock of the run in a run-time directory; its daemon makes a `new` one for all others.

    Raises:
        LinkError: no daemon has made one there.
    """
    return _shared(directory, new) if is_patient(c, site) else RunClock()


def _shared(directory: Path, new: bool = False) -> SharedClock:
    try:
        return SharedClock(directory, new)
    except FileNotFoundError:
        raise LinkError(f"{directory}: no run has its clock there: `zerog run` makes it") from None


def clock_beside(status: Mapping[str, Any], directory: Path) -> RunClock:
    """Return the clock of a run, for a program beside it; `status` as its daemon told it."""
    return _shared(directory) if status["patient"] else RunClock()
