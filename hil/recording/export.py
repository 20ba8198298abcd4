"""A recording as tables for others: one CSV file a channel, one NPZ file of all, or the wrench alone."""

import csv
from pathlib import Path
from typing import Any

import numpy as np

from hil.common.errors import RecordingError
from hil.common.flat_columns import Table
from hil.recording.columns import read_columns
from hil.recording.tables import flat_tables


def write_npz(path: Path, target: Path) -> int:
    """Write all columns as `CHANNEL/COLUMN` into one file; return how many arrays it has."""
    arrays = {
        f"{channel}/{name}": column
        for channel, table in flat_tables(*read_columns(path)).items()
        for name, column in (table.columns | table.ragged).items()
    }
    try:
        with open(target, "xb") as file:  # by its name numpy would give it another one
            np.savez_compressed(file, **arrays)
    except OSError as error:
        raise RecordingError(f"{target} cannot be written: {error.strerror}") from error
    return len(arrays)


def write_csv(path: Path, folder: Path) -> int:
    """Write one file a channel into a folder, units in the names of columns; return how many files.

    Fields that differ in length from message to message are left out: `write_npz` has them.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tables = flat_tables(*read_columns(path))
        for channel, table in tables.items():
            _write_table(folder / f"{channel}.csv", table)
    except OSError as error:
        raise RecordingError(f"{folder} cannot be written: {error.strerror}") from error
    return len(tables)


def write_wrench(path: Path, target: Path) -> int:
    """Write the wrench of every cycle as `zerog detect` reads it; return how many rows.

    As the detector had it: about the object's centre of mass, object axes [N, N m].

    Raises:
        RecordingError: the recording has no cycles, or the target cannot be written.
    """
    cycles = read_columns(path)[1].get("/cycle")
    if cycles is None:
        raise RecordingError(f"{path} has no cycles of a driver, and so no wrench")
    t = 1e-9 * (cycles["t_ns"] - cycles["t_ns"][0])
    try:
        with open(target, "w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["t_s", "fx", "fy", "fz", "tx", "ty", "tz"])
            pairs = zip(t, cycles["wrench_object"], strict=True)
            rows.writerows([f"{at:.6f}", *map(str, wrench)] for at, wrench in pairs)
    except OSError as error:
        raise RecordingError(f"{target} cannot be written: {error.strerror}") from error
    return len(t)


def _write_table(target: Path, table: Table) -> None:
    cells = [_cells(column) for column in table.columns.values()]
    with open(target, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(table.columns)
        rows.writerows(zip(*cells, strict=True))


def _cells(column: Any) -> Any:
    """Return what a table's cells show: numbers, text; nothing where there is no value."""
    if column.dtype.kind == "f":
        return ["" if np.isnan(value) else value for value in column]
    return column.astype(int) if column.dtype.kind == "b" else column
