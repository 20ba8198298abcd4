"""`zerog experiment`: a plan's trials, live or in lock-step, each a recording and a row of results."""

import argparse
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hil.commands.grammar import add_command, positive_int
from hil.commands.outputs import Kind, add_output
from hil.common.errors import ExperimentError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hil.trials.experiment.campaign import Crew
    from hil.trials.experiment.expansion import Experiment
    from hil.trials.experiment.fast_trial import FastJob
    from hil.trials.experiment.output import Output

NEGATIVE, INTERRUPTED = 1, 130
REMEDY = "go on with --resume"


def add_experiment(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(
        commands,
        "experiment",
        experiment,
        "Run a plan of push experiments: each trial a recording and a row of results.csv.",
        "zerog experiment configs/plans/push.toml --fast",
    )
    sub.add_argument("plan", type=Path, metavar="PLAN.toml", help="see docs/use/experiments.md")
    text = "new folder; experiments/PLAN-1, or -2, ... if not said"
    add_output(sub, sub, "--out", kind=Kind.FOLDER, metavar="DIR", text=text)
    sub.add_argument("--fast", action="store_true", help="in lock-step on virtual time, on all cores")
    sub.add_argument("--resume", action="store_true", help="go on with what is in DIR")
    sub.add_argument("--jobs", type=positive_int, metavar="N", help="processes of --fast; as many as cores")
    sub.add_argument(
        "--scheduler", metavar="ADDRESS", help="of a Dask cluster that runs the trials: loopback or tls://"
    )


def experiment(options: argparse.Namespace) -> int:
    """Run the plan, print what it came to, and return 1 if a trial did not come to its end."""
    from hil.commands.results_table import print_results
    from hil.common.campaign.folder import usual_folder
    from hil.trials.experiment.expansion import load_experiment
    from hil.trials.experiment.outcome import DONE, REFUSED
    from hil.trials.experiment.output import Output
    from hil.trials.experiment.trial_folder import FAST, LIVE

    _refuse_contradictions(options)
    loaded = load_experiment(options.plan)
    if options.fast:
        _refuse_operators(loaded)
    crew = _crew(options) if options.fast else None
    folder = options.out or usual_folder("experiments", loaded.plan.name)
    output = Output(folder, loaded, FAST if options.fast else LIVE, options.resume)
    try:
        _run(loaded, output, crew)
    except KeyboardInterrupt:
        left, all_of_them = len(output.left), len(loaded.tasks)
        print(
            f"interrupted: {all_of_them - left} of {all_of_them} trials are done; go on with "
            f"`zerog experiment {options.plan} --out {folder}{' --fast' if options.fast else ''} --resume`"
        )
        return INTERRUPTED
    finally:
        output.close()
    print_results(loaded, output)
    return NEGATIVE if any(row["status"] not in (DONE, REFUSED) for row in output.rows.values()) else 0


def _run(loaded: "Experiment", output: "Output", crew: "Crew | None") -> None:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from hil.trials.experiment.campaign import run_fast_campaign, run_live_campaign

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, transient=True) as shown:
        total = len(loaded.tasks)
        bar = shown.add_task(loaded.plan.name, total=total, completed=total - len(output.left))

        def say(text: str) -> None:
            shown.console.print(text, markup=False, highlight=False)

        def done(row: dict[str, Any]) -> None:
            shown.update(bar, advance=1)
            if row["problem"]:
                say(f"{row['trial']}: {row['status']}: {row['problem']}")

        if crew is not None:
            run_fast_campaign(loaded, output, crew, done)
        else:
            run_live_campaign(loaded, output, lambda text: shown.update(bar, description=text), say, done)


def _crew(options: argparse.Namespace) -> "Crew":
    """Return what runs trials in lock-step: a cluster that is there, or processes of our own.

    A cluster's workers leave the trials' folders on a file system that all hosts share.
    """
    from hil.common.campaign.cluster import Cluster
    from hil.trials.experiment.fast_trial import run_fast

    if options.scheduler is not None:
        return partial(Cluster(options.scheduler, REMEDY).run, run_fast)
    return partial(_run_here, processes=options.jobs or os.cpu_count() or 1)


def _run_here(jobs: "list[FastJob]", processes: int) -> "Iterator[str]":
    from hil.common.campaign.local_workers import run_local
    from hil.processes.first_start.stage import compile_first
    from hil.trials.experiment.fast_trial import run_fast

    for job in jobs[:1]:  # or every process would compile the same
        compile_first(job.base.with_settings(()), job.base.path, (), lambda _: None)
    return run_local(run_fast, jobs, processes, REMEDY)


def _refuse_contradictions(options: argparse.Namespace) -> None:
    for name, value in (("--jobs", options.jobs), ("--scheduler", options.scheduler)):
        if value is not None and not options.fast:
            raise ExperimentError(f"{name} needs --fast: live trials run one after the other on this machine")
    if options.jobs is not None and options.scheduler is not None:
        raise ExperimentError("--jobs and --scheduler contradict each other: the cluster has its own workers")
    if options.resume and options.out is None:
        raise ExperimentError("--resume needs --out DIR: the folder that is to be gone on with")


def _refuse_operators(loaded: "Experiment") -> None:
    waiting = [task.folder for task in loaded.tasks if task.operator is not None]
    if waiting:
        raise ExperimentError(
            f"{loaded.path}: {waiting[0]} waits for a person, and on virtual time nobody can push: "
            "run the plan without --fast"
        )
