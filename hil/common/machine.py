"""What a measurement was made on, in words."""

import datetime
import os
import platform
from pathlib import Path


def machine_in_words() -> str:
    """Return processor, cores, kernel, Python and date, for the head of a report."""
    cpu = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            cpu = line.split(":", 1)[1].strip()
            break
    return (
        f"{cpu}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, {datetime.date.today().isoformat()}"
    )
