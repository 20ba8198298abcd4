"""Dates and times of day as seconds: as ISO 8601, spreadsheets and sensors' programs write them."""

import datetime
import re
from dataclasses import dataclass
from decimal import Decimal

DAY = 86400
_CLOCK = re.compile(
    r"(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,:](\d+))?)?\s*(?:([AaPp])\.?[Mm]\.?)?\s*(Z|[+-]\d\d:?\d\d)?$"
)
_MINUTES = re.compile(r"()(\d{1,3}):(\d{2})[.,](\d+)()()$")  # of no day: hours have no decimals of a minute
_BASIC = re.compile(r"(\d{2})(\d{2})(\d{2})(?:[.,](\d+))?()(Z|[+-]\d\d:?\d\d)?$")
_BEHIND_DATE = re.compile(r"(?<=\d)T(?=\d)|\s+")
_DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4},?")
_BASIC_DATE = re.compile(r"(\d{4})(\d{2})(\d{2})")
_NAMED_DATE = re.compile(r"(\d{1,2})[-. ]([a-zä]{3})[a-z]*[-. ](\d{4}),?", re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_GERMAN = {"mär": "mar", "mai": "may", "okt": "oct", "dez": "dec"}


@dataclass(frozen=True)
class Instant:
    """A cell's time: its date, if it has one, seconds of its day, and how far its zone is ahead [s]."""

    date: str | None
    seconds: Decimal
    ahead: int


def instant(cell: str) -> Instant | None:
    """Return what a cell says, or None if it is no time of day."""
    text = cell.strip().strip("\"'")
    date: str | None = None
    named = _NAMED_DATE.match(text)
    if named:
        date, text = _named(named), text[named.end() :].strip()
        return _of_day(_CLOCK.fullmatch(text), date) if date else None
    parts = _BEHIND_DATE.split(text, maxsplit=1)
    if len(parts) == 2 and _DATE.fullmatch(parts[0]):
        date, text = parts[0].strip(","), parts[1]
    elif len(parts) == 2 and (basic := _BASIC_DATE.fullmatch(parts[0])):
        found = _of_day(_BASIC.fullmatch(parts[1]), "-".join(basic.groups()))
        if found is not None:
            return found
    text = text.strip()
    return _of_day(_CLOCK.fullmatch(text) or (_MINUTES.fullmatch(text) if date is None else None), date)


def days_on(date: str, before: str | None, days: int) -> int:
    """Return the days that have gone by when the date has changed."""
    if before is None:
        return days
    try:
        apart = datetime.date.fromisoformat(date) - datetime.date.fromisoformat(before)
    except ValueError:  # whether month or day stands first does not matter from one day to the next
        return days + 1
    return days + apart.days


def _named(match: re.Match[str]) -> str | None:
    """Return a date whose month has a name, as ISO 8601 has it."""
    day, name, year = match.groups()
    name = _GERMAN.get(name.lower(), name.lower())
    return f"{year}-{_MONTHS.index(name) + 1:02d}-{int(day):02d}" if name in _MONTHS else None


def _of_day(match: re.Match[str] | None, date: str | None) -> Instant | None:
    if match is None:
        return None
    hours, minutes, seconds, fraction, half, zone = match.groups()
    hour = int(hours or 0)
    if half:
        hour = hour % 12 + 12 * (half.lower() == "p")
    value = Decimal(3600 * hour + 60 * int(minutes) + int(seconds or 0))
    return Instant(date, value + Decimal(f"0.{fraction or 0}"), _ahead(zone or ""))


def _ahead(zone: str) -> int:
    """Return the seconds by which a zone's clocks are ahead of universal time."""
    if zone in ("", "Z"):
        return 0
    digits = zone[1:].replace(":", "")
    return (-1 if zone[0] == "-" else 1) * (3600 * int(digits[:2]) + 60 * int(digits[2:]))
