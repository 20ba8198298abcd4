"""How often the intervals of `zerog validate --fit` hold the truth: made-up logs with noise, many seeds.

For each seed the parameters of arm, control, contact and tool are drawn, a log is made with them and noise
is added; the fit begins at the configured values. Printed for each seed: whether all intervals of identified
parameters hold the truth at once, and which do not; in the end how often each parameter's does.

With `--tool` each log has the columns of a force sensor at the tool, and is fitted twice: by its joints
alone, and by joints and sensor together. Printed in the end: how wide each interval is with the sensor, as a
share of what it is without (middle of the seeds in which both identify it). `--widths` prints these shares
without any fit, from the derivatives at one seed's truth: a tenth of a fit's time.

    python -m bench.validation_fit [table-slide|rim-contact] [--tool [--widths]] [--set KEY=VALUE] [--seeds N]
        [--first SEED] [--json OUT.json]
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from bench.report import Row, print_rows, write_rows
from hil.trials.validation.fit_problem import FitProblem
from hil.trials.validation.fitting import Fit, fit
from hil.trials.validation.parameters import NAMES, Parameters, indices_of, named
from hil.trials.validation.setup import Setup
from hil.trials.validation.simulation import simulate
from hil.trials.validation.stand_in import made_up_log

SEEDS, GOAL = 10, 0.8  # share of the seeds in which the intervals must hold the truth
ALONE, WITH = "joints alone", "joints and sensor"
TOOL = ("sensor.kind=emulated",)


def fits(setup: Setup, seed: int) -> tuple[dict[str, Fit], Parameters]:
    """Return the fits to the made-up log of a seed, and its truth."""
    e, run = setup.experiment, partial(simulate, setup, forces=False)
    names = named(e.fit.parameters)
    truth = setup.parameters.drawn(seed, e.stand_in.spread, names)
    log = made_up_log(run(truth), e.noise, seed, e.sensor_errors)
    logs = {ALONE: replace(log, wrench=None)} | ({WITH: log} if setup.has_tool_sensor else {})
    jobs = os.cpu_count() or 1
    return {by: fit(setup.parameters, one, e.noise, run, jobs, names) for by, one in logs.items()}, truth


def expected(setup: Setup, seed: int) -> dict[str, float]:
    """Return the shares of `widths` as the derivatives at a seed's truth tell them, noise being as told."""
    e, run = setup.experiment, partial(simulate, setup, forces=False)
    names = named(e.fit.parameters)
    truth = setup.parameters.drawn(seed, e.stand_in.spread, names)
    log = made_up_log(run(truth), e.noise, seed, e.sensor_errors)
    indices, x = indices_of(names), np.zeros(len(names))
    problem = FitProblem(truth, log, e.noise, run, os.cpu_count() or 1, indices, lambda runs: None)
    errors = []
    try:
        for _ in range(2):  # joints alone, as nothing is trusted at first, then both
            J = problem.jacobian(x)
            errors.append(np.sqrt(np.diag(np.linalg.inv(J.T @ J))))  # the prior is among its rows
            problem.trust(x)
    finally:
        problem.close()
    return dict(zip(names, (errors[1] / errors[0]).tolist(), strict=True))


class Held:
    """Counts how often intervals hold the truth, for one way to fit."""

    def __init__(self, by: str) -> None:
        self.by, self.held, self.known, self.whole = by, Counter[str](), Counter[str](), 0

    def take(self, seed: int, found: Fit, truth: Parameters, taken: float) -> None:
        """Count a fit, and print its line."""
        identified = [estimate for estimate in found.estimates if estimate.identified]
        missed = [estimate.name for estimate in identified if not estimate.holds(truth[estimate.name])]
        self.known.update(estimate.name for estimate in identified)
        self.held.update(estimate.name for estimate in identified if estimate.name not in missed)
        self.whole += not missed
        lost = [estimate.name for estimate in found.estimates if not estimate.identified]
        print(
            f"seed {seed:3d}, {self.by}: {len(identified)} of {len(found.estimates)} identified, "
            f"misfit {found.misfit:.3f}, {found.runs} runs, {taken:.0f} s"
            f"{'' if found.converged else ', did not settle'}; "
            f"missed: {', '.join(missed) or 'none'}; not identified: {', '.join(lost) or 'none'}",
            flush=True,
        )

    def rows(self, seeds: int) -> list[Row]:
        """Return what it came to."""
        text = f"{self.by}: all intervals hold the truth at once"
        rows = [Row(text, self.whole / seeds, GOAL, "of seeds", least=True)]
        for name in filter(self.known.get, NAMES):
            text = f"  {name} ({self.known[name]} times identified)"
            rows.append(Row(text, self.held[name] / self.known[name], GOAL, "", least=True))
        return rows


def widths(found: Mapping[str, Fit]) -> dict[str, float]:
    """Return for each parameter that both fits identify the share of its interval that the sensor leaves."""
    alone, both = ({e.name: e for e in found[by].estimates if e.high and e.low} for by in (ALONE, WITH))
    return {
        name: float(np.log(both[name].high / both[name].low) / np.log(alone[name].high / alone[name].low))
        for name in alone.keys() & both.keys()
    }


def main() -> int:
    """Fit seed after seed, print what came out, and return 1 if a goal was missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("experiment", nargs="?", default="table-slide")
    parser.add_argument("--tool", action="store_true")
    parser.add_argument("--widths", action="store_true")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    setup = Setup.load(options.experiment, [*(TOOL if options.tool else ()), *options.set])
    if options.widths:
        found_shares = expected(setup, options.first)
        print_rows([Row(f"width of {name} with the sensor, as a share", share, None, "")
                    for name, share in found_shares.items()])  # fmt: skip
        return 0
    held = {by: Held(by) for by in (ALONE, WITH)[: 1 + options.tool]}
    shares: dict[str, list[float]] = {}
    slowest = 0.0
    for seed in range(options.first, options.first + options.seeds):
        begin = time.perf_counter()
        found, truth = fits(setup, seed)
        taken = time.perf_counter() - begin
        slowest = max(slowest, taken)
        for by, one in found.items():
            held[by].take(seed, one, truth, taken)
        for name, share in (widths(found) if options.tool else {}).items():
            shares.setdefault(name, []).append(share)
    rows = [row for one in held.values() for row in one.rows(options.seeds)]
    rows += [
        Row(f"  width of {name} with the sensor, as a share", float(np.median(shares[name])), None, "")
        for name in NAMES
        if name in shares
    ]
    rows.append(Row("slowest seed", slowest, None, "s"))
    print_rows(rows)
    if options.json is not None:
        write_rows(options.json, rows)
    return 1 if any(row.reached is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
