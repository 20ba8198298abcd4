"""A recording as tables for others: one CSV file a channel, one NPZ file of all, or the wrench alone."""

import csv
import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from hil.common.errors import RecordingError
from hil.messaging.codec import Message
from hil.recording.columns import Columns, read_columns
from hil.recording.protobuf import units
from hil.recording.recorder import classes


def write_npz(path: Path, target: Path) -> int:
    """Write all columns as `CHANNEL/FIELD` into one file; return how many arrays it has."""
    arrays = {
        f"{channel[1:]}/{name}": column
        for channel, columns in read_columns(path)[1].items()
        for name, column in columns.items()
    }
    try:
        with open(target, "xb") as file:  # by its name numpy would give it another one
            np.savez_compressed(file, **arrays)
    except OSError as error:
        raise RecordingError(f"{target} cannot be written: {error.strerror}") from error
    return len(arrays)


def write_csv(path: Path, folder: Path) -> int:
    """Write one file a channel into a folder, units in the heads of columns; return how many files.

    Fields that differ in length from message to message are left out: `write_npz` has them.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tables = read_columns(path)[1]
        for channel, columns in tables.items():
            _write_table(folder / f"{channel[1:]}.csv", classes()[channel], columns)
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


def _write_table(target: Path, kind: type[Message], columns: Columns) -> None:
    unit = units(kind)
    heads, cells = [], []
    for field in dataclasses.fields(kind):
        shape, column = field.metadata["shape"], columns[field.name]
        if -1 in shape:
            continue
        said = f" [{unit[field.name]}]" if field.name in unit else ""
        places = list(np.ndindex(shape)) if shape else [()]
        for place in places:
            number = "".join(f"[{i}]" for i in place)
            heads.append(f"{field.name}{number}{said}")
            cells.append([_cell(value[place] if place else value) for value in column])
    with open(target, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(heads)
        rows.writerows(zip(*cells, strict=True))


def _cell(value: Any) -> Any:
    return int(value) if isinstance(value, np.bool_) else value
