"""The trace of a run as arrays with units and frames, and as flat tables: cycles, pushes, impulses, plans."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from hil.common.flat_columns import Table, frame_of
from hil.loop.trace.fields import COLUMNS, Trace

# table: letter of its rows in shapes of the trace, and what its arrays' names begin with
TABLES = {
    "cycles": ("n", ""),
    "port": ("k", "port_"),
    "pushes": ("m", "push_"),
    "impulses": ("i", "impulse_"),
    "inside": ("b", "inside_"),
    "plans": ("l", "plan_"),
}
# what rests on the true force, which nobody knows of a real arm
OF_FORCE = ("wrench_true", "push_", "ideal_reset", "contact_ideal")
IDEAL = "_ideal"
ENDS = ("plan_arm_angle_end", "plan_slices_end")  # of arrays that are no columns of a table
LASTING = ("plan_object_time_0", "plan_step")  # [s] counted otherwise than from the origin
SIMULATED = "_sim"  # what the simulation believed is what a table means where it says nothing else


def shifted(trace: Trace, origin: float) -> Trace:
    """Return a trace whose times count from an origin on [s]."""
    if not origin:
        return trace
    times = [name for name, column in COLUMNS.items() if column.unit == "s" and name not in LASTING]
    return dataclasses.replace(trace, **{name: getattr(trace, name) - origin for name in times})


def arrays_of(trace: Trace, unknown: bool) -> dict[str, Any]:
    """Return the arrays of a trace by name, read-only; without those of the true force if it is unknown."""
    found = {}
    for name in trace.names():
        if unknown and (name.startswith(OF_FORCE) or name.endswith(IDEAL)):
            continue
        array = np.asarray(getattr(trace, name)).view()
        array.setflags(write=False)
        found[name] = array
    return found


def frame_of_array(name: str) -> str:
    """Return in which axes an array of the trace is; empty where it is in none."""
    return COLUMNS[name].frame or frame_of(name)


def tables_of(arrays: Mapping[str, Any]) -> dict[str, Table]:
    """Return the tables that a trace's arrays are."""
    tables = {name: Table() for name in TABLES}
    for name, values in arrays.items():
        column = COLUMNS[name]
        letter = column.shape.split()[0] if column.shape else ""
        for table, (rows, begin) in TABLES.items():
            if letter == rows and name not in ENDS:
                tables[table].add(_named(table, name, begin), column.unit, values, frame_of_array(name))
    return {name: table for name, table in tables.items() if table.columns}


def _named(table: str, name: str, begin: str) -> str:
    short = name.removeprefix(begin).removesuffix(SIMULATED)
    return "impulse" if short == "value" else short
