"""Recorded wrenches: CSV files with `t_s` (or `host_t_s`) and `fx,fy,fz[,tx,ty,tz]`, in s, N and N m."""

import dataclasses
import math
from pathlib import Path

import numpy as np

from hil.common.arrays import Array, BoolArray, frozen_array
from hil.common.csv_rows import csv_rows
from hil.common.errors import RecordingError
from hil.wrench.recorded.bunches import spread_evenly

TIME_COLUMNS = ("t_s", "host_t_s")
FORCE_COLUMNS = ("fx", "fy", "fz")
TORQUE_COLUMNS = ("tx", "ty", "tz")
HOLD = 0.010  # [s] a value repeated for longer than this, and than so many periods, is a reading
HOLD_PERIODS = 3.5
FEWEST_SAMPLES = 2


@dataclasses.dataclass(frozen=True, eq=False)
class Recording:
    """A wrench over time; every sample says something new.

    Attributes:
        t: strictly increasing times [s], (N,).
        wrench: forces and torques [N, N m], as the file has them, (N, 6).
        period: median time from sample to sample [s].
        bunched: samples that share their stamp with later ones: they lie evenly before it.
        dropped: rows left out: repeated values, and equal stamps at the start.
    """

    t: Array
    wrench: Array
    period: float
    bunched: int
    dropped: int


def read_recording(path: Path, rate_hz: float | None = None) -> Recording:
    """Return the recording in a CSV file; columns of other names are ignored.

    Torques that the file lacks are zero. A row that repeats the values before it is dropped, unless
    they have stood for longer than a slow sensor holds its last reading. Readings that differ and have equal
    stamps came in a bunch and are spread over the time since the stamp before.

    Args:
        path: the file.
        rate_hz: rows per second, for a file without a time column.

    Raises:
        RecordingError: the file cannot be read, or a column or value is not as it must be.
    """
    names, body = csv_rows(path, "the columns")
    wrench = np.zeros((len(body), 6))
    for axis, name in enumerate(_wrench_columns(path, names)):
        wrench[:, axis] = _column(path, names, body, name)
    t = _times(path, names, body, rate_hz)
    return _without_repeats(path, t, wrench)


def _wrench_columns(path: Path, names: list[str]) -> list[str]:
    """Return the names of the force columns and, if there, of the torque columns."""
    torques = [name for name in TORQUE_COLUMNS if name in names]
    wanted = [*FORCE_COLUMNS, *(TORQUE_COLUMNS if torques else ())]
    missing = [name for name in wanted if name not in names]
    if missing:
        raise RecordingError(
            f"{path}: line 1: column {', '.join(missing)} is missing among {', '.join(names)}; "
            "needed are fx, fy, fz, and tx, ty, tz all three or none"
        )
    return wanted


def _times(path: Path, names: list[str], body: list[tuple[int, list[str]]], rate_hz: float | None) -> Array:
    """Return the times of the rows, which must not go back."""
    column = next((name for name in TIME_COLUMNS if name in names), None)
    if column is None:
        if rate_hz is None:
            raise RecordingError(
                f"{path}: line 1: there is no column t_s or host_t_s; add one or say --rate-hz"
            )
        return np.arange(len(body)) / rate_hz
    if rate_hz is not None:
        raise RecordingError(f"{path}: line 1: has the time column {column}; leave out --rate-hz")
    t = _column(path, names, body, column)
    back = np.flatnonzero(np.diff(t) < 0.0)
    if len(back):
        k = int(back[0]) + 1
        raise RecordingError(
            f"{path}: line {body[k][0]}: {column} = {t[k]:g} goes back behind {t[k - 1]:g}; sort the rows"
        )
    return t


def _column(path: Path, names: list[str], body: list[tuple[int, list[str]]], name: str) -> Array:
    """Return one column's numbers, all finite."""
    index = names.index(name)
    values = np.empty(len(body))
    for k, (line, row) in enumerate(body):
        text = row[index].strip() if index < len(row) else ""
        try:
            values[k] = float(text)
        except ValueError:
            values[k] = math.nan
        if not math.isfinite(values[k]):
            raise RecordingError(f"{path}: line {line}: {name} = {text!r} must be a finite number")
    return values


def _without_repeats(path: Path, t: Array, wrench: Array) -> Recording:
    """Return the rows that say something new, each with a time of its own."""
    kept, values = np.empty(0), wrench[:0]
    bunched = 0
    if len(t):
        fresh = _new_readings(t, wrench)
        kept, known = spread_evenly(t[fresh])
        bunched = int(np.count_nonzero((kept != t[fresh]) & known))
        kept, values = kept[known], wrench[fresh][known]
    if len(kept) < FEWEST_SAMPLES:
        raise RecordingError(f"{path}: has {len(kept)} usable samples; needed are at least {FEWEST_SAMPLES}")
    return Recording(
        frozen_array(kept),
        frozen_array(values),
        float(np.median(np.diff(kept))),
        bunched,
        len(t) - len(kept),
    )


def _new_readings(t: Array, wrench: Array) -> BoolArray:
    """Return which rows are readings and not a slow sensor's last value held."""
    changed = np.ones(len(t), bool)
    changed[1:] = np.any(np.diff(wrench, axis=0) != 0.0, axis=1)
    period = np.median(np.diff(t[changed])) if changed.sum() > 1 else 0.0
    hold = max(HOLD, HOLD_PERIODS * period)
    keep = np.zeros(len(t), bool)
    last = -math.inf
    for k in range(len(t)):
        if changed[k] or t[k] - last >= hold:
            keep[k] = True
            last = t[k]
    return keep
