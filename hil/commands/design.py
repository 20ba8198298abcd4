"""`zerog design`: arms for a task, enumerated from the components, judged, the best as assembly files."""

import argparse
import json
import os
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hil.commands.grammar import add_command, positive_int
from hil.commands.outputs import Kind, add_output
from hil.common.errors import DesignError
from hil.common.output_file import write_output

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hil.workbench.design.judgement import Judgement
    from hil.workbench.design.judging import Job
    from hil.workbench.design.output import Output
    from hil.workbench.design.search import Crew
    from hil.workbench.design.study import Study

NEGATIVE, INTERRUPTED = 1, 130
REMEDY = "give the same command again with --out DIR, and it goes on"


def add_design(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(
        commands,
        "design",
        design,
        "Search arms for a task: candidates from the components, judged; the ten best as assemblies.",
        "zerog design configs/design/lwr.toml",
    )
    sub.add_argument("task", type=Path, metavar="TASK.toml", help="see docs/use/design.md")
    text = "folder, gone on with if this search was begun in it; designs/TASK-1, or -2, ... if not said"
    add_output(sub, sub, "--out", kind=Kind.FOLDER, metavar="DIR", text=text)
    sub.add_argument("--jobs", type=positive_int, metavar="N", help="processes; as many as cores")
    sub.add_argument(
        "--scheduler", metavar="ADDRESS", help="of a Dask cluster that judges: loopback or tls://"
    )
    sub.add_argument("--seed", type=_seed, metavar="N", help="of the lot, instead of the file's")
    add_output(sub, sub, "--json", metavar="OUT.json", text="write what it came to")


def design(options: argparse.Namespace) -> int:
    """Search, write and print what it came to; 1 if no candidate does the task."""
    from hil.commands.design_table import print_result
    from hil.common.campaign.folder import usual_folder
    from hil.workbench.design.output import Output
    from hil.workbench.design.result import result_json, result_of, write_best
    from hil.workbench.design.study import load_study

    if options.jobs is not None and options.scheduler is not None:
        raise DesignError("--jobs and --scheduler contradict each other: the cluster has its own workers")
    study = load_study(options.task, options.seed)
    crew = _crew(options)
    output = Output(options.out or usual_folder("designs", study.task.name), study)
    begin, before = time.monotonic(), len(output.judgements)
    try:
        _search(study, output, crew)
        took, judged = time.monotonic() - begin, len(output.judgements) - before
        result = result_of(study, output)
        write_best(study, output, result)
    except KeyboardInterrupt:
        print(
            f"interrupted: {len(output.judgements)} of {len(study.candidates)} candidates are judged; go on "
            f"with `zerog design {options.task} --out {output.folder}"
            f"{'' if options.seed is None else f' --seed {options.seed}'}`"
        )
        return INTERRUPTED
    finally:
        output.close()
    print_result(study, output, result, took, judged)
    if options.json is not None:
        said = result_json(study, output, result, took, judged)
        write_output(options.json, json.dumps(said, indent=2) + "\n")
    return 0 if result.good else NEGATIVE


def _search(study: "Study", output: "Output", crew: "Crew") -> None:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from hil.workbench.design.search import run_search

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, transient=True) as shown:
        good = sum(j.good for j in output.judgements.values())
        bar = shown.add_task("", total=len(study.candidates), completed=len(output.judgements))

        def done(judged: "list[Judgement]") -> None:
            nonlocal good
            good += sum(j.good for j in judged)
            shown.update(bar, advance=len(judged), description=f"{study.task.name}: {good} good")

        done([])
        run_search(study, output, crew, done)


def _crew(options: argparse.Namespace) -> "Crew":
    """Return what judges candidates: a cluster that is there, or processes of our own."""
    from hil.common.campaign.cluster import Cluster
    from hil.workbench.design.judging import judge_all

    if options.scheduler is not None:
        return partial(Cluster(options.scheduler, REMEDY).run, judge_all)
    return partial(_judge_here, processes=options.jobs or os.cpu_count() or 1)


def _judge_here(jobs: "Sequence[Job]", processes: int) -> "Iterator[list[Judgement]]":
    from hil.common.campaign.local_workers import run_local
    from hil.workbench.design.judging import Judge, judge_all
    from sim.assembly.database import Database

    for job in jobs[:1]:  # or every process would compile the same
        Judge(job.task, Database(job.components)).warm(job.candidates[0])
    return run_local(judge_all, jobs, processes, REMEDY)


def _seed(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} must be a whole number, 0 or more")
    return value
