"""Stamps as seconds from the first one: numbers in any unit, since any instant, or dates and times of day.

Stamps are taken apart as decimal numbers: nanoseconds since 1970 have more digits than a double.
"""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import pairwise

import numpy as np

from hil.common.arrays import Array
from hil.common.formats.numbers import plain
from hil.wrench.recorded.dates import DAY, days_on, instant

UNITS = {"s": Decimal(1), "ms": Decimal("1e-3"), "us": Decimal("1e-6"), "ns": Decimal("1e-9")}
EARLIEST, LATEST = 946_684_800, 4_102_444_800  # [s] since 1970: the years 2000 and 2100
SHORTEST_STEP, LONGEST_STEP = Decimal("2e-5"), Decimal("0.05")  # [s] that can be no other unit
FASTEST_PLAIN = 1050.0  # [Hz]; stamps of more rows a second may be minutes, those of up to 17 Hz
ROUND_HZ, MINUTE, APART, NEARLY = (500.0, 256.0), 60.0, 0.1, 1e-3  # rates of converters; limits of rounding
LONGEST_DATED = Decimal(60)  # [s] from stamp to stamp, where they count from 1970
LONGEST_EXPONENT = 100  # of a stamp: beyond it is none


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
            found.append(value if value.is_finite() and value.adjusted() < LONGEST_EXPONENT else None)
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
    too long for the next larger one are beyond doubt: those of seconds. Above 1 kHz they may be minutes,
    unless they are a converter's round rate as seconds, and no whole rate as minutes.
    """
    known = [value for value in values if value is not None]
    steps = sorted(b - a for a, b in pairwise(known) if b > a)
    if not steps:
        return ""
    step = steps[len(steps) // 2]
    for unit, worth in UNITS.items():
        if EARLIEST <= known[0] * worth <= LATEST:
            return unit if SHORTEST_STEP < step * worth <= LONGEST_DATED else ""
    if not SHORTEST_STEP <= step < LONGEST_STEP:
        return ""
    mean = (known[-1] - known[0]) / (
        len(known) - 1
    )  # in bunches the median is the step within one, or between
    return "s" if _shows_seconds(float(step)) or (mean > 0 and _shows_seconds(float(mean))) else ""


def _shows_seconds(step: float) -> bool:
    """Return whether a step [s, or minutes] is beyond doubt no step in minutes."""
    rate = 1.0 / step
    if rate <= FASTEST_PLAIN:
        return True
    as_minutes = rate / MINUTE
    rounds = any(abs(rate / r - round(rate / r)) * r < NEARLY * rate for r in ROUND_HZ)
    return rounds and abs(as_minutes - round(as_minutes)) > APART


def dated(cells: list[str]) -> Stamps | None:
    """Return dates with times of day, or those alone, as stamps; None if they are something else."""
    rows = [instant(cell) for cell in cells]
    known = [row for row in rows if row is not None]
    if len(known) < max(1, len(rows) // 2):
        return None
    times: list[float] = []
    days, before, day = 0, Decimal(0), None
    for row in rows:
        if row is None:
            times.append(float("nan"))
            continue
        if row.date is None:
            if row.seconds < before - DAY // 2:
                days += 1
        elif row.date != day:
            days, day = days_on(row.date, day, days), row.date
        before = row.seconds
        times.append(days * DAY - row.ahead + float(row.seconds))
    t = np.array(times)
    first = next(cell for cell, row in zip(cells, rows, strict=True) if row is not None)
    return Stamps(t - t[np.isfinite(t)][0], "dates and times of day", first.strip())
