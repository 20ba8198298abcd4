"""Reads problem files of the siconos collection: linear complementarity, contacts in 2 and 3 dimensions.

A linear complementarity problem: n, then a matrix, then q. A problem of contacts: dimension, number of
contacts, then a matrix, then b, then a coefficient of friction for each. A matrix: how it is stored, rows,
columns; 0 is dense (rows and columns again, then all entries column by column), 1 sparse blocks, 2 sparse as
the library CSparse prints it. Words after the last number are remarks. White space does not count.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import ComplementarityError
from hil.common.input_file import refuse_device
from sim.complementarity.problem_tokens import Tokens

DENSE, BLOCKS, CSPARSE = 0, 1, 2
LARGEST = 6000  # rows of a matrix, which is kept dense
COLUMN = re.compile(r"col\s+(\d+)\s*:\s*locations")
ENTRY = re.compile(r"(\d+)\s*:\s*(\S+)")


@dataclass(frozen=True)
class LcpProblem:
    """w = M z + q, 0 <= w, 0 <= z, w . z = 0."""

    M: Array
    q: Array


@dataclass(frozen=True)
class ContactProblem:
    """u = G lam + b with Coulomb's law at n contacts; of each the normal first."""

    G: Array
    b: Array
    mu: Array
    n: int
    dim: int


def read_problem(path: Path) -> LcpProblem | ContactProblem:
    """Return the problem of a file.

    Raises:
        ComplementarityError: no such file, or one that is none of these or damaged: one line with file, key,
            value and what is asked.
    """
    try:
        refuse_device(path)
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ComplementarityError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ComplementarityError(f"{path}: cannot be read as text: {error}") from None
    tokens = Tokens(path, text)
    if _is_contact(tokens, "CSparse" in text):
        return _contacts(tokens, text)
    n = tokens.integer("n", 1, LARGEST)
    M = _matrix(tokens, text, n)
    problem = LcpProblem(M, tokens.numbers("q", n))
    tokens.end()
    return problem


def _is_contact(tokens: Tokens, csparse: bool) -> bool:
    """Tell the kinds apart by their first five numbers."""
    words = tokens.peek(5)
    try:
        first = [int(float(word)) for word in words]
    except (ValueError, OverflowError):
        first = []
    if len(first) < 5:
        raise tokens.refusal("beginning", " ".join(words) or "nothing", "five whole numbers are asked: sizes")
    a, b, c, d, e = first
    lcp = b in (DENSE, BLOCKS, CSPARSE) and c == d == a
    contact = a in (2, 3) and b >= 1 and c in (DENSE, BLOCKS, CSPARSE) and d == e
    if contact and d != a * b and not lcp:
        raise tokens.refusal(
            "rows", d, f"{b} contacts in {a} dimensions have {a * b}; problems with masses are not read"
        )
    if not lcp and not contact:
        raise tokens.refusal(
            "beginning",
            " ".join(words),
            "neither n, storage, n, n nor dimension (2, 3), contacts, storage, size",
        )
    return contact and d == a * b and (not lcp or csparse)


def _contacts(tokens: Tokens, text: str) -> ContactProblem:
    dim = tokens.integer("dimension", 2, 3)
    n = tokens.integer("contacts", 1, LARGEST // dim)
    G = _matrix(tokens, text, n * dim)
    b, mu = tokens.numbers("b", n * dim), tokens.numbers("mu", n)
    if (mu < 0.0).any():
        raise tokens.refusal(f"mu[{int(np.argmin(mu))}]", mu.min(), "friction is not negative")
    tokens.end()
    return ContactProblem(G, b, mu, n, dim)


def _matrix(tokens: Tokens, text: str, size: int) -> Array:
    storage = tokens.integer("storage", DENSE, CSPARSE)
    for key in ("rows", "columns"):
        tokens.integer(key, size, size)
    if storage == DENSE:
        for key in ("rows", "columns"):
            tokens.integer(key, size, size)
        return np.ascontiguousarray(tokens.numbers("matrix", size * size).reshape(size, size).T)
    return _blocks(tokens, size) if storage == BLOCKS else _csparse(tokens, text, size)


def _blocks(tokens: Tokens, size: int) -> Array:
    """Read rows of dense blocks, each block by columns."""
    count = tokens.integer("blocks", 0, size * size)
    counts = [tokens.integer(f"{way} of blocks", 1, size) for way in ("rows", "columns")]
    ends = []
    for way, many in zip(("row", "column"), counts, strict=True):
        before, these = 0, []
        for i in range(many):
            before = tokens.integer(f"end of block {way} {i}", before + 1, size)
            these.append(before)
        if before != size:
            raise tokens.refusal(f"end of block {way} {many - 1}", before, f"the blocks end at {size}")
        ends.append([0, *these])
    starts = tokens.integer("length of block starts", 1, counts[0] + 1)
    tokens.integer("length of block columns", count, count)
    first = [tokens.integer(f"block start {i}", 0, count) for i in range(starts)]
    columns = [tokens.integer(f"block column {i}", 0, counts[1] - 1) for i in range(count)]
    G, row = np.zeros((size, size)), 0
    for i, column in enumerate(columns):
        tokens.integer(f"number of block {i}", i, i)
        while row + 1 < starts and first[row + 1] <= i:
            row += 1
        if row >= counts[0]:
            raise tokens.refusal(f"block start {row}", first[row], f"block {i} has no row")
        high, low = ends[0][row : row + 2]
        left, right = ends[1][column : column + 2]
        values = tokens.numbers(f"block {i}", (low - high) * (right - left))
        G[high:low, left:right] = values.reshape(right - left, low - high).T
    return G


def _csparse(tokens: Tokens, text: str, size: int) -> Array:
    """Read the lines `col j : locations a to b` and `i : value`; what follows them goes on as numbers."""
    G, column, entries, last = np.zeros((size, size)), -1, 0, 0
    announced = re.search(r"nnz:\s*(\d+)", text)
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if match := COLUMN.search(line):
            column, last = int(match[1]), number
        elif column >= 0 and (match := ENTRY.fullmatch(line.strip())):
            row, last, entries = int(match[1]), number, entries + 1
            try:
                value = float(match[2])
            except ValueError:
                value = np.nan
            if not (row < size and column < size and np.isfinite(value)):
                raise tokens.refusal(
                    f"matrix[{row}, {column}]", match[2], f"a finite number within {size} x {size}"
                )
            G[row, column] = value
    if not announced or int(announced[1]) != entries:
        raise tokens.refusal("nnz", announced[1] if announced else "nothing", f"{entries} entries are there")
    tokens.restart("\n".join(lines[last + 1 :]))
    return G
