"""A recording as tables for other programs: one CSV file a channel, or one NPZ file of all."""

import csv
import dataclasses
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from hil.errors import RecordingError
from hil.message_codec import DTYPES, Message
from hil.recording.protobuf import units
from hil.recording.reading import messages
from hil.recording.recorder import classes

NUMBERS = {"int": np.int64, "float": np.float64, "bool": np.bool_, "str": np.str_}


def columns_of(path: Path) -> dict[str, dict[str, Any]]:
    """Return the columns of every channel with messages of our own, by channel and field.

    Fields of a fixed shape become arrays (n, …). Of those that differ in length from message to message
    all rows are joined, and `FIELD_rows` says how many each message has.

    Raises:
        RecordingError: the file cannot be read.
    """
    kinds, found = classes(), defaultdict[str, list[Message]](list)
    for channel, _, msg in messages(path, *kinds):
        found[channel].append(msg)
    return {channel: _columns(kinds[channel], found[channel]) for channel in sorted(found)}


def write_npz(path: Path, target: Path) -> int:
    """Write all columns as `CHANNEL/FIELD` into one file; return how many arrays it has."""
    arrays = {
        f"{channel[1:]}/{name}": column
        for channel, columns in columns_of(path).items()
        for name, column in columns.items()
    }
    try:
        np.savez_compressed(target, **arrays)
    except OSError as error:
        raise RecordingError(f"{target} cannot be written: {error.strerror}") from error
    return len(arrays)


def write_csv(path: Path, folder: Path) -> int:
    """Write one file a channel into a folder, units in the heads of columns; return how many files.

    Fields that differ in length from message to message are left out: `write_npz` has them.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tables = columns_of(path)
        for channel, columns in tables.items():
            _write_table(folder / f"{channel[1:]}.csv", classes()[channel], columns)
    except OSError as error:
        raise RecordingError(f"{folder} cannot be written: {error.strerror}") from error
    return len(tables)


def _columns(kind: type[Message], found: list[Message]) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for field in dataclasses.fields(kind):
        values = [getattr(msg, field.name) for msg in found]
        shape, what = field.metadata["shape"], field.metadata["kind"]
        if -1 in shape:
            columns[field.name] = np.concatenate(values)
            columns[f"{field.name}_rows"] = np.array([len(value) for value in values])
        else:
            columns[field.name] = np.array(values, DTYPES.get(what) or NUMBERS[what])
    return columns


def _write_table(target: Path, kind: type[Message], columns: dict[str, Any]) -> None:
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
