"""A table in a text file of any dialect: separator, names, units and rows, found from the rows themselves.

Above the rows may stand anything: a title, settings of the sensor, comments. The line of names is the nearest
one above them that has as many fields; a line of units may stand between. Python's `csv` splits the lines.
"""

import csv
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from hil.common.errors import RecordingError
from hil.common.formats.numbers import cleaned, is_number
from hil.common.formats.text import text_of

SEPARATORS = ("\t", ";", "|", ",", " ")
COMMENTS = ("#", "%", "//", "!", ";", "*", "--")
LOOKED_AT = 200  # lines from the middle that tell the separator
TRIED = 3  # rows in a line that begin a table
_TIME_OF_DAY = re.compile(r"\d{1,2}:\d{2}(:\d{2})?")
_DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{2,4}")


@dataclass
class Table:
    """Columns of text, or of numbers where the file has them as such.

    Attributes:
        origin: what the rows are of: the file, or a topic in it.
        names: of the columns as the file has them; empty texts where it has none.
        units: from a line of units; empty texts without one.
        columns: one list of cells each.
        lines: the number of each row's line; counted from 1 where there are no lines.
        names_line: the number of the line of names; 0 without one.
        dialect: how it is written, in words.
        preamble: the lines above the names.
        odd: line, fields there, and fields that there must be, of rows left out for another length.
        repeated: lines that say the names again.
    """

    origin: str
    names: list[str]
    units: list[str]
    columns: list[list[str]]
    lines: list[int]
    names_line: int = 0
    dialect: str = ""
    preamble: list[str] = field(default_factory=list)
    odd: list[tuple[int, int, int]] = field(default_factory=list)
    repeated: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class _Dialect:
    """How the rows are written: their separator, and how many fields they have."""

    separator: str
    width: int

    def fields(self, line: str) -> list[str]:
        """Return a line's fields; an empty one behind a last separator is none."""
        cells = _split(line, self.separator)
        if len(cells) == self.width + 1 and not cells[-1].strip():
            del cells[-1]
        return cells

    def is_comment(self, line: str) -> bool:
        """Return whether a line is a remark between rows."""
        text = line.lstrip()
        if not text.startswith(COMMENTS) or text.startswith(self.separator):
            return False
        return not is_value(self.fields(line)[0])

    def in_words(self) -> str:
        """Return what sets the columns apart."""
        words = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas", " ": "blanks"}
        return f"columns set apart by {words.get(self.separator, self.separator)}"


