"""How often the certificate's verdict on impulses is right, on fresh seeds with motion noise, in lock-step.

    python -m bench.impulse_verdict [--first 7201] [--runs 20] [--seconds 300] [--config cube.toml]

Runs as they are should pass; the same runs with all impulses a few percent too large or too small should
fail, and so should one whose sensor is noisier than its configuration says. 300 s of cube.toml are
40 pushes. One process.
"""

import argparse
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bench.fidelity import CONFIGS, changed
from bench.report import Row, print_rows, write_rows
from hil.analysis.figures.impulses import SCALE, match_impulses
from hil.analysis.recorded.latency import latency_of
from hil.analysis.recorded.run import RecordedRun
from hil.analysis.report.certificate import certificate
from hil.analysis.report.impulse_lines import impulse_lines
from hil.analysis.report.run_evidence import RunEvidence, evidence_of
from hil.analysis.report.verdict import Verdict
from hil.configuration import Configuration, load_configuration
from hil.loop.lockstep import LockStep
from hil.loop.trace.fields import Trace
from hil.recording.reading import Summary

FIRST_SEED = 7201  # below it are those by which the rules were chosen
SCALES = (1.02, 0.98, 1.03, 0.97, 1.05, 0.95)
WINDOW = 8  # pushes: the fewest that are judged
LOUDER = 1.5  # times the configured motion noise
HEAD = {"version": "", "machine": "", "settings": "[]", "configuration": "", "clock_offset_ns": "0"}


@dataclass
class Counts:
    """How many of how many fail, and by which rows."""

    failed: int = 0
    judged: int = 0
    rows: Counter[str] | None = None

    def add(self, failing: list[str]) -> None:
        """Count one verdict."""
        self.judged += 1
        self.failed += bool(failing)
        self.rows = (self.rows or Counter()) + Counter(failing)

    @property
    def percent(self) -> float:
        """The share that fails [%]."""
        return 100.0 * self.failed / max(1, self.judged)


def evidence(trace: Trace, c: Configuration) -> RunEvidence:
    """Return what a lock-step run says, as a report of its recording has it."""
    summary = Summary(whole=True, metadata={"zerog": HEAD})
    return evidence_of(RecordedRun(Path("run.mcap"), summary, c, trace, latency_of(c, {}, ""), False, {}))


def failing(run: RunEvidence) -> list[str]:
    """Return the rows on impulses that fail; a run that is not judged counts as failing."""
    lines = impulse_lines([run], {})
    silent = [line.name for line in lines if line.verdict is Verdict.NOT_MEASURED]
    return [line.name for line in lines if line.verdict is Verdict.FAIL] + (
        ["not measured"] if len(silent) > 1 else []  # there may be no small push
    )


def scaled(run: RunEvidence, trace: Trace, factor: float) -> RunEvidence:
    """Return the same with every impulse so many times as large."""
    matches = match_impulses(trace)
    found = np.isfinite(matches.error)
    true = trace.push_value[found] * SCALE
    difference = factor * trace.impulse_value[matches.impulse[found]] * SCALE - true
    error = np.linalg.norm(difference, axis=1)
    along = np.sum(difference * true, axis=1) / run.pushes.size
    return replace(run, pushes=replace(run.pushes, error=error, along=along))


def window(run: RunEvidence, first: int) -> RunEvidence:
    """Return a run of the pushes from `first` on that are just enough, in the same noise."""
    p, rows = run.pushes, slice(first, first + WINDOW)
    few = replace(
        p, error=p.error[rows], along=p.along[rows], size=p.size[rows], duration=p.duration[rows],
        counted=p.counted[rows], free=p.free[rows], near=p.near[rows],
    )  # fmt: skip
    return replace(run, pushes=few)


def louder_sensor(c: Configuration, seconds: float) -> bool:
    """Return whether a run fails by its noise alone whose sensor is noisier than its configuration says."""
    size = LOUDER * c.emulator.wrench.motion_noise_force
    trace = LockStep(changed(c, "emulator.wrench", motion_noise_force=size)).run(seconds)
    return "wrench_noise" in failing(evidence(trace, c))


def main() -> None:
    """Run the seeds and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--first", type=int, default=FIRST_SEED, help="the first seed")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--config", default="cube.toml")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    base = changed(load_configuration(CONFIGS / options.config), "emulator.wrench", motion_noise=True)
    whole, untouched, few = Counts(), Counts(), Counts()
    wrong = {factor: (Counts(), Counts()) for factor in SCALES}
    pushes = []
    for seed in range(options.first, options.first + options.runs):
        begin = time.perf_counter()
        c = changed(base, "run", seed=seed)
        trace = LockStep(c).run(options.seconds)
        run = evidence(trace, c)
        pushes.append(len(run.pushes.error))
        untouched.add(failing(run))
        found = certificate([run], {})
        failed = [line.name for line in found.lines if line.verdict is Verdict.FAIL]
        whole.add(failed)
        firsts = range(0, pushes[-1] - WINDOW + 1, WINDOW)
        for first in firsts:
            few.add(failing(window(run, first)))
        for factor, (runs, windows) in wrong.items():
            off = scaled(run, trace, factor)
            runs.add(failing(off))
            for first in firsts:
                windows.add(failing(window(off, first)))
        took = time.perf_counter() - begin
        print(
            f"seed {seed}: {pushes[-1]} pushes, {found.in_words}, {took:.0f} s {' '.join(failed)}", flush=True
        )
    rows = [
        Row("pushes a run, median", float(np.median(pushes)), None, ""),
        Row("runs as they are: fail", untouched.percent, 5.0, "%"),
        Row("runs as they are: the whole certificate fails", whole.percent, 5.0, "%"),
        Row(f"windows of {WINDOW} pushes as they are: fail", few.percent, 5.0, "%"),
    ]
    for factor, (runs, windows) in wrong.items():
        off = f"impulses {100 * (factor - 1):+.0f} %"
        asked = 90.0 if abs(factor - 1.0) > 0.025 else None
        rows.append(Row(f"{off}: runs fail", runs.percent, asked, "%", least=True))
        rows.append(Row(f"{off}: windows of {WINDOW} fail", windows.percent, None, "%"))
    louder = louder_sensor(changed(base, "run", seed=options.first), options.seconds)
    rows.append(Row(f"noise x {LOUDER}: fails by itself", float(louder), 1.0, "", least=True))
    print_rows(rows)
    for name, counts in (("runs", untouched), ("whole certificates", whole), ("windows", few)):
        print(f"rows that fail, {name} as they are: {dict(counts.rows or {}) or 'none'}")
    if options.json is not None:
        write_rows(options.json, rows, {"seeds": [options.first, options.runs], "pushes": pushes})


if __name__ == "__main__":
    main()
