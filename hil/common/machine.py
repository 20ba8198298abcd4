"""What a measurement was made on, in words."""

import datetime
import os
import platform
from pathlib import Path


def machine_in_words() -> str:
    """Return the machine and the date, for the head of a report."""
    return f"{machine()}, {datetime.date.today().isoformat()}"


def date_and_time() -> str:
    """Return the wall clock's date and time with its zone, to the second.

    `SOURCE_DATE_EPOCH` [s since 1970], where it is set, stands in for it, to make the same again.
    """
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    if fixed.isdecimal():
        now = datetime.datetime.fromtimestamp(int(fixed), datetime.UTC)
    else:
        now = datetime.datetime.now().astimezone()
    return now.isoformat(" ", "seconds")


def machine() -> str:
    """Return processor, cores, kernel and Python."""
    cpu = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            cpu = line.split(":", 1)[1].strip()
            break
    return (
        f"{cpu}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}"
    )
