"""How busy the machine is, in an operator's terms: its load, and what share of the time each process got.

The kernel counts for each process how long it ran and how long it was kept waiting though it could have run.
What a process got is the first over their sum: 100 % on a machine with room, half of it where two want the
same core.
"""

import os
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from hil.loop.judging.judge import Evidence

PERIOD_NS = 500_000_000  # between two looks
LOOKS = 5  # that are kept: what is told is of the last two seconds and a bit
GOT_LITTLE = 0.8  # a process that got less of its time was kept waiting ...
KEPT = 0.15  # ... if it was for so much of the time that has passed: what wakes often always waits a little
REMEDY = "end what keeps it busy, see `zerog doctor`"


@dataclass(frozen=True)
class Look:
    """One look at all processes: how long each has run and was kept waiting so far [ns]."""

    at_ns: int
    spent: Mapping[str, tuple[int, int]]


class BusyWatch:
    """Remembers the last seconds, to say of a fault whether the machine was too busy."""

    def __init__(self, proc: Path = Path("/proc")) -> None:
        self._proc = proc
        self._looks: deque[Look] = deque(maxlen=LOOKS)

    def turn(self, now_ns: int, pids: Mapping[str, int]) -> None:
        """Look at the processes, given by name, if it is time to."""
        if not self._looks or now_ns - self._looks[-1].at_ns >= PERIOD_NS:
            self._looks.append(self._look(now_ns, pids))

    def explained(self, seen: Evidence, moving: bool, now_ns: int, pids: Mapping[str, int]) -> Evidence:
        """Return the evidence with the machine's state beside what is late, if that stops a moving arm."""
        if not moving or not (seen.missing or seen.stuck):
            return seen
        why = self.words(now_ns, pids)
        return replace(
            seen, missing=_with(seen.missing, why) if seen.missing else "",
            stuck=_with(seen.stuck, why) if seen.stuck else "",
        )  # fmt: skip

    def why(self, reason: str, now_ns: int, pids: Mapping[str, int]) -> str:
        """Return a reason with the machine's state beside it, if it is too busy; an empty one stays empty."""
        return _with(reason, self.words(now_ns, pids)) if reason else ""

    def words(self, now_ns: int, pids: Mapping[str, int]) -> str:
        """Return how busy the machine has been, if any of the processes was kept waiting; else empty."""
        shares = self.shares(now_ns, pids)
        if not shares:
            return ""
        got = ", ".join(f"the {name} {share:.0%}" for name, share in shares.items())
        cores = len(os.sched_getaffinity(0))
        load = (self._proc / "loadavg").read_text(encoding="ascii").split()[0]
        return f"the machine is busy: load {load} on {cores} cores, of the time they needed {got}"

    def shares(self, now_ns: int, pids: Mapping[str, int]) -> dict[str, float]:
        """Return by process what it got of the time that it asked for, of those kept waiting; least first."""
        now = self._look(now_ns, pids)
        found = {}
        for name, (ran, waited) in now.spent.items():
            before = next((look for look in self._looks if name in look.spent), None)
            if before is None:
                continue
            ran, waited = ran - before.spent[name][0], waited - before.spent[name][1]
            if waited > KEPT * (now_ns - before.at_ns) and ran < GOT_LITTLE * (ran + waited):
                found[name] = ran / (ran + waited)
        return dict(sorted(found.items(), key=lambda item: item[1]))

    def _look(self, now_ns: int, pids: Mapping[str, int]) -> Look:
        spent = {name: spent for name, pid in pids.items() if (spent := self._spent(pid)) is not None}
        return Look(now_ns, spent)

    def _spent(self, pid: int) -> tuple[int, int] | None:
        try:
            ran, waited, _ = (self._proc / str(pid) / "schedstat").read_text(encoding="ascii").split()
        except (OSError, ValueError):
            return None  # it has ended, or the kernel does not count
        return int(ran), int(waited)


def _with(reason: str, why: str) -> str:
    return f"{reason}; {why}; {REMEDY}" if why else reason
