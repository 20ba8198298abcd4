"""`zerog mate`: parts are put together; what that takes follows from the mechanics of their contact."""

import argparse
import itertools
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from hil.commands.grammar import add_command, add_settings, positive_int
from hil.commands.outputs import Kind, add_output
from hil.common.errors import ExperimentError

if TYPE_CHECKING:
    from hil.trials.mating.sweep import Answer, Job, Range, Sweep

TEXT = (
    "Put two parts together, by a machine or a robot; forces, phases and what the paper says of them. Status "
    "0, or 1 where a statement of the paper does not hold."
)
EXAMPLE = "zerog mate o-ring --out ring --set mu=0.4"
REMEDY = "run the sweep again, with fewer --jobs if memory was short"
NEGATIVE = 1


def add_mate(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(commands, "mate", mate, TEXT, EXAMPLE)
    sub.add_argument(
        "experiment",
        metavar="EXPERIMENT",
        help="o-ring, snap-beam, snap-plate, round-peg, rectangular-peg, combined, or a TOML file",
    )
    text = "write courses, page and pictures to this new folder"
    add_output(sub, sub, "--out", kind=Kind.FOLDER, metavar="DIR", text=text)
    add_output(sub, sub, "--json", metavar="OUT.json", text="write the features")
    sub.add_argument(
        "--sweep",
        action="append",
        default=[],
        metavar="KEY=FROM:TO:N",
        help="N experiments over a range of a key; given twice, a map",
    )
    sub.add_argument(
        "--jobs", type=positive_int, metavar="J", help="processes of a sweep; as many as cores if not said"
    )
    sub.add_argument("--scheduler", metavar="ADDRESS", help="Dask cluster that runs a sweep")
    sub.add_argument(
        "--robot", type=Path, metavar="ARM.toml", help="an assembled arm instead of the PUMA 560, for pegs"
    )
    add_settings(sub)


def mate(options: argparse.Namespace) -> int:
    """Run the experiment, or a sweep of it, and print and write what came of it.

    Raises:
        ConfigurationError: its file breaks a rule.
        ExperimentError: a folder or file cannot be written, or the sweep is none.
    """
    if (options.jobs or options.scheduler) and not options.sweep:
        raise ExperimentError("--jobs and --scheduler are for a --sweep")
    if options.jobs and options.scheduler:
        raise ExperimentError("--jobs and --scheduler contradict each other: the cluster has its own workers")
    if options.robot is not None:
        options.set = [f"robot.assembly={json.dumps(str(options.robot))}", *options.set]
    return _sweep(options) if options.sweep else _single(options)


@contextmanager
def _begun(folder: Path | None) -> Iterator[None]:
    """Make the folder; if nothing comes to be written to it, because of a fault or Ctrl-C, it goes again."""
    from hil.trials.validation.files import begin_folder

    new = folder is not None and not folder.exists()
    begin_folder(folder)
    try:
        yield
    finally:
        if folder is not None and new:
            with suppress(OSError):  # that it is not empty
                folder.rmdir()


def _single(options: argparse.Namespace) -> int:
    from hil.commands.mating_tables import print_mating
    from hil.trials.mating.files import write_all
    from hil.trials.mating.loading import load_mating
    from hil.trials.mating.result import write_features
    from hil.trials.mating.running import run_experiment

    experiment = load_mating(options.experiment, options.set)
    with _begun(options.out):
        with _watched() as told:
            result = run_experiment(experiment, told)
        print_mating(result)
        if options.out is not None:
            write_all(options.out, result, options.experiment, options.set)
            print(f"page: {options.out / 'report.html'}")
    if options.json is not None:
        write_features(options.json, result.to_dict())
    held = all(statement.holds for statement in result.statements) and not result.stopped
    return 0 if held else NEGATIVE


@contextmanager
def _watched() -> "Iterator[Callable[[float], None]]":
    """Show on a terminal how far a run is, and what a first one compiles; give who is told the share."""
    from rich.console import Console
    from rich.progress import Progress

    from hil.common.compile_news import compiling_told

    console, count = Console(stderr=True), itertools.count(1)
    with Progress(transient=True, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("running", total=1.0)

        def compiling(kernel: str) -> None:
            text = f"first run, compiling: {next(count)} kernels so far"
            progress.update(task, description=text)

        with compiling_told(compiling):
            yield lambda share: progress.update(task, completed=share, description="running")


def _sweep(options: argparse.Namespace) -> int:
    from hil.commands.mating_tables import print_sweep
    from hil.trials.mating.files import write_sweep
    from hil.trials.mating.result import write_features
    from hil.trials.mating.running import run_named
    from hil.trials.mating.sweep import jobs_of, parsed, refuse_wrong

    ranges = [parsed(text) for text in options.sweep]
    jobs = jobs_of(options.experiment, options.set, ranges)
    refuse_wrong(jobs)  # now, and not after an hour
    run_named(jobs[0][1:])  # its kernels are compiled once
    with _begun(options.out):
        sweep = _progressed(jobs, ranges, options)
        print_sweep(sweep)
        if options.out is not None:
            write_sweep(options.out, sweep)
    if options.json is not None:
        told = [list(result.warnings) for result in sweep.results]
        points = [row | {"warnings": said} for row, said in zip(sweep.rows(), told, strict=True)]
        write_features(options.json, {"experiment": options.experiment, "points": points})
    return 0


def _progressed(jobs: "list[Job]", ranges: "list[Range]", options: argparse.Namespace) -> "Sweep":
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from hil.trials.mating.sweep import collected

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, transient=True) as shown:
        bar = shown.add_task(escape(options.experiment), total=len(jobs))
        return collected(ranges, _answers(jobs, options), lambda: shown.update(bar, advance=1))


def _answers(jobs: "list[Job]", options: argparse.Namespace) -> "Iterator[Answer]":
    from hil.common.campaign.cluster import Cluster
    from hil.common.campaign.local_workers import run_local
    from hil.trials.mating.sweep import run_job

    if options.scheduler is not None:
        return Cluster(options.scheduler, REMEDY).run(run_job, jobs)
    return run_local(run_job, jobs, options.jobs or os.cpu_count() or 1, REMEDY)
