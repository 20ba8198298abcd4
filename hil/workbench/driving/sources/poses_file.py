"""A file of commands: poses or twists over time, the units in the names of its columns."""

import math
from pathlib import Path

import numpy as np

from hil.common.arrays import Array
from hil.common.csv_rows import csv_rows
from hil.common.errors import RecordingError
from hil.workbench.driving.rigid import moved, way
from sim.assembly.chain import pose_of

POSE, TWIST = ("x", "y", "z", "rx", "ry", "rz"), ("vx", "vy", "vz", "wx", "wy", "wz")
FACTORS = {
    "m": 1.0, "mm": 1e-3, "rad": 1.0, "deg": math.pi / 180.0,
    "m_s": 1.0, "mm_s": 1e-3, "rad_s": 1.0, "deg_s": math.pi / 180.0,
}  # fmt: skip
LENGTHS, ANGLES = ("m", "mm"), ("rad", "deg")
WANTED = "t_s and x_m … rz_rad (a pose, its turn as rotation vector) or vx_m_s … wz_rad_s (a twist)"


class PosesFile:
    """Poses, with steady motion between two rows; the first before them, the last after them."""

    def __init__(self, t: Array, rows: Array) -> None:
        """Hold poses [m, rad] of shape (n, 6) at times of shape (n,)."""
        self._t, self._poses = t, [pose_of(row[:3], row[3:]) for row in rows]
        self.duration = float(t[-1])

    def pose(self, t: float) -> Array:
        """Return where the tip shall be, shape (4, 4)."""
        k = int(np.searchsorted(self._t, t, side="right")) - 1
        if k < 0 or k >= len(self._t) - 1:
            return self._poses[max(k, 0)]
        share = (t - self._t[k]) / (self._t[k + 1] - self._t[k])
        return moved(self._poses[k], share * way(self._poses[k], self._poses[k + 1]))


class TwistsFile:
    """Twists, each until the next row; rest before the first and after the last."""

    def __init__(self, t: Array, rows: Array) -> None:
        """Hold twists [m/s, rad/s] of shape (n, 6) at times of shape (n,)."""
        self._t, self._rows = t, rows
        self.duration = float(t[-1])

    def twist(self, t: float) -> Array:
        """Return how the tip shall move, shape (6,)."""
        k = int(np.searchsorted(self._t, t, side="right")) - 1
        return np.zeros(6) if k < 0 or t >= self._t[-1] else self._rows[k].copy()


def load_commands(path: Path) -> PosesFile | TwistsFile:
    """Return the commands in a file.

    Raises:
        RecordingError: it is no such table; the line is named.
    """
    names, rows = csv_rows(path, WANTED)
    kind, factors = _columns(path, names)
    table = np.empty((len(rows), 7))
    for k, (line, row) in enumerate(rows):
        try:
            table[k] = [float(cell) for cell in row]
        except ValueError as error:
            raise RecordingError(f"{path}: line {line} is no row of seven numbers: {error}") from error
        if not np.isfinite(table[k]).all() or (k and table[k, 0] <= table[k - 1, 0]):
            raise RecordingError(f"{path}: line {line}: numbers must be finite, and t_s must rise")
    if not len(rows):
        raise RecordingError(f"{path}: has no row")
    values = table[:, 1:] * factors
    return PosesFile(table[:, 0], values) if kind == POSE else TwistsFile(table[:, 0], values)


def _columns(path: Path, names: list[str]) -> tuple[tuple[str, ...], Array]:
    """Return what the columns are, and their factors to SI."""
    for kind, per_second in ((POSE, ""), (TWIST, "_s")):
        units = [name.partition("_")[2] for name in names[1:]]
        wanted = [name.partition("_")[0] for name in names[1:]] == list(kind)
        allowed = [LENGTHS] * 3 + [ANGLES] * 3
        fits = len(units) == 6 and all(
            unit in [f"{u}{per_second}" for u in known] for unit, known in zip(units, allowed, strict=True)
        )
        if wanted and fits and names[0] == "t_s":
            return kind, np.array([FACTORS[unit] for unit in units])
    raise RecordingError(f"{path}: line 1 names {', '.join(names)}; it must name {WANTED}")
