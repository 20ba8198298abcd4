"""One cycle of a contact loop: measured pose and wrench in, body and command out; nothing is allocated."""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.force.bias import bias_afresh, bias_of, freeze_bias, restart_bias, settled, track_bias
from hil.force.body import Body, kinetic_energy, spin, world_times
from hil.force.contact_fit import take_sample
from hil.force.contact_law import beyond_arm, opposed, refuted, went_through
from hil.force.energy import capped, damped, is_driven, restitution, watch_port, worked
from hil.force.gate import BACK, QUIET, listen, opens
from hil.force.identification import forget_contact, identify, is_spring
from hil.force.lead import leads
from hil.force.line import begin_line, draw_line, follow_line, is_twist, magnitude
from hil.force.memory import KEPT, forget, note, remember
from hil.force.observer import correct, predict
from hil.force.reintegration import fly, let_go, mark_onset, take_law
from hil.force.rows import HELD, LINE, Record, Records
from hil.force.sticking import find_point, forget_point
from hil.force.tally import Tally, body_at, nothing_yet, put_body, put_tally
from hil.force.tuples import (
    along,
    conjugate,
    dot,
    put_quaternion,
    put_vector,
    quaternion_of,
    rotated,
    vector_at,
)


@njit(cache=True, error_model="numpy")
def begin(constants: Records, states: Records, ring: Records, p: Array, quat: Array, twist: Array) -> None:
    """Put the body where it is in the present cycle and forget all that was; the arm moves as it does."""
    c, s = constants[0], states[0]
    q = quaternion_of(quat)
    momentum = world_times(c.inertia, q, vector_at(twist, 3))
    body = Body(vector_at(p, 0), q, vector_at(twist, 0), momentum)
    s.n, s.revise, s.seen, s.open, s.above, s.quiet, s.lined, s.pulls, s.twisted = 0, 0, 0, 0, 0, 0, 0, 0, 0
    s.free_since, s.bias_count, s.ended, s.created, s.port_work, s.capped = 0, 0, 0, 0.0, 0.0, 0
    forget_contact(s)
    for i in range(6):
        s.v[i], s.a[i], s.bias[i], s.slope[i] = twist[i], 0.0, 0.0, 0.0
    restart_bias(c, s, p)
    for n in range(ring.shape[0]):
        row = ring[n]
        let_go(row)
        for i in range(6):
            row.command[i], row.other[i], row.known[i], row.impulse[i] = twist[i], 0.0, 0.0, 0.0
            row.raw[i], row.wrench[i], row.line[i] = 0.0, 0.0, 0.0
        row.usable, row.on = 0, 0
    put_body(ring[0], body)
    put_tally(ring[0].tally, nothing_yet(0.0, 0.0))


@njit(cache=True, error_model="numpy")
def forget_all(states: Records) -> None:
    """Forget every contact that was remembered."""
    forget(states[0])


@njit(cache=True, error_model="numpy")
def follow(constants: Records, states: Records, ring: Records, p: Array, quat: Array, twist: Array) -> None:
    """Put the body where it is at the beginning of the cycle to come, if nothing is open."""
    c, s = constants[0], states[0]
    if s.open == 1:
        return
    q = quaternion_of(quat)
    momentum = world_times(c.inertia, q, vector_at(twist, 3))
    put_body(ring[s.n % ring.shape[0]], Body(vector_at(p, 0), q, vector_at(twist, 0), momentum))


@njit(cache=True, error_model="numpy")
def object_impulses_into(out: Array, ring: Records, first: int) -> None:
    """Write what the contact gave in the cycles from `first` on, in the body's own axes then, (n, 6)."""
    for i in range(out.shape[0]):
        row = ring[(first + i) % ring.shape[0]]
        back = conjugate(quaternion_of(row.body_q))
        put_vector(out[i], 0, rotated(back, vector_at(row.impulse, 0)))
        put_vector(out[i], 3, rotated(back, vector_at(row.impulse, 3)))


