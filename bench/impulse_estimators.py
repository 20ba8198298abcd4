"""The detector's estimator beside the one before it, on the same pushes: errors, their honesty, and the time.

python -m bench.impulse_estimators [--seeds 3] [--first 100] [--hours 0.2] [--loop 440] [--json out.json]

With --loop so many seconds of configs/pushes.toml with motion noise are floated as well, for each seed. z is
an error's norm over six axes, over that of its standard deviation and of 1 % of the impulse, for the
inertia that load compensation misses.
"""

import argparse
import pathlib
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from bench.detector_pushes import CASES, LENGTH, detect, score
from bench.fidelity import CONFIGS, changed
from bench.push_signals import Trial, trial
from bench.report import Row, print_rows, write_rows
from bench.running_mean import impulse_of, running_means
from hil.analysis.figures.impulses import match_impulses
from hil.common.arrays import Array
from hil.configuration import load_configuration
from hil.configuration.schema import Detector, Filter
from hil.loop.lockstep import LockStep
from hil.messaging.codec import Message
from hil.messaging.messages import ImpulseSlice
from hil.wrench.detector.impulse_detector import ImpulseDetector
from hil.wrench.detector.slices import pushes

SCALE = np.repeat([1.0, 1.0 / LENGTH], 3)
SYSTEMATIC = 0.01  # of an impulse
MEDIAN_US, P99_US = 8.0, 15.0
PASSES = 5
PIECE_HOURS = 0.2  # of untouched wrench at a time


def errors(data: Trial, found: list[ImpulseSlice]) -> Array:
    """Return relative errors of both estimators, and z, of the pushes that were found, shape (n, 3)."""
    means, rows = running_means(data), []
    onsets = np.array([push.t_start_ns * 1e-9 for push in found])
    for start, true in zip(data.start, data.impulse, strict=True):
        k = int(np.argmin(np.abs(onsets - start)))
        if abs(onsets[k] - start) > 0.05:
            continue
        size, push = np.linalg.norm(true * SCALE), found[k]
        now = np.linalg.norm((push.impulse_object - true) * SCALE)
        before = np.linalg.norm((impulse_of(data, means, push) - true) * SCALE)
        doubt = np.hypot(np.linalg.norm(push.deviation_object * SCALE), SYSTEMATIC * size)
        rows.append((now / size, before / size, now / doubt))
    return np.array(rows)


def of_case(name: str, case: dict[str, float], seeds: range, count: int) -> list[Row]:
    """Return the rows of one kind of pushes."""
    parts, scores = [], []
    for seed in seeds:
        data = trial(seed, count=count, **case)
        found = detect(data, Detector(), Filter())
        parts.append(errors(data, found))
        scores.append(score(data, found))
    now, before, z = np.concatenate(parts).T
    centroid = 1e3 * np.concatenate([s["centroid"] for s in scores])
    return [
        Row(f"{name}: median", 100 * np.median(now), round(100 * float(np.median(before)), 3), "%"),
        Row(f"{name}: 95 %", 100 * np.quantile(now, 0.95), round(100 * np.quantile(before, 0.95), 3), "%"),
        Row(f"{name}: z, median", float(np.median(z)), 1.0, ""),
        Row(f"{name}: z, 95 %", float(np.quantile(z, 0.95)), 1.6, ""),
        Row(f"{name}: missed", float(sum(np.isnan(s["error"]).sum() for s in scores)), 0.0, ""),
        Row(f"{name}: false", float(sum(s["false"] for s in scores)), 0.0, ""),
        Row(f"{name}: centroid, 95 %", float(np.nanquantile(np.abs(centroid), 0.95)), None, "ms"),
    ]


def untouched(hours: float) -> Row:
    """Return how many pushes are found where there is none, half of the time with motion noise."""
    false, pieces = 0, max(2, round(hours / PIECE_HOURS))
    for seed in range(pieces):
        noise = 0.35 if seed % 2 else 0.0
        data = trial(1000 + seed, count=0, minutes=60.0 * hours / pieces, speed=0.12, motion_noise=noise)
        false += len(detect(data, Detector(), Filter()))
    return Row(f"false in {hours:g} h untouched", float(false), 0.0, "")


