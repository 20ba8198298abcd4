"""Logs as CSV: `t_s, q1..q7, tau1..tau7`, joints in rad, torques in N m; in this form they are written too.

`tau_ext1..tau_ext7` instead are torques of the environment, gravity taken off; `command1..command7` are
optional, and so are those of the tool's sensor, `fx_n, fy_n, fz_n, tx_n_m, ty_n_m, tz_n_m`, whose cells are
empty where it has no reading. Columns of other names are ignored.
"""

from pathlib import Path

import numpy as np

from hil.common.arrays import Array, frozen_array
from hil.common.csv_rows import csv_rows
from hil.common.errors import RecordingError
from hil.trials.validation.arm_log import ArmLog, check_rate

TIME = "t_s"
TOOL = ("fx_n", "fy_n", "fz_n", "tx_n_m", "ty_n_m", "tz_n_m")


def columns(kind: str) -> list[str]:
    """Return the names of seven columns."""
    return [f"{kind}{joint}" for joint in range(1, 8)]


def read_csv_log(path: Path) -> ArmLog:
    """Return the log in a CSV file; rows that repeat the time of the row before are left out.

    Raises:
        RecordingError: it cannot be read, lacks columns, has a value that is no number, or goes back in time.
    """
    names, lines, values = _table(path)
    _refuse_missing(path, names, [TIME, *columns("q")])
    external = not set(columns("tau")) & set(names) and "tau_ext1" in names
    torques = columns("tau_ext" if external else "tau")
    commands = columns("command") if "command1" in names else []
    tool = list(TOOL) if set(TOOL) & set(names) else []
    _refuse_missing(path, names, [*torques, *commands, *tool])
    t = values[:, names.index(TIME)]
    steps = np.diff(t)
    if np.any(steps < 0.0):
        k = int(np.argmax(steps < 0.0)) + 1
        raise RecordingError(
            f"{path}: line {lines[k]}: t_s = {t[k]:g} goes back behind {t[k - 1]:g}; sort the rows"
        )
    fresh = np.concatenate([[True], steps > 0.0])
    check_rate(path, t[fresh])
    notes = () if fresh.all() else (f"{int((~fresh).sum())} rows with the time of the row before left out",)

    def part(wanted: list[str]) -> Array:
        return frozen_array(values[fresh][:, [names.index(name) for name in wanted]])

    command = part(commands) if commands else None
    wrench = part(tool) if tool else None
    return ArmLog(
        str(path), frozen_array(t[fresh]), part(columns("q")), part(torques), external, command, notes, wrench
    )


def write_csv_log(
    path: Path, t: Array, q: Array, torque: Array, command: Array, wrench: Array | None = None
) -> None:
    """Write joints [rad], the sensors' torques [N m] and commands [rad], each (n, 7), over time [s].

    What the tool's sensor reads, shape (n, 6), is written where it is given.

    Raises:
        RecordingError: the file cannot be written.
    """
    head = ",".join(
        [TIME, *columns("q"), *columns("tau"), *columns("command"), *(TOOL if wrench is not None else ())]
    )
    rows = np.column_stack([t, q, torque, command, *([] if wrench is None else [wrench])])
    lines = [",".join("" if np.isnan(x) else f"{x:.9g}" for x in row) for row in rows.tolist()]
    try:
        path.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    except OSError as error:
        raise RecordingError(f"{path} cannot be written: {error.strerror}") from error


def _table(path: Path) -> tuple[list[str], list[int], Array]:
    """Return the names of the columns, the number of each line, and its values (n, columns)."""
    names, body = csv_rows(path, "the columns t_s, q1..q7, tau1..tau7")
    values = np.full((len(body), len(names)), np.nan)
    needed = {TIME, *(name for kind in ("q", "tau", "tau_ext", "command") for name in columns(kind))}
    for k, (line, row) in enumerate(body):
        if len(row) != len(names):
            raise RecordingError(
                f"{path}: line {line}: has {len(row)} values, line 1 names {len(names)} columns"
            )
        for column, text in enumerate(row):
            if names[column] in needed:
                values[k, column] = number_in(path, line, names[column], text)
            elif names[column] in TOOL:
                values[k, column] = number_in(path, line, names[column], text) if text.strip() else np.nan
    return names, [line for line, _ in body], values


def number_in(path: Path, line: int, name: str, text: str) -> float:
    """Return the number in a cell.

    Raises:
        RecordingError: it is none, or not finite.
    """
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise RecordingError(f"{path}: line {line}: {name} = {text.strip()!r} must be a finite number")
    return value


def _refuse_missing(path: Path, names: list[str], wanted: list[str]) -> None:
    missing = [name for name in wanted if name not in names]
    if missing:
        raise RecordingError(
            f"{path}: line 1: {', '.join(missing)} missing among {', '.join(names)}; needed are t_s [s], "
            "q1..q7 [rad] and tau1..tau7 [N m] (or tau_ext1..tau_ext7, gravity taken off)"
        )
    twice = sorted({name for name in wanted if names.count(name) > 1})
    if twice:
        raise RecordingError(f"{path}: line 1: {', '.join(twice)} stands there more than once")