@njit(cache=True, error_model="numpy")
def take_in(
    c: Record, s: Record, ring: Records, p: Array, quat: Array, wrench: Array, usable: bool, known: Array
) -> bool:
    """Write what was measured into row `s.n`; return whether it can be used at all."""
    n, size = s.n, ring.shape[0]
    row, before = ring[n % size], ring[(n - 1) % size]
    let_go(row)
    sound = usable
    for i in range(6):
        sound = sound and math.isfinite(wrench[i])
        row.command[i] = before.command[i]  # until it is said
        row.known[i] = known[i]
    for i in range(3):
        sound = sound and math.isfinite(p[i])
    for i in range(4):
        sound = sound and math.isfinite(quat[i])
    if n > 0:
        predict(c, s, ring)
    if sound:
        correct(c, s, p, quat)
    elif s.seen == 0:  # nothing is known of the arm but that it holds the body
        put_vector(s.x, 0, vector_at(row.body_p, 0))
        put_quaternion(s.q, quaternion_of(row.body_q))
    row.usable = 1 if sound else 0
    for i in range(6):
        row.twist[i] = s.v[i]
        row.raw[i] = wrench[i] if sound else before.raw[i]
    if sound:
        put_vector(row.p, 0, along(vector_at(p, 0), -c.skew, vector_at(s.v, 0)))
        put_quaternion(row.q, quaternion_of(quat))
    else:
        put_vector(row.p, 0, vector_at(s.x, 0))
        put_quaternion(row.q, quaternion_of(s.q))
    return sound


@njit(cache=True, error_model="numpy")
def take_wrench(c: Record, s: Record, ring: Records) -> None:
    """Take the bias from the wrench of row `s.n`; where nothing was read the last slope goes on."""
    n, size = s.n, ring.shape[0]
    row, before, earlier = ring[n % size], ring[(n - 1) % size], ring[(n - 2) % size]
    if s.open == 0:
        track_bias(c, s, ring)
    for i in range(6):
        if row.usable == 1:
            row.wrench[i] = row.raw[i] - bias_of(c, s, row, i)
        elif s.open == 1:
            row.wrench[i] = 2.0 * before.wrench[i] - earlier.wrench[i]
        else:
            row.wrench[i] = before.wrench[i]
        s.slope[i] = 0.5 * s.slope[i] + 0.5 * (row.wrench[i] - before.wrench[i]) / c.step
    for i in range(3):  # the arm gives way, so the mock-up is where the force has pushed it
        row.p[i] += c.arm_compliance * row.wrench[i]


@njit(cache=True, error_model="numpy")
def open_contact(c: Record, s: Record, ring: Records) -> None:
    """Begin a contact some cycles ago."""
    n, size = s.n, ring.shape[0]
    forget_contact(s)
    forget_point(s)
    s.open, s.quiet, s.lined, s.created, s.port_work, s.doubt = 1, 0, 0, 0.0, 0.0, 0.0
    s.drift_work = s.behind = 0.0
    s.pulls = c.latched
    s.candidate[KEPT] = 0.0
    s.start = max(0, n - BACK, s.free_since)
    s.onset = s.start
    s.revise = min(s.revise, s.start)  # its energy counts from there
    freeze_bias(s, ring[n % size])
    begin_line(c, s, ring, n)
    mark_onset(c, s, body_at(ring[s.start % size]))
    s.driven = 1 if is_driven(s, ring[n % size]) else 0
    for i in range(s.start, n + 1):
        row = ring[i % size]
        put_tally(row.tally, nothing_yet(0.0, 0.0))
        if row.on == 1:
            take_sample(c, s, row)


@njit(cache=True, error_model="numpy")
def follow_contact(c: Record, s: Record, ring: Records) -> None:
    """Carry an open contact on by row `s.n`."""
    n, size = s.n, ring.shape[0]
    row = ring[n % size]
    draw_line(c, s, ring, n)
    follow_line(c, s, ring, n)
    if row.on == 1:
        take_sample(c, s, row)
        find_point(c, s, row)
    listen(c, s, row)
    if n - s.start > c.window:
        s.start = n - c.window


@njit(cache=True, error_model="numpy")
def hold(c: Record, s: Record, row: Record) -> None:
    """Let the measured wrench act in a row's cycle, ahead by its own slope where the scheme wants that."""
    row.law = HELD
    for i in range(6):
        row.held[i] = row.wrench[i] + (c.phase_lead * s.slope[i] if c.phase_led == 1 else 0.0)
    if c.phase_led == 1 and dot(vector_at(row.held, 0), vector_at(row.wrench, 0)) < 0.0:
        for i in range(6):
            row.held[i] = 0.0


