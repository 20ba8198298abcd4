"""The rows of a CSV file with a line of names."""

import csv
from pathlib import Path

from hil.common.errors import RecordingError
from hil.common.input_file import refuse_device

Rows = list[tuple[int, list[str]]]


def csv_rows(path: Path, wanted: str) -> tuple[list[str], Rows]:
    """Return the names of the columns, and every row that is not empty with the number of its line.

    Args:
        path: the file.
        wanted: what line 1 must name, for the message.

    Raises:
        RecordingError: the file cannot be read as CSV, or is empty.
    """
    try:
        refuse_device(path)
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = list(csv.reader(file))
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise RecordingError(f"{path}: cannot be read as CSV: {error}") from error
    if not rows:
        raise RecordingError(f"{path}: is empty; line 1 must name {wanted}")
    names = [name.strip() for name in rows[0]]
    return names, [(line, row) for line, row in enumerate(rows[1:], start=2) if row]
