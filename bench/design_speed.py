"""How many candidates an hour a search judges, and where the light-weight arm comes in the one made for it.

    python -m bench.design_speed [--candidates N] [--jobs 2] [--json OUT.json]

All arms of `configs/design/lwr.toml`, or as many by lot; kernels are compiled before the clock starts.
"""

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from bench.report import Row, print_rows, write_rows
from hil.common.campaign.local_workers import run_local
from hil.workbench.design.judging import Judge, judge_all
from hil.workbench.design.output import Output
from hil.workbench.design.result import MOST, Result, result_of
from hil.workbench.design.search import run_search
from hil.workbench.design.study import Study, load_study
from sim.assembly.assembly_file import load_assembly
from sim.assembly.database import Database, load_database

CONFIGS = Path(__file__).resolve().parents[1] / "configs"
TASK, KNOWN = CONFIGS / "design" / "lwr.toml", CONFIGS / "assemblies" / "lwr4.toml"
GOAL = 20_000.0  # candidates an hour, on two cores


def smaller(study: Study, candidates: int | None) -> Study:
    """Return the study with so many candidates at most."""
    if candidates is None:
        return study
    space = study.task.space.model_copy(update={"candidates": candidates})
    return replace(study, task=study.task.model_copy(update={"space": space}))


def searched(study: Study, jobs: int) -> tuple[Result, float]:
    """Return what a search comes to, and the time it takes [s]."""
    Judge(study.task, Database(study.components)).warm(study.candidates[0])
    with tempfile.TemporaryDirectory() as name:
        output = Output(Path(name) / "out", study)
        begin = time.perf_counter()
        run_search(study, output, lambda work: run_local(judge_all, work, jobs, "again"), lambda _: None)
        took = time.perf_counter() - begin
        output.close()
        return result_of(study, output), took


def place(result: Result) -> float | None:
    """Return the rank of the known arm; None where it is not among the good ones."""
    known = [part.component.name for part in load_assembly(KNOWN, load_database())]
    ranks = [rank for rank, j in enumerate(result.good, 1) if [part.component for part in j.arm] == known]
    return float(ranks[0]) if ranks else None


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--candidates", type=int, metavar="N", help="all if not said")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes")
    parser.add_argument("--json", type=Path, metavar="OUT.json")
    options = parser.parse_args()
    study = smaller(load_study(TASK), options.candidates)
    result, took = searched(study, options.jobs)
    count = len(study.candidates)
    rows = [
        Row("candidates", float(count), None, ""),
        Row("judged an hour", 3600.0 * count / took, GOAL, "1/h", least=True),
        Row("of them good", float(len(result.good)), None, ""),
    ]
    if count == study.total:
        rows.append(Row("rank of the light-weight arm", place(result), float(MOST), ""))
    print_rows(rows)
    if options.json is not None:
        write_rows(options.json, rows, result.verdicts)


if __name__ == "__main__":
    main()
