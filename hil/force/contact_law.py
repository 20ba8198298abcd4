"""The force along the line at the simulated pose, from the one that was measured at the arm's pose.

`g = f + k (c_s - c_a) + d (c_s' - c_a')`: what was measured, carried over by the identified contact. With
the exact k and d the delay drops out whatever it is, since both poses belong to the same instant. Friction
rides along, because the line contains it.
"""

from numba import njit

from hil.force.body import Body
from hil.force.drift import port_rate, port_way
from hil.force.gate import AT_ONCE
from hil.force.hybrid import virtual_part
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

    Where a virtual spring is added the touch must be the same for both, so it is the fit's.
    """
    if c.target_stiffness > 0.0:
        return row.zero
    if row.over == 1:
        return row.zero
    if row.on == 0 or abs(row.force) < AT_ONCE * c.gate:  # so little may as well be bias
        return anchor
    spring = row.force - row.d * (row.rate - port_rate(row))
    return row.c - port_way(row) - spring / row.k


@njit(cache=True, error_model="numpy")
def refuted(c: Record, row: Record) -> bool:
    """Return whether nothing is felt where the arm would feel the contact, were it what it is held for.

    By noise and by a cycle's way a touch may lie later than where it is held to be.
    """
    if row.usable == 0 or row.on == 1:
        return False
    margin = 5.0 * c.position_noise + abs(row.rate) * c.step
    return bool(row.c - port_way(row) > row.zero + margin and law_at_arm(row) > c.gate)


@njit(cache=True, error_model="numpy")
def opposed(c: Record, row: Record) -> bool:
    """Return whether another side is touched: what is felt pulls by more than a bias may come to."""
    return bool(row.usable == 1 and row.on == 0 and row.force < -c.gate)


@njit(cache=True, error_model="numpy")
def went_through(s: Record, row: Record) -> bool:
    """Return whether the arm is far deeper than where the greatest force was felt.

    Where it is not, what is not felt may be balanced: by a hand that presses the object on the port.
    """
    felt = s.most_c - s.mobility * s.most_second - s.zero
    return bool(row.c - port_way(row) - row.zero > 2.0 * max(0.0, felt))


@njit(cache=True, error_model="numpy")
def law_at_arm(row: Record) -> float:
    """Return the force along the line that the law has where the arm is [N]; below 0 it would pull."""
    spring = row.k * (row.c - port_way(row) - row.zero)
    return float(spring + row.d * (row.rate - port_rate(row)))


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
    kv, dv = virtual_part(c, row)
    soft = 1.0 + 0.5 * dt * (row.d + dv) * (row.inverse_mass + row.mobility)
    if row.over == 0 and (row.on == 1 or row.pulls == 1 or refuted(c, row)):
        deeper = depth - (row.c - port_way(row))
        faster = rate - (row.rate - port_rate(row))
        g = row.carried + row.k * deeper + row.d * faster
        if c.target_stiffness > 0.0 and (row.pulls == 1 or depth > row.zero):
            g += kv * (depth - row.zero) + dv * rate
    else:  # nothing was felt, or elsewhere, so what acts is the contact where the body is
        if depth <= zero:
            return 0.0
        g = (row.k + kv) * (depth - zero) + (row.d + dv) * rate
    g /= soft
    return g if row.pulls == 1 else max(0.0, g)
