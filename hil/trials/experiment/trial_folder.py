"""A trial's folder: made under another name, complete as soon as it has its own."""

import json
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hil.analysis.figures import figures_json
from hil.common.errors import ExperimentError
from hil.configuration import Configuration
from hil.configuration.resolved import resolved
from hil.trials.experiment.expansion import Base, Task
from hil.trials.experiment.measures import Measured
from hil.trials.experiment.outcome import Outcome

TRIALS, RECORDING, ACCOUNT = "trials", "run.mcap", "trial.json"
FAST, LIVE = "fast", "live"
BESIDE = ("pushes", "bounces", "contacts")  # tables beside the results, rows of which an account has
UNFINISHED = "."  # how the names of folders begin that are being made


@contextmanager
def trial_folder(trials: Path, name: str) -> Iterator[Path]:
    """Give a folder to fill; when that has gone well it gets its name.

    A folder of that name that is there already stays: the same trial was run twice, and either is as good.

    Raises:
        ExperimentError: the folder cannot be made.
    """
    making = trials / f"{UNFINISHED}{name}-{uuid.uuid4().hex[:8]}"
    try:
        making.mkdir(parents=True)
    except OSError as error:
        raise ExperimentError(f"{making} cannot be made: {error.strerror}") from error
    try:
        yield making
        _named(making, trials / name)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _named(making: Path, folder: Path) -> None:
    try:
        os.rename(making, folder)
    except OSError as error:
        if not folder.is_dir():
            raise ExperimentError(f"{folder} cannot be made: {error.strerror}") from error


def write_account(
    folder: Path,
    task: Task,
    base: Base,
    mode: str,
    outcome: Outcome,
    figures: dict[str, Any],
    found: Measured,
) -> None:
    """Write `trial.json`: what was run, what came of it, and its rows of the tables.

    Args:
        folder: of the trial.
        task: what was run.
        base: the configuration that it began with.
        mode: FAST or LIVE.
        outcome: how it ended.
        figures: of the trace; empty where there is none.
        found: what the trace decides of its rows.
    """
    c = base.with_settings(task.settings)
    identity = {
        "trial": task.folder,
        "name": task.name,
        "repeat": task.repeat,
        "seed": c.run.seed,
        "mode": mode,
        "status": outcome.status,
        "problem": outcome.problem,
    }
    account = {
        **identity,
        "version": version("zerog-emulator"),
        "base": base.name,
        "settings": list(task.settings),
        "swept": task.swept,
        "configuration": described(c),
        "figures": figures,
        "row": identity | task.swept | found.row,
        "pushes": [{"trial": task.folder, **row} for row in found.pushes],
        "bounces": [{"trial": task.folder, **row} for row in found.bounces],
        "contacts": [{"trial": task.folder, **row} for row in found.contacts],
    }
    (folder / ACCOUNT).write_text(figures_json(account), encoding="utf-8")


def described(c: Configuration) -> dict[str, str]:
    """Return every value of a configuration as text, in SI."""
    return dict(resolved(c))


def read_account(folder: Path) -> dict[str, Any]:
    """Return what `trial.json` says.

    Raises:
        ExperimentError: it cannot be read.
    """
    try:
        account = dict(json.loads((folder / ACCOUNT).read_text(encoding="utf-8")))
        if lacking := [key for key in ("row", *BESIDE) if key not in account]:
            raise ValueError(f"it lacks {', '.join(lacking)}")
        return account
    except (OSError, ValueError) as error:
        raise ExperimentError(
            f"{folder / ACCOUNT} cannot be read ({error}): delete the folder, and its trial is run again"
        ) from error
