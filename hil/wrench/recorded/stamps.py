"""Stamps as seconds from the first one: numbers in any unit, since any instant, or dates and times of day.

Stamps are taken apart as decimal numbers: nanoseconds since 1970 have more digits than a double.
"""

import datetime
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import pairwise

import numpy as np

from hil.common.arrays import Array
from hil.common.formats.numbers import plain

UNITS = {"s": Decimal(1), "ms": Decimal("1e-3"), "us": Decimal("1e-6"), "ns": Decimal("1e-9")}
EARLIEST, LATEST = 946_684_800, 4_102_444_800  # [s] since 1970: the years 2000 and 2100
SHORTEST_STEP, LONGEST_STEP = Decimal("2e-5"), Decimal("0.05")  # [s] that can be no other unit
LONGEST_DATED = Decimal(60)  # [s] from stamp to stamp, where they count from 1970
DAY = 86400
_CLOCK = re.compile(
    r"(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,:](\d+))?)?\s*(?:([AaPp])\.?[Mm]\.?)?(Z|[+-]\d\d:?\d\d)?$"
)


@dataclass(frozen=True)
class Stamps:
    """Times of rows.

    Attributes:
        t: seconds from the first one, NaN where there is none, shape (N,).
        unit: that they are in, in words.
        first: the first one, as the file has it.
    """

    t: Array
    unit: str
    first: str


def decimals(cells: list[str], mark: str) -> list[Decimal | None]:
    """Return stamps as decimal numbers; None where a cell is none."""
    found: list[Decimal | None] = []
    for cell in cells:
        try:
            value = Decimal(plain(cell, mark))
            found.append(value if value.is_finite() else None)
        except InvalidOperation:
            found.append(None)
    return found


def from_first(values: list[Decimal | None], worth: Decimal) -> Array:
    """Return stamps in seconds from the first one; NaN where there is none."""
    first = next((value for value in values if value is not None), Decimal(0))
    return np.array([float("nan") if v is None else float((v - first) * worth) for v in values], np.float64)


def unit_of(values: list[Decimal | None]) -> str:
    """Return the unit of stamps without one, or an empty text where it cannot be known.

    Since 1970 it shows in their size. Otherwise only steps that are too short for the next smaller unit and
    too long for the next larger one are beyond doubt: those of seconds.
    """
    known = [value for value in values if value is not None]
    steps = sorted(b - a for a, b in pairwise(known) if b > a)
    if not steps:
        return ""
    step = steps[len(steps) // 2]
    for unit, worth in UNITS.items():
        if EARLIEST <= known[0] * worth <= LATEST:
            return unit if SHORTEST_STEP < step * worth <= LONGEST_DATED else ""
    return "s" if SHORTEST_STEP <= step < LONGEST_STEP else ""


def dated(cells: list[str]) -> Stamps | None:
    """Return dates with times of day, or those alone, as stamps; None if they are something else."""
    rows = [_instant(cell) for cell in cells]
    known = [row for row in rows if row is not None]
    if len(known) < max(1, len(rows) // 2):
        return None
    times: list[float] = []
    days, before, day = 0, Decimal(0), None
    for row in rows:
        if row is None:
            times.append(float("nan"))
            continue
        date, seconds = row
        if date is None:
            if seconds < before - DAY // 2:
                days += 1
        elif date != day:
            days, day = _days_on(date, day, days), date
        before = seconds
        times.append(days * DAY + float(seconds))
    t = np.array(times)
    first = next(cell for cell, row in zip(cells, rows, strict=True) if row is not None)
    return Stamps(t - t[np.isfinite(t)][0], "dates and times of day", first.strip())


def _days_on(date: str, before: str | None, days: int) -> int:
    """Return the days that have gone by when the date has changed."""
    if before is None:
        return days
    try:
        apart = datetime.date.fromisoformat(date) - datetime.date.fromisoformat(before)
    except ValueError:  # whether month or day stands first does not matter from one day to the next
        return days + 1
    return days + apart.days


def _instant(cell: str) -> tuple[str | None, Decimal] | None:
    """Return the date, if there is one, and the seconds of the day."""
    text = cell.strip().strip("\"'")
    parts = re.split(r"[T\s]+", text, maxsplit=1)
    date: str | None = None
    if len(parts) == 2 and re.fullmatch(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4},?", parts[0]):
        date, text = parts[0].strip(","), parts[1]
    match = _CLOCK.fullmatch(text.strip())
    if match is None:
        return None
    hours, minutes, seconds, fraction, half, _ = match.groups()
    hour = int(hours) % 12 + 12 * (half.lower() == "p") if half else int(hours)
    value = Decimal(3600 * hour + 60 * int(minutes) + int(seconds or 0))
    return date, value + Decimal(f"0.{fraction or 0}")
