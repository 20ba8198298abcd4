"""The folder of a campaign: new or gone on with, its plan beside its results, tables written whole."""

import csv
import io
import os
import shutil
from pathlib import Path
from typing import Any

from hil.common.campaign.folder import lock_folder, write_whole
from hil.common.errors import ExperimentError
from hil.trials.experiment.columns import BOUNCES, CONTACTS, PUSHES, columns, expanded
from hil.trials.experiment.expansion import Experiment, Task
from hil.trials.experiment.outcome import FAILED
from hil.trials.experiment.trial_folder import BESIDE, TRIALS, UNFINISHED, described, read_account

PLAN, RESULTS = "plan.toml", "results.csv"
HEADS = {"pushes": PUSHES, "bounces": BOUNCES, "contacts": CONTACTS}


class Output:
    """What a campaign has written so far. Only the coordinator has one.

    Attributes:
        trials: folder of the trials' folders.
        rows: of the trials that are done, by the names of their folders.
    """

    def __init__(self, folder: Path, experiment: Experiment, mode: str, resume: bool) -> None:
        """Begin the folder, or go on with it.

        Raises:
            ExperimentError: it is not empty, or belongs to something else.
        """
        self.folder, self.trials = folder, folder / TRIALS
        self._experiment, self._mode = experiment, mode
        self.rows: dict[str, dict[str, Any]] = {}
        self._beside: dict[str, dict[str, list[dict[str, Any]]]] = {name: {} for name in BESIDE}
        self._descriptor: int | None = None
        try:
            if resume:
                self._go_on()
            else:
                self._begin()
                self._lock()
        except OSError as error:
            raise ExperimentError(f"{folder} cannot be used: {error.strerror}") from error
        except ExperimentError:
            self.close()
            raise

    @property
    def left(self) -> list[Task]:
        """The trials that are still to be run."""
        return [task for task in self._experiment.tasks if task.folder not in self.rows]

    def take(self, name: str) -> dict[str, Any]:
        """Read what a trial left in its folder, write the tables anew, and return the trial's row.

        Raises:
            ExperimentError: the folder cannot be read, or the file not be written.
        """
        self._note(name, read_account(self.trials / name))
        self.write()
        return self.rows[name]

    def write(self) -> None:
        """Write the tables: rows in the order of the plan.

        Raises:
            ExperimentError: one cannot be written.
        """
        done = [task.folder for task in self._experiment.tasks if task.folder in self.rows]
        for what, rows in self._beside.items():
            self._write(f"{what}.csv", expanded(HEADS[what]), [row for name in done for row in rows[name]])
        heads = columns(list(self._experiment.tasks[0].swept))
        self._write(RESULTS, heads, [self.rows[name] for name in done])  # last: who sees it finds the others

    def _write(self, name: str, heads: list[str], rows: list[dict[str, Any]]) -> None:
        text = io.StringIO()
        writer = csv.DictWriter(text, heads, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        path = self.folder / name
        try:
            write_whole(path, text.getvalue())
        except OSError as error:
            raise ExperimentError(f"{path} cannot be written: {error.strerror}") from error

    def _note(self, name: str, account: dict[str, Any]) -> None:
        self.rows[name] = account["row"]
        for what, rows in self._beside.items():
            rows[name] = account[what]

    def close(self) -> None:
        """Let another campaign work in the folder."""
        if self._descriptor is not None:
            os.close(self._descriptor)

    def clean(self) -> None:
        """Remove what trials left that were broken off."""
        for unfinished in self.trials.glob(f"{UNFINISHED}*"):
            shutil.rmtree(unfinished, ignore_errors=True)

    def _lock(self) -> None:
        try:
            self._descriptor = lock_folder(self.folder)
        except BlockingIOError:
            raise ExperimentError(f"{self.folder}: another zerog experiment is at work in it") from None

    def _begin(self) -> None:
        if self.folder.exists() and any(self.folder.iterdir()):
            raise ExperimentError(
                f"{self.folder} is not empty: give another folder, or --resume to go on with what is in it"
            )
        self.trials.mkdir(parents=True)
        (self.folder / PLAN).write_text(self._experiment.text, encoding="utf-8")

    def _go_on(self) -> None:
        plan = self.folder / PLAN
        if not plan.is_file():
            raise ExperimentError(f"{self.folder} has no {PLAN}: there is nothing to resume")
        self._lock()
        if plan.read_text(encoding="utf-8") != self._experiment.text:
            raise ExperimentError(
                f"{self._experiment.path} is not the plan that {self.folder} was begun with ({plan}): "
                f"resume with that one, or give another folder"
            )
        self.trials.mkdir(exist_ok=True)
        self.clean()
        for task in self._experiment.tasks:
            if (self.trials / task.folder).is_dir():
                self._take_up(task)
        self.write()

    def _take_up(self, task: Task) -> None:
        """Accept a trial that has been run, or remove it if it failed: then it is run again."""
        folder = self.trials / task.folder
        account = read_account(folder)
        if account["mode"] != self._mode:
            raise ExperimentError(f"{folder} was run {account['mode']}: resume in the same way")
        wanted = described(self._experiment.base.with_settings(task.settings))
        said = account["configuration"]
        for key in [*wanted, *said]:
            if wanted.get(key) != said.get(key):
                raise ExperimentError(
                    f"{folder} was run with {key} = {said.get(key)}, now it is {wanted.get(key)}: the base "
                    "configuration has changed; give another folder"
                )
        if account["status"] == FAILED:
            shutil.rmtree(folder)
        else:
            self._note(task.folder, account)
