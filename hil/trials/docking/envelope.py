"""The capture envelope: trials over lateral offsets and tilts, on several processes."""

import itertools
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import ZeroGError
from hil.common.parent_death import end_with_parent
from hil.configuration import load_configuration
from hil.configuration.docking import Docking
from hil.trials.docking.trial import docking_trial


@dataclass(frozen=True, eq=False)
class EnvelopeMap:
    """Outcomes over the grid: rows are tilts, columns lateral offsets."""

    lateral: Array  # (L,) m, along the plate's x
    tilt: Array  # (T,) rad, about the plate's y
    word: list[list[str]]  # T rows of L
    time: Array  # (T, L) s

    @property
    def counts(self) -> dict[str, int]:
        """How many trials came to what."""
        words = [word for row in self.word for word in row]
        return {word: words.count(word) for word in sorted(set(words))}

    def figures(self) -> dict[str, Any]:
        """Return the map for machines."""
        return {
            "lateral_mm": [round(1e3 * float(x), 6) for x in self.lateral],
            "tilt_deg": [round(float(x), 6) for x in np.degrees(self.tilt)],
            "outcome": self.word,
            "time_s": [[round(float(x), 6) for x in row] for row in self.time],
        }


Job = tuple[Path, tuple[str, ...], Path | None]


def envelope_map(
    path: Path,
    settings: Sequence[str],
    docking: Docking,
    jobs: int,
    folder: Path | None,
    progress: Callable[[int, int], None],
) -> EnvelopeMap:
    """Play a trial for each offset and tilt of the grid; other misalignments are left out.

    Args:
        path: the configuration.
        settings: lines KEY=VALUE instead of the file's.
        docking: the table that says which grid.
        jobs: processes.
        folder: where states before divergences are saved; None: nowhere.
        progress: called with the number of trials done and of all.

    Raises:
        ZeroGError: a process was killed, or a trial cannot begin.
    """
    grid = docking.envelope
    lateral = np.linspace(0.0, grid.lateral, grid.lateral_count)
    tilt = np.linspace(-grid.tilt, grid.tilt, grid.tilt_count)
    cells = list(itertools.product(range(len(tilt)), range(len(lateral))))
    work: list[Job] = [
        (path, (*settings, *_misaligned(float(lateral[x]), float(tilt[y]))), folder) for y, x in cells
    ]
    word = [[""] * len(lateral) for _ in tilt]
    time = np.zeros((len(tilt), len(lateral)))
    for done, (index, found) in enumerate(_played(work, jobs), 1):
        y, x = cells[index]
        word[y][x], time[y, x] = found
        progress(done, len(cells))
    return EnvelopeMap(lateral, tilt, word, time)


def _misaligned(lateral: float, tilt: float) -> tuple[str, ...]:
    """Return the settings of one cell."""
    return (
        f"docking.approach.lateral_mm=[{1e3 * lateral!r}, 0.0]",
        f"docking.approach.tilt_deg=[0.0, {float(np.degrees(tilt))!r}]",
        "docking.approach.roll_deg=0.0",
    )


def _played(work: list[Job], jobs: int) -> Iterator[tuple[int, tuple[str, float]]]:
    """Yield number and outcome of each trial as it is done."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(jobs, len(work)), context, _begin, (os.getpid(),))
    waiting, running = iter(enumerate(work)), dict[Future[tuple[str, float]], int]()
    try:
        while True:  # never more than are at work: nothing is queued that would have to be called back
            for index, job in itertools.islice(waiting, jobs - len(running)):
                running[pool.submit(_play, job)] = index
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    except BrokenExecutor as error:
        raise ZeroGError("dock: one of the processes of the envelope was killed") from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _begin(parent: int) -> None:
    """Make a process end with its parent; Ctrl-C is the parent's business."""
    end_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play(job: Job) -> tuple[str, float]:
    path, settings, folder = job
    found = docking_trial(load_configuration(path, settings), folder)
    return found.word, found.time
