"""Rows of a core's inputs, handed out turn by turn in the order in which they came."""

from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar


class Turn(Protocol):
    """A row of inputs."""

    @property
    def process(self) -> int:
        """Whose core took it."""

    @property
    def taken(self) -> int:
        """Samples that the core had taken before."""


Row = TypeVar("Row", bound=Turn)


class Turns(Generic[Row]):
    """Reads rows as far as a core has come; what is left of another core before it is passed over."""

    def __init__(self, rows: Iterator[Row]) -> None:
        """Stand before the first row."""
        self._rows = rows
        self._next = next(rows, None)
        self._process: int | None = None  # whose core is followed

    def until(self, process: int, taken: int) -> Iterator[Row]:
        """Yield the rows that a core was given when it had taken so many samples."""
        if process != self._process:
            self._process = process
            while self._next is not None and self._next.process != process:
                self._next = next(self._rows, None)
        while (row := self._next) is not None and row.process == process and row.taken <= taken:
            self._next = next(self._rows, None)
            yield row
