"""The first start as seen by who waits for it: the parts, what they are at, and how much is left."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from hil.common.kernel_cache import cache_folder, compiled_for, mark_compiled
from hil.configuration import Configuration
from hil.processes.first_start.kernels import WARMED, kernels_of, key_of, keys_of, parts_of

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
READ_BYTES = 65536
TURN_S = 0.05
COUNT_S = 0.2  # between two looks at the cache


class FirstStart:
    """Compiles in the background what the processes of a run need and the cache lacks.

    Attributes:
        running: whether it still compiles; False from the beginning where nothing is lacking.
        failed: whether a part came to no good end; the processes then compile for themselves.
        seconds: for how long it has compiled.
    """

    def __init__(
        self, configuration: Configuration, path: Path, names: Iterable[str], arguments: Iterable[str] = ()
    ) -> None:
        """Begin.

        Args:
            configuration: the run's.
            path: its file.
            names: the processes of the run that have kernels.
            arguments: further arguments that a process needs to read the same configuration.
        """
        self._names, self._c = list(names), configuration
        self._cache = cache_folder()
        self._total = kernels_of(self._names, configuration)
        done = compiled_for()
        lacking = [name for name in self._names if key_of(name, configuration) not in done]
        words = [str(path), *arguments, f"--parent={os.getpid()}"]
        self._parts = [_Part(part, words) for part in parts_of(lacking, configuration)]
        self._begin = self._counted = time.monotonic()
        self._count = self._in_cache()
        self.running, self.failed, self.seconds = bool(self._parts), False, 0.0

    @property
    def left(self) -> int:
        """How many of the run's kernels are not in the cache yet."""
        return max(self._total - self._count, 0)

    @property
    def text(self) -> str:
        """What is being compiled and how much is left, in words."""
        at = ", ".join(part.at for part in self._parts if part.at)
        return f"compiling, {self.left} of {self._total} kernels left" + (f": {at}" if at else "")

    def turn(self) -> None:
        """Take note of what the parts say, and of their end."""
        if not self.running:
            return
        now = time.monotonic()
        self.seconds = now - self._begin
        statuses = [part.popen.poll() for part in self._parts]
        for part in self._parts:
            part.hear()
        if now - self._counted >= COUNT_S:
            self._counted, self._count = now, self._in_cache()
        if None not in statuses:
            self.running, self.failed = False, any(statuses)
            self._count = self._in_cache()
            self.end()
            if not self.failed:
                mark_compiled(keys_of(self._names, self._c))

    def end(self) -> None:
        """End the parts."""
        for part in self._parts:
            part.end()
        self.running = False

    def _in_cache(self) -> int:
        return sum(1 for _ in self._cache.rglob("*.nbi")) if self._cache.is_dir() else 0


def compile_first(
    configuration: Configuration,
    path: Path,
    settings: Iterable[str],
    tell: Callable[[str], None],
    content: Path | None = None,
) -> None:
    """Compile what the cores of a run lack, for who runs them all in lock-step, and return when it is done.

    Args:
        configuration: the run's.
        path: its file.
        settings: lines KEY=VALUE that stand in for the file's.
        tell: told what is being compiled and how much is left.
        content: stands in for what the file says now.
    """
    words = [f"--set={text}" for text in settings] + ([] if content is None else [f"--content={content}"])
    first = FirstStart(configuration, path, WARMED, words)
    try:
        while first.running:
            tell(first.text)
            time.sleep(TURN_S)
            first.turn()
    finally:
        first.end()


class _Part:
    """One process that compiles; `at` says for which process it compiles which kernel."""

    def __init__(self, names: list[str], arguments: list[str]) -> None:
        command = [sys.executable, "-m", "hil.processes.first_start.part", ",".join(names), *arguments]
        self.popen = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what is wrong is said by the process that then compiles for itself
            start_new_session=True,  # Ctrl-C is the business of who waits
            env=os.environ | ONE_THREAD,
        )
        self.at = ""
        self._rest = b""
        os.set_blocking(self._output, False)

    @property
    def _output(self) -> int:
        assert self.popen.stdout is not None
        return self.popen.stdout.fileno()

    def hear(self) -> None:
        """Read what it has said so far."""
        try:
            text = self._rest + os.read(self._output, READ_BYTES)
        except BlockingIOError:
            return
        *lines, self._rest = text.split(b"\n")
        for line in lines:
            process, _, name = line.decode("utf-8", "replace").partition(" ")
            self.at = f"{process} {'.'.join(name.split('.')[-2:])}"

    def end(self) -> None:
        """End it if it has not ended."""
        self.popen.kill()
        self.popen.wait()
        if self.popen.stdout is not None:
            self.popen.stdout.close()
