"""What is read from the courses of pegs, and what the paper says of them. Forces are averaged over 20 ms."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hil.common.arrays import Array, BoolArray
from hil.trials.mating.motors_seen import motor_features
from hil.trials.mating.peg_seen import Seen, seen_of, sideways, sliding
from hil.trials.mating.peg_statements import said_of_rectangular, said_of_round
from hil.trials.mating.result import MatingResult
from hil.trials.mating.robot_schema import RectangularPegExperiment, RoundPegExperiment
from hil.trials.mating.run_faults import last_state, told_of
from hil.trials.mating.setting import Setting
from sim.insertion.insertion import InsertionRun
from sim.mating.peg_schema import SPATIAL

HIGH, LONG = 25.0, 1.0  # [N], [s] beyond which an insertion counts as at fault
INSERTED = 0.9  # share of the path at whose end the peg has gone in
TWO, FAR = "torus1-cylinder2", 50.0  # [mm] where the paper has the round peg's second point


def peg_features(
    experiment: RoundPegExperiment | RectangularPegExperiment, place: Setting, run: InsertionRun,
    series: Mapping[str, Array], phases: Sequence[str],
) -> MatingResult:  # fmt: skip
    """Return order of contacts, first contact, forces, lag, and whether the peg went in."""
    seen = seen_of(series, phases, place)
    step = experiment.simulation.step
    begin = 1e3 * place.begin
    end = float(series["nominal_mm"][-1]) if len(run.t) else begin
    reached = float(seen.depth[-1]) if len(run.t) else begin
    first = seen.begins[seen.order[0]] if seen.order else None
    touch = None if first is None else float(seen.depth[min(first + 1, len(seen.depth) - 1)])
    motors = motor_features(place, run, step)
    high = _longest(seen.push > HIGH) * step
    features: dict[str, Any] = {
        "phases": seen.order,
        "first_contact_mm": None if touch is None else abs(touch),
        "first_contact_depth_mm": touch,
        "phase_begins_mm": {
            name: float(seen.depth[min(k + 1, len(seen.depth) - 1)]) for name, k in seen.begins.items()
        },
        "phase_begins_s": {name: float(run.t[k]) for name, k in seen.begins.items()},
        "max_n": float(seen.push.max(initial=0.0)),
        "plateau_n": _plateau(seen),
        "side_plateau_n": _side(seen, series),
        "late_max_n": float(seen.push[seen.late].max(initial=0.0)),
        "late_side_max_n": float(sideways(series)[seen.late].max(initial=0.0)),
        "lag_mm": end - reached if len(run.t) else None,
        "azimuth_deg": _azimuths(experiment, place, run, seen),
        "inserted": bool(reached > 0.0 and reached - begin >= INSERTED * (end - begin) and not run.stopped),
        "above_25_n_s": high,
        "work_j": float(np.trapezoid(series["force_n"], 1e-3 * seen.depth)),
        **motors,
        "contact_residual": float(run.rows.residuals.max(initial=0.0)),
        "penetration_um": max(0.0, -1e6 * float(run.rows.gaps.min(initial=0.0))),
    }
    warnings = _warnings(features, run, seen)
    warnings += _idle(experiment)
    warnings += told_of(run, place, experiment.path, experiment.simulation, motors)
    features["last_state"] = last_state(run)
    said = (
        said_of_round(seen, features, experiment.pegs.mu)
        if isinstance(experiment, RoundPegExperiment)
        else said_of_rectangular(seen, features, series, experiment)
    )
    return MatingResult(experiment.experiment, series, phases, features, said, warnings, run.stopped)


def _longest(high: BoolArray) -> int:
    """Return the longest run of rows that are true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], high.astype(int), [0]])))
    return int((edges[1::2] - edges[::2]).max(initial=0))


def _plateau(seen: Seen) -> float | None:
    rows = sliding(seen)
    return float(seen.push[rows].mean()) if rows.any() else None


def _side(seen: Seen, series: Mapping[str, Array]) -> float | None:
    rows = sliding(seen)
    return float(sideways(series)[rows].mean()) if rows.any() else None


def _azimuths(experiment: Any, place: Setting, run: InsertionRun, seen: Seen) -> list[float] | None:
    """Return where a round peg is touched at the end, from the arm's plane outwards: one angle a contact."""
    if not isinstance(experiment, RoundPegExperiment) or not len(run.t):
        return None
    found = []
    for pair in (1, 2):  # cylinder1-torus2, torus1-cylinder2
        rows = np.flatnonzero(run.rows.normals[:, pair] > 1.0)
        if rows.size:
            x, y, _ = run.rows.points[rows[-1], pair]
            found.append((math.degrees(math.atan2(y, x) - place.outwards())) % 360.0)
    return found


def _warnings(features: Mapping[str, Any], run: InsertionRun, seen: Seen) -> list[str]:
    warnings = []
    second = features["phase_begins_mm"].get(TWO)
    if second is not None and abs(second - FAR) > 0.2 * FAR:
        warnings.append(
            f"not as published: the second point touches at {second:.1f} mm and not at about {FAR:g} mm; a "
            "hand that turns less about the peg's tip than any rigid one would be needed"
        )
    if features["above_25_n_s"] > LONG:
        warnings.append(
            f"the mating force is above {HIGH:g} N, {features['above_25_n_s']:.2f} s; more than {LONG:g} s "
            "counts as a fault: align the parts better, or make the robot softer across the path"
        )
    if not seen.order and not run.stopped and float(seen.depth[-1]) <= 0.0:
        warnings.append(
            f"the peg ends {-float(seen.depth[-1]):.4g} mm before its hole and touches nothing: make "
            "distance_mm longer, or begin_mm nearer to 0"
        )
    elif not features["inserted"] and not run.stopped:
        warnings.append(f"jammed: {features['lag_mm']:.1f} mm are left at the end")
    return warnings


def _idle(experiment: RoundPegExperiment | RectangularPegExperiment) -> list[str]:
    """Return what is said of an offset in a plane that is not looked at."""
    if isinstance(experiment, RoundPegExperiment):
        return []
    y, z, pegs = experiment.offset_y, experiment.offset_z, experiment.pegs
    across = pegs.plane(y, z)
    name, value = ("offset_z_mm", z) if across == 2 else ("offset_y_mm", y)
    if across == SPATIAL or value == 0.0:
        return []
    why = "the plane of the larger offset" if pegs.planes == "one" else "that plane"
    return [
        f"{name} = {1e3 * value:g} has no effect, for planes = {pegs.planes!r} looks at {why} alone: "
        'planes = "all" looks at both'
    ]
