"""Whether the machine let a live run have its time: so that a test may mean what it claims.

A test that says "the arm goes on" must fail when the arm stops. On a shared machine it may also stop because
its processes did not get a core; the kernel knows how long they waited for one. A trial spoilt in this way is
repeated, and nothing else excuses it.
"""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.live_run import LiveRun

TICK_S = 0.02
STARVED_S = 0.012  # of a tick without a core, or as late as that: a 2 ms cycle has missed several packets
TRIES = 5
RING = ("daemon", "emulator", "driver", "sim", "planner")


def waited_ns(pid: int) -> int:
    """Return how long the threads of a process have waited for a core so far [ns]; 0 when it has ended."""
    total = 0
    for task in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            total += int(task.read_text(encoding="ascii").split()[1])
        except OSError:
            continue
    return total


class Starvation:
    """Watches a run in ticks: how much of its time a process waited for a core, how late the ticks came.

    Attributes:
        worst: the longest of both within a tick [s].
    """

    def __init__(self, pids: list[int]) -> None:
        """Watch these processes from now on."""
        self.worst = 0.0
        self._pids = pids
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> "Starvation":
        """Begin."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End."""
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        before, begin = [waited_ns(pid) for pid in self._pids], time.monotonic()
        while not self._over.wait(TICK_S):
            now, end = [waited_ns(pid) for pid in self._pids], time.monotonic()
            waits = [1e-9 * (b - a) for a, b in zip(before, now, strict=True)]
            self.worst = max(self.worst, end - begin - TICK_S, *waits)
            before, begin = now, end


def unless_starved(run: LiveRun, trial: Callable[[], None]) -> None:
    """Try until it holds; a failure counts at once, unless the machine withheld a core meanwhile."""
    for _ in range(TRIES):
        run.float_again()
        with Starvation([run.pid(name) for name in RING]) as watch:
            try:
                trial()
                return
            except AssertionError:
                failed = watch.worst < STARVED_S
                if failed:
                    raise
    pytest.skip(f"the machine withheld a core for more than {1e3 * STARVED_S:.0f} ms in {TRIES} tries")
