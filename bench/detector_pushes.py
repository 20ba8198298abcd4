"""How well the impulse detector measures pushes: 3 seeds of 200, quiet and with motion noise.

python -m bench.detector_pushes [--seeds 3] [--count 200] [--set level_floor=1.5]
"""

import argparse
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from bench.first_rules import first_rules
from bench.push_signals import Trial, trial
from hil.configuration.schema import Detector, Filter
from hil.messaging.messages import ImpulseSlice
from hil.wrench.detector.impulse_detector import ImpulseDetector
from hil.wrench.detector.slices import pushes

LENGTH = 0.2


def detect(data: Trial, detector: Detector, filter_: Filter) -> list[ImpulseSlice]:
    """Return the pushes that the detector finds in a trial."""
    core = ImpulseDetector(detector, filter_, nominal_dt=float(data.t[1] - data.t[0]))
    slices: list[ImpulseSlice] = []
    for t_ns, wrench in zip(np.rint(data.t * 1e9).astype(int).tolist(), data.wrench, strict=True):
        slices += core.step(t_ns, wrench)
    return pushes(slices, filter_.length)


def score(data: Trial, found: list[ImpulseSlice]) -> dict[str, object]:
    """Return errors by push (nan: missed), the number of false ids, and centroid and onset errors [s]."""
    onset = np.array([p.t_start_ns * 1e-9 for p in found])
    free = np.ones(len(found), bool)
    scale = np.repeat([1.0, 1.0 / LENGTH], 3)
    error, centroid, absolute, along, early = (np.full(len(data.start), np.nan) for _ in range(5))
    for i, (begin, lasts) in enumerate(zip(data.start, data.duration, strict=True)):
        near = np.flatnonzero(free & (onset >= begin - 0.02) & (onset <= begin + lasts + 0.03))
        if len(near) == 0:
            continue
        free[near[0]] = False
        push, true = found[near[0]], data.impulse[i] * scale
        miss = push.impulse_object * scale - true
        absolute[i] = np.linalg.norm(miss)
        error[i] = absolute[i] / np.linalg.norm(true)
        along[i] = miss @ true / (true @ true)
        centroid[i] = push.t_centroid_ns * 1e-9 - (begin + lasts / 2)
        early[i] = onset[near[0]] - begin
    return {
        "error": error,
        "absolute": absolute,
        "along": along,
        "centroid": centroid,
        "onset": early,
        "false": int(free.sum()),
    }


def pooled(scores: list[dict[str, object]], key: str) -> np.ndarray:
    """Return one value of all trials in a row."""
    return np.concatenate([np.atleast_1d(s[key]) for s in scores])


def line(name: str, scores: list[dict[str, object]]) -> str:
    """Return the printed row of one kind of pushes."""
    error = pooled(scores, "error")
    missed = int(np.isnan(error).sum())
    seen = error[~np.isnan(error)]
    med, p95 = 100 * np.median(seen), 100 * np.quantile(seen, 0.95)
    away = pooled(scores, "absolute")
    centroid = 1e3 * pooled(scores, "centroid")
    bias = 100 * np.nanmedian(pooled(scores, "along"))
    return (
        f"{name:34s} median {med:5.2f} %  p95 {p95:5.2f} %  bias {bias:+5.2f} %"
        f"  |err| p95 {np.nanquantile(away, 0.95):.3f} max {np.nanmax(away):.3f} N s"
        f"  missed {missed:2d}  false {int(pooled(scores, 'false').sum()):2d}"
        f"  centroid {np.nanmedian(centroid):+.1f}/{np.nanquantile(np.abs(centroid), 0.95):.1f} ms"
        f"  onset {1e3 * np.nanmedian(pooled(scores, 'onset')):+.1f} ms"
    )


CASES = {
    "quiet, 0.3 to 5 N s": {},
    "motion noise, 1 to 5 N s": {"low": 1.0, "motion_noise": 0.35},
    "motion noise, 0.3 to 1 N s": {"high": 1.0, "motion_noise": 0.35},
    "moving 0.12 m/s, quiet": {"speed": 0.12},
    "moving 0.12 m/s, motion noise, 1+": {"speed": 0.12, "low": 1.0, "motion_noise": 0.35},
    "moving 0.12 m/s, motion noise, 1-": {"speed": 0.12, "high": 1.0, "motion_noise": 0.35},
}


def main() -> None:
    """Print a row for every kind of pushes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--tau", type=float, default=0.007)
    parser.add_argument("--set", action="append", default=[], help="detector field=value in SI")
    parser.add_argument("--rules", choices=("product", "first"), default="product")
    parser.add_argument("--floor", type=float, default=30.0, help="of the first rules [N/s]")
    arguments = parser.parse_args()
    changes = {k: float(v) for k, v in (item.split("=") for item in arguments.set)}
    detector = Detector().model_copy(update=changes)
    filter_ = Filter().model_copy(update={"tau": arguments.tau})

    def found(data: Trial) -> list[ImpulseSlice]:
        if arguments.rules == "first":
            return first_rules(data, arguments.tau, LENGTH, arguments.floor)
        return detect(data, detector, filter_)

    for name, case in CASES.items():
        scores = []
        for seed in range(arguments.seeds):
            data = trial(seed, count=arguments.count, **case)
            scores.append(score(data, found(data)))
        print(line(name, scores), flush=True)
    for noise in (0.0, 0.35):
        data = trial(9, count=0, minutes=10.0, speed=0.12, motion_noise=noise)
        print(
            f"10 minutes untouched, motion noise {noise}: false {len(found(data))}",
            flush=True,
        )


if __name__ == "__main__":
    main()
