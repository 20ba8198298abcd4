"""Two bodies that collide, both measured: what one loses of momentum the other's own sensor must have got.

The body's change of momentum is that of the simulated one, which goes by what the arm measured; the port's
is the integral of what its own sensor measured. Angular momentum is taken about the point of the port's face
when the touch begins; a port that does not turn is held by its sensor, whose torque counts.
"""

import numpy as np

from hil.analysis.figures.touches import APART, PUSHED, SLOWEST, touches
from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat
from hil.loop.trace.fields import Trace

LEVER = 0.2  # [m] by which an angular impulse is compared with a linear one


def momentum_errors(trace: Trace) -> Array:
    """Return by how much both bodies' momentum changed in each touch, over the linear impulse, shape (k, 2).

    Linear, and angular over the impulse 0.2 m off. Of touches as `touches.energies_left` has them, where the
    port has a sensor.
    """
    if not trace.port_measured.any():
        return np.empty((0, 2))
    pushed = np.abs(trace.wrench_true - trace.port_wrench).max(axis=1) > PUSHED
    errors = []
    for first, end in touches(trace):
        behind = int(np.searchsorted(trace.t, trace.t[end - 1] + APART))
        if first == 0 or behind >= len(trace.t) or pushed[first - 1 : behind + 1].any():
            continue
        if np.linalg.norm(trace.twist_world_object_sim[first - 1, :3]) <= SLOWEST:
            continue
        point = trace.p_world_port[first]
        got = _measured(trace, first - 1, end + 1, point)
        lost = _momentum(trace, first - 1, point) - _momentum(trace, behind, point)
        size = float(np.linalg.norm(got[:3]))
        miss = got - lost
        errors.append((np.linalg.norm(miss[:3]) / size, np.linalg.norm(miss[3:]) / (LEVER * size)))
    return np.array(errors).reshape(-1, 2)


def momentum_figures(trace: Trace) -> dict[str, float | None]:
    """Return the largest errors of both bodies' momentum; nothing where the port has no sensor."""
    if not trace.port_measured.any():
        return {}
    errors = momentum_errors(trace)
    worst = errors.max(axis=0) if len(errors) else (None, None)
    return {"momentum_linear": worst[0], "momentum_angular": worst[1]}


def _measured(trace: Trace, first: int, end: int, point: Array) -> Array:
    """Return the impulse on the port by its own sensor, rows `first` to `end`, about a point, shape (6,)."""
    rows = slice(first, end)
    force, torque = trace.port_measured[rows, :3], trace.port_measured[rows, 3:]
    moment = torque + np.cross(trace.p_world_port[rows] - point, force)
    impulse: Array = np.trapezoid(np.column_stack((force, moment)), trace.t[rows], axis=0)
    return impulse


def _momentum(trace: Trace, row: int, point: Array) -> Array:
    """Return the simulated body's momentum, linear and about a point, world axes, shape (6,)."""
    v, omega = np.split(trace.twist_world_object_sim[row], 2)
    R = matrix_from_quat(trace.quat_world_object_sim[row])
    spin = R @ trace.inertia_object @ R.T @ omega
    p = trace.mass_kg * v
    return np.concatenate((p, spin + np.cross(trace.p_world_object_sim[row] - point, p)))
