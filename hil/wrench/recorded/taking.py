"""The wrench in a table: columns chosen, units found, numbers read; and what was taken for what, in words."""

import re
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

import numpy as np

from hil.common.arrays import Array, BoolArray, IntArray
from hil.common.errors import RecordingError
from hil.common.formats.numbers import cleaned, decimal_marks, numbers
from hil.common.formats.table import Table
from hil.wrench.recorded.asked import FORCES, TORQUES, Asked, ask
from hil.wrench.recorded.choosing import Chooser
from hil.wrench.recorded.order import another_begins, run_on
from hil.wrench.recorded.stamps import UNITS, Stamps, dated, decimals, from_first, unit_of
from hil.wrench.recorded.units import FORCE, NAMED, SI, TIME, TORQUE, factor

LARGEST = 2000.0  # [N] that a hand's push has, where no unit is said
MOST_ALIKE = 50  # rows of one stamp: a sensor delivers some at once, but not more
LONGEST_SHOWN = 40  # characters of a cell in a message
SMALLEST = 0.2  # [N] from least to largest, below which a whole recording says nothing in newtons


@dataclass(frozen=True)
class Taken:
    """A wrench as it stands in a file, row by row.

    Attributes:
        t: seconds from the first stamp, not decreasing, shape (N,).
        wrench: forces and torques [N, N m], shape (N, 6).
        first: the first stamp, as the file has it; empty where a rate stands for stamps.
        told: what each column was taken for, one line each.
        notes: what was left out or is doubtful, one line each.
    """

    t: Array
    wrench: Array
    first: str
    told: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def wrench_in(path: Path, table: Table, asked: Asked) -> Taken:
    """Return the wrench in a table.

    Args:
        path: of the file, for messages.
        table: in it.
        asked: what the user says beside it.

    Raises:
        RecordingError: something cannot be known or read; the message says what, and what to do.
    """
    return _Taking(path, table, asked).taken()


