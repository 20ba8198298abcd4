"""What replayed cores say against what the recording has of them."""

import dataclasses
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hil.messaging.codec import Message
from hil.recording.protobuf import coder_of

SHOWN = 20  # differences of a core that are kept in full


@dataclass(frozen=True)
class Difference:
    """One thing that a core says today and did not say then, or the reverse."""

    core: str
    topic: str
    t_ns: int
    text: str


@dataclass
class Verdict:
    """What came of one core.

    Attributes:
        core: its name.
        turns: that were run again.
        compared: messages by topic that were compared.
        different: how many of them differ.
        first: the first differences.
        notes: why something could not be compared.
    """

    core: str
    turns: int = 0
    compared: Counter[str] = field(default_factory=Counter)
    different: Counter[str] = field(default_factory=Counter)
    first: list[Difference] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def same(self) -> bool:
        """Whether everything that was compared is the same to the bit, and something was."""
        return not self.different and self.compared.total() > 0

    def lacks(self, what: str) -> None:
        """Say what the core consumed that is not at hand: without it the core can be followed no further."""
        self.note(f"{what} that it consumed are not at hand: it is followed no further")

    def note(self, text: str) -> None:
        """Say once why something could not be compared."""
        if text not in self.notes:
            self.notes.append(text)

    def count(self, topic: str, t_ns: int, text: str) -> None:
        """Count one comparison; an empty text means that both are the same."""
        self.compared[topic] += 1
        if text:
            self.different[topic] += 1
            if len(self.first) < SHOWN:
                self.first.append(Difference(self.core, topic, t_ns, text))


class Expected:
    """The messages that a core published, each awaited once; several may have the same instant.

    What comes while none of its instant is recorded is not judged beyond the recording's own end.
    """

    def __init__(
        self, verdict: Verdict, topic: str, kind: type[Message], rows: list[tuple[int, bytes]]
    ) -> None:
        self._verdict, self._topic, self._coder = verdict, topic, coder_of(kind)
        self._waiting: dict[int, list[bytes]] = {}
        for t_ns, data in rows:
            self._waiting.setdefault(t_ns, []).append(data)
        self._instants = sorted(self._waiting, reverse=True)  # not asked for by `rest` yet, the oldest last
        self._end_ns = self._instants[0] if self._instants else 0

    def hear(self, msg: Message) -> None:
        """Compare what a core says now with what it said then."""
        waiting = self._waiting.get(msg.t_ns)
        if not waiting:
            if msg.t_ns <= self._end_ns:
                self._verdict.count(self._topic, msg.t_ns, "was not said then")
            return
        then = waiting.pop(0)
        if not waiting:
            del self._waiting[msg.t_ns]
        same = self._coder.encode(msg) == then
        self._verdict.count(self._topic, msg.t_ns, "" if same else changes(self._coder.decode(then), msg))

    def rest(self, begin_ns: int, end_ns: int) -> None:
        """Count what was said then in a stretch and is not said now; stretches are asked for in order."""
        while self._instants and self._instants[-1] <= end_ns:
            t_ns = self._instants.pop()
            for _ in self._waiting.get(t_ns, ()) if t_ns >= begin_ns else ():
                self._verdict.count(self._topic, t_ns, "is not said now")


def plain(value: Any) -> Any:
    """Return a number of numpy's as Python's own, which people read; anything else as it is."""
    return value.item() if isinstance(value, np.generic) else value


def changes(then: Message, now: Message) -> str:
    """Return in words which fields of two messages differ, and by how much."""
    found = []
    for item in dataclasses.fields(then):
        a, b = getattr(then, item.name), getattr(now, item.name)
        if isinstance(a, np.ndarray):
            b = np.asarray(b, a.dtype)
            if a.shape != b.shape:
                found.append(f"{item.name}: shape {a.shape} then, {b.shape} now")
            elif a.tobytes() != b.tobytes():
                largest = float(np.abs(a.astype(np.float64) - b).max())
                found.append(f"{item.name}: by up to {largest:.3g} {item.metadata['unit']}".rstrip())
        elif a != b:
            found.append(f"{item.name}: {plain(a)!r} then, {plain(b)!r} now")
    return "; ".join(found) or "differs"
