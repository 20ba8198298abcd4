"""The figures of a run, computed from its trace; definitions: docs/understand/figures.md."""

import json
import math
from typing import Any

import numpy as np

from hil.analysis.figures.bounces import bounce_figures
from hil.analysis.figures.coasting import coasting_figures
from hil.analysis.figures.conservation import drifts
from hil.analysis.figures.impulses import impulse_figures
from hil.analysis.figures.limits import limit_figures
from hil.analysis.figures.momentum import momentum_figures
from hil.analysis.figures.plans import plan_figures
from hil.analysis.figures.residual_acceleration import acceleration_figures
from hil.analysis.figures.touches import touch_figures
from hil.analysis.figures.tracking import tracking_figures
from hil.analysis.figures.velocity import velocity_figures
from hil.loop.trace.fields import Trace

__all__ = ["figures", "figures_json"]


def figures(trace: Trace, wall_time: float = math.nan) -> dict[str, Any]:
    """Return all figures; None where a run has nothing to measure one by.

    Args:
        trace: the run.
        wall_time: how long the run took [s]; the only figure that is not in the trace.
    """
    energy_drift, momentum_drift = drifts(trace)
    of_rigid = _unsaid if len(trace.inside_t) else dict
    return {
        "impulses": impulse_figures(trace),
        **of_rigid(velocity_figures(trace)),
        "tracking": tracking_figures(trace),
        "plan": plan_figures(trace),
        "limits": limit_figures(trace),
        "bounces": of_rigid(bounce_figures(trace)),
        **({"touches": touch_figures(trace) | momentum_figures(trace)} if len(trace.port_wrench) else {}),
        "residual_acceleration": of_rigid(acceleration_figures(trace)),
        "coasting": of_rigid(coasting_figures(trace)),
        "energy_drift": energy_drift,
        "momentum_drift": momentum_drift,
        "virtual_time_s": _virtual_time(trace),
        "wall_time_s": None if math.isnan(wall_time) else wall_time,
    }


def figures_json(values: dict[str, Any]) -> str:
    """Return figures as JSON text with sorted keys; a number that is not finite becomes null."""
    return json.dumps(_finite(values), indent=2, sort_keys=True, allow_nan=False) + "\n"


def _unsaid(values: dict[str, Any]) -> dict[str, Any]:
    """Return figures that compare with a rigid body, of an object that is none: nothing is said."""
    return {key: _unsaid(value) if isinstance(value, dict) else None for key, value in values.items()}


def _virtual_time(trace: Trace) -> float:
    """Return the time that the rows cover [s]: each stands for one cycle."""
    if len(trace.t) < 2:
        return 0.0
    cycle = float(np.median(np.diff(trace.t)))
    return round(float(trace.t[-1] - trace.t[0]) + cycle, 9)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
