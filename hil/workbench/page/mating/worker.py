"""Experiments for pages, in a process of its own: they are run, kept, cut, and packed for download."""

import io
import tempfile
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from hil.common.compile_news import compiling_told
from hil.common.errors import ConfigurationError, ExperimentError, ZeroGError
from hil.trials.mating.files import write_all
from hil.trials.mating.loading import load_mating
from hil.trials.mating.result import MatingResult, write_series
from hil.trials.mating.running import run_experiment
from hil.workbench.edits import Refusal
from hil.workbench.page.mating.form import experiments, fault, form, settings_of, source_of
from hil.workbench.page.mating.told import cut, told

KEPT = 8  # results, of all pages together
APART = 100_000  # between the numbers of two workers' runs


class Kept(NamedTuple):
    """A result and what it came from."""

    result: MatingResult
    source: str
    settings: list[str]


class Bench:
    """The experiments that pages have run."""

    def __init__(self, folder: Path, worker: int) -> None:
        """Take the folder whose files a page may choose, and which worker this is: runs of others differ."""
        self._folder = folder
        self._kept: OrderedDict[int, Kept] = OrderedDict()
        self._count = APART * worker

    def experiments(self) -> list[dict[str, Any]]:
        """Return what there is to choose from."""
        return experiments(self._folder)

    def form(self, name: Any) -> dict[str, Any]:
        """Return the fields of an experiment.

        Raises:
            ZeroGError: there is none of that name, or its file breaks a rule.
        """
        source = source_of(self._folder, name)
        try:
            return {"name": name, **form(source)}
        except ConfigurationError as error:
            raise Refusal(*fault(error, source)) from None

    def run(self, name: Any, values: Any, heard: Callable[[float], None]) -> dict[str, Any]:
        """Return what an experiment comes to, with its number.

        Raises:
            ZeroGError: it cannot be run so.
        """
        if not isinstance(values, dict):
            raise Refusal("values must be a table", "experiment")
        source = source_of(self._folder, name)
        settings = settings_of(source, values)
        try:
            result = run_experiment(load_mating(source, settings), heard)
        except ConfigurationError as error:
            raise Refusal(*fault(error, source)) from None
        if not len(result.phases):
            why = ", ".join(result.warnings) or "its motion has none"
            raise ExperimentError(f"{name} ended before its first row: {why}")
        self._count += 1
        self._kept[self._count] = Kept(result, source, settings)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return {"run": self._count, "name": name, "settings": settings, **told(result)}

    def cut(self, run: Any, row: Any) -> dict[str, Any] | None:
        """Return the parts at a row of a run.

        Raises:
            ExperimentError: it is no longer kept.
        """
        if not isinstance(row, int):
            raise ExperimentError(f"row = {str(row)[:40]} must be a whole number")
        made = cut(self._of(run).result, row)
        return None if made is None else {"run": run, "row": row, **made}

    def packed(self, run: Any, kind: str) -> tuple[bytes, str]:
        """Return a run's courses as CSV, or report and all in an archive, and the file's name.

        Raises:
            ZeroGError: it is no longer kept, or cannot be written.
        """
        kept = self._of(run)
        name = f"{kept.result.experiment}-{run}"
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            if kind == "csv":
                write_series(folder / "series.csv", kept.result)
                return (folder / "series.csv").read_bytes(), f"{name}.csv"
            write_all(folder, kept.result, kept.source, kept.settings)
            archive = io.BytesIO()
            with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as pack:
                for file in sorted(folder.iterdir()):
                    pack.write(file, f"{name}/{file.name}")
            return archive.getvalue(), f"{name}.zip"

    def _of(self, run: Any) -> Kept:
        if not isinstance(run, int) or run not in self._kept:
            raise ExperimentError("this run is not kept any more: run it again")
        return self._kept[run]


class _News:
    """Counts the kernels that this worker has had to compile, and says so."""

    def __init__(self, line: Connection) -> None:
        self._line, self._count = line, 0

    def compiling(self, kernel: str) -> None:
        """Say that one more kernel is compiled."""
        self._count += 1
        self._line.send((None, {"compiling": self._count, "kernel": kernel}))


def perform(line: Connection, folder: Path, worker: int) -> None:
    """Answer questions, as `hil.workbench.page.worker` says.

    In between it says how far a run is (`progress`), and how many kernels were compiled so far (`compiling`).
    """
    bench, news = Bench(folder, worker), _News(line)
    while True:
        name, arguments = line.recv()
        try:
            more = [lambda share: line.send((None, {"progress": share}))] if name == "run" else []
            with compiling_told(news.compiling):
                answer = getattr(bench, name)(*arguments, *more)
            line.send((True, {"done": answer}))
        except ZeroGError as error:
            spot = getattr(error, "spot", "")
            line.send((True, {"refused": {"text": str(error), "spot": spot}}))
