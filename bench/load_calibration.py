"""How well `zerog calibrate load` finds what load data misses, and what pushes gain by it.

The emulated arm, its controller and the driver run on virtual time; the hand's orders are played. With the
controller's estimate one motion is run and the estimate drawn anew for each seed and share
(`bench.load_campaign`); with the emulated force sensor each seed is run. Then the push trial in lock-step,
quiet, without the finding and with it: found under motion noise, by another seed.

python -m bench.load_calibration [--seeds 20] [--sensor-seeds 5] [--seconds 300]
"""

import argparse
import tomllib
from pathlib import Path

import numpy as np

from bench.fidelity import CONFIGS, changed
from bench.load_campaign import Campaign
from bench.report import Row, print_rows, write_rows
from hil.analysis.figures.impulses import match_impulses
from hil.common.arrays import Array
from hil.configuration import Configuration, load_configuration
from hil.configuration.frames import mockup_centre
from hil.configuration.load_stamp import load_stamp
from hil.configuration.schema import FoundLoad as Section
from hil.loop.lockstep import LockStep
from hil.wrench.load.found_words import found_table
from hil.wrench.load.held import held_parameters
from hil.wrench.load.identification import FoundLoad
from hil.wrench.load.left_over import LeftOver

MISSED = (0.05, 0.1, 0.2)  # shares of the mock-up's inertia
GOALS = (0.35, 0.7)  # [%] of quiet pushes: median and p95
WHOLE_GOALS = (50.0, 1.0, 5.0)  # mass [g], centre [mm], inertia [%] of the whole load, root mean square
ASIDE = (0.03, -0.02, 0.15)  # [m] the object's centre, where the missed mass is beside it
Found = tuple[FoundLoad, LeftOver]


def parameters(c: Configuration) -> Array:
    """Return the ten parameters of a configuration's mock-up about the object's centre, shape (10,)."""
    return held_parameters(c, mockup_centre(c))


def calibration_rows(c: Configuration, seeds: int) -> tuple[list[Row], dict[str, list[float]]]:
    """Return coverage and error for each share, and the masses found."""
    rows, masses, campaign = [], {}, Campaign(c)
    for missed in MISSED:
        case, truth = changed(c, "mockup", uncompensated=missed), missed * parameters(c)
        found = [campaign.redrawn(changed(case, "run", seed=1000 + seed))[0] for seed in range(seeds)]
        values, halves = np.array([f.value for f in found]), np.array([f.interval for f in found])
        covered = np.abs(values - truth) <= halves
        name = f"missed {100 * missed:.0f} %"
        rows += [
            Row(f"{name}: mass covered, of {seeds}", float(covered[:, 0].sum()), 0.9 * seeds, "", least=True),
            Row(f"{name}: all ten covered", 100.0 * float(covered.mean()), 90.0, "%", least=True),
            Row(f"{name}: error of the mass, median", error_of(values, truth), 10.0, "%"),
            Row(f"{name}: half interval of the mass", float(np.median(halves[:, 0])), None, "kg"),
        ]
        masses[name] = values[:, 0].tolist()
    return rows, masses


def estimate_rows(c: Configuration, seeds: int) -> list[Row]:
    """Return the whole load's errors with the controller's estimate, a tenth missed, its weight as well."""
    c = changed(c, "object", position=np.array(ASIDE))
    weighing = changed(changed(c, "mockup", uncompensated=0.1), "emulator.wrench", missed_weight=True)
    campaign = Campaign(c)
    found = [campaign.redrawn(changed(weighing, "run", seed=2000 + seed)) for seed in range(seeds)]
    return whole_rows("estimate", c, 0.1 * parameters(c), found)


def sensor_rows(seeds: int) -> list[Row]:
    """Return the whole load's errors with the force sensor: a tenth heavier than is believed, and longer."""
    c = load_configuration(CONFIGS / "sensor.toml")
    inertia = np.array([1.1, 1.2, 1.0]) * c.mockup.inertia
    truth = changed(c, "mockup", mass=1.1 * c.mockup.mass, edge=c.mockup.edge + 0.01, inertia=inertia)
    missed = parameters(truth) - parameters(c)
    found = [Campaign(c, changed(truth, "run", seed=3000 + seed)).found() for seed in range(seeds)]
    return whole_rows("sensor", c, missed, found)


