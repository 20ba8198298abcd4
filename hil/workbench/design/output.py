"""The folder of a search: begun or gone on with; each judgement is written down as it comes."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from hil.common.campaign.folder import lock_folder, write_whole
from hil.common.errors import DesignError
from hil.workbench.design.judgement import Judgement, read_rows, rows_text
from hil.workbench.design.lot import Candidate
from hil.workbench.design.study import Study

TASK, RUN, RESULTS, PICTURE, BEST = "task.toml", "run.json", "results.csv", "pareto.png", "best"


class Output:
    """What a search has written so far. Only the coordinator has one.

    Attributes:
        folder: see there.
        judgements: of the candidates that are judged, by their numbers.
    """

    def __init__(self, folder: Path, study: Study) -> None:
        """Begin the folder, or go on with it if it was begun with the same study.

        Raises:
            DesignError: it holds something else, cannot be used, or another search is at work in it.
        """
        self.folder, self._study = folder, study
        self.judgements: dict[int, Judgement] = {}
        self._descriptor: int | None = None
        self._rows: IO[str] | None = None
        try:
            self._begin()
        except OSError as error:
            self.close()
            raise DesignError(f"{folder} cannot be used: {error.strerror}") from error
        except DesignError:
            self.close()
            raise

    @property
    def left(self) -> list[Candidate]:
        """The candidates that are still to be judged."""
        return [c for c in self._study.candidates if c.number not in self.judgements]

    def take(self, judged: Iterable[Judgement]) -> None:
        """Write judgements down, whole lines only.

        Raises:
            DesignError: they cannot be written.
        """
        assert self._rows is not None
        judged = list(judged)
        try:
            self._rows.write(rows_text(judged, head=False))
            self._rows.flush()
        except OSError as error:
            raise DesignError(f"{self.folder / RESULTS} cannot be written: {error.strerror}") from error
        self.judgements |= {j.number: j for j in judged}

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file of the folder whole, and return its path.

        Raises:
            DesignError: it cannot be written.
        """
        path = self.folder / name
        try:
            path.parent.mkdir(exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            else:
                write_whole(path, content)
        except OSError as error:
            raise DesignError(f"{path} cannot be written: {error.strerror}") from error
        return path

    def in_order(self) -> list[Judgement]:
        """Return all judgements in the order of the candidates."""
        return [self.judgements[number] for number in sorted(self.judgements)]

    def close(self) -> None:
        """Let another search work in the folder."""
        if self._rows is not None:
            self._rows.close()
        if self._descriptor is not None:
            os.close(self._descriptor)

    def _begin(self) -> None:
        folder, run = self.folder, self.folder / RUN
        if folder.exists() and any(folder.iterdir()) and not run.is_file():
            raise DesignError(f"{folder} is not empty and no folder of a search: give another one with --out")
        folder.mkdir(parents=True, exist_ok=True)
        try:
            self._descriptor = lock_folder(folder)
        except BlockingIOError:
            raise DesignError(f"{folder}: another zerog design is at work in it") from None
        said = {"seed": self._study.seed, "stamp": self._study.stamp}
        if run.is_file():
            self._same(run, said)
            self._go_on()
        else:
            (folder / TASK).write_text(self._study.text, encoding="utf-8")
            write_whole(folder / RESULTS, rows_text([], head=True))
            write_whole(run, json.dumps(said) + "\n")  # the last: with it the folder is one of a search
        self._rows = open(folder / RESULTS, "a", encoding="utf-8")

    def _same(self, run: Path, now: dict[str, object]) -> None:
        try:
            then = dict(json.loads(run.read_text(encoding="utf-8")))
        except (ValueError, TypeError) as error:
            raise DesignError(f"{run} cannot be read ({error}): give another folder with --out") from error
        if then != now:
            why = f"with seed {then.get('seed')}" if then.get("seed") != now["seed"] else "with other content"
            raise DesignError(
                f"{self.folder} was begun {why} (task, components): give the same again, or another folder "
                "with --out"
            )

    def _go_on(self) -> None:
        """Take up what is judged; a line that was broken off in the middle is judged again."""
        path = self.folder / RESULTS
        try:
            text = path.read_text(encoding="utf-8")
            whole = text[: text.rfind("\n") + 1]
            self.judgements = {j.number: j for j in read_rows(whole)}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DesignError(f"{path} cannot be read ({error}): give another folder with --out") from error
        if whole != text:
            write_whole(path, whole)
