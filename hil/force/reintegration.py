"""The body's flight over cycles, once or anew from a contact's onset, under what acts in each of them."""

import math

from numba import njit

from hil.force.body import Body, kicked, kinetic_energy, spin, stepped
from hil.force.contact_law import beyond_arm, closing, line_force, zero_force
from hil.force.rows import FREE, HELD, LINE, Record, Records
from hil.force.tally import Tally, body_at, nothing_yet, put_body, put_tally, tally_at
from hil.force.tuples import along, dot, put_vector, vector_at

STRIDE = 0.05  # of w dt in a substep
MOST_SUBSTEPS = 20


@njit(cache=True, error_model="numpy")
def frequency(c: Record, row: Record) -> float:
    """Return the contact's natural frequency along the line [rad/s]."""
    return math.sqrt((row.k + c.virtual_stiffness) * (row.inverse_mass + row.mobility))


@njit(cache=True, error_model="numpy")
def substeps_of(c: Record, row: Record) -> int:
    """Return into how many parts a cycle is cut."""
    if row.law != LINE:
        return 1
    return min(MOST_SUBSTEPS, max(1, math.ceil(frequency(c, row) * c.step / STRIDE)))


@njit(cache=True, error_model="numpy")
def fly_part(c: Record, row: Record, body: Body, tally: Tally, dt: float) -> tuple[Body, Tally]:
    """Return body and tally `dt` [s] later under what acts in a row's cycle."""
    omega = spin(body, c.inverse_inertia)
    force, torque = vector_at(row.known, 0), vector_at(row.known, 3)
    push, twist, way, pace = tally.push, tally.twist, tally.port_way, tally.port_rate
    if row.law == HELD:
        contact, moment = vector_at(row.held, 0), vector_at(row.held, 3)
        force, torque = along(force, 1.0, contact), along(torque, 1.0, moment)
        push, twist = along(push, dt, contact), along(twist, dt, moment)
    elif row.law == LINE:
        rate = closing(row, body, omega)
        depth = row.c + beyond_arm(row, body) + 0.5 * dt * rate - (way + 0.5 * dt * pace)
        g = line_force(c, row, depth, rate - pace, tally.anchor, dt)
        line, lever = vector_at(row.line, 0), vector_at(row.line, 3)
        force, torque = along(force, g, line), along(torque, g, lever)
        push, twist = along(push, dt * g, line), along(twist, dt * g, lever)
        way += dt * (pace + 0.5 * dt * row.mobility * g)
        pace += dt * row.mobility * g
    after = stepped(body, omega, force, torque, dt, c.mass, c.inverse_inertia)
    half_v = along(body.v, 1.0, after.v)
    work = tally.work + 0.5 * dt * dot(vector_at(row.known, 0), half_v)
    if row.known[3] != 0.0 or row.known[4] != 0.0 or row.known[5] != 0.0:
        both = along(omega, 1.0, spin(after, c.inverse_inertia))
        work += 0.5 * dt * dot(vector_at(row.known, 3), both)
    return after, Tally(push, twist, work, way, pace, tally.residual, tally.anchor)


@njit(cache=True, error_model="numpy")
def struck(c: Record, row: Record, body: Body, tally: Tally) -> tuple[Body, Tally]:
    """Return body and tally after what else strikes at a cycle's beginning; its work is granted."""
    before = kinetic_energy(body, c.mass, c.inverse_inertia)
    after = kicked(body, vector_at(row.other, 0), vector_at(row.other, 3), c.mass)
    work = tally.work + kinetic_energy(after, c.mass, c.inverse_inertia) - before
    return after, Tally(
        tally.push, tally.twist, work, tally.port_way, tally.port_rate, tally.residual, tally.anchor
    )


@njit(cache=True, error_model="numpy")
def residual_work(c: Record, row: Record, following: Record, last: bool, gone: float) -> float:
    """Return what the part of the force that the law does not explain created in a cycle [J].

    It acts at the body's pose and was felt at the arm's; `gone` is how much deeper the body went [m].
    """
    if row.law != LINE or (row.on == 0 and row.pulls == 0):
        return 0.0
    law = row.k * (row.c - row.mobility * row.second - row.zero)
    law += row.d * (row.rate - row.mobility * row.first)
    if row.pulls == 0:
        law = max(0.0, law)
    arm = row.rate * c.step if last else following.c - row.c
    return (row.force - law) * (arm - gone)


@njit(cache=True, error_model="numpy")
def fly_cycle(c: Record, ring: Records, n: int, last: int, body: Body, tally: Tally) -> tuple[Body, Tally]:
    """Return body and tally after cycle `n`, and write what the contact gave in it."""
    size = ring.shape[0]
    row = ring[n % size]
    if row.other[0] != 0.0 or row.other[1] != 0.0 or row.other[2] != 0.0 or (
        row.other[3] != 0.0 or row.other[4] != 0.0 or row.other[5] != 0.0
    ):  # fmt: skip
        body, tally = struck(c, row, body, tally)
    push, twist, before = tally.push, tally.twist, 0.0
    if row.law == LINE:
        before = beyond_arm(row, body)
        anchor = zero_force(c, row, tally.anchor)
        tally = Tally(
            push, twist, tally.work, tally.port_way, tally.port_rate, tally.residual, anchor
        )  # fmt: skip
    parts = substeps_of(c, row)
    for _ in range(parts):
        body, tally = fly_part(c, row, body, tally, c.step / parts)
    for i in range(3):
        row.impulse[i] = tally.push[i] - push[i]
        row.impulse[3 + i] = tally.twist[i] - twist[i]
    if row.law == LINE:
        gone = beyond_arm(row, body) - before
        residual = tally.residual + residual_work(c, row, ring[(n + 1) % size], n == last, gone)
        tally = Tally(
            tally.push, tally.twist, tally.work, tally.port_way, tally.port_rate, residual, tally.anchor
        )
    return body, tally


@njit(cache=True, error_model="numpy")
def mark_onset(c: Record, s: Record, body: Body) -> None:
    """Remember the body at the onset: what the contact gives is measured against it."""
    s.onset_energy = kinetic_energy(body, c.mass, c.inverse_inertia)
    omega = spin(body, c.inverse_inertia)
    put_vector(s.onset_twist, 0, body.v)
    put_vector(s.onset_twist, 3, omega)


@njit(cache=True, error_model="numpy")
def fly(c: Record, s: Record, ring: Records, first: int, last: int) -> tuple[Body, Tally]:
    """Fly the cycles `first` to `last` from the body that row `first` holds; write the rows behind."""
    size = ring.shape[0]
    body, tally = body_at(ring[first % size]), tally_at(ring[first % size])
    for n in range(first, last + 1):
        if s.open == 1 and n == s.onset:
            mark_onset(c, s, body)
            tally = nothing_yet(ring[n % size].zero)
            put_tally(ring[n % size].tally, tally)
        body, tally = fly_cycle(c, ring, n, last, body, tally)
        following = ring[(n + 1) % size]
        put_body(following, body)
        put_tally(following.tally, tally)
    return body, tally


@njit(cache=True, error_model="numpy")
def take_law(s: Record, row: Record) -> None:
    """Let the contact as it is known act in a row's cycle."""
    row.law = LINE
    row.k, row.d, row.zero, row.mobility, row.pulls = s.k, s.d, s.zero, s.mobility, s.pulls


@njit(cache=True, error_model="numpy")
def let_go(row: Record) -> None:
    """Let no contact act in a row's cycle."""
    row.law = FREE
    row.k, row.d, row.zero, row.mobility, row.pulls = 0.0, 0.0, 0.0, 0.0, 0
