"""A recording's channels as flat tables, all on one time [s]; names: `hil/common/flat_columns.py`."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from hil.common.flat_columns import Table, seconds
from hil.messaging.codec import Message
from hil.recording.columns import Columns
from hil.recording.head import is_live
from hil.recording.reading import Summary
from hil.recording.recorder import classes
from hil.recording.rows import Cycle, Truth

DURATIONS = (Cycle, Truth)  # whose times count from the message's own instant on
FIRST_NS = 1  # no instant lies before it: what is smaller tells that there is none


def flat_tables(summary: Summary, channels: Mapping[str, Columns]) -> dict[str, Table]:
    """Return the tables of channels by their names without a slash.

    Args:
        summary: of the recording.
        channels: its columns, see `hil.recording.columns.read_columns`.
    """
    known, origin_ns = classes(), origin_of(summary, channels)
    return {name[1:]: _table(known[name], columns, origin_ns) for name, columns in channels.items()}


def origin_of(summary: Summary, channels: Mapping[str, Columns]) -> int:
    """Return the instant from which the times of tables count [ns].

    Zero of virtual time in lock-step; of a live run the first message of its recording.
    """
    if not is_live(summary):
        return 0
    if summary.head:
        return summary.begin_ns - summary.offset_ns
    return min((int(columns["t_ns"].min()) for columns in channels.values()), default=0)


def _table(kind: type[Message], columns: Columns, origin_ns: int) -> Table:
    table = Table()
    for field in dataclasses.fields(kind):
        name, unit, shape = field.name, field.metadata["unit"], field.metadata["shape"]
        values, ragged = columns[name], -1 in shape
        if unit == "ns":
            lasts = kind in DURATIONS and name != "t_ns"
            values = _durations(values) if lasts else _instants(values, origin_ns, name == "t_ns")
            name, unit = name.removesuffix("_ns"), "s"
        table.add(name, unit, values, ragged=ragged)
        if ragged:
            table.ragged[f"{name}_rows"] = columns[f"{field.name}_rows"]
    return table


def _instants(values: Any, origin_ns: int, always: bool) -> Any:
    found = seconds(values, origin_ns)
    return found if always else np.where(values >= FIRST_NS, found, np.nan)


def _durations(values: Any) -> Any:
    return np.where(values >= 0, seconds(values), np.nan)
