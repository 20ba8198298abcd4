"""An experiment's folder as it is: plan, rows of results, trials; what is missing is named."""

import csv
import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hil.common.errors import ReportError
from hil.trials.experiment.outcome import REFUSED
from hil.trials.experiment.output import PLAN, RESULTS
from hil.trials.experiment.trial_folder import ACCOUNT, BESIDE, RECORDING, TRIALS, UNFINISHED

Rows = Sequence[Mapping[str, str]]


@dataclass(frozen=True)
class Trial:
    """One trial.

    Attributes:
        name: of its folder.
        recording: its path; None where it is missing.
        row: of the results, by column; empty where there is none.
        account: what its `trial.json` says; empty where there is none.
        pushes: its rows of the table of pushes.
        bounces: its rows of the table of bounces.
        contacts: its rows of the table of contacts.
    """

    name: str
    recording: Path | None
    row: Mapping[str, str]
    account: Mapping[str, Any]
    pushes: Rows = ()
    bounces: Rows = ()
    contacts: Rows = ()

    def values(self, column: str) -> list[float]:
        """Return the numbers that a column has of this trial, in whichever table it stands."""
        beside = self.pushes, self.bounces, self.contacts
        rows = next((rows for rows in beside if rows and column in rows[0]), [self.row])
        return [value for row in rows if (value := number(row.get(column))) is not None]


@dataclass(frozen=True)
class ExperimentFolder:
    """What is there.

    Attributes:
        path: of the folder.
        plan: its table; empty where it cannot be read.
        plan_text: as it stands there.
        columns: of the results.
        trials: in the order of their names.
        missing: what is not there or incomplete, a sentence each.
    """

    path: Path
    plan: Mapping[str, Any]
    plan_text: str
    columns: tuple[str, ...]
    trials: tuple[Trial, ...]
    missing: tuple[str, ...]

    @property
    def swept(self) -> list[str]:
        """The columns of keys that were swept: their names are a configuration's, with a dot."""
        return [name for name in self.columns if "." in name]


def number(cell: str | None) -> float | None:
    """Return the number of a cell; None where it is empty, text, or not finite."""
    try:
        value = float(cell or "")
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def read_folder(path: Path) -> ExperimentFolder:
    """Return what is in an experiment's folder.

    Raises:
        ReportError: it is none, or holds no trial at all.
    """
    missing: list[str] = []
    text = _text(path / PLAN, missing)
    results, columns = _rows(path / RESULTS, missing)
    rows = {row["trial"]: row for row in results}
    beside = [_rows(path / f"{what}.csv", missing)[0] for what in BESIDE]
    names = _trial_names(path / TRIALS)
    if not text and not rows and not names:
        raise ReportError(
            f"{path} is no experiment's folder: it has no {PLAN}, no {RESULTS} and no {TRIALS}/"
        )
    trials = [
        _trial(path / TRIALS, name, rows.get(name, {}), missing, *(_of(name, found) for found in beside))
        for name in sorted({*names, *rows})
    ]
    if not any(trial.recording for trial in trials):
        raise ReportError(f"{path} has no finished trial yet: run the experiment on with --resume")
    return ExperimentFolder(path, _plan(text, missing), text, columns, tuple(trials), tuple(missing))


def _trial(folder: Path, name: str, row: Mapping[str, str], missing: list[str], *beside: Rows) -> Trial:
    recording: Path | None = folder / name / RECORDING
    account: dict[str, Any] = {}
    if not (folder / name).is_dir():
        missing.append(f"trial {name} is in {RESULTS} but has no folder")
        return Trial(name, None, row, account, *beside)
    if recording is not None and not recording.is_file():
        refused = row.get("status") == REFUSED
        missing.append(
            f"trial {name} was refused: {row.get('problem')}"
            if refused
            else f"trial {name} has no {RECORDING}"
        )
        recording = None
    try:
        account = json.loads((folder / name / ACCOUNT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        missing.append(f"trial {name} has no readable {ACCOUNT}")
    if not row:
        missing.append(f"trial {name} has no row in {RESULTS}")
    return Trial(name, recording, row, account if isinstance(account, dict) else {}, *beside)


def _of(name: str, rows: Rows) -> Rows:
    return [row for row in rows if row["trial"] == name]


def _trial_names(folder: Path) -> list[str]:
    """Return the names of complete trials; those that are being made begin with a dot."""
    if not folder.is_dir():
        return []
    return [item.name for item in folder.iterdir() if item.is_dir() and not item.name.startswith(UNFINISHED)]


def _rows(path: Path, missing: list[str]) -> tuple[list[dict[str, str]], tuple[str, ...]]:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            return [row for row in reader if row.get("trial")], tuple(reader.fieldnames or ())
    except (OSError, ValueError, csv.Error) as error:
        missing.append(f"{path.name} cannot be read ({error})")
        return [], ()


def _text(path: Path, missing: list[str]) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        missing.append(f"{PLAN} cannot be read")
        return ""


def _plan(text: str, missing: list[str]) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        missing.append(f"{PLAN} is no TOML")
        return {}
