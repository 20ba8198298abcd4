"""How far along its path a robot is pushed, over time: trapezoid, minimum jerk, or as recorded."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline

from hil.common.arrays import Array
from hil.common.csv_rows import csv_rows
from hil.common.errors import InsertionError

PEAK = 1.875  # greatest speed of a minimum-jerk motion over its mean
COLUMNS = ("t_s", "depth_mm")
Way = Callable[[Array], Array]  # from instants to distances along the path


def times_of(duration: float, rest: float, step: float) -> Array:
    """Return the instants of a run: a motion and a rest behind it, shape (n + 1,) [s]."""
    return np.asarray(step * np.arange(math.ceil((duration + rest) / step - 1e-9) + 1), dtype=float)


def trapezoid(distance: float, speed: float, ramp: float) -> tuple[float, Way]:
    """Return duration and way of a motion with even speed between two ramps.

    Args:
        distance: whole way [m].
        speed: between the ramps [m/s]; less where the way is too short for it.
        ramp: time of each [s].
    """
    if speed * ramp > distance:
        speed = distance / ramp
    duration = distance / speed + ramp

    def way(t: Array) -> Array:
        rising = np.clip(t, 0.0, ramp)
        falling = np.clip(t - (duration - ramp), 0.0, ramp)
        even = np.clip(t - ramp, 0.0, duration - 2.0 * ramp)
        up, down = (0.5 * rising**2 / ramp, falling - 0.5 * falling**2 / ramp) if ramp > 0.0 else (0.0, 0.0)
        return np.asarray(speed * (up + even + down))

    return duration, way


def minimum_jerk(distance: float, speed: float) -> tuple[float, Way]:
    """Return duration and way of the motion of least jerk whose greatest speed is given [m, m/s]."""
    duration = PEAK * distance / speed

    def way(t: Array) -> Array:
        x = np.clip(t / duration, 0.0, 1.0)
        return np.asarray(distance * x**3 * (10.0 - 15.0 * x + 6.0 * x**2))

    return duration, way


def recorded(path: Path) -> tuple[float, Way, float]:
    """Return duration, way and first depth [m] of a motion in a CSV file with `t_s` and `depth_mm`.

    Raises:
        RecordingError: the file cannot be read.
        InsertionError: it holds no motion.
    """
    names, rows = csv_rows(path, " and ".join(COLUMNS))
    if any(column not in names for column in COLUMNS):
        raise InsertionError(f"{path}: line 1 names {', '.join(names)}; {' and '.join(COLUMNS)} are asked")
    at, table = [names.index(column) for column in COLUMNS], []
    for line, row in rows:
        try:
            table.append([float(row[k]) for k in at])
        except (ValueError, IndexError):
            raise InsertionError(f"{path}: line {line} has no two numbers: {','.join(row)}") from None
    data = np.array(table).reshape(-1, 2)
    if len(data) < 4 or not np.isfinite(data).all() or not (np.diff(data[:, 0]) > 0.0).all():
        raise InsertionError(f"{path}: needs at least 4 rows, finite, with rising t_s")
    t, depth = data[:, 0] - data[0, 0], 1e-3 * (data[:, 1] - data[0, 1])
    course = CubicSpline(t, depth, bc_type="clamped")

    def way(at_time: Array) -> Array:
        return np.asarray(course(np.clip(at_time, 0.0, t[-1])))

    return float(t[-1]), way, 1e-3 * float(data[0, 1])
