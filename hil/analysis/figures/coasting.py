"""What becomes of the motion while nobody touches the object, whatever law made it: drift, energy, path.

These figures need no impulses: they compare where the arm held the object with what a free body does.
"""

import numpy as np

from hil.analysis.figures.residual_acceleration import free_segments
from hil.analysis.figures.windows import TWIST_SCALE, fitted_twists, free_pushes
from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat
from hil.loop.trace.fields import Trace

LATER = 1.0  # [s] after a push its path is looked at, or that of which energy is told
SLOWEST = 5e-3  # [m/s] (spin times 0.2 m) of a motion whose energy is told


def strays(trace: Trace) -> Array:
    """Return how far the arm is from the ideal body 1 s after each free push [m], shape (k,).

    The ideal body is set to the simulated one 50 ms before the push: what comes later is in it, a wrong
    impulse, a late reaction, damping and drift.
    """
    rows = np.searchsorted(trace.t, trace.push_t_end[free_pushes(trace, LATER)] + LATER)
    away: Array = trace.p_world_object_arm[rows] - trace.p_world_object_ideal[rows]
    return np.linalg.norm(away, axis=1)


def energies_kept(trace: Trace) -> Array:
    """Return which share of its kinetic energy the held object keeps over 1 s, in each free segment, (k,).

    Of a free segment that lasts T the energy's ratio to the power 1 s / T, by the arm's velocities at its
    ends. Segments that begin more slowly than 5 mm/s are left out.
    """
    kept = []
    for first, end in free_segments(trace):
        twists = [_twist(trace, row) for row in (first, end - 1)]
        if np.linalg.norm(twists[0] * TWIST_SCALE) < SLOWEST:
            continue
        before, after = (
            _energy(trace, row, twist) for row, twist in zip((first, end - 1), twists, strict=True)
        )
        kept.append((after / before) ** (LATER / float(trace.t[end - 1] - trace.t[first])))
    return np.array(kept)


def drift(trace: Trace) -> float | None:
    """Return how far the arm comes from the ideal body before the first push, at most [m].

    None where the object is pushed within a second of the beginning.
    """
    first = float(trace.push_t_start[0]) if len(trace.push_t_start) else np.inf
    rows = int(np.searchsorted(trace.t, first))
    if rows == 0 or trace.t[rows - 1] - trace.t[0] < LATER:
        return None
    away = trace.p_world_object_arm[:rows] - trace.p_world_object_ideal[:rows]
    return float(np.linalg.norm(away, axis=1).max())


def coasting_figures(trace: Trace) -> dict[str, float | None]:
    """Return `{energy_median, drift_mm}`."""
    kept, away = energies_kept(trace), drift(trace)
    return {
        "energy_median": float(np.median(kept)) if len(kept) else None,
        "drift_mm": None if away is None else 1e3 * away,
    }


def _twist(trace: Trace, row: int) -> Array:
    p, quat = trace.p_world_object_arm, trace.quat_world_object_arm
    twist: Array = fitted_twists(trace.t, p, quat, row, row + 1)[0]
    return twist


def _energy(trace: Trace, row: int, twist: Array) -> float:
    spin = matrix_from_quat(trace.quat_world_object_arm[row]).T @ twist[3:]
    return float(0.5 * trace.mass_kg * (twist[:3] @ twist[:3]) + 0.5 * spin @ trace.inertia_object @ spin)
