"""Which clock the processes of a run go by: the only place that asks."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hil.common.errors import LinkError
from hil.common.run_clock import FILE, RunClock, SharedClock
from hil.configuration import Configuration
from hil.configuration.shared import emulated_elsewhere


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
    if not is_patient(c, site):
        return RunClock()
    if c.shared is None or not emulated_elsewhere(c.shared):
        return _shared(directory, new)
    if new:  # whoever comes to this run finds the clock of the one that emulates both arms
        (directory / FILE).unlink(missing_ok=True)
        (directory / FILE).symlink_to(Path(c.shared.other).absolute() / FILE)
    return _shared(directory, seat=1)


def _shared(directory: Path, new: bool = False, seat: int = 0) -> SharedClock:
    try:
        return SharedClock(directory, new, seat)
    except FileNotFoundError:
        raise LinkError(f"{directory}: no run has its clock there: `zerog run` makes it") from None


def clock_beside(status: Mapping[str, Any], directory: Path) -> RunClock:
    """Return the clock of a run, for a program beside it; `status` as its daemon told it."""
    return _shared(directory) if status["patient"] else RunClock()
