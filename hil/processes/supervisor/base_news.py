"""What the daemon knows of the base that carries the arm, as plain values and in words."""

import math
from typing import Any

import numpy as np

from hil.common.freshness import is_fresh
from hil.configuration import Configuration
from hil.messaging.base_messages import BaseReport
from hil.messaging.bus import Bus

OLD_NS = 500_000_000  # a report that is older says nothing of now


class BaseNews:
    """Keeps the newest that the driver told."""

    def __init__(self, bus: Bus, configuration: Configuration) -> None:
        """Listen on a run's bus, if its configuration has a base."""
        carried = configuration.base.kind != "none"
        self._reports = bus.subscriber("base_report", BaseReport) if carried else None
        self._newest: BaseReport | None = None
        self._heard_ns = 0

    def turn(self, now_ns: int) -> None:
        """Take what has come since the last call."""
        report = None if self._reports is None else self._reports.newest()
        if report is not None:
            self._newest, self._heard_ns = report, now_ns

    def status(self, now_ns: int) -> dict[str, Any]:
        """Return how the base is, units in the names; `base` is None without one."""
        if self._reports is None:
            return {"base": None}
        report = self._newest
        if report is None or not is_fresh(now_ns, self._heard_ns, OLD_NS):
            return {"base": "nothing is heard of it"}
        error = report.error
        return {
            "base": report.trouble or "well",
            "base_position_mm": [round(1e3 * value, 1) for value in report.pose[:2].tolist()],
            "base_heading_deg": round(math.degrees(report.pose[2]), 2),
            "base_error_mm": round(1e3 * math.hypot(error[0], error[1]), 2),
            "base_error_deg": round(math.degrees(abs(error[2])), 3),
            "base_speed_mm_s": round(1e3 * float(np.linalg.norm(report.velocity[:2])), 1),
        }


def base_lines(status: dict[str, Any]) -> list[str]:
    """Return the line of `zerog status`; none where the arm stands."""
    if status.get("base") is None:
        return []
    if "base_heading_deg" not in status:
        return [f"base: {status['base']}"]
    x, y = status["base_position_mm"]
    return [
        f"base: {status['base']}; at {x:.0f} {y:.0f} mm, heading {status['base_heading_deg']:.1f} deg, told "
        f"{status['base_speed_mm_s']:.0f} mm/s, off its path by {status['base_error_mm']:.1f} mm and "
        f"{status['base_error_deg']:.2f} deg"
    ]
