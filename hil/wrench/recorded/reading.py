"""Recorded wrenches, whatever wrote them: one reader for `zerog import`, `zerog detect` and `--replay`.

Tables in text, MCAP files and ROS bags. What a file leaves open is asked for, never guessed.
"""

import dataclasses
import math
from pathlib import Path

import numpy as np

from hil.common.arrays import Array, BoolArray, frozen_array
from hil.common.errors import RecordingError
from hil.common.formats.table import table_of
from hil.wrench.recorded.asked import Asked
from hil.wrench.recorded.bunches import spread_evenly
from hil.wrench.recorded.messages import is_of_messages, table_of_messages
from hil.wrench.recorded.rate import gaps_in_words, rate_in_words
from hil.wrench.recorded.taking import Taken, wrench_in

HOLD = 0.010  # [s] a value repeated for longer than this, and than so many periods, is a reading
HOLD_PERIODS = 3.5
FEWEST_SAMPLES = 2
OWN_TABLE = "cycle.csv"  # in a folder that `zerog export --csv` has written


@dataclasses.dataclass(frozen=True, eq=False)
class Recording:
    """A wrench over time; every sample says something new.

    Attributes:
        t: strictly increasing times from the file's first stamp on [s], (N,).
        wrench: forces and torques [N, N m], as the file has them, (N, 6).
        period: median time from sample to sample [s].
        bunched: samples that share their stamp with later ones: they lie evenly before it.
        dropped: rows left out: repeated values, and equal stamps at the start.
        first: the file's first stamp as it has it; empty where a rate stands for stamps.
        notes: what is doubtful about it, one line each.
    """

    t: Array
    wrench: Array
    period: float
    bunched: int
    dropped: int
    first: str = ""
    notes: tuple[str, ...] = ()


def read_recording(path: Path, rate_hz: float | None = None) -> Recording:
    """Return the recorded wrench in a file, if nothing about it is open.

    Torques that the file lacks are zero, times count from the first stamp. A row that repeats the values
    before it is dropped, unless they have stood for longer than a slow sensor holds its last reading.
    Readings that differ and have equal stamps came in a bunch and are spread over the time since the stamp
    before.

    Args:
        path: the file.
        rate_hz: rows per second, for a file without a time column.

    Raises:
        RecordingError: the file cannot be read, something about it is open, or no push can show at its rate.
    """
    taken = take(path, Asked(rate_hz=rate_hz, whole=True))
    found = _without_repeats(path, taken.t, taken.wrench)
    notes = [*taken.notes, *rate_in_words(path, found.period), *gaps_in_words(taken.t)]
    return dataclasses.replace(found, first=taken.first, notes=tuple(notes))


def take(path: Path, asked: Asked) -> Taken:
    """Return the wrench in a file as it stands there, row by row.

    Raises:
        RecordingError: the file cannot be read, or something about it is open.
    """
    notes: list[str] = []
    if (path / OWN_TABLE).is_file():
        path /= OWN_TABLE
    if is_of_messages(path):
        table, notes = table_of_messages(path, asked)
        asked = dataclasses.replace(asked, sensor="")  # it has chosen the topic
    else:
        table = table_of(path)
    taken = wrench_in(path, table, asked)
    return dataclasses.replace(taken, notes=[*notes, *taken.notes])


def _without_repeats(path: Path, t: Array, wrench: Array) -> Recording:
    """Return the rows that say something new, each with a time of its own."""
    kept, values = np.empty(0), wrench[:0]
    bunched = 0
    if len(t):
        fresh = _new_readings(t, wrench)
        kept, known = spread_evenly(t[fresh])
        bunched = int(np.count_nonzero((kept != t[fresh]) & known))
        kept, values = kept[known], wrench[fresh][known]
    if len(kept) < FEWEST_SAMPLES:
        raise RecordingError(f"{path}: has {len(kept)} usable samples; needed are at least {FEWEST_SAMPLES}")
    return Recording(
        frozen_array(kept),
        frozen_array(values),
        float(np.median(np.diff(kept))),
        bunched,
        len(t) - len(kept),
    )


def _new_readings(t: Array, wrench: Array) -> BoolArray:
    """Return which rows are readings and not a slow sensor's last value held."""
    changed = np.ones(len(t), bool)
    changed[1:] = np.any(np.diff(wrench, axis=0) != 0.0, axis=1)
    period = np.median(np.diff(t[changed])) if changed.sum() > 1 else 0.0
    hold = max(HOLD, HOLD_PERIODS * period)
    keep = np.zeros(len(t), bool)
    last = -math.inf
    for k in range(len(t)):
        if changed[k] or t[k] - last >= hold:
            keep[k] = True
            last = t[k]
    return keep
