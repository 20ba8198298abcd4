"""A drive as a table: one column a variable, its unit at the end of its name; one row a command."""

import csv
import io
from pathlib import Path

from hil.common.errors import RecordingError
from hil.workbench.driving.session import DriveSession


class CsvOut:
    """The table that is being written."""

    def __init__(self, path: Path, session: DriveSession) -> None:
        """Begin the file with the names.

        Raises:
            RecordingError: it is there already, or cannot be written.
        """
        self._path, self._session = path, session
        self._names = list(session.variables())
        try:
            self._file: io.TextIOWrapper = open(path, "x", encoding="utf-8", newline="")
        except FileExistsError as error:
            raise RecordingError(f"{path} is there already: give another name") from error
        except OSError as error:
            raise RecordingError(f"{path} cannot be written: {error.strerror}") from error
        self._rows = csv.writer(self._file)
        self._rows.writerow(self._names)
        self.take([])

    def take(self, news: list[str]) -> None:
        """Write the session's variables as a row; what is to be told is none of them.

        Raises:
            RecordingError: the file cannot be written.
        """
        values = self._session.variables()
        try:
            self._rows.writerow([f"{values[name]:.9g}" for name in self._names])
        except OSError as error:
            raise RecordingError(f"{self._path} cannot be written: {error.strerror}") from error

    def end(self) -> None:
        """Close the file.

        Raises:
            RecordingError: its last rows cannot be written.
        """
        try:
            self._file.close()
        except OSError as error:
            raise RecordingError(f"{self._path} cannot be written: {error.strerror}") from error
