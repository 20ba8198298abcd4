"""A gripper with a rectangular bolt and a round one with an O-ring, at two places of the robot."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.trials.mating.combined_features import figures_of, said_of_combined
from hil.trials.mating.combined_frames import combined_frame
from hil.trials.mating.features import HELD
from hil.trials.mating.means import mean_of
from hil.trials.mating.motors_seen import motor_features
from hil.trials.mating.pegs import UPWARDS, courses, touching
from hil.trials.mating.progress import Told, unheard
from hil.trials.mating.result import MatingResult
from hil.trials.mating.robot_schema import CombinedExperiment, Place
from hil.trials.mating.run_faults import last_state, refuse_inside, refuse_none, told_of
from hil.trials.mating.sections import pictured
from hil.trials.mating.setting import setting
from sim.insertion.elastic_robot import compliance
from sim.insertion.held_parts import HeldRing
from sim.insertion.insertion import HeldPart, InsertionRun, simulate
from sim.insertion.pegs import pair_of
from sim.insertion.pushing import Rows
from sim.mating.o_ring import ORing
from sim.mating.peg_schema import SPATIAL
from sim.mating.rectangular_peg import contact_name


@dataclass(frozen=True)
class AtPlace:
    """One place's courses and figures.

    Attributes:
        series, phases: as of a result.
        figures: by name; None where what they are of did not come about.
        run: see there.
        motors: see `motor_features`.
        last: last good state of a run that was stopped.
        warnings: of what a user should know.
    """

    series: dict[str, Array]
    phases: list[str]
    figures: dict[str, float | None]
    run: InsertionRun
    motors: dict[str, Any]
    last: dict[str, Any] | None
    warnings: list[str]


def combined_run(experiment: CombinedExperiment, told: Told = unheard) -> MatingResult:
    """Push the gripper down at both places and compare them; `told` hears how far it is.

    Raises:
        ZeroGError: the robot cannot reach, the step is too long, or parts begin inside one another.
    """
    far = _at(experiment, experiment.far, lambda share: told(0.5 * share))
    near = _at(experiment, experiment.near, lambda share: told(0.5 + 0.5 * share))
    shown = far if experiment.position == 1 else near
    f, n = far.figures, near.figures
    features: dict[str, Any] = {
        "phases": list(dict.fromkeys(name for phase in shown.phases for name in phase.split(" + ") if name)),
        "position": experiment.position,
        **{f"{key}_far{unit}": f[key + unit] for key, unit in _keys(f)},
        **{f"{key}_near{unit}": n[key + unit] for key, unit in _keys(n)},
        "overshoot_far_over_near": _over(f["overshoot_mm_s"], n["overshoot_mm_s"]),
        "dip_after_force_max_ms": shown.figures["dip_after_force_max_ms"],
        "last_state": shown.last,
    }
    both = (("at position 1", far), ("at position 2", near))
    for name, one in (("far", far), ("near", near)):
        features |= {f"{key}_{name}": value for key, value in one.motors.items()}
    result = MatingResult(
        experiment.experiment,
        shown.series,
        shown.phases,
        features,
        said_of_combined(features),
        [f"{where}: {text}" for where, one in both for text in one.warnings],
        next((f"{where}: {one.run.stopped}" for where, one in both if one.run.stopped), ""),
    )
    return pictured(result, partial(combined_frame, experiment, shown.run, shown.phases))


def _over(a: float | None, b: float | None) -> float | None:
    return a / b if a is not None and b is not None and b > 0.0 else None


UNITS = ("_mm_s", "_ms", "_um_per_n", "_n", "_s")


def _keys(figures: Mapping[str, float | None]) -> list[tuple[str, str]]:
    """Return names and units of figures: `far` or `near` goes between the two."""
    found = []
    for key in figures:
        unit = next(unit for unit in UNITS if key.endswith(unit))
        found.append((key.removesuffix(unit), unit))
    return found


def _at(experiment: CombinedExperiment, where: Place, told: Told) -> AtPlace:
    sim, half = experiment.simulation, 0.5 * experiment.apart
    place = setting(experiment.robot, experiment.path, sim.step, where)
    pair = pair_of(
        experiment.pegs.numbers(SPATIAL), place.peg(aside=half),
        place.hole(experiment.offset_y, experiment.offset_z, half), sim.give,
    )  # fmt: skip
    law = ORing(experiment.o_ring)
    ring = HeldPart(
        HeldRing(law),
        place.peg(experiment.ring_behind, -half) @ UPWARDS,
        place.hole(0.0, 0.0, -half) @ UPWARDS,
    )
    run = simulate(place.robot, place.nominal, place.way, sim.step, pair, [ring], sim.model, told)
    refuse_inside(run, place)
    run = _until_flat(run, law, experiment.o_ring.section)
    refuse_none(run, f"at reach_mm = {1e3 * where.reach:g} ")
    series = courses(run, place, np.eye(3), 0.0)
    loads = run.loads[:, 0]
    series["ring_n"], series["bolt_n"] = loads[:, 2], series["force_n"]
    series["force_n"] = series["ring_n"] + series["bolt_n"]
    series["force_mean_n"] = mean_of(series["force_n"], sim.step)
    series["nominal_speed_mm_s"] = 1e3 * np.gradient(run.way, sim.step)
    stiff = touching(run, [contact_name(row) for row in range(40)])
    phases = [" + ".join(name for name in (a, *b) if name) for a, b in zip(stiff, run.phases, strict=True)]
    up = -place.axes[:, 0]
    gives = 1e6 * float(up @ compliance(place.robot, place.robot.position) @ up)
    motors = motor_features(place, run, sim.step)
    warnings = told_of(run, place, experiment.path, sim, motors)
    if any(names[0] == "jammed" for names in run.phases):
        warnings.append(HELD)
    figures = {"compliance_um_per_n": gives, **figures_of(series)}
    return AtPlace(series, phases, figures, run, motors, last_state(run), warnings)


def _until_flat(run: InsertionRun, law: ORing, section: float) -> InsertionRun:
    """Return a run until its ring is squeezed flat: its law ends there."""
    T = np.eye(4)
    for k, place in enumerate(run.places[:, 0]):
        T[:3, 3] = place
        if law.squeeze(T) >= section:
            why = (
                f"the O-ring is squeezed flat, by its whole section_mm = {1e3 * section:g}: align the parts "
                "better, go slower, or take a shorter step_ms"
            )
            rows = Rows(*(part[:k] for part in run.rows))
            return InsertionRun(
                run.t[:k], run.way[:k], rows, run.loads[:k], run.places[:k], run.phases[:k], why
            )
    return run
