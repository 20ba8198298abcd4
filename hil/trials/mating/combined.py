"""A gripper with a rectangular bolt and a round one with an O-ring, at two places of the robot."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.trials.mating.means import mean_of
from hil.trials.mating.pegs import TOUCHING, UPWARDS, courses, touching
from hil.trials.mating.progress import Told, unheard
from hil.trials.mating.result import MatingResult, Statement
from hil.trials.mating.robot_schema import CombinedExperiment, Place
from hil.trials.mating.setting import setting
from sim.insertion.elastic_robot import compliance
from sim.insertion.held_parts import HeldRing
from sim.insertion.insertion import HeldPart, simulate
from sim.insertion.pegs import pair_of
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
        figures: by name.
        stopped: why it ended early.
    """

    series: dict[str, Array]
    phases: list[str]
    figures: dict[str, float]
    stopped: str


def combined_run(experiment: CombinedExperiment, told: Told = unheard) -> MatingResult:
    """Push the gripper down at both places and compare them; `told` hears how far it is.

    Raises:
        ZeroGError: the robot cannot reach, or the step is too long.
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
        "overshoot_far_over_near": f["overshoot_mm_s"] / max(n["overshoot_mm_s"], 1e-9),
        "dip_after_force_max_ms": f["dip_after_force_max_ms"]
        if experiment.position == 1
        else n["dip_after_force_max_ms"],
    }
    warnings = [f"stopped: {one.stopped}" for one in (far, near) if one.stopped]
    return MatingResult(
        experiment.experiment, shown.series, shown.phases, features, _said(features), warnings
    )


UNITS = ("_mm_s", "_ms", "_um_per_n", "_n", "_s")


def _keys(figures: Mapping[str, float]) -> list[tuple[str, str]]:
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
    ring = HeldPart(
        HeldRing(ORing(experiment.o_ring)),
        place.peg(experiment.ring_behind, -half) @ UPWARDS,
        place.hole(0.0, 0.0, -half) @ UPWARDS,
    )
    run = simulate(place.robot, place.nominal, place.way, sim.step, pair, [ring], sim.model, told)
    series = courses(run, place, np.eye(3), 0.0)
    loads = run.loads[:, 0] if len(run.t) else np.zeros((0, 6))
    series["ring_n"], series["bolt_n"] = loads[:, 2], series["force_n"]
    series["force_n"] = series["ring_n"] + series["bolt_n"]
    series["force_mean_n"] = mean_of(series["force_n"], sim.step)
    series["nominal_speed_mm_s"] = 1e3 * np.gradient(run.way, sim.step)
    stiff = touching(run, [contact_name(row) for row in range(40)])
    phases = [" + ".join(name for name in (a, *b) if name) for a, b in zip(stiff, run.phases, strict=True)]
    up = -place.axes[:, 0]
    gives = 1e6 * float(up @ compliance(place.robot, place.robot.position) @ up)
    return AtPlace(series, phases, {"compliance_um_per_n": gives, **_figures(series)}, run.stopped)


def _figures(series: Mapping[str, Array]) -> dict[str, float]:
    t, off = series["t_s"], series["speed_mm_s"] - series["nominal_speed_mm_s"]
    step = float(t[1] - t[0])
    top = int(series["ring_n"].argmax())
    after = slice(max(0, top - round(0.1 / step)), top + round(AFTER / step))
    low = after.start + int(off[after].argmin())
    moving = series["nominal_speed_mm_s"] > 0.0
    hits = np.flatnonzero(series["bolt_n"] > TOUCHING)
    bolt, blip, lasts, when = mean_of(series["bolt_n"], step), 0.0, 0.0, float("nan")
    if hits.size:
        begin = int(hits[0])
        change = np.abs(off[begin : begin + round(SWING / step)] - off[begin])
        most = int(change.argmax())
        blip, when = float(change[most]), float(t[begin])
        lasts = 1e3 * step * float(most + (change[most:] < BLIP * blip).argmax())
    return {
        "force_max_n": float(series["ring_n"].max()),
        "dip_mm_s": float(-off[low]),
        "overshoot_mm_s": float(off[low : after.stop].max()),
        "deviation_rms_mm_s": float(np.sqrt(np.mean(off[moving] ** 2))),
        "dip_after_force_max_ms": 1e3 * step * float(low - top),
        "impact_n": float(bolt[hits[0] : hits[0] + round(SWING / step)].max()) if hits.size else 0.0,
        "impact_mm_s": blip,
        "impact_ms": lasts,
        "impact_at_s": when,
    }


def _said(f: Mapping[str, Any]) -> list[Statement]:
    forces = f["force_max_far_n"], f["force_max_near_n"]
    dips = abs(f["dip_after_force_max_far_ms"]), abs(f["dip_after_force_max_near_ms"])
    over = f["overshoot_far_mm_s"], f["overshoot_near_mm_s"]
    blips = f["impact_far_mm_s"], f["impact_near_mm_s"]
    return [
        Statement("the forces are nearly the same at both places", abs(forces[0] / forces[1] - 1.0) < 0.02,
                  f"{forces[0]:.1f} and {forces[1]:.1f} N"),
        Statement("the speed falls where the force is greatest", max(dips) <= 30.0,
                  f"its least {dips[0]:.0f} and {dips[1]:.0f} ms from there"),
        Statement("then it overshoots, more at the softer place", over[0] > 2.0 * over[1] > 0.0,
                  f"{over[0]:.1f} and {over[1]:.1f} mm/s"),
        Statement("the impact of the bolt is stronger at the stiffer place",
                  f["impact_near_n"] > f["impact_far_n"] > 0.0,
                  f"{f['impact_far_n']:.1f} and {f['impact_near_n']:.1f} N, at {f['impact_at_far_s']:.2f} s"),
        Statement("what the impact does is short and smaller than what the ring does",
                  max(f["impact_far_ms"], f["impact_near_ms"]) < 40.0 and blips[0] < f["dip_far_mm_s"]
                  and blips[1] < f["dip_near_mm_s"],
                  f"{f['impact_far_ms']:.0f} and {f['impact_near_ms']:.0f} ms, "
                  f"{blips[0]:.1f} and {blips[1]:.1f} mm/s"),
    ]  # fmt: skip