class _Taking:
    def __init__(self, path: Path, table: Table, asked: Asked) -> None:
        self._path, self._table, self._asked = path, table, asked
        self._chooser = Chooser(path, table, asked)
        self._choice = self._chooser.choice()
        self._dates = self._as_dates()
        self._marks = self._decimal_marks()
        topic = table.origin != str(path)
        self._told = [f"topic {table.origin}"] if topic else [table.dialect] if table.dialect else []
        self._notes: list[str] = []

    def taken(self) -> Taken:
        self._note_rows()
        stamps = self._stamps()
        wrench = self._wrench()
        kept = np.isfinite(stamps.t) & np.isfinite(wrench).all(axis=1)
        if not kept.all():
            self._refuse_or_note(kept, stamps.t)
        t, wrench = stamps.t[kept], wrench[kept]
        t, wrench = self._in_order(t, wrench, np.flatnonzero(kept))
        self._judge_size(wrench[:, :3])
        return Taken(t, wrench, stamps.first, self._told, self._notes)

    def _note_rows(self) -> None:
        table = self._table
        if table.odd and self._asked.whole:
            line, fields, width = table.odd[0]
            raise RecordingError(
                f"{self._path}: line {line}: has {fields} fields, the other rows {width}; `zerog import` "
                "leaves such rows out and counts them"
            )
        if table.odd:
            lines = _some([line for line, _, _ in table.odd])
            self._notes.append(f"{len(table.odd)} rows of another length are left out (lines {lines})")
        if table.repeated:
            self._notes.append(f"the names stand there again in lines {_some(table.repeated)}")

    def _wrench(self) -> Array:
        """Return the wrench in SI, NaN where a cell is no number."""
        factors = self._factors()
        wrench = np.zeros((len(self._table.lines), 6))
        for axis, column in enumerate(self._choice.wrench):
            if column is not None:
                wrench[:, axis] = factors[axis] * numbers(self._table.columns[column], self._marks[column])
        return wrench

    def _decimal_marks(self) -> dict[int, str]:
        """Return the decimal mark of each column that is read as numbers."""
        times = self._choice.time if self._dates is None else ()
        columns = [*times, *(column for column in self._choice.wrench if column is not None)]
        cells = [self._table.columns[column] for column in columns]
        if self._asked.decimal:
            return dict.fromkeys(columns, self._asked.decimal)
        marks = decimal_marks(cells)
        if marks is None:
            sample = next(cell for column in cells for cell in column if "," in cell)
            ask(self._path, f"whether {cleaned(sample)} has a decimal comma is not known", "--decimal ,")
        return dict(zip(columns, marks, strict=True))

    def _as_dates(self) -> Stamps | None:
        """Return the stamps if they are dates or times of day."""
        if not self._choice.time or not self._table.lines:
            return None
        parts = zip(*(self._table.columns[column] for column in self._choice.time), strict=True)
        return dated([" ".join(part) for part in parts])

    def _factors(self) -> list[float]:
        """Return what the units of the six columns are worth."""
        said = [self._unit(axis) for axis in range(6)]
        found = [1.0] * 6
        for axis, column in enumerate(self._choice.wrench):
            role = (*FORCES, *TORQUES)[axis]
            if column is None:
                if axis < 3 or any(self._choice.wrench[3:]):
                    self._told.append(f"{role}: none, 0")
                continue
            quantity, name = (FORCE, TORQUE)[axis // 3], self._table.names[column] or f"column {column + 1}"
            unit = said[axis]
            if not unit:
                beside = {u for u in said[axis // 3 * 3 : axis // 3 * 3 + 3] if u}
                unit = beside.pop() if len(beside) == 1 else ""
            if not unit:
                self._without_unit(name, quantity, said)
                self._told.append(f"{role}: {name} [{SI[quantity]}, as the file says no unit]")
                continue
            worth = factor(unit, quantity)
            if worth is None:
                ask(
                    self._path,
                    f"column {name} is in {unit}, which is no unit of a {quantity} that is known here",
                    f"--{quantity}-unit UNIT ({NAMED[quantity]})",
                )
            found[axis] = worth
            self._told.append(f"{role}: {name} [{unit.strip('()[] ')}]")
        return found

    def _without_unit(self, name: str, quantity: str, said: list[str]) -> None:
        """Note that newtons are assumed; where forces are in another unit, torques cannot be assumed."""
        if quantity == TORQUE and any(unit and factor(unit, FORCE) not in (None, 1.0) for unit in said[:3]):
            ask(
                self._path,
                f"the unit of column {name} is not known, and the forces are not in N",
                f"--torque-unit UNIT ({NAMED[TORQUE]})",
            )

    def _unit(self, axis: int) -> str:
        """Return a column's unit as it is said: by the user, its name, a line of units, above the names."""
        quantity, column = (FORCE, TORQUE)[axis // 3], self._choice.wrench[axis]
        if column is None:
            return ""
        forced = self._asked.force_unit if quantity == FORCE else self._asked.torque_unit
        named = self._chooser.sense_of(column)
        unit = forced or (named.unit if named is not None else "") or self._table.units[column]
        return unit.strip(" -()[]") or _unit_above(self._table.preamble, quantity)

    def _stamps(self) -> Stamps:
        """Return the times of all rows."""
        rows, columns = len(self._table.lines), self._choice.time
        if not columns:
            assert self._asked.rate_hz is not None
            self._told.append(f"t: rows, {self._asked.rate_hz:g} a second")
            return Stamps(np.arange(rows) / self._asked.rate_hz, "rows", "")
        name = " + ".join(self._table.names[column] or f"column {column + 1}" for column in columns)
        cells = self._table.columns[columns[0]]
        stamps = self._dates
        if stamps is None:
            values = decimals(cells, self._marks[columns[0]])
            if len(columns) == 2:
                small = decimals(self._table.columns[columns[1]], ".")
                values = [
                    None if a is None or b is None else a + b * UNITS["ns"]
                    for a, b in zip(values, small, strict=True)
                ]
            first = next((cleaned(c) for c, v in zip(cells, values, strict=True) if v is not None), "")
            self._refuse_wordy(name, values, cells)
            self._refuse_coarse(name, values)
            unit, why = self._time_unit(columns, name, values)
            worth = factor(unit, TIME)
            assert worth is not None
            t, times = run_on(from_first(values, Decimal(repr(worth))), worth)
            if times:
                self._notes.append(f"the counter of the time {name} ran over {times} times and is carried on")
            stamps = Stamps(t, f"{unit}{why}", first)
        self._told.append(f"t: {name} [{stamps.unit}], from {stamps.first or 'nothing'} on")
        return stamps

    def _time_unit(
        self, columns: tuple[int, ...], name: str, values: list[Decimal | None]
    ) -> tuple[str, str]:
        """Return the unit of the stamps, and how it is known."""
        if self._asked.time_unit:
            return self._asked.time_unit, ""
        if len(columns) == 2:
            return "s", ""
        named = self._chooser.sense_of(columns[0])
        said = (named.unit if named is not None else "") or self._table.units[columns[0]]
        said = said.strip(" -()[]")
        if said and factor(said, TIME) is not None:
            return said, ""
        unit = unit_of(values)
        if not unit and len(values) > 1:
            steps = [f"{v}" for v in values[:3]]
            ask(
                self._path,
                f"the unit of the time {name} is not known (it begins {', '.join(steps)})",
                f"--time-unit UNIT ({NAMED[TIME]})",
            )
        return unit or "s", ", by the stamps themselves"

    def _refuse_wordy(self, name: str, values: list[Decimal | None], cells: list[str]) -> None:
        """Refuse stamps that are no numbers, nor dates that are known here."""
        if cells and not any(value is not None for value in values):
            ask(
                self._path,
                f"the time {name} = {_brief(cells[0])} is no number, and no date or time of day that is "
                "known here; say the rate of the rows",
                "--columns t=none --rate-hz HZ",
            )

    def _refuse_coarse(self, name: str, values: list[Decimal | None]) -> None:
        """Refuse stamps that stand still for too long: they were written with too few digits."""
        known = [value for value in values if value is not None]
        if len(known) > 1 and MOST_ALIKE * len(set(known)) < len(known):
            ask(
                self._path,
                f"the time {name} has {len(set(known))} different stamps in {len(known)} rows: too few "
                "digits; say the rate of the rows",
                "--columns t=none --rate-hz HZ",
            )

    def _refuse_or_note(self, kept: BoolArray, t: Array) -> None:
        lost = np.flatnonzero(~kept)
        k = int(lost[0])
        if self._asked.whole:
            column = self._broken_column(k, bool(np.isfinite(t[k])))
            raise RecordingError(
                f"{self._path}: line {self._table.lines[k]}: {self._table.names[column]} = "
                f"{_brief(self._table.columns[column][k])} must be a finite number; `zerog import` leaves "
                "such rows out and counts them"
            )
        lines = _some([self._table.lines[row] for row in lost])
        self._notes.append(f"{len(lost)} rows without a number are left out (lines {lines})")

    def _broken_column(self, row: int, timed: bool) -> int:
        """Return which column has no number in a row, whose stamp is one or not."""
        columns = [c for c in self._choice.wrench if c is not None] if timed else list(self._choice.time)
        for column in columns:
            mark = self._marks.get(column, ".")
            if not np.isfinite(numbers([self._table.columns[column][row]], mark)).all():
                return column
        return columns[0]

    def _in_order(self, t: Array, wrench: Array, rows: IntArray) -> tuple[Array, Array]:
        """Return times that do not go back."""
        back = np.flatnonzero(np.diff(t) < 0.0)
        if not len(back):
            return t, wrench
        k = int(back[0]) + 1
        second = another_begins(t)
        if self._asked.sort and second is not None:
            raise RecordingError(
                f"{self._path}: line {self._table.lines[rows[second]]}: a second recording begins here, or "
                "the clock was set back: its times lie among those of the rows before; cut the file apart"
            )
        if not self._asked.sort:
            column = self._choice.time[0]
            before, after = (self._table.columns[column][rows[row]].strip() for row in (k - 1, k))
            ask(
                self._path,
                f"line {self._table.lines[rows[k]]}: {self._table.names[column]} = {after} goes back behind "
                f"{before} ({len(back)} times); rows of one recording can be sorted, several recordings in "
                "one file must be cut apart",
                "--sort",
            )
        order = np.argsort(t, kind="stable")
        self._notes.append(f"time went back {len(back)} times: the rows are sorted by their stamps")
        return t[order] - t[order[0]], wrench[order]

    def _judge_size(self, force: Array) -> None:
        """Refuse forces without a unit that no hand has, and note those that say nothing."""
        if len(force) > 1 and not np.ptp(force, axis=0).any():
            self._notes.append("the forces never change from first to last: was the sensor connected?")
        stated = any(self._unit(axis) for axis in range(3))
        if stated or not len(force):
            return
        about = force - np.median(force, axis=0)
        largest = float(np.abs(about).max())
        if largest > LARGEST:
            ask(
                self._path,
                f"the file says no unit of the forces, and they reach {largest:.6g}, which no hand does in N",
                f"--force-unit UNIT ({NAMED[FORCE]})",
            )
        if 0.0 < largest < 0.5 * SMALLEST:
            self._notes.append(
                f"the forces differ by no more than {2.0 * largest:.2g} from first to last, and the file "
                "says no unit: taken as N; if they are in kN, say `zerog import --force-unit kN`"
            )


def _unit_above(preamble: list[str], quantity: str) -> str:
    """Return the unit that a line above the names says, as `Force Units: N`."""
    for line in preamble:
        match = re.search(rf"{quantity}\s*units?\W+([\w·*.-]+(?: [a-zA-Z]{{1,2}}\b)?)", line, re.IGNORECASE)
        if match and factor(match[1], quantity) is not None:
            return match[1]
    return ""


def _brief(cell: str) -> str:
    """Return a cell as a message shows it: damaged files have long ones."""
    text = cell.strip()
    return repr(text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}...")


def _some(lines: list[int]) -> str:
    shown = ", ".join(map(str, lines[:3]))
    return f"{shown}, ..." if len(lines) > 3 else shown
