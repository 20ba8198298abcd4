"""How fast mating experiments are: each shipped one, pegs by robot, a sweep of a thousand, memory.

python -m bench.mating_speed [--runs N] [--json OUT]
"""

import argparse
import resource
import time
from pathlib import Path

from bench.report import Row, print_rows, write_rows
from hil.common.campaign.local_workers import run_local
from hil.trials.mating.running import run_named
from hil.trials.mating.sweep import jobs_of, parsed, run_job

EXPERIMENTS = ("o-ring", "snap-beam", "snap-plate")
PEGS = (("round-peg", ("step_ms=1.0",)), ("rectangular-peg", ()), ("rectangular-peg", ("planes=all",)))
GOAL_S, GOAL_SWEEP_S, GOAL_MIB, GOAL_REAL_TIME = 2.0, 300.0, 500.0, 10.0
WHOLE = 1000  # runs of the sweep that the goal is for


def main() -> int:
    """Measure, print, and return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=WHOLE, metavar="N", help="of the sweep")
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args()
    rows = []
    for name in EXPERIMENTS:
        run_named((name, ()))  # kernels are compiled
        begin = time.perf_counter()
        run_named((name, ()))
        rows.append(Row(f"{name}, one experiment", time.perf_counter() - begin, GOAL_S, "s"))
    for name, settings in PEGS:
        run_named((name, settings))
        begin = time.process_time()
        result = run_named((name, settings))
        took = time.process_time() - begin
        label = f"{name} {' '.join(settings)}, simulated time over processor time, path and figures with it"
        rows.append(Row(label, float(result.series["t_s"][-1]) / took, GOAL_REAL_TIME, "", least=True))
    jobs = jobs_of("snap-beam", [], [parsed(f"mu=0.05:0.5:{options.runs}")])
    begin = time.perf_counter()
    done = sum(1 for _ in run_local(run_job, jobs, 2, "again"))
    took = (time.perf_counter() - begin) * WHOLE / done
    rows.append(Row(f"{WHOLE} snap-beam, two processes", took, GOAL_SWEEP_S, "s"))
    most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    rows.append(Row("memory of one process at most", most / 1024.0, GOAL_MIB, "MiB"))
    print_rows(rows)
    if options.json is not None:
        write_rows(options.json, rows)
    return 0 if all(row.reached for row in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())
