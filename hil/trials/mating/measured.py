"""A measured insertion: a CSV file with `depth_mm` and `force_n`, such as `zerog mate --out` writes."""

import math
from pathlib import Path

import numpy as np

from hil.common.arrays import Array
from hil.common.csv_rows import csv_rows
from hil.common.errors import RecordingError

COLUMNS = ("depth_mm", "force_n")
MOST = (1e5, 1e9)  # [mm, N] beyond which a number is none that was measured
FEWEST = 20


def read_insertion(path: Path) -> tuple[Array, Array]:
    """Return depths [m], rising, and the forces against the insertion there [N], shapes (n,).

    Raises:
        RecordingError: the file cannot be read, lacks a column, has a value that is no number, or too few.
    """
    names, rows = csv_rows(path, " and ".join(COLUMNS))
    missing = [name for name in COLUMNS if names.count(name) != 1]
    if missing:
        raise RecordingError(
            f"{path}: line 1: {' and '.join(missing)} must stand there once, among {', '.join(names)}: "
            "the depth of the part as in its experiment, and the force against it"
        )
    values = np.array([[_number(path, line, row, names, column) for column in COLUMNS] for line, row in rows])
    if len(values) < FEWEST:
        raise RecordingError(f"{path}: {len(values)} rows; at least {FEWEST} are needed for a fit")
    order = np.argsort(values[:, 0], kind="stable")
    return 1e-3 * values[order, 0], values[order, 1]


def _number(path: Path, line: int, row: list[str], names: list[str], name: str) -> float:
    if len(row) > len(names):
        raise RecordingError(f"{path}: line {line} has {len(row)} values, line 1 names {len(names)} columns")
    at, most = names.index(name), MOST[COLUMNS.index(name)]
    text = row[at] if at < len(row) else ""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise RecordingError(f"{path}: line {line}: {name} = {text.strip()!r} must be a finite number")
    if abs(value) > most:
        raise RecordingError(f"{path}: line {line}: {name} = {text.strip()} is beyond {most:g}: wrong units?")
    return value
