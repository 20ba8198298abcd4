"""What a trial came to, as the cells of its row: computed from its trace, live and in lock-step alike."""

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from hil.analysis.figures.bounces import bounces
from hil.analysis.figures.coasting import LATER, strays
from hil.analysis.figures.impulses import match_impulses
from hil.analysis.figures.velocity import SETTLED, SWUNG, overshoots, reactions, velocity_errors
from hil.analysis.figures.windows import FIT, fitted_twists, free_pushes, spread
from hil.common.arrays import Array, IntArray
from hil.loop.trace.fields import Trace
from hil.trials.experiment.arm_bounces import arm_restitutions
from hil.trials.experiment.columns import AXES

Cell = float | int | str | None
OF_IMPULSES = (
    "pushes_", "impulses_false", "impulse_error", "impulse_detected", "energy_drift", "momentum_drift",
)  # fmt: skip
MM, DEGREES = 1e3, math.degrees(1.0)
NOTHING: Mapping[str, str] = MappingProxyType({})


def cells_of(trace: Trace, figures: dict[str, Any], missing: Mapping[str, str] = NOTHING) -> dict[str, Cell]:
    """Return the cells of a row that the trace decides; an empty one is None.

    Args:
        trace: of the trial.
        figures: computed from it (`hil.analysis.figures.figures`).
        missing: what the trace does not tell, and why (`hil.analysis.recorded.run.RecordedRun.missing`).
    """
    cells = _impulse_cells(trace, figures) | _velocity_cells(trace, figures)
    cells |= _bounce_cells(trace) | _motion_cells(figures)
    if "force" in missing:  # every impulse would be a false one
        cells |= dict.fromkeys(("pushes", "pushes_missed", "impulses_false"))
        cells["pushes_detected"] = len(trace.impulse_id)
        cells |= _impulses_by_axes("detected", trace.impulse_value)
    if "impulses" in missing:
        cells |= dict.fromkeys(key for key in cells if key.startswith(OF_IMPULSES))
    cells["not_measured"] = "; ".join(missing.values()) or None
    return cells


def joined(values: Iterable[float]) -> str | None:
    """Return a list as one cell; what is not finite leaves its place empty."""
    texts = [f"{value:.9g}" if math.isfinite(value) else "" for value in values]
    return ";".join(texts) if any(texts) else None


def _impulse_cells(trace: Trace, figures: dict[str, Any]) -> dict[str, Cell]:
    matches, said = match_impulses(trace), figures["impulses"]
    detected = np.full_like(trace.push_value, np.nan)
    found = matches.impulse >= 0
    detected[found] = trace.impulse_value[matches.impulse[found]]
    cells: dict[str, Cell] = {
        "pushes": said["true"],
        "pushes_detected": said["detected"],
        "pushes_missed": said["missed"],
        "impulses_false": said["false"],
        "impulse_error": joined(matches.relative_error),
        "impulse_error_median": said["error_median"],
        "impulse_error_p95": said["error_p95"],
    }
    return cells | _impulses_by_axes("true", trace.push_value) | _impulses_by_axes("detected", detected)


def _velocity_cells(trace: Trace, figures: dict[str, Any]) -> dict[str, Cell]:
    sim, arm = velocity_errors(trace)
    settled, swung = free_pushes(trace, SETTLED), free_pushes(trace, SWUNG)
    error, overshoot = figures["velocity_error"], figures["velocity_overshoot"]
    cells: dict[str, Cell] = {
        "velocity_error_sim": joined(_placed(trace, settled, sim)),
        "velocity_error_sim_median": error["sim"]["median"],
        "velocity_error_sim_p95": error["sim"]["p95"],
        "velocity_error_arm": joined(_placed(trace, settled, arm)),
        "velocity_error_arm_median": error["arm"]["median"],
        "velocity_error_arm_p95": error["arm"]["p95"],
        "velocity_overshoot": joined(_placed(trace, swung, overshoots(trace))),
        "velocity_overshoot_p95": overshoot["p95"],
        "reaction_ms": joined(_placed(trace, swung, 1e3 * reactions(trace))),
        "reaction_median_ms": figures["reaction_ms"],
        "stray_mm": joined(_placed(trace, free_pushes(trace, LATER), MM * strays(trace))),
        "stray_median_mm": spread(MM * strays(trace))["median"],
    }
    instants = {"before": trace.push_t_start[settled] - FIT, "after": trace.push_t_end[settled] + SETTLED}
    for when, instant in instants.items():
        rows = np.searchsorted(trace.t, instant)
        held = [_held(trace, int(row)) for row in rows]
        for whose, twists in (("", held), ("_ideal", trace.twist_world_object_ideal[rows])):
            values = np.full((len(trace.push_t_start), 6), np.nan)
            values[settled] = np.reshape(twists, (-1, 6))
            cells |= _by_axes(f"velocity_{when}{whose}_{{axis}}_mm_s", MM * values[:, :3])
            cells |= _by_axes(f"spin_{when}{whose}_{{axis}}_deg_s", DEGREES * values[:, 3:])
    return cells


def _bounce_cells(trace: Trace) -> dict[str, Cell]:
    sim, arm = np.array([bounce.restitution for bounce in bounces(trace)]), arm_restitutions(trace)
    return {
        "bounces": len(sim),
        "restitution": joined(sim),
        "restitution_median": spread(sim)["median"],
        "restitution_arm": joined(arm),
        "restitution_arm_median": spread(arm[np.isfinite(arm)])["median"],
    }


def _motion_cells(figures: dict[str, Any]) -> dict[str, Cell]:
    plan = figures["plan"]
    return {
        "duration_s": figures["virtual_time_s"],
        **{f"tracking_{key}": value for key, value in figures["tracking"].items()},
        "time_kept": plan["time_kept"],
        "holds": plan["holds"],
        "branch_changes": plan["configuration_changes"],
        "changed_plans": plan["changed_plans"],
        "max_speed_ratio": plan["max_speed_ratio"],
        "limit_violations": figures["limits"]["violations"],
        "coasting_energy": figures["coasting"]["energy_median"],
        "residual_acceleration_mm_s2": figures["residual_acceleration"]["median_mm_s2"],
        "drift_mm": figures["coasting"]["drift_mm"],
        "energy_drift": figures["energy_drift"],
        "momentum_drift": figures["momentum_drift"],
        "wall_time_s": figures["wall_time_s"],
    }


def _held(trace: Trace, row: int) -> Array:
    """Return the twist at which the arm held the mock-up, shape (6,)."""
    twists: Array = fitted_twists(
        trace.t, trace.p_world_object_arm, trace.quat_world_object_arm, row, row + 1
    )
    return twists[0]


def _placed(trace: Trace, pushes: IntArray, values: Array) -> Array:
    """Return one value a push, NaN for those that are not among `pushes`."""
    placed = np.full(len(trace.push_t_start), np.nan)
    placed[pushes] = values
    return placed


def _impulses_by_axes(name: str, values: Array) -> dict[str, Cell]:
    cells = _by_axes(f"impulse_{name}_{{axis}}_n_s", values[:, :3])
    return cells | _by_axes(f"impulse_{name}_r{{axis}}_n_m_s", values[:, 3:])


def _by_axes(name: str, values: Array) -> dict[str, Cell]:
    return {name.format(axis=axis): joined(values[:, k]) for k, axis in enumerate(AXES)}
