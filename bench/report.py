"""Rows of figures with their goals: printed, and written with the machine they were measured on."""

import json
import math
import os
import platform
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Row:
    """One figure; reached when the value is at most the goal (`least`: at least)."""

    name: str
    value: float | None
    goal: float | None
    unit: str
    least: bool = False

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; None without a goal or a value."""
        if self.goal is None or self.value is None or math.isnan(self.value):
            return None
        return self.value >= self.goal if self.least else self.value <= self.goal


def machine() -> dict[str, Any]:
    """Return what the figures were measured on."""
    cpu = "unknown"
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            cpu = line.split(":", 1)[1].strip()
            break
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 2),
    }


def print_rows(rows: list[Row]) -> None:
    """Print a table: figure, value, goal, whether it is reached."""
    width = max(len(row.name) for row in rows)
    for row in rows:
        value = "-" if row.value is None else f"{row.value:.4g}"
        sign = ">=" if row.least else "<="
        goal = "" if row.goal is None else f"{sign} {row.goal:g}"
        mark = {True: "ok", False: "NOT REACHED", None: ""}[row.reached]
        print(f"{row.name:<{width}}  {value:>10} {row.unit:<10} {goal:<10} {mark}")
    print(", ".join(f"{key} {value}" for key, value in machine().items()))


def write_rows(path: Path, rows: list[Row], details: Any = None) -> None:
    """Write rows, machine and details as JSON."""
    content = {"machine": machine(), "rows": [asdict(row) for row in rows], "details": details}
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
