"""What a trial came to, as rows of tables: computed from its trace, live and in lock-step alike."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from hil.analysis.figures.bounces import bounces
from hil.analysis.figures.coasting import LATER, strays
from hil.analysis.figures.impulses import match_impulses
from hil.analysis.figures.velocity import SETTLED, SWUNG, overshoots, reactions, velocity_errors
from hil.analysis.figures.windows import FIT, fitted_twists, free_pushes, spread
from hil.analysis.judged_contact import JudgedContact
from hil.common.arrays import Array, IntArray
from hil.loop.judging.state_machine import State
from hil.loop.trace.fields import Trace
from hil.trials.experiment.arm_bounces import arm_restitutions
from hil.trials.experiment.columns import AXES
from hil.trials.experiment.contact_cells import Cells, contact_rows, contacts_together

OF_IMPULSES = ("pushes_", "impulses_false", "impulse_error", "energy_drift", "momentum_drift")
MM, DEGREES = 1e3, math.degrees(1.0)
NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Measured:
    """The cells that a trace decides; an empty one is None.

    Attributes:
        row: of the trial.
        pushes: a row each.
        bounces: a row each.
        contacts: a row each.
    """

    row: Cells = field(default_factory=dict)
    pushes: list[Cells] = field(default_factory=list)
    bounces: list[Cells] = field(default_factory=list)
    contacts: list[Cells] = field(default_factory=list)


def measured(
    trace: Trace,
    figures: dict[str, Any],
    missing: Mapping[str, str] = NOTHING,
    contacts: Sequence[JudgedContact] | None = None,
) -> Measured:
    """Return the rows that the trace decides.

    Args:
        trace: of the trial.
        figures: computed from it (`hil.analysis.figures.figures`).
        missing: what the trace does not tell, and why (`hil.analysis.recorded.run.RecordedRun.missing`).
        contacts: of the trial, beside their ideals; None where force acts as pushes.
    """
    row = _counted(figures) | _spread(figures) | _motion_cells(figures)
    columns = _impulse_columns(trace) | _velocity_columns(trace)
    if "force" in missing:  # every impulse would be a false one
        row |= dict.fromkeys(("pushes", "pushes_missed", "impulses_false"))
        row["pushes_detected"] = len(trace.impulse_id)
        columns = _impulses_by_axes("detected", trace.impulse_value)
    if "impulses" in missing:
        row |= dict.fromkeys(key for key in row if key.startswith(OF_IMPULSES))
        detected = [name for name in columns if name.startswith(("impulse_detected", "impulse_error"))]
        columns |= {name: np.full_like(columns[name], np.nan) for name in detected}
    row["not_measured"] = "; ".join(missing.values()) or None
    sim, arm = np.array([bounce.restitution for bounce in bounces(trace)]), arm_restitutions(trace)
    row |= {
        "bounces": len(sim),
        "restitution_median": spread(sim)["median"],
        "restitution_arm_median": spread(arm[np.isfinite(arm)])["median"],
        "stray_median_mm": spread(MM * strays(trace))["median"],
        "faults": _faults(trace),
        **contacts_together(contacts),
    }
    met = {"restitution": sim, "restitution_arm": arm}
    return Measured(row, _rows("push", columns), _rows("bounce", met), contact_rows(contacts))


def _faults(trace: Trace) -> int:
    """Return how often the machine came to FAULT."""
    fault = np.concatenate(([False], trace.state == State.FAULT))
    return int(np.count_nonzero(fault[1:] & ~fault[:-1]))


def _rows(what: str, columns: Mapping[str, Array]) -> list[Cells]:
    """Return a row for each place of the columns; what is not finite is empty."""
    names = list(columns)
    return [
        {
            what: k,
            **{name: float(v) if math.isfinite(v) else None for name, v in zip(names, one, strict=True)},
        }
        for k, one in enumerate(zip(*columns.values(), strict=True), 1)
    ]


def _counted(figures: dict[str, Any]) -> Cells:
    said = figures["impulses"]
    return {
        "pushes": said["true"],
        "pushes_detected": said["detected"],
        "pushes_missed": said["missed"],
        "impulses_false": said["false"],
    }


def _spread(figures: dict[str, Any]) -> Cells:
    said, error = figures["impulses"], figures["velocity_error"]
    return {
        "impulse_error_median": said["error_median"],
        "impulse_error_p95": said["error_p95"],
        "velocity_error_sim_median": error["sim"]["median"],
        "velocity_error_sim_p95": error["sim"]["p95"],
        "velocity_error_arm_median": error["arm"]["median"],
        "velocity_error_arm_p95": error["arm"]["p95"],
        "velocity_overshoot_p95": figures["velocity_overshoot"]["p95"],
        "reaction_median_ms": figures["reaction_ms"],
    }


def _motion_cells(figures: dict[str, Any]) -> Cells:
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


def _impulse_columns(trace: Trace) -> dict[str, Array]:
    matches = match_impulses(trace)
    detected = np.full_like(trace.push_value, np.nan)
    found = matches.impulse >= 0
    detected[found] = trace.impulse_value[matches.impulse[found]]
    true = _impulses_by_axes("true", trace.push_value)
    return true | _impulses_by_axes("detected", detected) | {"impulse_error": matches.relative_error}


def _velocity_columns(trace: Trace) -> dict[str, Array]:
    sim, arm = velocity_errors(trace)
    settled, swung = free_pushes(trace, SETTLED), free_pushes(trace, SWUNG)
    columns: dict[str, Array] = {}
    instants = {"before": trace.push_t_start[settled] - FIT, "after": trace.push_t_end[settled] + SETTLED}
    for when, instant in instants.items():
        rows = np.searchsorted(trace.t, instant)
        held = [_held(trace, int(row)) for row in rows]
        for whose, twists in (("", held), ("_ideal", trace.twist_world_object_ideal[rows])):
            values = np.full((len(trace.push_t_start), 6), np.nan)
            values[settled] = np.reshape(twists, (-1, 6))
            columns |= _by_axes(f"velocity_{when}{whose}_{{axis}}_mm_s", MM * values[:, :3])
            columns |= _by_axes(f"spin_{when}{whose}_{{axis}}_deg_s", DEGREES * values[:, 3:])
    return columns | {
        "velocity_error_sim": _placed(trace, settled, sim),
        "velocity_error_arm": _placed(trace, settled, arm),
        "velocity_overshoot": _placed(trace, swung, overshoots(trace)),
        "reaction_ms": _placed(trace, swung, 1e3 * reactions(trace)),
        "stray_mm": _placed(trace, free_pushes(trace, LATER), MM * strays(trace)),
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


def _impulses_by_axes(name: str, values: Array) -> dict[str, Array]:
    cells = _by_axes(f"impulse_{name}_{{axis}}_n_s", values[:, :3])
    return cells | _by_axes(f"impulse_{name}_r{{axis}}_n_m_s", values[:, 3:])


def _by_axes(name: str, values: Array) -> dict[str, Array]:
    return {name.format(axis=axis): values[:, k] for k, axis in enumerate(AXES)}
