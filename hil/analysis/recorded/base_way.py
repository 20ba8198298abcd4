"""Where the base went that carried a recorded run's arm."""

import math
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.recording.columns import Columns


@dataclass(frozen=True, eq=False)
class BaseWay:
    """Of every report of the driver: pose x, y [m], heading [rad], and what it was off its path, (n, 3)."""

    pose: Array
    error: Array

    def words(self) -> str:
        """Return in words how much room it took, how far it turned, and by what it was off its path."""
        room, turned = np.ptp(self.pose[:, :2], axis=0), math.degrees(float(np.ptp(self.pose[:, 2])))
        off = 1e3 * np.hypot(self.error[:, 0], self.error[:, 1])
        off = off[off > 0.0] if off.any() else off  # no path, while nothing floats, is none to be off
        return (
            f"over {room[0]:.2f} x {room[1]:.2f} m and {turned:.0f} deg of heading; off its path by "
            f"{float(np.sqrt(np.mean(off**2))):.2f} mm rms, {float(off.max()):.2f} mm at most"
        )


def way_of(columns: Columns | None) -> BaseWay | None:
    """Return the way by the columns of `/base_report`; None where there are none."""
    if columns is None or not len(columns["t_ns"]):
        return None
    return BaseWay(np.asarray(columns["pose"], np.float64), np.asarray(columns["error"], np.float64))