@njit(cache=True, error_model="numpy")
def rule(c: Record, s: Record, ring: Records) -> int:
    """Say what acts on the body in cycle `s.n`, and in those before it; return the first to be flown."""
    n, size = s.n, ring.shape[0]
    row, before = ring[n % size], ring[(n - 1) % size]
    first = min(n, s.revise)
    if s.open == 0:
        return first
    pulled, stuck = s.pulls, before.sticks
    moved = False
    if c.modelled == 1 and row.on == 1:
        moved = identify(c, s, ring, row)
        if s.driven == 1 and not worked(s) and is_spring(c, s):
            s.driven, moved = 0, True  # it was touched too slowly to tell
        if moved and c.remembers == 1:
            note(s, row)
    if c.modelled == 0 or s.known == 0 or s.driven == 1:  # a hand is no spring
        hold(c, s, row)
        return first
    if c.reintegrated == 1 and (moved or before.pulls != pulled or stuck != s.sticks):
        for i in range(s.start, n):
            take_law(c, s, ring[i % size], ring[(i - 1) % size])
        first = min(first, s.start)
    take_law(c, s, row, before)
    return first


@njit(cache=True, error_model="numpy")
def close_contact(c: Record, s: Record, ring: Records, body: Body, tally: Tally) -> None:
    """End the contact if it is over: nothing felt for a while, and the body out of it as well."""
    if s.quiet < QUIET or c.latched == 1 or (s.pulls == 1 and s.quiet < c.window):
        return
    row = ring[s.n % ring.shape[0]]
    inside = row.law == LINE and s.pulls == 0 and s.penetration > 0.0
    if inside and not opposed(c, row) and not (refuted(c, row) and went_through(s, row)):
        return
    s.restitution = restitution(c, s, body, tally)
    remember(s)
    s.open, s.lined, s.above, s.pulls, s.ended = 0, 0, 0, 0, 1
    s.free_since = s.n + 1
    bias_afresh(c, s, ring)


@njit(cache=True, error_model="numpy")
def advance(
    constants: Records, states: Records, ring: Records, p: Array, quat: Array, wrench: Array, usable: bool,
    known: Array,
) -> None:  # fmt: skip
    """Advance by one cycle; the answer stands in the state.

    `constants` and `states` are of one record each.
    """
    c, s = constants[0], states[0]
    n, size = s.n, ring.shape[0]
    row, following = ring[n % size], ring[(n + 1) % size]
    take_in(c, s, ring, p, quat, wrench, usable, known)
    take_wrench(c, s, ring)
    s.ended, s.capped, s.restitution = 0, 0, np.nan
    if s.open == 1:
        follow_contact(c, s, ring)
    elif row.usable == 1 and settled(c, s):
        s.twisted = 1 if is_twist(c, row.wrench) else 0
        if opens(c, s, magnitude(c, s, row.wrench)):
            open_contact(c, s, ring)
    first = rule(c, s, ring)
    body, tally = fly(c, s, ring, first, n)
    if s.open == 1:
        watch_port(c, s, row, ring[(n - 1) % size])
        if c.damped == 1:
            body, tally = damped(c, s, row, body_at(row), body, tally)
        if c.energy_cap == 1:
            body, tally = capped(c, s, row, body, tally)
        put_body(following, body)
        put_tally(following.tally, tally)
        s.energy = kinetic_energy(body, c.mass, c.inverse_inertia) - s.onset_energy - tally.work
        s.residual_energy = tally.residual
        s.penetration = 0.0
        if row.law == LINE:
            s.penetration = row.c + beyond_arm(row, body) - tally.port_way - tally.anchor
    leads(c, s, row, ring[(n + 2) % size], body, tally)
    if s.open == 1:
        close_contact(c, s, ring, body, tally)
    for i in range(6):
        following.other[i] = 0.0
    s.revision = first
    s.n = n + 1
    s.revise = n + 1
    put_vector(s.next_p, 0, body.p)
    put_quaternion(s.next_q, body.q)
    put_vector(s.next_twist, 0, body.v)
    put_vector(s.next_twist, 3, spin(body, c.inverse_inertia))


@njit(cache=True, error_model="numpy")
def strike(constants: Records, states: Records, ring: Records, cycle: int, impulse: Array) -> None:
    """Add an impulse at the beginning of a cycle; what lies too far back acts as early as is remembered."""
    c, s = constants[0], states[0]
    at = min(s.n, max(cycle, s.n - c.window, 0))
    row = ring[at % ring.shape[0]]
    for i in range(6):
        row.other[i] += impulse[i]
    s.revise = min(s.revise, at)


@njit(cache=True, error_model="numpy")
def told_command(states: Records, ring: Records, twist: Array) -> None:
    """Remember the twist that was commanded in the cycle that was just advanced."""
    row = ring[(states[0].n - 1) % ring.shape[0]]
    for i in range(6):
        row.command[i] = twist[i]
