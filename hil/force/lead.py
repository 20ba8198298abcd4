"""The command: where the body will be when the arm gets there, by the flow over the loop's delay.

In contact the line of force is frozen and the identified contact acts along it; before it is known the
measured force is held, but only until it has turned the body round: a hard contact's force held over a
long delay would throw the command away.
"""

import math

from numba import njit

from hil.force.body import Body, spin, stepped
from hil.force.contact_law import closing
from hil.force.reintegration import fly_part, frequency
from hil.force.rows import FREE, HELD, LINE, Record
from hil.force.tally import Tally
from hil.force.tuples import dot, put_quaternion, put_vector, vector_at

STRIDE = 0.15  # of w dt in a step
LONGEST = 0.004  # [s] of a step in contact
FREE_STEPS = 16  # at most
MOST_STEPS = 400


@njit(cache=True, error_model="numpy")
def steps_of(c: Record, row: Record) -> int:
    """Return into how many steps the lead is cut."""
    if row.law == FREE:
        return max(1, min(FREE_STEPS, math.ceil(c.lead / LONGEST)))
    steps = math.ceil(c.lead / LONGEST)
    if row.law == LINE:
        steps = max(steps, math.ceil(c.lead * frequency(c, row) / STRIDE))
    return max(1, min(MOST_STEPS, steps))


@njit(cache=True, error_model="numpy")
def leads(c: Record, s: Record, row: Record, body: Body, tally: Tally) -> None:
    """Write pose, twist and acceleration that are to be commanded."""
    if c.lead > 0.0:
        steps = steps_of(c, row)
        dt = c.lead / steps
        for _ in range(steps):
            if row.law == HELD and turned_round(c, s, row, body):
                omega = spin(body, c.inverse_inertia)
                known, moment = vector_at(row.known, 0), vector_at(row.known, 3)
                body = stepped(body, omega, known, moment, dt, c.mass, c.inverse_inertia)
            else:
                body, tally = fly_part(c, row, body, tally, dt)
    put_vector(s.led_p, 0, body.p)
    put_quaternion(s.led_q, body.q)
    omega = spin(body, c.inverse_inertia)
    put_vector(s.led_twist, 0, body.v)
    put_vector(s.led_twist, 3, omega)
    # what acts there, as a difference over an instant
    dt = 1e-5
    after = fly_part(c, row, body, tally, dt)[0]
    if row.law == HELD and turned_round(c, s, row, body):
        after = stepped(
            body, omega, vector_at(row.known, 0), vector_at(row.known, 3), dt, c.mass, c.inverse_inertia
        )
    later = spin(after, c.inverse_inertia)
    for i in range(3):
        s.led_acceleration[i] = (after.v[i] - body.v[i]) / dt
        s.led_acceleration[3 + i] = (later[i] - omega[i]) / dt


@njit(cache=True, error_model="numpy")
def turned_round(c: Record, s: Record, row: Record, body: Body) -> bool:
    """Return whether the body leaves along the held force as fast as it came: no passive port gives more."""
    if s.lined == 0 or c.passive == 0:
        return False
    away = -closing(row, body, spin(body, c.inverse_inertia))
    came = -dot(vector_at(row.line, 0), vector_at(s.onset_twist, 0))
    came -= dot(vector_at(row.line, 3), vector_at(s.onset_twist, 3))
    return away > abs(came)
