"""What happened when in a recording: states, pushes, contacts, holds, faults, holes. Pure."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from hil.common.clock import NS
from hil.loop.judging.state_machine import MOVING, State
from hil.messaging.messages import Contact, ImpulseSlice, Mode

KINDS = ("push", "contact", "hold", "fault")
COUNTED = {"pushes": "push", "holds": "hold", "faults": "fault"}  # as the status of a run names them
CELLS = 600  # of the line as it is drawn
LETTERS = {
    State.STOPPED: "S",
    State.READY: "R",
    State.APPROACHING: "A",
    State.CALIBRATING: "A",
    State.FLOATING: "F",
    State.HOLDING: "H",
    State.FAULT: "X",
}
UNKNOWN, DAMAGED = ".", "D"


@dataclass(frozen=True, slots=True)
class Stretch:
    """For how long the machine was in a state: from `begin_ns` until the next one's.

    Attributes:
        begin_ns: since when.
        state: which.
        floated_ns: for how long the object had floated before.
    """

    begin_ns: int
    state: str
    floated_ns: int


@dataclass
class Timeline:
    """The line, as far as the recording was looked through.

    Attributes:
        begin_ns: of the recording.
        end_ns: of the recording.
        known_ns: up to where it was looked through.
        complete: all of it was.
        holes: damaged stretches [ns].
    """

    begin_ns: int
    end_ns: int
    known_ns: int = 0
    complete: bool = False
    holes: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with nothing."""
        self._stretches: list[Stretch] = []
        self._marks: dict[str, list[int]] = {kind: [] for kind in KINDS}
        self._pushes: dict[int, int] = {}
        self._contacts: list[Contact] = []
        self._drawn: tuple[int, dict[str, list[int]], str] | None = None

    def orders(self, modes: Iterable[Mode]) -> None:
        """Take orders in the order of their times."""
        for mode in modes:
            before = self._stretches[-1] if self._stretches else None
            if before is not None and (mode.state == before.state or mode.t_ns <= before.begin_ns):
                continue
            floated_ns = 0 if before is None else self._floated_ns(before, mode.t_ns)
            self._stretches.append(Stretch(mode.t_ns, mode.state, floated_ns))
            if before is not None and mode.state == State.HOLDING:
                self._marks["hold"].append(mode.t_ns)
            if mode.state == State.FAULT:
                self._marks["fault"].append(mode.t_ns)
            self._drawn = None

    def pushes(self, slices: Iterable[ImpulseSlice]) -> None:
        """Take slices of pushes; one that was taken back is none."""
        for piece in slices:
            number, known = piece.impulse_id, self._pushes.get(piece.impulse_id)
            if np.any(piece.impulse_object):
                if known is None and self.state_at(piece.t_start_ns) in (State.FLOATING, State.HOLDING):
                    self._pushes[number] = piece.t_start_ns
                    insort(self._marks["push"], piece.t_start_ns)
            elif piece.slice_index == 0 and known is not None:
                self._marks["push"].remove(self._pushes.pop(number))
            self._drawn = None

    def touches(self, contacts: Iterable[Contact]) -> None:
        """Take what is told of contacts in the order of its times: a mark each; the last of each is kept."""
        for contact in contacts:
            if self._contacts and self._contacts[-1].t_start_ns == contact.t_start_ns:
                self._contacts.pop()
            else:
                insort(self._marks["contact"], contact.t_start_ns)
            self._contacts.append(contact)
            self._drawn = None

    def contact_at(self, t_ns: int) -> Contact | None:
        """Return the last contact of which all had been told at an instant."""
        at = bisect_right(self._contacts, t_ns, key=lambda contact: contact.t_ns)
        return self._contacts[at - 1] if at else None

    def hole(self, begin_ns: int, end_ns: int) -> None:
        """Take note of a stretch that cannot be read."""
        self.holes.append((max(begin_ns, self.begin_ns), min(end_ns, self.end_ns)))
        self._drawn = None

    def after(self, kind: str, t_ns: int) -> int | None:
        """Return when the first of a kind after an instant was [ns]; None: there is none."""
        marks = self._marks[kind]
        at = bisect_right(marks, t_ns)
        return marks[at] if at < len(marks) else None

    def before(self, kind: str, t_ns: int) -> int | None:
        """Return when the last of a kind before an instant was [ns]; None: there is none."""
        marks = self._marks[kind]
        at = bisect_left(marks, t_ns)
        return marks[at - 1] if at else None

    def state_at(self, t_ns: int) -> str:
        """Return the state at an instant; empty before anything is known of it."""
        stretch = self._stretch_at(t_ns)
        return "" if stretch is None else stretch.state

    def counts(self, t_ns: int) -> dict[str, float]:
        """Return what a run is counted by, until an instant, in the names of the daemon's status."""
        counts = {name: bisect_right(self._marks[kind], t_ns) for name, kind in COUNTED.items()}
        stretch = self._stretch_at(t_ns)
        floated_s = 0.0 if stretch is None else self._floated_ns(stretch, t_ns) / NS
        return counts | {"floated_s": floated_s}

    def drawn(self) -> tuple[dict[str, list[int]], str]:
        """Return the line in `CELLS` cells: which of them have a mark, by kind, and each one's state."""
        if self._drawn is None or self._drawn[0] != self.known_ns:
            marks = {kind: sorted({self._cell(t) for t in times}) for kind, times in self._marks.items()}
            self._drawn = self.known_ns, marks, self._states()
        return self._drawn[1:]

    def _states(self) -> str:
        letters = [UNKNOWN] * CELLS
        ends = [s.begin_ns for s in self._stretches[1:]] + [self.known_ns]
        for stretch, end_ns in zip(self._stretches, ends, strict=True):
            letter = LETTERS.get(State(stretch.state), UNKNOWN)
            for cell in range(self._cell(stretch.begin_ns), self._cell(end_ns) + 1):
                letters[cell] = letter
        for begin_ns, end_ns in self.holes:
            for cell in range(self._cell(begin_ns), self._cell(end_ns) + 1):
                letters[cell] = DAMAGED
        return "".join(letters)

    def _cell(self, t_ns: int) -> int:
        share = (t_ns - self.begin_ns) / max(1, self.end_ns - self.begin_ns)
        return min(max(int(share * CELLS), 0), CELLS - 1)

    def _stretch_at(self, t_ns: int) -> Stretch | None:
        at = bisect_right(self._stretches, t_ns, key=lambda stretch: stretch.begin_ns)
        return self._stretches[at - 1] if at else None

    def _floated_ns(self, stretch: Stretch, t_ns: int) -> int:
        return stretch.floated_ns + (t_ns - stretch.begin_ns if stretch.state in MOVING else 0)
