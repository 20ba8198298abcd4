"""Blocks of a core's inputs in a row: where one is missing, the core can be followed no further."""

from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeVar

from hil.recording.replaying.comparison import Verdict


class Block(Protocol):
    """Some turns of a core."""

    @property
    def process(self) -> int:
        """Whose core."""

    @property
    def start(self) -> int:
        """Turns before this block."""

    @property
    def rows(self) -> Any:
        """One a turn."""


Inputs = TypeVar("Inputs", bound=Block)


def in_a_row(blocks: Iterable[Inputs], verdict: Verdict) -> Iterator[tuple[bool, Inputs]]:
    """Yield each block that can be followed, and whether its core is a new one."""
    process, following = None, 0
    lost = False
    for block in blocks:
        new = block.process != process
        if new:
            process, following, lost = block.process, 0, False
        if block.start != following and not lost:
            lost = True
            where = f"from turn {following} on" if following else "from its beginning on"
            verdict.note(f"inputs are missing {where}: that core is followed no further")
        following = block.start + len(block.rows)
        if not lost:
            yield new, block
