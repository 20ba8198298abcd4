"""The first use of a command compiles its kernels, for a minute or so: who waits is told of it.

Lines on the standard error, the same on a terminal and on a pipe; a command's own output stays as it is. What
is compiled in this process numba itself tells; what other processes of the command compile shows in the cache.
"""

import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from hil.common.kernel_cache import cache_folder

POLL_S, LOOK_S, LINE_S = 0.05, 1.0, 5.0  # between two looks at numba, at the cache, and between two lines
OWN = ("run", "emulate")  # they tell by themselves, and nothing is to run beside them
OWN_ON_A_TERMINAL = ("simulate", "soak", "mate", "latency")


class FirstUse:
    """Tells of kernels that are compiled while a command runs; silent where all are there."""

    def __init__(self, command: str) -> None:
        """Prepare for a command, by its name."""
        own = command in OWN or (command in OWN_ON_A_TERMINAL and sys.stderr.isatty())
        self._thread = None if own else threading.Thread(target=self._watch, name="first use", daemon=True)
        self._over = threading.Event()
        self._begun = 0.0
        self._told = 0.0
        self._count = 0  # kernels that began to be compiled in this process

    def __enter__(self) -> None:
        """Begin to watch."""
        if self._thread is not None:
            self._thread.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop, and say what it came to if anything was told."""
        if self._thread is not None:
            self._over.set()
            self._thread.join()

    def _watch(self) -> None:
        folder, looked = cache_folder(), time.monotonic()
        before = grown = _kernels_in(folder)
        with ExitStack() as listening:
            heard = False
            while not self._over.wait(POLL_S):
                if not heard and _numba_is_there():
                    from hil.common.compile_news import compiling_told

                    listening.enter_context(compiling_told(self._compiling))
                    heard = True
                if time.monotonic() - looked >= LOOK_S:
                    looked, grown = time.monotonic(), _kernels_in(folder)
                self._tell(max(self._count, grown - before))
        if self._begun:
            count = max(self._count, _kernels_in(folder) - before)
            kernels = "kernel" if count == 1 else "kernels"
            _say(f"compiled {count} {kernels} in {time.monotonic() - self._begun:.0f} s")

    def _compiling(self, kernel: str) -> None:
        self._count += 1

    def _tell(self, count: int) -> None:
        now = time.monotonic()
        if not count or now - self._told < LINE_S:
            return
        if not self._begun:
            self._begun = now
            _say("the first use compiles kernels, which later ones load; this takes a minute or so")
        else:
            _say(f"compiling, {count} kernels so far")
        self._told = now


def _say(text: str) -> None:
    print(f"zerog: {text}", file=sys.stderr, flush=True)


def _kernels_in(folder: Path) -> int:
    return sum(1 for _ in folder.rglob("*.nbi")) if folder.is_dir() else 0


def _numba_is_there() -> bool:
    """Return whether the command has loaded numba; it is not loaded for the sake of this."""
    module = sys.modules.get("numba")
    return module is not None and not getattr(module.__spec__, "_initializing", False)
