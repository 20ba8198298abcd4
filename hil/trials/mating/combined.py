"""A gripper with a rectangular bolt and a round one with an O-ring, at two places of the robot."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import ExperimentError
from hil.trials.mating.features import HELD
from hil.trials.mating.means import mean_of
from hil.trials.mating.pegs import TOUCHING, UPWARDS, courses, touching
from hil.trials.mating.result import MatingResult, Statement
from hil.trials.mating.robot_schema import CombinedExperiment, Place
from hil.trials.mating.run_faults import last_state, refuse_inside, told_of
from hil.trials.mating.setting import setting
from sim.insertion.elastic_robot import compliance
from sim.insertion.held_parts import HeldRing
from sim.insertion.insertion import HeldPart, InsertionRun, simulate
from sim.insertion.pegs import pair_of
from sim.insertion.pushing import Rows
from sim.mating.o_ring import ORing
from sim.mating.peg_schema import SPATIAL
from sim.mating.rectangular_peg import contact_name

AFTER = 0.3  # [s] behind the force's maximum in which its dip and overshoot are looked for
BLIP = 0.25  # share of its greatest change of speed to which an impact must fall to be over
SWING = 0.08  # [s] in which an impact's first change of speed is looked for


@dataclass(frozen=True)
class AtPlace:
    """One place's courses and figures.

    Attributes:
        series, phases: as of a result.
        figures: by name; None where what they are of did not come about.
        last: last good state of a run that was stopped.
        stopped: why it ended early.
        warnings: of what a user should know.
    """

    series: dict[str, Array]
    phases: list[str]
    figures: dict[str, float | None]
    last: dict[str, Any] | None
    stopped: str
    warnings: list[str]


def combined_run(experiment: CombinedExperiment) -> MatingResult:
    """Push the gripper down at both places and compare them.

    Raises:
        ZeroGError: the robot cannot reach, the step is too long, or parts begin inside one another.
    """
    far, near = _at(experiment, experiment.far), _at(experiment, experiment.near)
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
    return MatingResult(
        experiment.experiment,
        shown.series,
        shown.phases,
        features,
        _said(features),
        [f"{where}: {text}" for where, one in both for text in one.warnings],
        next((f"{where}: {one.stopped}" for where, one in both if one.stopped), ""),
    )


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


def _at(experiment: CombinedExperiment, where: Place) -> AtPlace:
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
    run = simulate(place.robot, place.nominal, place.way, sim.step, pair, [ring], sim.model)
    refuse_inside(run, place)
    run = _until_flat(run, law, experiment.o_ring.section)
    if len(run.t) < 2:
        at = f"reach_mm = {1e3 * where.reach:g}"
        raise ExperimentError(f"at {at} the run stops in its first steps: {run.stopped}")
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
    warnings = told_of(run, place, experiment.path, sim)
    if any(names[0] == "jammed" for names in run.phases):
        warnings.append(HELD)
    figures = {"compliance_um_per_n": gives, **_figures(series)}
    return AtPlace(series, phases, figures, last_state(run), run.stopped, warnings)


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


def _figures(series: Mapping[str, Array]) -> dict[str, float | None]:
    t, off = series["t_s"], series["speed_mm_s"] - series["nominal_speed_mm_s"]
    moving = series["nominal_speed_mm_s"] > 0.0
    rms = float(np.sqrt(np.mean(off[moving] ** 2))) if moving.any() else 0.0
    step = float(t[1] - t[0])
    return {
        **_of_the_ring(series["ring_n"], off, step),
        "deviation_rms_mm_s": rms,
        **_of_the_bolt(series["bolt_n"], off, t, step),
    }


def _of_the_ring(force: Array, off: Array, step: float) -> dict[str, float | None]:
    """Return what the ring does to the speed; None of one that is not reached."""
    top = int(force.argmax())
    if not force[top] > TOUCHING:
        return dict.fromkeys(("force_max_n", "dip_mm_s", "overshoot_mm_s", "dip_after_force_max_ms"))
    after = slice(max(0, top - round(0.1 / step)), top + round(AFTER / step))
    low = after.start + int(off[after].argmin())
    return {
        "force_max_n": float(force[top]),
        "dip_mm_s": float(-off[low]),
        "overshoot_mm_s": float(off[low : after.stop].max()),
        "dip_after_force_max_ms": 1e3 * step * float(low - top),
    }


def _of_the_bolt(force: Array, off: Array, t: Array, step: float) -> dict[str, float | None]:
    """Return what the bolt's first impact does to the speed; None of a bolt that touches nothing."""
    hits = np.flatnonzero(force > TOUCHING)
    if not hits.size:
        return dict.fromkeys(("impact_n", "impact_mm_s", "impact_ms", "impact_at_s"))
    begin = int(hits[0])
    soon = slice(begin, begin + round(SWING / step))
    change = np.abs(off[soon] - off[begin])
    most = int(change.argmax())
    return {
        "impact_n": float(mean_of(force, step)[soon].max()),
        "impact_mm_s": float(change[most]),
        "impact_ms": 1e3 * step * float(most + (change[most:] < BLIP * change[most]).argmax()),
        "impact_at_s": float(t[begin]),
    }


def _said(f: Mapping[str, Any]) -> list[Statement]:
    """Return the paper's statements; of a ring or bolt that is not reached none holds."""
    if f["force_max_far_n"] is None or f["force_max_near_n"] is None:
        said = [Statement("the forces are nearly the same at both places", False, "the ring is not reached")]
    else:
        said = _said_of_ring(f)
    if f["impact_far_n"] is None or f["impact_near_n"] is None:
        told = "the bolt touches nothing at one of them"
        return [*said, Statement("the impact of the bolt is stronger at the stiffer place", False, told)]
    blips = f["impact_far_mm_s"], f["impact_near_mm_s"]
    dips = f["dip_far_mm_s"] or 0.0, f["dip_near_mm_s"] or 0.0
    return [
        *said,
        Statement("the impact of the bolt is stronger at the stiffer place",
                  f["impact_near_n"] > f["impact_far_n"] > 0.0,
                  f"{f['impact_far_n']:.1f} and {f['impact_near_n']:.1f} N, at {f['impact_at_far_s']:.2f} s"),
        Statement("what the impact does is short and smaller than what the ring does",
                  max(f["impact_far_ms"], f["impact_near_ms"]) < 40.0 and blips[0] < dips[0]
                  and blips[1] < dips[1],
                  f"{f['impact_far_ms']:.0f} and {f['impact_near_ms']:.0f} ms, "
                  f"{blips[0]:.1f} and {blips[1]:.1f} mm/s"),
    ]  # fmt: skip


def _said_of_ring(f: Mapping[str, Any]) -> list[Statement]:
    forces = f["force_max_far_n"], f["force_max_near_n"]
    dips = abs(f["dip_after_force_max_far_ms"]), abs(f["dip_after_force_max_near_ms"])
    over = f["overshoot_far_mm_s"], f["overshoot_near_mm_s"]
    return [
        Statement("the forces are nearly the same at both places", abs(forces[0] / forces[1] - 1.0) < 0.02,
                  f"{forces[0]:.1f} and {forces[1]:.1f} N"),
        Statement("the speed falls where the force is greatest", max(dips) <= 30.0,
                  f"its least {dips[0]:.0f} and {dips[1]:.0f} ms from there"),
        Statement("then it overshoots, more at the softer place", over[0] > 2.0 * over[1] > 0.0,
                  f"{over[0]:.1f} and {over[1]:.1f} mm/s"),
    ]  # fmt: skip
