"""The arm at each packet: the drive's model on what was commanded, corrected by the measured position.

The measured position is taken as it is; only the twist comes from the model. A speed that is wrong in contact
is read as damping of the port, so the model must know the delay to about 1 ms where ports are damped.
"""

from numba import njit

from hil.common.arrays import Array
from hil.force.rows import Record, Records
from hil.force.tuples import (
    along,
    minus,
    put_quaternion,
    put_vector,
    quaternion_of,
    rotation_between,
    turned,
    vector_at,
)

POSITION_GAIN = 0.4


@njit(cache=True, error_model="numpy")
def predict(c: Record, s: Record, ring: Records) -> None:
    """Carry the observer over the cycle before `s.n` on what was commanded a dead time ago."""
    size = ring.shape[0]
    later = s.n - 1 - c.dead_cells
    advance(s, c.earlier, ring[(later - 1) % size])
    advance(s, c.later, ring[later % size])


@njit(cache=True, error_model="numpy")
def advance(s: Record, m: Array, commanded: Record) -> None:
    """Carry the observer over a part of a cycle in which one twist is commanded."""
    dx, dr = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(6):
        v, a, u = s.v[i], s.a[i], commanded.command[i]
        way = m[0, 1] * v + m[0, 2] * a + m[0, 3] * u
        s.v[i] = m[1, 1] * v + m[1, 2] * a + m[1, 3] * u
        s.a[i] = m[2, 1] * v + m[2, 2] * a + m[2, 3] * u
        if i < 3:
            dx = (dx[1], dx[2], way)
        else:
            dr = (dr[1], dr[2], way)
    put_vector(s.x, 0, along(vector_at(s.x, 0), 1.0, dx))
    put_quaternion(s.q, turned(quaternion_of(s.q), dr))


@njit(cache=True, error_model="numpy")
def correct(c: Record, s: Record, p: Array, quat: Array) -> None:
    """Correct the observer by a measured pose: position by 0.4 of what it misses, twist by the gain."""
    if s.seen == 0:
        put_vector(s.x, 0, vector_at(p, 0))
        put_quaternion(s.q, quaternion_of(quat))
        s.seen = 1
        return
    dx = minus(vector_at(p, 0), vector_at(s.x, 0))
    dr = rotation_between(quaternion_of(quat), quaternion_of(s.q))
    put_vector(s.x, 0, along(vector_at(s.x, 0), POSITION_GAIN, dx))
    scaled = (POSITION_GAIN * dr[0], POSITION_GAIN * dr[1], POSITION_GAIN * dr[2])
    put_quaternion(s.q, turned(quaternion_of(s.q), scaled))
    gain = c.observer_gain / c.step
    put_vector(s.v, 0, along(vector_at(s.v, 0), gain, dx))
    put_vector(s.v, 3, along(vector_at(s.v, 3), gain, dr))
