"""What a user says of a recording that the file does not, and how a reader asks for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from hil.common.errors import RecordingError

FORCES, TORQUES = ("fx", "fy", "fz"), ("tx", "ty", "tz")
ROLES = ("t", *FORCES, *TORQUES)
NOTHING = "none"  # instead of a column: there is none


@dataclass(frozen=True)
class Asked:
    """Answers to what a file leaves open; empty ones are not given.

    Attributes:
        columns: names of columns, or their numbers from 1 on, by what they are: t, fx .. tz; or "none".
        time_unit: of the stamps.
        rate_hz: rows per second, without stamps.
        force_unit: of all forces.
        torque_unit: of all torques.
        decimal: the decimal mark, "." or ",".
        sensor: part of the names, or the topic, of one sensor among several.
        sort: rows are put into the order of their stamps.
        whole: every row must be whole; otherwise those that are not are left out and counted.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    time_unit: str = ""
    rate_hz: float | None = None
    force_unit: str = ""
    torque_unit: str = ""
    decimal: str = ""
    sensor: str = ""
    sort: bool = False
    whole: bool = False


def ask(path: Path, what: str, option: str, more: str = "") -> NoReturn:
    """Refuse what cannot be known, and name the option that answers, with what else there is to say of it.

    Raises:
        RecordingError: always.
    """
    raise RecordingError(f"{path}: {what}: `zerog import {path} {option} -o out.csv`{more}")
