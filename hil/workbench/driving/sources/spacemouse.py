"""The space mouse: a cap that is pushed and turned, six deflections within -1 and 1.

`read` gives the newest state of the device (`pyspacemouse`), a line of a replay file, or raises OSError when
the mouse has been pulled out. A mouse repeats its state all the while its cap is deflected: one that stays
deflected and says nothing new has gone as well.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hil.common.arrays import Array
from hil.common.csv_rows import csv_rows
from hil.common.errors import RecordingError, SourceLost

DEAD = 0.05  # of a deflection, below which the cap is at rest: a hand's tremor and the springs' zero
SILENT_S = (
    0.25  # after which a deflected cap that repeats nothing counts as gone; they repeat every 8 to 16 ms
)
AXES = ("x", "y", "z", "roll", "pitch", "yaw")


class Deflection(NamedTuple):
    """What a mouse said last: its own instant [s], by which news is told from repetition, and six axes."""

    stamp: float
    axes: tuple[float, ...]


class SpaceMouse:
    """A twist from deflections: full deflection is full speed."""

    def __init__(self, read: Callable[[float], Deflection], linear: float, angular: float) -> None:
        """Listen to a mouse.

        Args:
            read: returns the newest deflection at a time [s]; raises OSError when the mouse is gone.
            linear: speed at full deflection [m/s].
            angular: the same [rad/s].
        """
        self._read = read
        self._scale = np.repeat([linear, angular], 3)
        self._stamp, self._heard = -1.0, 0.0

    def twist(self, t: float) -> Array:
        """Return the twist that the cap asks for, shape (6,).

        Raises:
            SourceLost: the mouse has gone.
        """
        try:
            said = self._read(t)
        except OSError as error:
            raise SourceLost(f"space mouse: pulled out ({error}); plug it in and start again") from error
        axes = np.clip(np.array(said.axes, np.float64), -1.0, 1.0)
        live = np.sign(axes) * np.maximum(0.0, np.abs(axes) - DEAD) / (1.0 - DEAD)
        if said.stamp != self._stamp:
            self._stamp, self._heard = said.stamp, t
        elif live.any() and t - self._heard > SILENT_S:
            raise SourceLost(
                f"space mouse: deflected, but silent for {t - self._heard:.2f} s: pulled out; plug it in and "
                "start again"
            )
        scaled: Array = self._scale * live
        return scaled


def plugged_in() -> Callable[[float], Deflection]:
    """Return how to read the mouse that is plugged in; axes as in the base: x ahead, y left, z up.

    Raises:
        SourceLost: the package or its HID library is not installed, or there is no mouse.
    """
    try:
        import pyspacemouse
    except ImportError as error:
        raise SourceLost(
            "space mouse: the package pyspacemouse is missing: pip install 'zerog-emulator[spacemouse]'"
        ) from error
    try:
        device: Any = pyspacemouse.open(axis_convention=pyspacemouse.AxisConvention.ROS)
    except Exception as error:  # whatever the library below makes of no mouse, no driver, no right
        raise SourceLost(
            f"space mouse: none can be opened ({str(error).split('. See')[0].rstrip('.')}): plug it in, "
            "install libhidapi, and see docs/use/drive.md for the udev rule"
        ) from error

    def read(t: float) -> Deflection:
        try:
            state = device.read()
        except Exception as error:  # easyhid has an exception of its own for a device that is gone
            raise OSError(str(error) or type(error).__name__) from error
        return Deflection(state.t, tuple(getattr(state, axis) for axis in AXES))

    return read


def replayed(path: Path) -> Callable[[float], Deflection]:
    """Return how to read a mouse from a file: `t_s` and its six axes; where it ends the mouse is pulled out.

    Raises:
        RecordingError: the file is no such table.
    """
    wanted = ["t_s", *AXES]
    names, rows = csv_rows(path, ", ".join(wanted))
    if names != wanted:
        raise RecordingError(
            f"{path}: line 1 names {', '.join(names)}; a space mouse has {', '.join(wanted)}"
        )
    try:
        table = np.array([[float(cell) for cell in row] for _, row in rows]).reshape(-1, 7)
    except ValueError as error:
        raise RecordingError(f"{path}: a row is no row of seven numbers: {error}") from error
    if not np.isfinite(table).all() or (np.diff(table[:, 0]) <= 0.0).any():
        raise RecordingError(f"{path}: numbers must be finite, and t_s must rise")

    def read(t: float) -> Deflection:
        row = int(np.searchsorted(table[:, 0], t, side="right")) - 1
        if row < 0:
            return Deflection(-1.0, (0.0,) * 6)
        if row == len(table) - 1 and t > table[-1, 0]:
            raise OSError(f"the file {path.name} ends at {table[-1, 0]:g} s")
        return Deflection(float(table[row, 0]), tuple(table[row, 1:].tolist()))

    return read
