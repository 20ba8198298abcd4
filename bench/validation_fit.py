"""How often the intervals of `zerog validate --fit` hold the truth: made-up logs with noise, many seeds.

For each seed the parameters of arm, control, contact and tool are drawn, a log is made with them and noise
is added; the fit begins at the configured values. Printed for each seed: whether all intervals of identified
parameters hold the truth at once, and which do not; in the end how often each parameter's does.

    python -m bench.validation_fit [table-slide|rim-contact] [--seeds N] [--first SEED] [--json OUT.json]
"""

import argparse
import os
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path

from bench.report import Row, print_rows, write_rows
from hil.trials.validation.fitting import Fit, fit
from hil.trials.validation.parameters import NAMES, Parameters
from hil.trials.validation.setup import Setup
from hil.trials.validation.simulation import simulate
from hil.trials.validation.stand_in import made_up_log

SEEDS, GOAL = 10, 0.8  # share of the seeds in which the intervals must hold the truth


def one(setup: Setup, seed: int) -> tuple[Fit, Parameters]:
    """Return a fit to the made-up log of a seed, and its truth."""
    e, run = setup.experiment, partial(simulate, setup, forces=False)
    truth = setup.parameters.drawn(seed, e.stand_in.spread)
    log = made_up_log(run(truth), e.noise, seed)
    return fit(setup.parameters, log, e.noise, run, os.cpu_count() or 1), truth


def main() -> int:
    """Fit seed after seed, print what came out, and return 1 if a goal was missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("experiment", nargs="?", default="table-slide")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    setup = Setup.load(options.experiment)
    held, known, whole, slowest = Counter[str](), Counter[str](), 0, 0.0
    for seed in range(options.first, options.first + options.seeds):
        begin = time.perf_counter()
        found, truth = one(setup, seed)
        taken = time.perf_counter() - begin
        slowest = max(slowest, taken)
        identified = [estimate for estimate in found.estimates if estimate.identified]
        missed = [estimate.name for estimate in identified if not estimate.holds(truth[estimate.name])]
        known.update(estimate.name for estimate in identified)
        held.update(estimate.name for estimate in identified if estimate.name not in missed)
        whole += not missed
        lost = [estimate.name for estimate in found.estimates if not estimate.identified]
        print(
            f"seed {seed:3d}: {len(identified)} of {len(NAMES)} identified, misfit {found.misfit:.3f}, "
            f"{found.runs} runs, {taken:.0f} s{'' if found.converged else ', did not settle'}; "
            f"missed: {', '.join(missed) or 'none'}; not identified: {', '.join(lost) or 'none'}",
            flush=True,
        )
    rows = [Row("all intervals hold the truth at once", whole / options.seeds, GOAL, "of seeds", least=True)]
    rows += [
        Row(f"  {name} ({known[name]} times identified)", held[name] / known[name], GOAL, "", least=True)
        for name in NAMES
        if known[name]
    ]
    rows.append(Row("slowest fit", slowest, None, "s"))
    print_rows(rows)
    if options.json is not None:
        write_rows(options.json, rows)
    return 1 if any(row.reached is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
