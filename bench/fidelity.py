"""The figures of fidelity, all cases, in lock-step on virtual time; each row with its goal.

    python -m bench.fidelity [--scale 0.1] [--case pushes …] [--json OUT.json]

`--scale` shortens every case; at 1 the push trial has 3 seeds of 200 pushes and the long runs are ten
virtual minutes. Two processes work side by side.
"""

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.report import Row, print_rows, write_rows
from hil.analysis.figures import figures
from hil.analysis.figures.impulses import match_impulses
from hil.analysis.figures.velocity import overshoots, reactions, velocity_errors
from hil.configuration import Configuration, load_configuration
from hil.loop.lockstep import LockStep
from hil.loop.trace.recorder import Trace

CONFIGS = Path(__file__).resolve().parents[1] / "configs"
SEEDS = (1, 2, 3)
DELAYS_MS = (0, 20, 120, 250)
TEN_MINUTES = 600.0
PERCENT = 100.0


@dataclass(frozen=True)
class Job:
    """One run: a configuration's name, how it is changed, how long it floats [s]."""

    name: str
    file: str
    duration: float
    change: Callable[[Configuration], Configuration]


def changed(c: Configuration, table: str, **values: Any) -> Configuration:
    """Return the configuration with some values of a (dotted) table replaced."""
    head, _, rest = table.partition(".")
    section = getattr(c, head)
    section = changed(section, rest, **values) if rest else section.model_copy(update=values)
    return c.model_copy(update={head: section})


def simulated(job: Job) -> tuple[str, dict[str, Any]]:
    """Run a job and return its name with what the rows need."""
    c = job.change(load_configuration(CONFIGS / job.file))
    begin = time.perf_counter()
    trace = LockStep(c).run(job.duration)
    return job.name, findings(trace, time.perf_counter() - begin)


def findings(trace: Trace, wall_time: float) -> dict[str, Any]:
    """Return figures, and the values of every push for pooling over seeds."""
    matches = match_impulses(trace)
    sim, arm = velocity_errors(trace)
    return {
        "figures": figures(trace, wall_time),
        "impulse_size": np.linalg.norm(trace.push_value[:, :3], axis=1),
        "impulse_error": matches.error,
        "impulse_relative": matches.relative_error,
        "sim": sim,
        "arm": arm,
        "overshoot": overshoots(trace),
        "reaction": reactions(trace),
    }


class Moving:
    """The default run, untouched, at 0.12 m/s and 0.3 rad/s, with an interface delay [s]."""

    def __init__(self, delay: float = 0.0) -> None:
        self._delay = delay

    def __call__(self, c: Configuration) -> Configuration:
        """Return the changed configuration."""
        v, w = np.array([0.6, 0.64, -0.48]) * 0.12, np.array([0.48, -0.6, 0.64]) * 0.3
        c = changed(c, "object", initial_velocity=v, initial_spin=w)
        c = changed(c, "operator", random=None, push=())
        # the lead begins where the last identification of this robot ended, 8 ms off
        c = changed(c, "interpolation", lead_time=self._delay + 0.02)
        return changed(c, "emulator", delay=self._delay)


class Pushed:
    """The push trial with a seed, with or without motion noise."""

    def __init__(self, seed: int, noise: bool) -> None:
        self._seed, self._noise = seed, noise

    def __call__(self, c: Configuration) -> Configuration:
        """Return the changed configuration."""
        return changed(changed(c, "run", seed=self._seed), "emulator.wrench", motion_noise=self._noise)


def unchanged(c: Configuration) -> Configuration:
    """Return the configuration as it is."""
    return c


def jobs(scale: float) -> list[Job]:
    """Return all runs, the longest first."""
    trial = 490.0 * scale
    made = [Job(f"quiet {s}", "pushes.toml", trial, Pushed(s, False)) for s in SEEDS]
    made += [Job(f"noisy {s}", "pushes.toml", trial, Pushed(s, True)) for s in SEEDS]
    made.append(Job("untouched", "cube.toml", TEN_MINUTES * scale, Moving()))
    made.append(Job("tumble", "tumble.toml", TEN_MINUTES * scale, unchanged))
    made += [Job(f"delay {d}", "cube.toml", max(30.0, 120.0 * scale), Moving(d * 1e-3)) for d in DELAYS_MS]
    made.append(Job("paper", "paper.toml", max(60.0, 300.0 * scale), unchanged))
    return made


def pooled(results: dict[str, Any], prefix: str) -> dict[str, Any]:
    """Return the values of all seeds of a trial together."""
    parts = [value for name, value in results.items() if name.startswith(prefix)]
    keys = [key for key in parts[0] if key != "figures"]
    together = {key: np.concatenate([part[key] for part in parts]) for key in keys}
    for key in ("missed", "false"):
        together[key] = sum(part["figures"]["impulses"][key] for part in parts)
    return together


def median(values: Any) -> float:
    """Return the median of the finite values."""
    return float(np.nanmedian(values)) if np.isfinite(values).any() else float("nan")


def p95(values: Any) -> float:
    """Return the 95th percentile of the finite values."""
    return float(np.nanquantile(values, 0.95)) if np.isfinite(values).any() else float("nan")


