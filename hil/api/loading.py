"""A recording or a trace becomes a run."""

from collections.abc import Callable
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from hil.api.configuration import Configuration
from hil.api.run import Run
from hil.common.errors import RecordingError
from hil.common.flat_columns import NANOSECOND, Table
from hil.loop.trace.fields import Trace

if TYPE_CHECKING:
    from hil.recording.reading import Summary

TRACE = ".npz"


def load(path: "str | PathLike[str]") -> Run:
    """Return the run in a file: a recording (`run.mcap`), or the trace of a simulated one (`out.npz`).

    A damaged recording is read as far as it goes; what is missing is in `Run.missing`, and warned of by
    `RecordingWarning`. Where its head is lost, which has the configuration, the channels are left.

    Raises:
        RecordingError: the file is no recording of this program, or has messages of another version.
        TraceError: it is no trace of this version.
        ConfigurationError: this version refuses its configuration.
    """
    from hil.analysis.recorded.run import load_run  # here and below: it takes seconds to be read
    from hil.recording.head import recorded_configuration
    from hil.recording.reading import summary_of
    from hil.recording.tables import origin_of

    file = Path(path)
    if file.suffix.lower() == TRACE:
        return Run(file, Trace.load(file))
    summary = summary_of(file)
    channels, read = channels_of(file, summary)
    try:
        found = recorded_configuration(file, summary)
    except RecordingError as error:
        reason = str(error).removeprefix(f"{file}: ")
        missing = {"trace": reason, "rows": f"{reason}: only the channels can be read"}
        if not summary.whole:
            missing["end"] = "the recording is broken off: what follows is of the part that can be read"
        return Run(file, None, channels=channels, read=read, missing=missing)
    recorded = load_run(file)
    origin = NANOSECOND * origin_of(summary, {})
    configuration = Configuration(found.path, found.text, found.settings)
    return Run(file, recorded.trace, recorded, configuration, channels, read, origin, recorded.missing)


def channels_of(
    file: Path, summary: "Summary | None" = None
) -> tuple[tuple[str, ...], Callable[[str], Table]]:
    """Return the names of a recording's channels with messages of our own, and what reads one as a table."""
    from hil.recording.reading import summary_of
    from hil.recording.recorder import classes

    found = summary or summary_of(file)
    names = tuple(sorted(name[1:] for name in found.counts if name in classes()))
    return names, partial(_table, file, not found.head)


def _table(file: Path, headless: bool, name: str) -> Table:
    """Return one channel's table, on the time of all: without a head that begins with their first message."""
    from hil.recording.columns import read_columns
    from hil.recording.tables import flat_tables

    summary, columns = read_columns(file, None if headless else [f"/{name}"])
    return flat_tables(summary, columns)[name]
