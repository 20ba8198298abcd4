"""What velocity a push left behind, how far the arm swung beyond it, and how late it came."""

import numpy as np

from hil.analysis.figures.velocity_response import overshoot, time_shift
from hil.analysis.figures.windows import FIT, TWIST_SCALE, fitted_twists, free_pushes, spread
from hil.common.arrays import Array
from hil.loop.trace.fields import Trace

SETTLED = 0.3  # [s] after the push the new velocity is judged
SWUNG = 0.35  # [s] after the push overshoot and reaction are looked for
LEAD_IN = 0.02  # [s] before the push the window of overshoot and reaction begins
LATE = 0.1  # [s]; an arm that is later than this is looked at for longer, where nothing disturbs
LONG = 1.0  # [s] after the push, for such an arm


def velocity_errors(trace: Trace) -> tuple[Array, Array]:
    """Return the velocity errors of simulation and arm after each free push, over the true change.

    Norm of (velocity less the ideal body's) 0.3 s after the push over the norm of the ideal body's
    change during the push; angular velocities times 0.2 m. The simulation's velocity is what it
    believed at that time, the arm's is fitted to where it held the mock-up.
    """
    sim, arm = [], []
    for push in free_pushes(trace, SETTLED):
        change = _true_change(trace, push)
        row = int(np.searchsorted(trace.t, trace.push_t_end[push] + SETTLED))
        ideal = trace.twist_world_object_ideal[row]
        held = _arm_twists(trace, row, row + 1)[0]
        sim.append(_norm(trace.twist_world_object_sim[row] - ideal) / _norm(change))
        arm.append(_norm(held - ideal) / _norm(change))
    return np.array(sim), np.array(arm)


def overshoots(trace: Trace) -> Array:
    """Return how far the arm's velocity went beyond the new one after each free push, over the change.

    Measured along the true change (angular velocities times 0.2 m), from 20 ms before the push to
    0.35 s after it; the new velocity is the ideal body's from the end of the push on. Never below 0.
    """
    found = []
    for push in free_pushes(trace, SWUNG):
        first, last = _window(trace, push, SWUNG)
        ended = int(np.searchsorted(trace.t, trace.push_t_end[push]))
        new = trace.twist_world_object_ideal[np.maximum(np.arange(first, last), ended)]
        found.append(overshoot(_arm_twists(trace, first, last), new, _true_change(trace, push)))
    return np.array(found)


def reactions(trace: Trace) -> Array:
    """Return by how much the arm's velocity lags the ideal body's after each free push [s].

    The shift that minimises the sum of squares between the arm's velocity and the shifted ideal one,
    both fitted alike and less their values before the push, from 20 ms before the push to 0.35 s after
    (to 1 s after if the arm is later than 0.1 s: it has hardly begun to move at 0.35 s).
    """
    found = []
    undisturbed = set(free_pushes(trace, LONG).tolist())
    for push in free_pushes(trace, SWUNG):
        shift = _reaction(trace, push, SWUNG)
        found.append(_reaction(trace, push, LONG) if shift > LATE and push in undisturbed else shift)
    return np.array(found)


def _reaction(trace: Trace, push: int, after: float) -> float:
    first, last = _window(trace, push, after)
    ideal = fitted_twists(trace.t, trace.p_world_object_ideal, trace.quat_world_object_ideal, first, last)
    quiet = int(np.searchsorted(trace.t[first:last], trace.push_t_start[push] - FIT)) or 1
    return time_shift(trace.t[first:last], _arm_twists(trace, first, last), ideal, quiet)


def velocity_figures(trace: Trace) -> dict[str, object]:
    """Return `velocity_error`, `velocity_overshoot` and `reaction_ms`."""
    sim, arm = velocity_errors(trace)
    reaction = spread(reactions(trace))["median"]
    return {
        "velocity_error": {"sim": spread(sim), "arm": spread(arm)},
        "velocity_overshoot": spread(overshoots(trace)),
        "reaction_ms": None if reaction is None else 1e3 * reaction,
    }


def _window(trace: Trace, push: int, after: float) -> tuple[int, int]:
    first = int(np.searchsorted(trace.t, trace.push_t_start[push] - LEAD_IN))
    return first, int(np.searchsorted(trace.t, trace.push_t_end[push] + after, side="right"))


def _true_change(trace: Trace, push: int) -> Array:
    """Return the ideal body's change of velocity during a push, shape (6,)."""
    before = int(np.searchsorted(trace.t, trace.push_t_start[push], side="right")) - 1
    after = int(np.searchsorted(trace.t, trace.push_t_end[push]))
    change: Array = trace.twist_world_object_ideal[after] - trace.twist_world_object_ideal[before]
    return change


def _arm_twists(trace: Trace, first: int, last: int) -> Array:
    twists: Array = fitted_twists(trace.t, trace.p_world_object_arm, trace.quat_world_object_arm, first, last)
    return twists


def _norm(twist: Array) -> float:
    return float(np.linalg.norm(twist * TWIST_SCALE))
