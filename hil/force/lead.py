"""The command: where the body will be when the arm gets there, by the flow over the loop's delay.

In contact the line of force is frozen and the identified contact acts along it; before it is known the
measured force is held, but only until it has turned the body round: a hard contact's force held over a
long delay would throw the command away.
"""

import math

from numba import njit

from hil.force.body import Body, spin, stepped
from hil.force.contact_law import closing
from hil.force.memory import as_row, foresee
from hil.force.reintegration import fly_part, parts_of
from hil.force.rows import FREE, HELD, Record
from hil.force.tally import Tally, nothing_yet
from hil.force.tuples import dot, put_quaternion, put_vector, vector_at

STRIDE = 0.15  # of w dt in a part of a step
LONGEST = 0.004  # [s] of a step in contact
FREE_STEPS, MOST_STEPS = 16, 100  # at most
INSTANT = 1e-5  # [s] over which the acceleration is taken


@njit(cache=True, error_model="numpy")
def carried(c: Record, s: Record, row: Record, body: Body, tally: Tally, dt: float) -> tuple[Body, Tally]:
    """Return body and tally `dt` [s] further along the lead."""
    if row.law == HELD and turned_round(c, s, row, body):
        omega = spin(body, c.inverse_inertia)
        known, moment = vector_at(row.known, 0), vector_at(row.known, 3)
        return stepped(body, omega, known, moment, dt, c.mass, c.inverse_inertia), tally
    return fly_part(c, row, body, tally, dt, parts_of(c, row, dt, STRIDE))


@njit(cache=True, error_model="numpy")
def leads(c: Record, s: Record, row: Record, spare: Record, body: Body, tally: Tally) -> None:
    """Write pose, twist and acceleration that are to be commanded; `spare` is a row of no cycle."""
    s.foreseen = -1
    if c.remembers == 1:
        s.foreseen = foresee(c, s, row, body, spin(body, c.inverse_inertia))
        if s.foreseen >= 0:
            as_row(s, row, spare, s.foreseen)
            row, tally = spare, nothing_yet(0.0, 0.0)
    if c.lead > 0.0:
        steps = max(1, min(FREE_STEPS if row.law == FREE else MOST_STEPS, math.ceil(c.lead / LONGEST)))
        for _ in range(steps):
            body, tally = carried(c, s, row, body, tally, c.lead / steps)
    put_vector(s.led_p, 0, body.p)
    put_quaternion(s.led_q, body.q)
    omega = spin(body, c.inverse_inertia)
    put_vector(s.led_twist, 0, body.v)
    put_vector(s.led_twist, 3, omega)
    after = carried(c, s, row, body, tally, INSTANT)[0]
    later = spin(after, c.inverse_inertia)
    for i in range(3):
        s.led_acceleration[i] = (after.v[i] - body.v[i]) / INSTANT
        s.led_acceleration[3 + i] = (later[i] - omega[i]) / INSTANT


@njit(cache=True, error_model="numpy")
def turned_round(c: Record, s: Record, row: Record, body: Body) -> bool:
    """Return whether the body leaves along the held force as fast as it came: no passive port gives more."""
    if s.lined == 0 or c.passive == 0:
        return False
    away = -closing(row, body, spin(body, c.inverse_inertia))
    came = -dot(vector_at(row.line, 0), vector_at(s.onset_twist, 0))
    came -= dot(vector_at(row.line, 3), vector_at(s.onset_twist, 3))
    return away > abs(came)
