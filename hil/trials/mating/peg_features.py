"""What is read from the courses of pegs, and what the paper says of them. Forces are averaged over 20 ms."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.trials.mating.means import MEAN, mean_of
from hil.trials.mating.result import Frame, MatingResult, Statement
from hil.trials.mating.robot_schema import RectangularPegExperiment, RoundPegExperiment
from hil.trials.mating.setting import Setting
from sim.insertion.insertion import InsertionRun

HIGH, LONG = 25.0, 1.0  # [N], [s] beyond which an insertion counts as at fault
INSERTED = 0.9  # share of the path at whose end the peg has gone in
NEAR_PLANE = 15.0  # [deg]
SECOND = "d-4'"


@dataclass(frozen=True)
class Seen:
    """Courses in short.

    Attributes:
        order: names of contacts as they first come, without those that last less than forces are averaged.
        forces: of each, averaged, shape (n,) [N].
        begins: row at which each comes.
        push: averaged mating force, shape (n,) [N].
        depth: shape (n,) [mm].
        late: rows of the path's second half, shape (n,).
    """

    order: list[str]
    forces: dict[str, Array]
    begins: dict[str, int]
    push: Array
    depth: Array
    late: Array


def peg_features(
    experiment: RoundPegExperiment | RectangularPegExperiment, place: Setting, run: InsertionRun,
    series: Mapping[str, Array], phases: Sequence[str], frames: Sequence[Frame],
) -> MatingResult:  # fmt: skip
    """Return order of contacts, first contact, forces, lag, and whether the peg went in."""
    seen = _seen(series, phases, place)
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
        "phase_begins_mm": {name: float(seen.depth[min(k + 1, len(seen.depth) - 1)]) for name, k in seen.begins.items()},
        "phase_begins_s": {name: float(run.t[k]) for name, k in seen.begins.items()},
        "max_n": float(seen.push.max(initial=0.0)),
        "plateau_n": _plateau(seen),
        "side_plateau_n": _side(seen, series),
        "late_max_n": float(seen.push[seen.late].max(initial=0.0)),
        "late_side_max_n": float(_sideways(series)[seen.late].max(initial=0.0)),
        "lag_mm": end - reached,
        "azimuth_deg": _azimuths(experiment, place, run, seen),
        "inserted": bool(reached - 1e3 * place.begin >= INSERTED * (end - 1e3 * place.begin) and not run.stopped),
        "above_25_n_s": high,
        "work_j": float(np.trapezoid(series["force_n"], 1e-3 * seen.depth)),
        "torque_share": _torques(place, run),
        "contact_residual": float(run.rows.residuals.max(initial=0.0)),
        "penetration_um": max(0.0, -1e6 * float(run.rows.gaps.min(initial=0.0))),
    }
    warnings = _warnings(features, run, place)
    if run.stopped and len(run.t):
        features["last_state"] = {
            "t_s": float(run.t[-1]),
            "deviation": run.rows.deviations[-1].tolist(),
            "velocity": run.rows.velocities[-1].tolist(),
        }
    said = (
        _said_of_round(seen, features, experiment.pegs.mu)
        if isinstance(experiment, RoundPegExperiment)
        else _said_of_rectangular(seen, features, series, experiment)
    )
    return MatingResult(experiment.experiment, series, phases, features, said, warnings, frames)


def _seen(series: Mapping[str, Array], phases: Sequence[str], place: Setting) -> Seen:
    begins: dict[str, int] = {}
    rows: dict[str, int] = {}
    for k, phase in enumerate(phases):
        for name in phase.split(" + ") if phase else []:
            begins.setdefault(name, k)
            rows[name] = rows.get(name, 0) + 1
    t = series["t_s"]
    step = float(t[1] - t[0]) if len(t) > 1 else 1.0
    begins = {name: k for name, k in begins.items() if rows[name] * step >= MEAN}
    forces = {name: mean_of(series[f"{name}_n"], step) for name in begins}
    half = 1e3 * (place.begin + 0.5 * float(place.way.max()))
    return Seen(
        list(begins), forces, begins, series["force_mean_n"], series["depth_mm"], series["nominal_mm"] > half
    )


def _longest(high: Array) -> int:
    """Return the longest run of rows that are true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], high.astype(int), [0]])))
    return int((edges[1::2] - edges[::2]).max(initial=0))


