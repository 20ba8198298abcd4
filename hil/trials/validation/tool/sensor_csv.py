"""A sensor's records as CSV: `t_s, fx_n, fy_n, fz_n, tx_n_m, ty_n_m, tz_n_m`, by its own clock."""

from pathlib import Path

import numpy as np

from hil.common.arrays import Array, frozen_array
from hil.common.csv_rows import csv_rows
from hil.common.errors import RecordingError
from hil.trials.validation.csv_log import TIME, TOOL, number_in
from hil.trials.validation.sensor_told import SensorTold
from hil.trials.validation.tool.sensor_log import SensorLog

NAMES = (TIME, *TOOL)
FEWEST = 10  # records of a log


def write_sensor_csv(path: Path, log: SensorLog) -> None:
    """Write records; lost ones show as a gap in time.

    Raises:
        RecordingError: the file cannot be written.
    """
    head = ",".join(NAMES)
    lines = [
        ",".join(f"{x:.9g}" for x in (t, *row))
        for t, row in zip(log.t.tolist(), log.wrench.tolist(), strict=True)
    ]
    try:
        path.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    except OSError as error:
        raise RecordingError(f"{path} cannot be written: {error.strerror}") from error


def read_sensor_csv(path: Path, rate: float) -> SensorLog:
    """Return the records in a file, of a sensor that is set to `rate` [1/s].

    Raises:
        RecordingError: it cannot be read, lacks columns, goes back in time, has few records, or another rate.
    """
    names, body = csv_rows(path, f"the columns {', '.join(NAMES)}")
    missing = [name for name in NAMES if name not in names]
    if missing:
        raise RecordingError(f"{path}: line 1: {', '.join(missing)} missing among {', '.join(names)}")
    rows = np.empty((len(body), len(NAMES)))
    for k, (line, row) in enumerate(body):
        if len(row) != len(names):
            raise RecordingError(
                f"{path}: line {line}: has {len(row)} values, line 1 names {len(names)} columns"
            )
        for column, name in enumerate(NAMES):
            rows[k, column] = number_in(path, line, name, row[names.index(name)])
    if len(rows) < FEWEST:
        raise RecordingError(f"{path}: has {len(rows)} records, at least {FEWEST} are needed")
    t = rows[:, 0]
    steps = np.diff(t)
    if np.any(steps <= 0.0):
        k = int(np.argmax(steps <= 0.0)) + 1
        raise RecordingError(
            f"{path}: line {body[k][0]}: t_s = {t[k]:g} is not behind {t[k - 1]:g}: sort "
            "the rows, one a record"
        )
    _check_period(path, steps, rate)
    lost = int(np.sum(np.rint(steps * rate) - 1.0))
    return SensorLog(frozen_array(t), frozen_array(rows[:, 1:]), 1.0 / rate, SensorTold(len(t), lost, 0, 0.0))


def _check_period(path: Path, steps: Array, rate: float) -> None:
    period = float(np.median(steps))
    if abs(period * rate - 1.0) > 0.1:
        raise RecordingError(
            f"{path}: has a record every {1e3 * period:.4g} ms, sensor.rate_hz = {rate:g} says "
            f"{1e3 / rate:.4g}: change the key"
        )
