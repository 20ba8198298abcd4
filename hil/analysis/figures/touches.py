"""What the touches of an emulated port come to: the energy that they leave, how hard and how deep they were.

A passive port leaves at most the energy that was there. What is more was made by the loop's delay.
"""

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat
from hil.loop.trace.fields import Trace

APART = 0.1  # [s] touches that are closer belong together, and after it the simulation has taken all in
PUSHED = 1e-9  # [N, N m]; a force beside the port's that is larger is the operator's
SLOWEST = 1e-3  # [m/s] of the centre, from which on a touch has an energy to compare with


def touches(trace: Trace) -> list[tuple[int, int]]:
    """Return the first row of each touch and the one behind its last, oldest first."""
    rows = np.flatnonzero(trace.port_wrench.any(axis=1))
    if not len(rows):
        return []
    breaks = np.flatnonzero(np.diff(trace.t[rows]) > APART)
    firsts = rows[np.concatenate([[0], breaks + 1])]
    ends = rows[np.concatenate([breaks, [len(rows) - 1]])] + 1
    return list(zip(firsts.tolist(), ends.tolist(), strict=True))


def energies_left(trace: Trace) -> Array:
    """Return the simulated body's kinetic energy behind each touch over that before it, shape (k,).

    Of touches that begin within the trace faster than 1 mm/s, that are over 0.1 s before its end, and during
    which nobody else pushes.
    """
    pushed = np.abs(trace.wrench_true - trace.port_wrench).max(axis=1) > PUSHED
    left = []
    for first, end in touches(trace):
        behind = int(np.searchsorted(trace.t, trace.t[end - 1] + APART))
        if first == 0 or behind >= len(trace.t) or pushed[first - 1 : behind + 1].any():
            continue
        if np.linalg.norm(trace.twist_world_object_sim[first - 1, :3]) > SLOWEST:
            left.append(_energy(trace, behind) / _energy(trace, first - 1))
    return np.array(left)


def touch_figures(trace: Trace) -> dict[str, float | int | None]:
    """Return the figures of the touches, those of energy None where none can be judged."""
    left = energies_left(trace)
    force = np.linalg.norm(trace.port_wrench[:, :3], axis=1)
    return {
        "count": len(touches(trace)),
        "energy_least": float(left.min()) if len(left) else None,
        "energy_most": float(left.max()) if len(left) else None,
        "peak_n": float(force.max(initial=0.0)),
        "deepest_mm": 1e3 * max(0.0, float(trace.port_penetration.max(initial=0.0))),
    }


def _energy(trace: Trace, row: int) -> float:
    v, omega = np.split(trace.twist_world_object_sim[row], 2)
    spin = matrix_from_quat(trace.quat_world_object_sim[row]).T @ omega
    return float(0.5 * trace.mass_kg * v @ v + 0.5 * spin @ trace.inertia_object @ spin)
