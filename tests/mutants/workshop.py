"""Where mutants are tried: a copy of the sources in a temporary folder, with kernels of its own.

The sources and the kernel cache of the user are never touched.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from hil.common.kernel_cache import SETTING
from tests.mutants.kernels import folder_of, moved, taken_over
from tests.mutants.mutant import Mutant

LEFT_OUT = (".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "out", "experiments", "*.egg-info")
PYTEST = ("-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider")
SAME_CASES = "--hypothesis-seed=0"
COMPILING = 90.0  # [s] that a mutant may take longer than the program for its kernels
SLOWER = 5.0  # times as long may a mutant's tests take otherwise
PASSED, FAILED = 0, (1, 2)  # pytest's statuses; 2: a file cannot be imported any more


class Fate(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    TIMEOUT = "killed by time"
    SURVIVED = "survived"
    EQUIVALENT = "equivalent"
    UNTRIED = "not tried"
    ERROR = "error"


@dataclass(frozen=True)
class Trial:
    """A mutant, what became of it, how long that took [s], and the last words of its tests."""

    mutant: Mutant
    fate: Fate
    seconds: float = 0.0
    words: str = ""


class Workshop:
    """One copy of the sources; mutants are tried in it one after the other."""

    def __init__(self, root: Path, folder: Path, kernels: Path | None) -> None:
        """Copy the sources below `root` into a folder, with the `kernels` that they have, if any."""
        self.tree, self._caches = folder / "tree", folder / "kernels"
        shutil.copytree(root, self.tree, ignore=shutil.ignore_patterns(*LEFT_OUT))
        self._own = folder_of(self.tree, self._caches)
        if kernels is not None:
            moved(kernels, root, self.tree, self._own)
        self._durations: dict[tuple[str, ...], float] = {}

    def baseline(self, tests: tuple[str, ...]) -> str:
        """Run tests on the sources as they are; return the last words if they do not pass, else nothing."""
        begin = time.monotonic()
        status, words = self._run(tests, timeout=None)
        self._durations[tests] = time.monotonic() - begin
        return "" if status == PASSED else words

    def learn(self, other: "Workshop") -> None:
        """Take over what another copy of the same sources has compiled, and how long its tests took."""
        moved(other._own, other.tree, self.tree, self._own)
        self._durations = other._durations | self._durations

    def trial(self, mutant: Mutant) -> Trial:
        """Try a mutant and leave the copy as it was."""
        path = self.tree / mutant.file
        text, stat = path.read_text(encoding="utf-8"), path.stat()
        begin = time.monotonic()
        path.write_text(mutant.applied(text), encoding="utf-8")
        kernels = folder_of(self.tree, self._caches)
        try:
            if kernels != self._own:
                taken_over(self._own, kernels, mutant.file, self.tree)
            patience = SLOWER * self._durations.get(mutant.tests, 0.0) + COMPILING
            status, words = self._run(mutant.tests, patience)
        finally:
            path.write_text(text, encoding="utf-8")
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
            if kernels != self._own:
                shutil.rmtree(kernels, ignore_errors=True)
        return Trial(mutant, _fate(status, mutant), time.monotonic() - begin, words)

    def _run(self, tests: tuple[str, ...], timeout: float | None) -> tuple[int | None, str]:
        """Return pytest's status, None if it was cut off, and its last line."""
        environment = os.environ | {
            SETTING: str(self._caches),
            "PYTHONPATH": str(self.tree),
            "PYTHONDONTWRITEBYTECODE": "1",  # bytecode is told apart by whole seconds
        }
        with subprocess.Popen(
            [sys.executable, *PYTEST, SAME_CASES, *tests],
            cwd=self.tree,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                output, _ = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)  # what tests have started as well
                return None, f"cut off after {timeout:.0f} s"
            return process.returncode, _last_words(output)


def _fate(status: int | None, mutant: Mutant) -> Fate:
    if status is None:
        return Fate.TIMEOUT
    if status in FAILED:
        return Fate.KILLED
    if status != PASSED:
        return Fate.ERROR
    return Fate.EQUIVALENT if mutant.change.equivalent else Fate.SURVIVED


def _last_words(output: str) -> str:
    """Return which test failed first, or pytest's last line."""
    lines = [line for line in output.splitlines() if line.strip()]
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    return (failed or lines or ["no output"])[-1]
