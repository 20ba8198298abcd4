"""Messages of one topic as a table: every number in them is a column, named by its path."""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from hil.common.formats.table import Table

LONGEST_ARRAY = 16  # more numbers in a row are a picture or a cloud, and no wrench
DEEPEST = 6
LOGGED = "logged"  # column of the instants at which messages were recorded [ns]


class TopicTable:
    """Gathers the messages of a topic."""

    def __init__(self, origin: str) -> None:
        """Begin without rows; `origin` is the topic's name."""
        self._origin = origin
        self._names: list[str] | None = None
        self._rows: list[list[str]] = []
        self._odd: list[tuple[int, int, int]] = []
        self._count = 0

    def add(self, message: Any, log_ns: int) -> None:
        """Take a decoded message; one with other fields than the first is left out and noted."""
        self._count += 1
        cells = dict(flat(message)) | {LOGGED: str(log_ns)}
        if self._names is None:
            self._names = list(cells)
        if list(cells) == self._names:
            self._rows.append(list(cells.values()))
        else:
            self._odd.append((self._count, len(cells), len(self._names)))

    @property
    def names(self) -> list[str]:
        """The columns, as the first message has them."""
        return self._names or []

    def table(self) -> Table:
        """Return the table; its lines are the messages' numbers from 1 on."""
        names = self.names
        odd = {number for number, _, _ in self._odd}
        lines = [n for n in range(1, self._count + 1) if n not in odd]
        columns = [list(column) for column in zip(*self._rows, strict=True)] or [[] for _ in names]
        return Table(self._origin, names, [""] * len(names), columns, lines, odd=self._odd)


def flat(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield every number in a decoded message with its path: `wrench.force.x`, `values[2]`."""
    if isinstance(value, bool | np.bool_) or value is None or depth > DEEPEST:
        return
    if isinstance(value, int | float | np.number):
        yield path, repr(value.item() if isinstance(value, np.number) else value)
    elif isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from flat(item, f"{path}.{key}" if path else str(key), depth + 1)
    elif isinstance(value, list | tuple | np.ndarray):
        if len(value) <= LONGEST_ARRAY:
            for k, item in enumerate(value):
                yield from flat(item, f"{path}[{k}]", depth + 1)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            if not field.name.startswith("__"):
                inner = f"{path}.{field.name}" if path else field.name
                yield from flat(getattr(value, field.name), inner, depth + 1)
