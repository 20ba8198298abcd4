"""The body's flight over cycles, once or anew from a contact's onset, under what acts in each of them."""

import math

from numba import njit

from hil.force.body import Body, kicked, kinetic_energy, spin, world_times
from hil.force.contact_law import beyond_arm, closing, law_at_arm, line_force, zero_force
from hil.force.hybrid import virtual_part
from hil.force.rows import FREE, HELD, LINE, Record, Records
from hil.force.sticking import across
from hil.force.tally import Tally, body_at, nothing_yet, put_body, put_tally, tally_at
from hil.force.tuples import ORIGIN, along, dot, minus, put_vector, turned, vector_at

SMOOTHED = 1.0  # [s] over which what the law leaves is smoothed: long, for what comes late damps or drives
SURE = 3.0  # deviations from which a contact that holds is damped
STRIDE = 0.05  # of w dt in a part of a step
MOST_PARTS = 40


@njit(cache=True, error_model="numpy")
def frequency(c: Record, row: Record) -> float:
    """Return the contact's natural frequency along the line [rad/s]."""
    return math.sqrt((row.k + virtual_part(c, row)[0]) * (row.inverse_mass + row.mobility))


@njit(cache=True, error_model="numpy")
def parts_of(c: Record, row: Record, dt: float, stride: float) -> int:
    """Return into how many parts a step of `dt` [s] is cut, each at most `stride` of w dt long."""
    if row.law != LINE:
        return 1
    return min(MOST_PARTS, max(1, math.ceil(frequency(c, row) * dt / stride)))


@njit(cache=True, error_model="numpy")
def along_line(
    c: Record, row: Record, depth: float, rate: float, bent: float, tally: Tally, dt: float, parts: int
) -> tuple[float, float, float, float]:
    """Fly a step along the line alone, by the midpoint rule, since the line is frozen in it.

    Args:
        c: constants.
        row: of the cycle.
        depth: the body's c at the beginning [m].
        rate: its rate [m/s].
        bent: what else changes the rate [m/s2].
        tally: holds the port's way and speed.
        dt: the step [s].
        parts: into which it is cut.

    Returns:
        Integral of the force [N s], its integral [N s2], and the port's way and speed at the end.
    """
    way, pace, first, second, h = tally.port_way, tally.port_rate, 0.0, 0.0, dt / parts
    for i in range(parts):
        middle = depth + 0.5 * h * rate - way - 0.5 * h * pace
        g = line_force(c, row, middle, rate - pace, tally.anchor, h)
        first += h * g
        second += h * g * (dt - (i + 0.5) * h)
        turn = bent - row.inverse_mass * g
        depth += h * (rate + 0.5 * h * turn)
        rate += h * turn
        way += h * (pace + 0.5 * h * row.mobility * g)
        pace += h * row.mobility * g
    return first, second, way, pace


@njit(cache=True, error_model="numpy")
def fly_part(c: Record, row: Record, body: Body, tally: Tally, dt: float, parts: int) -> tuple[Body, Tally]:
    """Return body and tally `dt` [s] later under what acts in a row's cycle.

    Momenta and position are exact for the force's integrals; the attitude goes by the midpoint rule.
    """
    omega = spin(body, c.inverse_inertia)
    middle = turned(body.q, (0.5 * dt * omega[0], 0.5 * dt * omega[1], 0.5 * dt * omega[2]))
    force, torque = vector_at(row.known, 0), vector_at(row.known, 3)
    line, lever = vector_at(row.line, 0), vector_at(row.line, 3)
    first, second, way, pace = 0.0, 0.0, tally.port_way, tally.port_rate
    if row.law == HELD:
        line, lever = vector_at(row.held, 0), vector_at(row.held, 3)
        first, second = dt, 0.5 * dt * dt
    elif row.law == LINE:
        omega = world_times(c.inverse_inertia, middle, body.L)
        bent = -dot(line, force) / c.mass - dot(lever, world_times(c.inverse_inertia, middle, torque))
        depth, rate = row.c + beyond_arm(row, body), closing(row, body, omega)
        first, second, way, pace = along_line(c, row, depth, rate, bent, tally, dt, parts)
    if row.law == LINE and row.sticks == 1:
        sideways, moment = across(row, body, middle, omega, dt)
    else:
        sideways, moment = ORIGIN, ORIGIN
    outer, turning = along(force, 1.0, sideways), along(torque, 1.0, moment)
    v = along(along(body.v, first / c.mass, line), dt / c.mass, outer)
    way_on = along(along(body.p, dt, body.v), second / c.mass, line)
    p = along(way_on, 0.5 * dt * dt / c.mass, outer)
    L = along(along(body.L, first, lever), dt, turning)
    mean = along(along(body.L, second / dt, lever), 0.5 * dt, turning)
    omega = world_times(c.inverse_inertia, middle, mean)
    q = turned(body.q, (dt * omega[0], dt * omega[1], dt * omega[2]))
    work = tally.work + dot(force, minus(p, body.p)) + dt * dot(torque, omega)
    push = along(along(tally.push, first, line), dt, sideways)
    twist = along(along(tally.twist, first, lever), dt, moment)
    return Body(p, q, v, L), Tally(push, twist, work, way, pace, tally.residual, tally.anchor)


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
    if row.law != LINE or row.over == 1 or (row.on == 0 and row.pulls == 0):
        return 0.0
    law = law_at_arm(row)
    if row.pulls == 0:
        law = max(0.0, law)
    arm = row.rate * c.step if last else following.c - row.c
    return (row.carried - law) * (arm - gone)


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
    body, tally = fly_part(c, row, body, tally, c.step, parts_of(c, row, c.step, STRIDE))
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
            tally = nothing_yet(ring[n % size].zero, ring[n % size].drift)
            put_tally(ring[n % size].tally, tally)
        body, tally = fly_cycle(c, ring, n, last, body, tally)
        following = ring[(n + 1) % size]
        put_body(following, body)
        put_tally(following.tally, tally)
    return body, tally


@njit(cache=True, error_model="numpy")
def take_law(c: Record, s: Record, row: Record, before: Record) -> None:
    """Let the contact as it is known act in a row's cycle.

    What is measured is carried to the body whole, but for a contact that holds: there noise shakes an
    oscillator for as long as it lasts, and a damping that is none takes from it. What the law leaves is
    carried as far as it is more than noise, and smoothed for the rest.
    """
    row.law = LINE
    row.k, row.d, row.zero, row.mobility, row.pulls = s.k, s.d, s.zero, s.mobility, s.pulls
    row.drift, row.sticks = s.drift, s.sticks
    put_vector(row.point, 0, vector_at(s.point, 0))
    row.carried, row.left = row.force, 0.0
    if s.pulls == 0:
        return
    if s.weight >= c.window and s.d < SURE * s.d_sd:
        row.d = 0.0
    left = row.force - law_at_arm(row)
    row.left = before.left + min(1.0, c.step / SMOOTHED) * (left - before.left)
    noise = c.force_noise**2 + (s.k * c.position_noise) ** 2
    unexplained = max(0.0, s.misfit**2 - c.force_noise**2)
    row.carried -= noise / (noise + unexplained) * (left - row.left)


@njit(cache=True, error_model="numpy")
def let_go(row: Record) -> None:
    """Let no contact act in a row's cycle."""
    row.law = FREE
    row.k, row.d, row.zero, row.mobility, row.pulls, row.left = 0.0, 0.0, 0.0, 0.0, 0, 0.0
    row.drift, row.sticks, row.over = 0.0, 0, 0
