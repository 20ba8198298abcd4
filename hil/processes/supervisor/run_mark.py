"""A mark on disk while a run goes on: who starts and finds one knows that the last run had no orderly end.

Killed, or the power cut: then nobody has looked at the arm since, and nothing may move by itself.
"""

import hashlib
import os
from pathlib import Path


class RunMark:
    """The mark of the run in one run-time directory.

    Attributes:
        doubt: why nothing may float by itself in this run; empty when the last one ended in order.
    """

    def __init__(self, state: Path, runtime: Path) -> None:
        """Look for the last run's mark and set this one's."""
        name = hashlib.sha256(str(runtime.absolute()).encode()).hexdigest()[:12]
        self._file = state / f"run-{name}"
        self.doubt = ""
        try:
            state.mkdir(parents=True, exist_ok=True, mode=0o700)
            if self._file.exists():
                self.doubt = "the last run had no orderly end (killed, or a power cut)"
            self._write(f"process {os.getpid()} in {runtime}\n")
        except OSError as error:
            self.doubt = (
                f"{self._file} cannot be written ({error.strerror}): how the last run ended is unknown"
            )

    def remove(self) -> None:
        """The run has ended in order."""
        try:
            self._file.unlink(missing_ok=True)
        except OSError:
            return  # then it was not set either

    def _write(self, text: str) -> None:
        """Write the file so that it survives a power cut from now on."""
        with self._file.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        folder = os.open(self._file.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