def table_of(path: Path) -> Table:
    """Return the table in a text file.

    Raises:
        RecordingError: it cannot be read, or no rows of numbers are found in it.
    """
    lines = re.split(r"\r\n|\r|\n", text_of(path))
    if not any(line.strip() for line in lines):
        raise RecordingError(f"{path}: is empty")
    dialect = _dialect(lines)
    first = _first_row(lines, dialect)
    if first is None:
        return _without_rows(path, lines)
    table = _heading(path, lines[:first], dialect)
    if not table.names_line and dialect.separator == ",":
        halved = _heading(path, lines[:first], _Dialect(",", dialect.width // 2))
        if halved.names_line and dialect.width % 2 == 0:
            return _joined(halved, _rows(lines, first, dialect, table), table)
        unnumbered = _heading(path, lines[:first], _Dialect(",", dialect.width - 1))
        if unnumbered.names_line:  # R numbers its rows, but does not name their numbers
            table.names, table.names_line = ["", *unnumbered.names], unnumbered.names_line
    rows = _rows(lines, first, dialect, table)
    table.columns = [list(column) for column in zip(*rows, strict=True)]
    return table


def _joined(halved: Table, rows: list[list[str]], table: Table) -> Table:
    """Return the table whose decimal commas look like separators: two fields are one number."""
    numbers = [[f"{a},{b.strip()}" for a, b in zip(row[::2], row[1::2], strict=True)] for row in rows]
    halved.columns = [list(column) for column in zip(*numbers, strict=True)]
    halved.lines, halved.odd = table.lines, table.odd
    halved.dialect = "columns set apart by commas, which are decimal marks too"
    return halved


def _rows(lines: list[str], first: int, dialect: _Dialect, table: Table) -> list[list[str]]:
    """Return the rows; those of another length, comments and repeated names are noted and left out."""
    rows: list[list[str]] = []
    heading = [name.lower() for name in table.names] if any(table.names) else None
    for number, line in enumerate(lines[first:], start=first + 1):
        if not line.strip():
            continue
        cells = dialect.fields(line)
        if len(cells) == dialect.width and is_value(cells[0]):
            rows.append(cells)
            table.lines.append(number)
        elif heading == [cleaned(cell).lower() for cell in dialect.fields(_uncommented(line))]:
            table.repeated.append(number)
        elif dialect.is_comment(line):
            continue
        elif len(cells) == dialect.width:
            rows.append(cells)
            table.lines.append(number)
        else:
            table.odd.append((number, len(cells), dialect.width))
    return rows


def _dialect(lines: list[str]) -> _Dialect:
    """Return the separator with which the rows are alike and of numbers, and how many fields they have."""
    told = re.match(r"sep=(.)$", lines[0].strip().lower())
    filled = [line for line in lines if line.strip() and not line.lstrip().startswith(("#", "%", "//"))]
    middle = max(0, len(filled) // 2 - LOOKED_AT // 2)
    sample = filled[middle : middle + LOOKED_AT] or [line for line in lines if line.strip()]
    best = (0.0, _Dialect(",", 1))
    for separator in (told[1],) if told else SEPARATORS:
        rows = [_split(line, separator) for line in sample]
        rows = [row[:-1] if len(row) > 1 and not row[-1].strip() else row for row in rows]
        width = Counter(len(row) for row in rows).most_common(1)[0][0]
        alike = [row for row in rows if len(row) == width]
        cells = [cell for row in alike for cell in row]
        share = sum(is_value(cell) for cell in cells) / max(1, len(cells))
        score = share * len(alike) / len(rows) * (1.0 if width > 1 else 0.5)
        if score > best[0]:
            best = score, _Dialect(separator, width)
    return best[1]


def _split(line: str, separator: str) -> list[str]:
    if separator == " ":
        return line.split() or [""]
    if '"' not in line:
        return line.split(separator)
    return next(csv.reader([line], delimiter=separator, skipinitialspace=True), [""])


def is_value(cell: str) -> bool:
    """Return whether a cell is a number, a date or a time of day."""
    text = cleaned(cell)
    return is_number(text) or bool(_DATE.match(text) or _TIME_OF_DAY.match(text))


def _first_row(lines: list[str], dialect: _Dialect) -> int | None:
    """Return where the rows begin: some in a line that are mostly values, as wide as the others."""
    run = begin = 0
    for k, line in enumerate(lines):
        if not line.strip() or dialect.is_comment(line):
            continue
        cells = dialect.fields(line)
        values = sum(is_value(cell) for cell in cells)
        if len(cells) != dialect.width or 3 * values < len(cells):
            run = 0
            continue
        begin = begin if run else k
        run += 1
        if run == TRIED:
            break
    return begin if run else None


def _heading(path: Path, above: list[str], dialect: _Dialect) -> Table:
    """Return a table without rows: its names, their line, their units and what stands above them."""
    filled = [(k, line) for k, line in enumerate(above, start=1) if _says_something(line)]
    none = [""] * dialect.width
    units, words = none, dialect.in_words()
    for at in range(len(filled) - 1, -1, -1):
        number, line = filled[at]
        cells = _names_in(line, dialect)
        if cells is None:
            continue
        over = at > 0 and units is none and _names_in(filled[at - 1][1], dialect) is not None
        if over and all(_is_unit(cell) for cell in cells):
            units = cells
            continue
        return Table(str(path), cells, units, [], [], number, words, [line for _, line in filled[:at]])
    return Table(str(path), none, none, [], [], 0, words, [line for _, line in filled])


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not line.lower().startswith("sep=")


def _names_in(line: str, dialect: _Dialect) -> list[str] | None:
    """Return a line of names split into as many fields as the rows have, or None."""
    line = _uncommented(line)
    ways = [_split(line, separator) for separator in (dialect.separator, "\t", ";", ",")]
    ways += [re.split(pattern, line.strip()) for pattern in (r"\s{2,}", r"\s+(?![(\[])")]
    for way in ways:
        cells = [cleaned(cell) for cell in way]
        if len(cells) == dialect.width + 1 and not cells[-1]:
            del cells[-1]
        if len(cells) == dialect.width and any(re.search(r"[^\W\d_]|%", cell) for cell in cells):
            return cells
    return None


def _is_unit(cell: str) -> bool:
    text = cell.strip("()[] ").lower()
    if re.search(r"[xyz]\b|time|stamp|force|torque", text):
        return False
    return text in ("", "-", "1") or bool(re.fullmatch(r"[\wµμ°·*/^. -]{1,8}", text))


def _uncommented(line: str) -> str:
    return re.sub(r"^\s*(#+|%+|//+|!+|\*+)\s*", "", line)


def _without_rows(path: Path, lines: list[str]) -> Table:
    """Return a table of names alone, or refuse what is none at all."""
    for line in lines:
        for separator in SEPARATORS:
            names = [cleaned(name) for name in _split(_uncommented(line), separator)]
            if len(names) > 2:
                return Table(str(path), names, [""] * len(names), [[] for _ in names], [], 1)
    raise RecordingError(f"{path}: cannot be read as a table: there are no rows of numbers in it")
