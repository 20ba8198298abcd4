"""A mark on disk while a run goes on: who starts and finds one knows that the last run had no orderly end.

Killed, or the power cut: then nobody has looked at the arm since, and nothing may move by itself. A run that
ends with its state in FAULT has braked the arm and says why: its mark tells that, and raises no doubt.
"""

import hashlib
import os
from pathlib import Path

KILLED = "the last run had no orderly end (killed, or a power cut)"
# how a run ended that did come to its end -> what the next one says of it, and whether it doubts
ENDS = {
    "fault": ("the last run was ended in FAULT", False),
    "over": ("the last run's duration was over while it stood in FAULT", False),
    "failed": ("the last run failed", True),
    "order": ("", False),
}


class RunMark:
    """The mark of the run in one run-time directory.

    Attributes:
        last: how the last run ended, if that is worth a line; empty when it ended in order.
        doubt: why nothing may float by itself in this run; empty when nothing speaks against it.
    """

    def __init__(self, state: Path, runtime: Path, lasting: bool = True) -> None:
        """Look for the last run's mark and set this one's.

        Args:
            state: folder of the mark.
            runtime: run-time directory of the run.
            lasting: whether the folder outlives the machine's next start. Where it does not, no mark tells
                nothing: it may be lost. So a run that ends in order leaves one there that says so.
        """
        self._lasting = lasting
        name = hashlib.sha256(str(runtime.absolute()).encode()).hexdigest()[:12]
        self._file = state / f"run-{name}"
        self._head = f"process {os.getpid()} in {runtime}\n"
        self.last = self.doubt = ""
        try:
            state.mkdir(parents=True, exist_ok=True, mode=0o700)
            if self._file.exists():
                self.last, doubted = _told(self._file.read_text(encoding="utf-8", errors="replace"))
                self.doubt = self.last if doubted else ""
            elif not lasting:
                self.last = self.doubt = f"no mark of a last run in {state}, which may have lost it"
            self._write(self._head)
        except OSError as error:
            self.last = self.doubt = (
                f"{self._file} cannot be written ({error.strerror}): how the last run ended is unknown"
            )

    def remove(self) -> None:
        """The run has ended in order."""
        if not self._lasting:
            self.ended("order", "")
            return
        try:
            self._file.unlink(missing_ok=True)
        except OSError:
            return  # then it was not set either

    def ended(self, how: str, reason: str) -> None:
        """The run has come to its end, one of `ENDS`, with something to say to the next one."""
        try:
            self._write(f"{self._head}{how}: {' '.join(reason.split())}\n")
        except OSError:
            return  # then the mark that stands says the worst

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


def _told(text: str) -> tuple[str, bool]:
    """Return what a mark tells of its run's end, and whether that raises doubt."""
    lines = text.splitlines()
    how, _, reason = lines[1].partition(": ") if len(lines) > 1 else ("", "", "")
    if how not in ENDS:
        return KILLED, True
    words, doubted = ENDS[how]
    return f"{words}: {reason}" if words else "", doubted
