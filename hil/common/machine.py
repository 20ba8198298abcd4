"""What a measurement was made on, in words."""

import datetime
import os
import platform
from pathlib import Path

from hil.common.errors import ConfigurationError

LAST_EPOCH = 253_402_300_799  # of the year 9999, the last that a date can have
LONGEST_EPOCH = 20  # digits


def machine_in_words() -> str:
    """Return the machine and the date, for the head of a report."""
    return f"{machine()}, {datetime.date.today().isoformat()}"


def date_and_time() -> str:
    """Return the wall clock's date and time with its zone, to the second.

    `SOURCE_DATE_EPOCH` [s since 1970], where it is set, stands in for it, to make the same again.

    Raises:
        ConfigurationError: it is no such number: whoever sets it wants no other date in silence.
    """
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not fixed:
        return datetime.datetime.now().astimezone().isoformat(" ", "seconds")
    if not (fixed.isascii() and fixed.isdecimal()) or len(fixed) > LONGEST_EPOCH or int(fixed) > LAST_EPOCH:
        raise ConfigurationError(
            f"SOURCE_DATE_EPOCH = {fixed[:40]!r} in the environment must be whole seconds since 1970, "
            f"at most {LAST_EPOCH}; or take it away"
        )
    return datetime.datetime.fromtimestamp(int(fixed), datetime.UTC).isoformat(" ", "seconds")


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
