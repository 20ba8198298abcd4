"""The force along the line at the simulated pose, from the one that was measured at the arm's pose.

`g = f + k (c_s - c_a) + d (c_s' - c_a')`: what was measured, carried over by the identified contact. With
the exact k and d the delay drops out whatever it is, since both poses belong to the same instant. Friction
rides along, because the line contains it.
"""

from numba import njit

from hil.force.body import Body
from hil.force.gate import AT_ONCE
from hil.force.rows import Record
from hil.force.tuples import (
    Vector,
    dot,
    minus,
    quaternion_of,
    rotation_between,
    vector_at,
)


@njit(cache=True, error_model="numpy")
def beyond_arm(row: Record, body: Body) -> float:
    """Return how much deeper along the line the body is than the arm [m]."""
    dp = minus(body.p, vector_at(row.p, 0))
    dr = rotation_between(body.q, quaternion_of(row.q))
    return -dot(vector_at(row.line, 0), dp) - dot(vector_at(row.line, 3), dr)


@njit(cache=True, error_model="numpy")
def closing(row: Record, body: Body, omega: Vector) -> float:
    """Return the body's speed against the line [m/s]."""
    return -dot(vector_at(row.line, 0), body.v) - dot(vector_at(row.line, 3), omega)


@njit(cache=True, error_model="numpy")
def zero_force(c: Record, row: Record, anchor: float) -> float:
    """Return the c [m] at which the contact lets go, by this row or, within the gate, by the ones before.

    Where virtual stiffness is added the touch must be the same for both, so it is the fit's.
    """
    if c.virtual_stiffness > 0.0 or c.virtual_damping > 0.0:
        return row.zero
    if row.on == 0 or abs(row.force) < AT_ONCE * c.gate:  # so little may as well be bias
        return anchor
    spring = row.force - row.d * (row.rate - row.mobility * row.first)
    return row.c - row.mobility * row.second - spring / row.k


@njit(cache=True, error_model="numpy")
def line_force(
    c: Record,
    row: Record,
    depth: float,
    rate: float,
    zero: float,
    dt: float,
) -> float:
    """Return the force along the line [N], held over the next `dt` [s].

    Implicit in the damping, so that a hard damper stays stable.

    Args:
        c: constants.
        row: of the cycle.
        depth: the body's c less the port's way, in the middle of the step [m].
        rate: its rate at the step's beginning [m/s].
        zero: the c at which the contact lets go [m].
        dt: the step.
    """
    kv, dv = c.virtual_stiffness, c.virtual_damping
    soft = 1.0 + 0.5 * dt * (row.d + dv) * (row.inverse_mass + row.mobility)
    if row.on == 1 or row.pulls == 1 or row.gone == 1:
        deeper = depth - (row.c - row.mobility * row.second)
        faster = rate - (row.rate - row.mobility * row.first)
        g = row.force + row.k * deeper + row.d * faster
        if (kv > 0.0 or dv > 0.0) and (row.pulls == 1 or depth > row.zero):
            g += kv * (depth - row.zero) + dv * rate
    else:  # nothing was felt, so what acts is the contact where the body is
        if depth <= zero:
            return 0.0
        g = (row.k + kv) * (depth - zero) + (row.d + dv) * rate
    g /= soft
    return g if row.pulls == 1 else max(0.0, g)
