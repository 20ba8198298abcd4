"""A run in Python: its arrays and tables with units and frames, its impulses, figures and pictures."""

import warnings
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hil.api.configuration import Configuration
from hil.api.criteria import Criterion, criteria_of
from hil.api.impulses import Impulse, Push, impulses_of, pushes_of
from hil.api.trace_tables import arrays_of, frame_of_array, shifted, tables_of
from hil.common.errors import TraceError
from hil.common.flat_columns import Table
from hil.loop.trace.fields import COLUMNS, Trace

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

    from hil.analysis.recorded.run import RecordedRun

PANDAS = "pandas is not installed: `pip install 'zerog-emulator[pandas]'`, or take columns({name!r}) instead"
DAMAGE = ("end", "chunks", "holes", "lost", "rows")  # what is missing of these is warned of


class RecordingWarning(UserWarning):
    """A recording could not be read whole; the message says what is missing."""


class Run:
    """A run: one that was recorded, one that was simulated now, or the trace of one.

    Times are seconds: of virtual time in lock-step, from the first message on in a live recording. Arrays are
    read-only. Frames and names: docs/conventions.md; arrays: docs/understand/trace.md.

    Attributes:
        source: the file that it was read from, or a name.
        live: it had a clock; otherwise it was in lock-step on virtual time.
        missing: what is not known of it, and why, by key.
        channels: names of the tables that its recording has, as the messages are.
    """

    def __init__(
        self,
        source: Path,
        trace: Trace | None,
        recorded: "RecordedRun | None" = None,
        configuration: Configuration | None = None,
        channels: tuple[str, ...] = (),
        read: Callable[[str], Table] | None = None,
        origin: float = 0.0,
        missing: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Put a run together; `load` and `simulate` do.

        Args:
            source: the file, or a name.
            trace: of the run; None where there is none.
            recorded: the run as reports take it; None where its configuration is not known.
            configuration: that was in force, if that is known.
            channels: tables of its recording.
            read: returns one of them.
            origin: instant from which times count [s].
            missing: what is not known, and why.
        """
        self.source, self.channels, self.missing = source, channels, dict(missing)
        self.live = recorded is not None and recorded.live
        self._recorded, self._configuration, self._read = recorded, configuration, read
        self._original, self._origin = trace, origin
        self._kept: dict[str, Table] = {}
        for key in DAMAGE:
            if key in self.missing:
                warnings.warn(f"{source}: {self.missing[key]}", RecordingWarning, stacklevel=3)

    def __repr__(self) -> str:
        """Say what it is in a line."""
        if self._original is None:
            return f"<Run {self.source.name}: {len(self.channels)} channels, no trace>"
        return f"<Run {self.source.name}: {self.duration:.1f} s, {len(self.impulses)} impulses>"

    @property
    def configuration(self) -> Configuration:
        """The configuration that was in force.

        Raises:
            TraceError: it is not known of the trace alone.
        """
        if self._configuration is None:
            raise TraceError(f"{self.source}: its configuration is not known: load the recording of the run")
        return self._configuration

    @property
    def duration(self) -> float:
        """How long the rows of `cycles` are [s]."""
        t = self._trace.t
        return float(t[-1] - t[0]) if len(t) else 0.0

    @cached_property
    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """The trace's arrays by name; of a real arm without those of the true force, which nobody knows."""
        return MappingProxyType(arrays_of(self._trace, "force" in self.missing))

    @cached_property
    def units(self) -> Mapping[str, str]:
        """The unit of each array; of parts with different ones all, joined by a comma and a blank."""
        return MappingProxyType({name: COLUMNS[name].unit for name in self.arrays})

    @cached_property
    def frames(self) -> Mapping[str, str]:
        """In which axes an array is: `world`, `object`, or nothing."""
        return MappingProxyType({name: frame_of_array(name) for name in self.arrays})

    @cached_property
    def meanings(self) -> Mapping[str, str]:
        """What each array is, in words."""
        return MappingProxyType({name: COLUMNS[name].meaning for name in self.arrays})

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of all tables: `cycles`, `pushes`, `impulses`, `plans`, and the recording's channels."""
        return (*self._tables, *self.channels)

    def columns(self, name: str) -> Mapping[str, NDArray[Any]]:
        """Return the flat columns of a table by their names, which end in the unit (`v_x_m_s`).

        Raises:
            TraceError: there is no such table.
        """
        return MappingProxyType(self._table(name).columns)

    def column_units(self, name: str) -> Mapping[str, str]:
        """Return the unit of each column that has one."""
        return MappingProxyType(self._table(name).units)

    def column_frames(self, name: str) -> Mapping[str, str]:
        """Return in which axes columns are: `world` or `object`; those that are in none are left out."""
        return MappingProxyType(self._table(name).frames)

    def frame(self, name: str = "cycles") -> "pandas.DataFrame":
        """Return a table as pandas has it; `attrs` of it has `units` and `frames` by column.

        Raises:
            TraceError: there is no such table, or pandas is not installed.
        """
        table = self._table(name)
        try:
            import pandas
        except ImportError:
            raise TraceError(PANDAS.format(name=name)) from None
        made = pandas.DataFrame({key: np.array(column) for key, column in table.columns.items()})
        made.attrs |= {"units": dict(table.units), "frames": dict(table.frames)}
        return made

    @cached_property
    def pushes(self) -> tuple[Push, ...]:
        """The operator's true pushes, in their order; none where nobody knows them."""
        return () if "force" in self.missing else pushes_of(self._trace)

    @cached_property
    def impulses(self) -> tuple[Impulse, ...]:
        """The impulses that were detected, in their order, each with the true push that it belongs to."""
        return impulses_of(self._trace, self.pushes)

    @cached_property
    def figures(self) -> Mapping[str, Any]:
        """The figures of the run, as `zerog simulate --json` writes them (docs/understand/figures.md)."""
        from hil.analysis.figures import figures  # it takes a second or two to be read, which not all want

        return MappingProxyType(figures(self._known))

    @cached_property
    def certificate(self) -> tuple[Criterion, ...]:
        """The rows of the fidelity certificate, as `zerog report` has them.

        Raises:
            TraceError: the configuration is not known, by which a run is judged.
        """
        if self._recorded is None:
            raise TraceError(
                f"{self.source}: without its configuration a run is not judged: load the recording"
            )
        return criteria_of(self._recorded)

    def plot(self) -> "Figure":
        """Return a picture of the whole run: where object and arm were, pushes, contacts, their distance.

        A notebook shows it where it is a cell's value; `savefig` writes it.

        Raises:
            TraceError: nothing floated.
        """
        from hil.api.picture import overview

        if not len(self._known.t):
            raise TraceError(f"{self.source}: nothing floated: there is nothing to draw")
        return overview(self._known)

    @property
    def _known(self) -> Trace:
        """The trace as it was made, on its own time: figures are computed from it to the last bit."""
        if self._original is None:
            why = self.missing.get("trace", "it has none")
            raise TraceError(f"{self.source}: there is no trace of it: {why}; its tables: {self._names()}")
        return self._original

    @cached_property
    def _trace(self) -> Trace:
        return shifted(self._known, self._origin)

    @cached_property
    def _tables(self) -> dict[str, Table]:
        return {} if self._original is None else tables_of(self.arrays)

    def _table(self, name: str) -> Table:
        if name in self._tables:
            return self._tables[name]
        if name not in self.channels or self._read is None:
            raise TraceError(f"{self.source} has no table {name!r}; it has {self._names()}")
        if name not in self._kept:
            self._kept[name] = self._read(name)
        return self._kept[name]

    def _names(self) -> str:
        return ", ".join(self.tables) or "none"
