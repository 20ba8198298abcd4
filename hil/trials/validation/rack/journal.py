"""What a campaign has done, a line at once: so a campaign that was cut off goes on where it was.

Each line is a JSON table of its own and is on the disk before anything else is done. A last line that was cut
off counts as not written.
"""

import json
import os
from pathlib import Path
from typing import Any

from hil.common.errors import ExperimentError

FILE = "journal.jsonl"
BEGUN, FLANGE, TRIAL, PEG, ENDED = "begun", "flange", "trial", "peg", "ended"


class Journal:
    """The journal of one folder.

    Attributes:
        lines: all so far, oldest first.
    """

    def __init__(self, folder: Path | None, stamp: str, resume: bool) -> None:
        """Begin a journal in a folder, or go on with the one there; None: it is kept in memory only.

        Raises:
            ExperimentError: there is none to go on with, or it is of another campaign, or unreadable.
        """
        self._path = None if folder is None else folder / FILE
        self.lines: list[dict[str, Any]] = []
        if resume:
            self._resume(stamp)
        else:
            self.add(BEGUN, stamp=stamp)

    def add(self, kind: str, **values: Any) -> None:
        """Write a line.

        Raises:
            ExperimentError: the disk does not take it.
        """
        line = {"kind": kind, **values}
        self.lines.append(line)
        if self._path is None:
            return
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise ExperimentError(f"{self._path} cannot be written: {error.strerror}") from error

    def all_of(self, kind: str) -> list[dict[str, Any]]:
        """Return the lines of one kind."""
        return [line for line in self.lines if line["kind"] == kind]

    @property
    def flange(self) -> str | None:
        """Name of the peg that was last said to be, or about to be, at the flange."""
        told = self.all_of(FLANGE)
        return told[-1]["peg"] if told else None

    def _resume(self, stamp: str) -> None:
        if self._path is None:
            raise ExperimentError("--resume needs --out: the folder of the campaign that was cut off")
        try:
            text = self._path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ExperimentError(
                f"{self._path} cannot be read: there is no campaign to go on with"
            ) from error
        whole = text[: text.rfind("\n") + 1]  # a line without its end was cut off
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                values = json.loads(line)
                values["kind"]
            except (ValueError, TypeError, KeyError) as error:
                raise ExperimentError(
                    f"{self._path}: line {number} is damaged: begin the campaign anew in another folder"
                ) from error
            self.lines.append(values)
        begun = self.all_of(BEGUN)
        if not begun or begun[0].get("stamp") != stamp:
            raise ExperimentError(
                f"{self._path} is of another campaign, or of other settings: give its own file and settings, "
                "or another folder"
            )
        if whole != text:
            try:
                self._path.write_text(whole, encoding="utf-8")
            except OSError as error:
                raise ExperimentError(f"{self._path} cannot be written: {error.strerror}") from error
