"""What a contact has come to since its onset: momentum given, work of others, the port's own motion."""

from typing import NamedTuple

from numba import njit

from hil.common.arrays import Array
from hil.force.body import Body
from hil.force.rows import Record
from hil.force.tuples import Vector, put_quaternion, put_vector, quaternion_of, vector_at


class Tally(NamedTuple):
    """The sums.

    Attributes:
        push: impulse of the contact [N s].
        twist: its moment about the centre of mass [N m s].
        work: of everything but the contact [J].
        port_way: how far the simulated port has gone along the line [m].
        port_rate: its speed [m/s].
        residual: energy that the unexplained part of the force has created [J].
        anchor: the c at which the force vanishes, by the last sample above the gate [m].
    """

    push: Vector
    twist: Vector
    work: float
    port_way: float
    port_rate: float
    residual: float
    anchor: float


@njit(cache=True, error_model="numpy")
def nothing_yet(zero: float, drift: float) -> Tally:
    """Return the tally at an onset whose touch lies at c = `zero` [m], of a port that drifts [m/s]."""
    return Tally((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.0, drift, 0.0, zero)


@njit(cache=True, error_model="numpy")
def body_at(row: Record) -> Body:
    """Return the body at the beginning of a row's cycle."""
    return Body(
        vector_at(row.body_p, 0),
        quaternion_of(row.body_q),
        vector_at(row.body_v, 0),
        vector_at(row.body_L, 0),
    )


@njit(cache=True, error_model="numpy")
def tally_at(row: Record) -> Tally:
    """Return the tally at the beginning of a row's cycle."""
    t = row.tally
    return Tally(vector_at(t, 0), vector_at(t, 3), t[6], t[7], t[8], t[9], t[10])


@njit(cache=True, error_model="numpy")
def put_body(row: Record, body: Body) -> None:
    """Write the body at the beginning of a row's cycle."""
    put_vector(row.body_p, 0, body.p)
    put_quaternion(row.body_q, body.q)
    put_vector(row.body_v, 0, body.v)
    put_vector(row.body_L, 0, body.L)


@njit(cache=True, error_model="numpy")
def put_tally(into: Array, tally: Tally) -> None:
    """Write a tally into a row's numbers."""
    put_vector(into, 0, tally.push)
    put_vector(into, 3, tally.twist)
    into[6], into[7], into[8] = tally.work, tally.port_way, tally.port_rate
    into[9], into[10] = tally.residual, tally.anchor
