"""What is read from the courses of pegs, and what the paper says of them. Forces are averaged over 20 ms."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hil.common.arrays import Array, BoolArray
from hil.trials.mating.motors_seen import motor_features, motor_warnings
from hil.trials.mating.peg_seen import Seen, seen_of, sideways, sliding
from hil.trials.mating.peg_statements import said_of_rectangular, said_of_round
from hil.trials.mating.result import MatingResult
from hil.trials.mating.robot_schema import RectangularPegExperiment, RoundPegExperiment
from hil.trials.mating.setting import Setting
from sim.insertion.insertion import InsertionRun

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
    end = float(series["nominal_mm"][-1]) if len(run.t) else math.nan
    reached = float(seen.depth[-1]) if len(run.t) else math.nan
    first = seen.begins[seen.order[0]] if seen.order else None
    touch = None if first is None else float(seen.depth[min(first + 1, len(seen.depth) - 1)])
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
        "lag_mm": end - reached,
        "azimuth_deg": _azimuths(experiment, place, run, seen),
        "inserted": bool(
            reached - 1e3 * place.begin >= INSERTED * (end - 1e3 * place.begin) and not run.stopped
        ),
        "above_25_n_s": high,
        "work_j": float(np.trapezoid(series["force_n"], 1e-3 * seen.depth)),
        **motor_features(place, run, step),
        "contact_residual": float(run.rows.residuals.max(initial=0.0)),
        "penetration_um": max(0.0, -1e6 * float(run.rows.gaps.min(initial=0.0))),
    }
    warnings = _warnings(features, run, place)
    features["last_state"] = None
    if run.stopped and len(run.t):
        features["last_state"] = {
            "t_s": float(run.t[-1]),
            "deviation": run.rows.deviations[-1].tolist(),
            "velocity": run.rows.velocities[-1].tolist(),
        }
    said = (
        said_of_round(seen, features, experiment.pegs.mu)
        if isinstance(experiment, RoundPegExperiment)
        else said_of_rectangular(seen, features, series, experiment)
    )
    return MatingResult(experiment.experiment, series, phases, features, said, warnings)


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


def _warnings(features: dict[str, Any], run: InsertionRun, place: Setting) -> list[str]:
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
    if run.stopped:
        at = f" after {run.t[-1]:.3f} s" if len(run.t) else ""
        warnings.append(f"stopped{at}: {run.stopped}; the last good state is kept in the features")
    elif not features["inserted"]:
        warnings.append(f"jammed: {features['lag_mm']:.1f} mm are left at the end")
    warnings += motor_warnings(place, features)
    if features["contact_residual"] > 1e-6:
        warnings.append(f"a contact problem was solved to {features['contact_residual']:.2g} only")
    return warnings
