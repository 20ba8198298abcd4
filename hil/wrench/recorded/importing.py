"""`zerog import`: any recorded wrench as a plain file in SI, and in words what was taken for what."""

import csv
from io import StringIO
from pathlib import Path

import numpy as np

from hil.common.errors import RecordingError
from hil.common.output_file import write_output
from hil.wrench.recorded.asked import Asked
from hil.wrench.recorded.rate import gaps_in_words, rate_in_words
from hil.wrench.recorded.reading import take
from hil.wrench.recorded.taking import Taken

HEADS = ("t_s", "fx [N]", "fy [N]", "fz [N]", "tx [Nm]", "ty [Nm]", "tz [Nm]")


def import_recording(path: Path, target: Path, asked: Asked) -> None:
    """Print what each column was taken for, and write the wrench in N and N m over seconds.

    Args:
        path: of the recording.
        target: of the CSV file to write, another one: what is there is overwritten.
        asked: what the user says beside the file.

    Raises:
        RecordingError: something about it cannot be known or read.
        OutputError: the target cannot be written.
    """
    taken = take(path, asked)
    notes = [*taken.notes, *judged(path, taken)]
    write_output(target, as_csv(taken))
    print(f"{path}: {len(taken.t)} rows in {taken.t[-1]:.6g} s")
    for line in taken.told:
        print(f"  {line}")
    for line in notes:
        print(f"  note: {line}")
    print(f"written: {target}")


def judged(path: Path, taken: Taken) -> list[str]:
    """Return what is doubtful about the rate of rows, in words.

    Raises:
        RecordingError: no push can show at it, or there are no rows.
    """
    steps = np.diff(taken.t)
    steps = steps[steps > 0.0]
    if not len(steps):
        raise RecordingError(
            f"{path}: {len(taken.t)} usable rows, and no two of different times; if the stamps have too few "
            f"digits, say the rate: `zerog import {path} --columns t=none --rate-hz HZ -o out.csv`"
        )
    period = float(np.median(steps))
    differ = (np.diff(taken.t) == 0.0) & np.any(np.diff(taken.wrench, axis=0) != 0.0, axis=1)
    notes = rate_in_words(path, period / (1.0 + np.count_nonzero(differ) / len(steps)))  # also in bunches
    return notes + gaps_in_words(taken.t)


def as_csv(taken: Taken) -> str:
    """Return the rows as text, every number to the bit."""
    text = StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(HEADS)
    for t, wrench in zip(taken.t.tolist(), taken.wrench.tolist(), strict=True):
        rows.writerow([f"{t:.9f}", *map(repr, wrench)])
    return text.getvalue()