def _sideways(series: Mapping[str, Array]) -> Array:
    t = series["t_s"]
    step = float(t[1] - t[0]) if len(t) > 1 else 1.0
    return np.hypot(mean_of(series["side_y_n"], step), mean_of(series["side_z_n"], step))


def _sliding(seen: Seen) -> Any:
    """Return rows of the stretch between the second contact's beginning and the third's."""
    rows = np.zeros(len(seen.push), dtype=bool)
    if len(seen.order) > 1:
        begin = seen.begins[seen.order[1]]
        end = seen.begins[seen.order[2]] if len(seen.order) > 2 else len(rows)
        rows[begin + (end - begin) // 3 : begin + 2 * (end - begin) // 3] = True
    return rows


def _plateau(seen: Seen) -> float | None:
    rows = _sliding(seen)
    return float(seen.push[rows].mean()) if rows.any() else None


def _side(seen: Seen, series: Mapping[str, Array]) -> float | None:
    rows = _sliding(seen)
    return float(_sideways(series)[rows].mean()) if rows.any() else None


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


def _torques(place: Setting, run: InsertionRun) -> float:
    """Return the greatest torque that the controller gives beyond the weight's, over the joint's greatest."""
    numbers = place.robot.numbers
    n = len(numbers.motors)
    at = np.where(numbers.motors >= 0, numbers.motors, run.rows.deviations.shape[1] - n + np.arange(n))
    torque = np.abs(numbers.kp * run.rows.deviations[:, at])
    return float((torque / place.robot.torques).max(initial=0.0))


def _warnings(features: Mapping[str, Any], run: InsertionRun, place: Setting) -> list[str]:
    warnings = []
    if features["above_25_n_s"] > LONG:
        warnings.append(
            f"the mating force is above {HIGH:g} N for {features['above_25_n_s']:.2f} s; more than {LONG:g} s counts "
            "as a fault: align the parts better, or make the robot softer across the path"
        )
    if run.stopped:
        at = f" after {run.t[-1]:.3f} s" if len(run.t) else ""
        warnings.append(f"stopped{at}: {run.stopped}; the last good state is kept in the features")
    elif not features["inserted"]:
        warnings.append(f"jammed: {features['lag_mm']:.1f} mm are left at the end")
    if features["torque_share"] > 1.0:
        warnings.append(
            f"the controller asks for {features['torque_share']:.2f} times the greatest torque of a joint of "
            f"{place.robot.name}, which it does not have: the forces would be smaller, and the lag larger"
        )
    if features["contact_residual"] > 1e-6:
        warnings.append(f"a contact problem was solved to {features['contact_residual']:.2g} only")
    return warnings


def _in_order(seen: Seen, wanted: Sequence[str]) -> bool:
    return seen.order[: len(wanted)] == list(wanted)


def _said_of_round(seen: Seen, features: Mapping[str, Any], mu: float) -> list[Statement]:
    names = ("torus1-torus2", "cylinder1-torus2", "torus1-cylinder2")
    peak = {name: float(seen.forces[name].max()) if name in seen.forces else 0.0 for name in names}
    told = ", ".join(f"{name} at {features['phase_begins_mm'][name]:.2f} mm" for name in seen.order)
    two = np.minimum(seen.forces[names[1]], seen.forces[names[2]]) > 1.0 if names[2] in seen.forces else np.zeros(0, bool)
    said = [
        Statement("the chamfers touch first, then the peg's cylinder the hole's chamfer, then a second point "
                  "on the other side", _in_order(seen, names), told),
        Statement("the force between the chamfers is relatively small",
                  0.0 < peak[names[0]] < 0.5 * max(peak[names[1]], peak[names[2]]),
                  f"{peak[names[0]]:.0f} N against {peak[names[1]]:.0f} N"),
        Statement("with two points the opposing forces grow beyond 100 N",
                  min(peak[names[1]], peak[names[2]]) > 100.0, f"{peak[names[1]]:.0f} and {peak[names[2]]:.0f} N"),
    ]  # fmt: skip
    if two.any():
        sum_of = seen.forces[names[1]] + seen.forces[names[2]]
        share = float((seen.push[two] / sum_of[two]).max())
        said.append(
            Statement("the mating force stays far below the contact forces, which oppose each other: it is friction",
                      bool(share <= 1.1 * mu), f"at most {share:.3f} of their sum, mu = {mu:g}")
        )  # fmt: skip
        azimuths = features["azimuth_deg"] or []
        off = [abs((a + 90.0) % 180.0 - 90.0) for a in azimuths]
        said.append(
            Statement("both points wander to the middle of the peg: into the arm's plane",
                      len(off) == 2 and max(off) <= NEAR_PLANE, f"{', '.join(f'{a:.0f}' for a in azimuths)} deg from it")
        )  # fmt: skip
    return said


def _said_of_rectangular(
    seen: Seen, features: Mapping[str, Any], series: Mapping[str, Array], experiment: RectangularPegExperiment
) -> list[Statement]:
    along_y = abs(experiment.offset_y) >= abs(experiment.offset_z)
    offset = experiment.offset_y if along_y else experiment.offset_z
    chamfer, side = ("4-b'", "5-b'") if offset > 0.0 else ("2-a'", "1-a'")
    told = ", ".join(f"{name} at {features['phase_begins_mm'][name]:.2f} mm" for name in seen.order)
    entry = float(seen.push[~seen.late].max(initial=0.0))
    lateral = series["side_y_n" if along_y else "side_z_n"]
    rows = _sliding(seen)
    slides = float(lateral[rows].mean()) if rows.any() else 0.0
    plateau, aside = features["plateau_n"] or 0.0, features["side_plateau_n"] or math.inf
    said = [
        Statement(f"the chamfer slides over the hole's edge ({chamfer}), then one side rests on it ({side})",
                  _in_order(seen, (chamfer, side)), told),
        Statement("the mating force has a peak while the chamfer slides",
                  entry > 2.0 * plateau, f"{entry:.1f} N, then {plateau:.2f} N"),
        Statement("the side force acts towards the hole's middle", slides * offset < 0.0, f"{slides:.1f} N"),
        Statement("what is left then is friction", abs(plateau / aside / experiment.pegs.mu - 1.0) < 0.15
                  if experiment.pegs.mu > 0.0 else True, f"{plateau / aside:.4f} of the side force, mu = {experiment.pegs.mu:g}"),
    ]  # fmt: skip
    if not along_y and offset > 0.0:
        said.append(
            Statement("it goes on sliding, with small forces", features["inserted"] and features["late_max_n"] < 100.0,
                      f"late up to {features['late_max_n']:.0f} N")
        )  # fmt: skip
    if not along_y and offset < 0.0:
        deep = features["phase_begins_mm"].get(SECOND)
        said += [
            Statement("a second contact arises inside the hole (d-4')", deep is not None,
                      "none" if deep is None else f"at {deep:.2f} mm, {features['phase_begins_s'][SECOND]:.2f} s"),
            Statement("mating force and side force become very large", features["late_max_n"] > 2.0 * entry,
                      f"{features['late_max_n']:.0f} N and {features['late_side_max_n']:.0f} N"),
            Statement("the insertion succeeds at last", features["inserted"], f"{features['lag_mm']:.1f} mm are left"),
        ]  # fmt: skip
    return said
