"""The first use of a command compiles its kernels, for a minute or so: who waits is told of it.

Lines on the standard error, the same on a terminal and on a pipe; a command's own output stays as it is. What
is compiled in this process numba itself tells; what its other processes compile shows in the cache, and what
comes there before it has any is another program's. Once nothing is compiled any more it is silent, however
long the command goes on.
"""

import sys
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType

from hil.common.kernel_cache import cache_folder

POLL_S, LOOK_S, LINE_S = 0.05, 1.0, 5.0  # between two looks at numba, at the cache, and between two lines
QUIET_S = 20.0  # so long nothing new in the cache: other processes have done; one kernel takes less
OWN = ("run", "emulate", "show")  # they tell by themselves, and nothing is to run beside them
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
        self._open = 0  # of them not yet done
        self._last = 0.0  # when something was last compiled, as far as is known

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
        seen = 0  # how many in all, when it was last looked
        helped = False  # whether it has had other processes
        with ExitStack() as listening:
            heard = False
            while not self._over.wait(POLL_S):
                if not heard and _numba_is_there():
                    from hil.common.compile_news import compiling_told

                    listening.enter_context(compiling_told(self._compiling, self._compiled))
                    heard = True
                if time.monotonic() - looked >= LOOK_S:
                    looked, grown, helped = time.monotonic(), _kernels_in(folder), helped or _has_children()
                    before = before if helped else grown
                count = max(self._count, grown - before)
                if self._open or count > seen:
                    seen, self._last = count, time.monotonic()
                self._tell(count)
        if self._begun:
            count = max(self._count, _kernels_in(folder) - before if helped else 0)
            _say(f"compiled {_kernels(count)} in {max(self._last - self._begun, 0.0):.0f} s")

    def _compiling(self, kernel: str) -> None:
        self._count, self._open = self._count + 1, self._open + 1

    def _compiled(self, kernel: str) -> None:
        self._open -= 1

    def _tell(self, count: int) -> None:
        now = time.monotonic()
        patience = LINE_S if count <= self._count else QUIET_S  # of others only their finished ones are known
        if not count or now - self._told < LINE_S or now - self._last > patience:
            return
        if not self._begun:
            self._begun = now
            _say("the first use compiles kernels, which later ones load; this takes a minute or so")
        else:
            _say(f"compiling, {_kernels(count)} so far, {now - self._begun:.0f} s")
        self._told = now


def _kernels(count: int) -> str:
    return f"{count} kernel{'' if count == 1 else 's'}"


def _say(text: str) -> None:
    print(f"zerog: {text}", file=sys.stderr, flush=True)


def _kernels_in(folder: Path) -> int:
    return sum(1 for _ in folder.rglob("*.nbi")) if folder.is_dir() else 0


def _has_children() -> bool:
    """Return whether this process has others of its own; True where the system does not say."""
    lists = list(Path("/proc/self/task").glob("*/children"))
    children = ""
    for path in lists:
        with suppress(OSError):  # a thread that has just ended
            children += path.read_text("ascii")
    return not lists or bool(children)


def _numba_is_there() -> bool:
    """Return whether the command has loaded numba; it is not loaded for the sake of this."""
    module = sys.modules.get("numba")
    return module is not None and not getattr(module.__spec__, "_initializing", False)
