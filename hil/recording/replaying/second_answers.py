"""A recording's answers to an emulated second controller, cycle by cycle."""

from collections.abc import Iterator

from drivers.emulation.grasp.second_log import datagrams_of
from hil.messaging.grasp_messages import SecondInputs
from hil.recording.replaying.source import Source

Answer = tuple[bytes, float]  # datagram and how long after the cycle's packet it came [s]


class SecondAnswers:
    """Hands out the answers in the order in which they were taken."""

    def __init__(self, source: Source) -> None:
        self._blocks = source.all_of("/second_inputs", SecondInputs)
        self._end = 0  # cycle up to which all is known
        self._process: int | None = None  # whose core is followed
        self._rows: Iterator[tuple[int, Answer]] = iter(())
        self._next: tuple[int, Answer] | None = None

    def of(self, cycle: int) -> list[Answer] | None:
        """Return what was taken in a cycle; None where the recording lacks it. Cycles come in order."""
        if cycle >= self._end and not self._another():
            return None
        found = []
        while self._next is not None and self._next[0] == cycle:
            found.append(self._next[1])
            self._next = next(self._rows, None)
        return found

    def _another(self) -> bool:
        """Go on to the next block and return whether it follows the last one."""
        block = next(self._blocks, None)
        if block is None or block.start != self._end or block.process != (self._process or block.process):
            self._blocks = iter(())
            return False
        self._process, self._end = block.process, block.start + block.cycles
        answers = zip(datagrams_of(block.answers), block.latencies.tolist(), strict=True)
        self._rows = zip(block.rows.tolist(), answers, strict=True)
        self._next = next(self._rows, None)
        return True