def whole_rows(name: str, c: Configuration, missed: Array, found: list[Found]) -> list[Row]:
    """Return root mean squares of the errors of the whole load: what is missed and what load data has."""
    values, halves = np.array([f.value for f, _ in found]), np.array([f.interval for f, _ in found])
    held, truth = parameters(c) + values, parameters(c) + missed
    errors = (
        1e3 * (held[:, 0] - truth[0]),
        1e3 * (held[:, 1:4] / held[:, :1] - truth[1:4] / truth[0]),
        100.0 * (held[:, 4:7] / truth[4:7] - 1.0),
    )
    parts = zip(("mass", "centre", "inertia"), ("g", "mm", "%"), errors, WHOLE_GOALS, strict=True)
    rows = [
        Row(f"{name}: {part}, worst axis, rms of {len(found)}",
            float(np.sqrt(np.mean(np.square(error), axis=0)).max()), goal, unit)
        for part, unit, error, goal in parts
    ]  # fmt: skip
    covered = 100.0 * float((np.abs(values - missed) <= halves).mean())
    rows.append(Row(f"{name}: all ten covered", covered, 90.0, "%", least=True))
    offsets = [f.offset for f, _ in found if f.offset is not None]
    for part, unit, rows_of in (("force", "N", slice(0, 3)), ("torque", "N m", slice(3, 6))):
        half = float(np.median([o.bias_interval[rows_of].max() for o in offsets]))
        rows.append(Row(f"{name}: bias of the {part}, half interval, worst axis", half, None, unit))
        if offsets[0].placed:
            half = float(np.median([o.slope_interval[rows_of].max() for o in offsets]))
            rows.append(Row(f"{name}: its slope, half interval, worst axis", half, None, f"{unit}/m"))
    for when in ("at_rest", "in_motion"):
        (before, after), _ = np.mean([getattr(left, when) for _, left in found], axis=0)
        words = when.replace("_", " ")
        rows += [
            Row(f"{name}: left {words} before, rms", float(before), None, "N"),
            Row(f"{name}: left {words} after, rms", float(after), None, "N"),
        ]
    return rows


def error_of(values: Array, truth: Array) -> float:
    """Return the median error of the mass [%]."""
    return 100.0 * float(np.median(np.abs(values[:, 0] / truth[0] - 1.0)))


def push_rows(seconds: float) -> list[Row]:
    """Return the errors of quiet pushes: without a finding, with it, and with the truth in its place.

    What the truth leaves is the detector's; what the finding leaves beside that, the calibration's.
    """
    c = load_configuration(CONFIGS / "pushes.toml")
    found, _ = Campaign(changed(changed(c, "run", seed=77), "emulator.wrench", motion_noise=True)).found()
    truth = c.mockup.uncompensated * np.array([c.mockup.mass, *np.zeros(3), *c.mockup.inertia, *np.zeros(3)])
    c = changed(changed(c, "run", seed=991), "emulator.wrench", motion_noise=False)
    rows = [Row("mass found for the pushes", float(found.value[0]), None, "kg")]
    for name, case, goals in (
        ("as it is", c, (None, None)),
        ("calibrated", with_found(c, found), GOALS),
        ("with the true load", with_load(c, truth, found.interval), (None, None)),
    ):
        matches = match_impulses(LockStep(case).run(seconds))
        share = 100.0 * matches.relative_error[matches.judged]
        rows.append(
            Row(f"pushes missed or false {name}, of {len(share)}", matches.missed + matches.false, 0.0, "")
        )
        size = matches.size[matches.judged]
        for kind, these in (("from 1 N s", share[size >= 1.0]), ("all, from 0.3 N s", share)):
            rows += [
                Row(f"quiet pushes {name}, {kind}: median", float(np.nanmedian(these)), goals[0], "%"),
                Row(f"quiet pushes {name}, {kind}: p95", float(np.nanquantile(these, 0.95)), goals[1], "%"),
            ]
    return rows


def with_found(c: Configuration, found: FoundLoad) -> Configuration:
    """Return the configuration with all of a finding, as it is printed."""
    table = tomllib.loads("\n".join(found_table(found, load_stamp(c))))["mockup"]["found"]
    return changed(c, "mockup", found=Section.model_validate(table))


def with_load(c: Configuration, value: Array, interval: Array) -> Configuration:
    """Return the configuration with a finding: ten parameters and their half intervals, SI."""
    section = Section(
        stamp=load_stamp(c), mass_kg=value[0], mass_interval_kg=interval[0],
        moment_kg_mm=(1e3 * value[1:4]).tolist(), moment_interval_kg_mm=(1e3 * interval[1:4]).tolist(),
        inertia_kg_m2=value[4:].tolist(), inertia_interval_kg_m2=interval[4:].tolist(),
    )  # fmt: skip
    return changed(c, "mockup", found=section)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--sensor-seeds", type=int, default=5, help="of the force sensor; 0: leave it out")
    parser.add_argument("--seconds", type=float, default=300.0, help="of the push trial; 0: leave it out")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    c = load_configuration(CONFIGS / "cube.toml")
    rows, masses = calibration_rows(c, arguments.seeds)
    rows += estimate_rows(c, arguments.seeds)
    if arguments.sensor_seeds:
        rows += sensor_rows(arguments.sensor_seeds)
    if arguments.seconds:
        rows += push_rows(arguments.seconds)
    print_rows(rows)
    if arguments.json:
        write_rows(arguments.json, rows, masses)


if __name__ == "__main__":
    main()