def push_rows(results: dict[str, Any]) -> list[Row]:
    """Return the rows of the push trial."""
    rows = []
    if any(name.startswith("quiet") for name in results):
        q = pooled(results, "quiet")
        rows += [
            Row("impulse error, quiet, median", PERCENT * median(q["impulse_relative"]), 1.0, "%"),
            Row("impulse error, quiet, p95", PERCENT * p95(q["impulse_relative"]), 2.5, "%"),
            Row("impulses missed / false, quiet", q["missed"] + q["false"], 0.0, ""),
            Row("velocity error of the simulation, median", PERCENT * median(q["sim"]), 1.5, "%"),
            Row("velocity error of the simulation, p95", PERCENT * p95(q["sim"]), 3.5, "%"),
            Row("velocity error of the arm, median", PERCENT * median(q["arm"]), 2.0, "%"),
            Row("velocity error of the arm, p95", PERCENT * p95(q["arm"]), 5.0, "%"),
            Row("velocity overshoot, p95", PERCENT * p95(q["overshoot"]), 10.0, "%"),
            Row("reaction, median", 1e3 * median(q["reaction"]), 18.0, "ms"),
        ]
    if any(name.startswith("noisy") for name in results):
        n = pooled(results, "noisy")
        large = n["impulse_size"] >= 1.0
        small = n["impulse_error"][~large]
        rows += [
            Row("impulse error, motion noise, from 1 N s, median",
                PERCENT * median(n["impulse_relative"][large]), 2.0, "%"),
            Row("impulse error, motion noise, from 1 N s, p95",
                PERCENT * p95(n["impulse_relative"][large]), 5.0, "%"),
            Row("impulses missed / false, motion noise", n["missed"] + n["false"], 0.0, ""),
            Row("impulse error, motion noise, 0.3 to 1 N s, median", median(small), 0.05, "N s"),
            Row("impulse error, motion noise, 0.3 to 1 N s, largest", float(np.nanmax(small)), None, "N s"),
            Row("velocity error of simulation, motion noise", PERCENT * median(n["sim"]), None, "% median"),
            Row("velocity error of the arm, motion noise", PERCENT * median(n["arm"]), None, "% median"),
            Row("reaction, motion noise, median", 1e3 * median(n["reaction"]), 18.0, "ms"),
        ]  # fmt: skip
    return rows


def long_rows(results: dict[str, Any]) -> list[Row]:
    """Return the rows of the long runs and of the delays."""
    rows = []
    if "untouched" in results:
        f = results["untouched"]["figures"]
        rows += [
            Row("untouched: false impulses", f["impulses"]["false"], 0.0, ""),
            Row("untouched: holds", f["plan"]["holds"], 0.0, ""),
            Row("untouched: changes of configuration", f["plan"]["configuration_changes"], 0.0, ""),
            Row("untouched: changed plans", f["plan"]["changed_plans"], 0.0, ""),
            Row("untouched: joint speed over its limit", f["plan"]["max_speed_ratio"], 0.9, ""),
            Row("untouched: energy", PERCENT * f["energy_drift"], 1.0, "%"),
        ]
    if "tumble" in results:
        f = results["tumble"]["figures"]
        rows.append(Row("tumbling: energy", f["energy_drift"], 1e-8, ""))
        rows.append(Row("tumbling: angular momentum", f["momentum_drift"], 1e-8, ""))
    for d in DELAYS_MS:
        if f"delay {d}" in results:
            f = results[f"delay {d}"]["figures"]["tracking"]
            rows.append(Row(f"arm against simulation, {d} ms, free", f["free_rms_mm"], 0.5, "mm rms"))
            rows.append(Row(f"arm against simulation, {d} ms, free", f["free_rms_deg"], 0.05, "deg rms"))
            rows.append(Row(f"arm against simulation, {d} ms, bounces", f["bounce_max_mm"], 4.0, "mm max"))
    if "paper" in results:
        reaction = 1e3 * median(results["paper"]["reaction"])
        rows.append(Row("reaction with the paper's figures", reaction, None, "ms (300)"))
    violations = sum(result["figures"]["limits"]["violations"] for result in results.values())
    rows.append(Row("commands outside any limit, all runs", violations, 0.0, ""))
    virtual = sum(result["figures"]["virtual_time_s"] for result in results.values())
    wall = sum(result["figures"]["wall_time_s"] for result in results.values())
    rows.append(Row("virtual time over wall time, two side by side", virtual / wall, None, ""))
    return rows


def main() -> None:
    """Run the cases and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--case", nargs="*", default=[""], help="beginnings of case names")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    wanted = [job for job in jobs(options.scale) if any(job.name.startswith(case) for case in options.case)]
    results: dict[str, Any] = {}
    with ProcessPoolExecutor(2) as pool:
        for name, result in pool.map(simulated, wanted):
            results[name] = result
            print(f"{name}: done in {result['figures']['wall_time_s']:.0f} s", flush=True)
    rows = push_rows(results) + long_rows(results)
    print_rows(rows)
    if options.json is not None:
        write_rows(options.json, rows, {name: result["figures"] for name, result in results.items()})


if __name__ == "__main__":
    main()