def in_the_loop(seed: int, seconds: float) -> tuple[Array, Array, int, int]:
    """Return relative errors and z of a closed loop's pushes, how many were missed, and how many false."""
    c = changed(load_configuration(CONFIGS / "pushes.toml"), "run", seed=seed)
    c = changed(c, "emulator.wrench", motion_noise=True)
    slices: list[ImpulseSlice] = []

    def listen(_: str, message: Message) -> None:
        if isinstance(message, ImpulseSlice):
            slices.append(message)

    trace = LockStep(c, listener=listen).run(seconds)
    matches = match_impulses(trace)
    doubts = {p.impulse_id: np.linalg.norm(p.deviation_object * SCALE) for p in pushes(slices, LENGTH)}
    known = np.isfinite(matches.error) & (np.linalg.norm(trace.push_value[:, :3], axis=1) >= 1.0)
    doubt = np.array([doubts[i] for i in trace.impulse_id[matches.impulse[known]].tolist()])
    error, size = matches.error[known], matches.size[known]
    return error / size, error / np.hypot(doubt, SYSTEMATIC * size), matches.missed, matches.false


def loops(seeds: range, seconds: float) -> list[Row]:
    """Return the rows of the closed loop."""
    runs = [in_the_loop(seed, seconds) for seed in seeds]
    error, z = (np.concatenate([run[i] for run in runs]) for i in (0, 1))
    name = f"closed loop, {len(error)} from 1 N s"
    return [
        Row(f"{name}: median", 100 * float(np.median(error)), 1.7, "%"),
        Row(f"{name}: z, median", float(np.median(z)), 1.0, ""),
        Row(f"{name}: z, 95 %", float(np.quantile(z, 0.95)), 1.6, ""),
        Row("closed loop: missed", float(sum(run[2] for run in runs)), 0.0, ""),
        Row("closed loop: false", float(sum(run[3] for run in runs)), 0.0, ""),
    ]


def times() -> list[Row]:
    """Return what a sample costs, while nobody pushes and within a push with its settling.

    Of several passes each sample's quickest counts: what others do on the machine is not in it.
    """
    data = trial(1, count=60, motion_noise=0.35)
    passes = []
    for _ in range(PASSES):
        core = ImpulseDetector(Detector(), Filter(), float(data.t[1] - data.t[0]))
        cost = np.empty(len(data.t))
        for k, t in enumerate(data.t):
            begin = time.perf_counter_ns()
            core.take(round(1e9 * t), data.wrench[k])
            cost[k] = 1e-3 * (time.perf_counter_ns() - begin)
        passes.append(cost)
    cost = np.min(passes, axis=0)
    end = data.start + data.duration + 0.25
    pushed = (data.t[:, None] >= data.start) & (data.t[:, None] <= end)
    within = pushed.any(axis=1)
    return [
        Row("a sample at rest, median", float(np.median(cost[~within])), MEDIAN_US, "us"),
        Row("a sample at rest, 99 %", float(np.quantile(cost[~within], 0.99)), P99_US, "us"),
        Row("a sample of a push, median", float(np.median(cost[within])), MEDIAN_US, "us"),
        Row("a sample of a push, 99 %", float(np.quantile(cost[within], 0.99)), P99_US, "us"),
    ]


def main() -> None:
    """Print all rows; the goals of errors are those of the estimator before."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=100, help="first seed")
    parser.add_argument("--count", type=int, default=200, help="pushes a seed")
    parser.add_argument("--hours", type=float, default=0.2, help="untouched")
    parser.add_argument("--loop", type=float, default=0.0, help="seconds of the closed loop, for each seed")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.seeds)
    rows = [row for name, case in CASES.items() for row in of_case(name, case, seeds, options.count)]
    rows += [*times(), untouched(options.hours)]
    if options.loop:
        rows += loops(seeds, options.loop)
    print_rows(rows)
    if options.json:
        write_rows(options.json, rows)


if __name__ == "__main__":
    main()
