"""Numbers as people and programs write them: decimal commas, groups of thousands, exponents of old.

What a comma means follows from all numbers together: one alone does not tell.
"""

import math
import re
from collections.abc import Iterable

import numpy as np

from hil.common.arrays import Array

MISSING = {
    "", "nan", "na", "n/a", "#n/a", "#na", "null", "none", "nil", "-", "--", "?", "inf", "-inf", "+inf",
    "-nan", "+nan", "nan(ind)", "-nan(ind)", "1.#qnan", "-1.#ind", "infinity", "-infinity",
}  # fmt: skip
_PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eEdD][+-]?\d+)?")
_WRITTEN = re.compile(r"[+-]?(\d[\d.,' \u00a0\u2009\u202f]*|[.,]\d+)([eEdD][+-]?\d+)?")
_GROUPS_BY_COMMA = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?([eEdD][+-]?\d+)?")
_GROUPS_BY_POINT = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?([eEdD][+-]?\d+)?")
_SPACES = dict.fromkeys(map(ord, "' \u00a0\u2009\u202f"))


def cleaned(cell: str) -> str:
    """Return a cell without blanks and quotes around it, its minus sign as a computer writes it."""
    return cell.strip().strip("\"'").strip().replace("\u2212", "-").replace("\u2013", "-")


def is_number(cell: str) -> bool:
    """Return whether a cell is a number, however it is written, or says that there is none."""
    cell = cleaned(cell)
    return bool(_WRITTEN.fullmatch(cell)) or (cell != "" and cell.lower() in MISSING - {"-", "--", "?"})


def decimal_marks(columns: Iterable[list[str]]) -> list[str] | None:
    """Return the decimal mark of each column of numbers, "." or ","; None if they leave it open."""
    possible = [_possible_marks(cells) for cells in columns]
    sure = {next(iter(marks)) for marks, _ in possible if len(marks) == 1}
    found = []
    for marks, commas in possible:
        if len(marks) > 1 and len(sure) != 1:
            if commas:
                return None
            marks = {"."}
        elif len(marks) > 1:
            marks = sure
        found.append(next(iter(marks)))
    return found


def _possible_marks(cells: list[str]) -> tuple[set[str], bool]:
    """Return what the decimal mark of a column may be, and whether it has commas.

    It is that under which more of its cells are numbers: one spoilt cell does not turn all others.
    """
    marked = {cleaned(cell) for cell in cells if "," in cell or "." in cell}
    commas = any("," in cell for cell in marked)
    if not commas and all(cell.count(".") == 1 for cell in marked):
        return ({".", ","} if all(_GROUPS_BY_POINT.fullmatch(cell) for cell in marked) else {"."}), False
    lost = {mark: sum(math.isnan(_number(cell, mark)) for cell in marked) for mark in (".", ",")}
    return {mark for mark in lost if lost[mark] == min(lost.values())}, commas


def plain(cell: str, mark: str) -> str:
    """Return a number as a computer writes it; a cell that is none, or not with this mark, as it is."""
    cell = cleaned(cell)
    if not _WRITTEN.fullmatch(cell):
        return cell
    cell = cell.translate(_SPACES)
    groups, other = (_GROUPS_BY_POINT, ".") if mark == "," else (_GROUPS_BY_COMMA, ",")
    if other in cell:
        if not groups.fullmatch(cell):
            return f"{cell}?"
        cell = cell.replace(other, "")
    return cell.replace(",", ".").replace("D", "e").replace("d", "e")


def numbers(cells: list[str], mark: str) -> Array:
    """Return numbers; NaN where a cell says that there is none, or is none."""
    if mark == "." and not any("_" in cell for cell in cells):  # which Python would skip
        try:
            return np.array(cells, np.float64)
        except ValueError:
            pass
    return np.array([_number(cell, mark) for cell in cells], np.float64)


def _number(cell: str, mark: str) -> float:
    text = plain(cell, mark)
    return float(text) if _PLAIN.fullmatch(text) else math.nan
