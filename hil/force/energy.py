"""Energy: the cap as the last line of every scheme, and damping that takes out what the delay created."""

import math

from numba import njit

from hil.force.body import Body, kinetic_energy, spin, world_times
from hil.force.drift import given_by_drift
from hil.force.rows import Record
from hil.force.tally import Tally
from hil.force.tuples import Vector, along, dot, minus, vector_at

GRANTED = 1.005  # of the energy at the onset
UNSEEN = 0.2  # of the work that was seen, at most: a share, so that an oscillation does not feed itself
SHORT = 0.15  # [s] from the onset on, in which a hand may give more than is seen: what lasts is seen
SLOW = 1e-3  # [m/s] of a touch at rest, as far as can be told
GRAZING = 0.1  # share of the speed that goes against the force when the body only slides past


@njit(cache=True, error_model="numpy")
def momentum_kept(c: Record, body: Body, push: Vector, twist: Vector, limit: float) -> float:
    """Return by which share of a contact's impulse the body's energy stays within `limit` [J].

    The root of the quadratic `E(v_0 + x dv, L_0 + x dL) = limit` keeps direction and lever. 1 where nothing
    is to be cut; where no share is small enough, the one of least energy.
    """
    angular = world_times(c.inverse_inertia, body.q, twist)
    base_v = along(body.v, -1.0 / c.mass, push)
    base_L = minus(body.L, twist)
    square = 0.5 * dot(push, push) / c.mass + 0.5 * dot(twist, angular)
    linear = dot(base_v, push) + dot(base_L, angular)
    rest = 0.5 * c.mass * dot(base_v, base_v)
    rest += 0.5 * dot(base_L, world_times(c.inverse_inertia, body.q, base_L))
    # while the contact still takes energy, less of it would not help
    if square <= 0.0 or square + linear + rest <= limit or 2.0 * square + linear <= 0.0:
        return 1.0
    under = linear * linear - 4.0 * square * (rest - limit)
    share = (-linear + math.sqrt(max(0.0, under))) / (2.0 * square)
    return min(1.0, max(0.0, share))


@njit(cache=True, error_model="numpy")
def capped(c: Record, s: Record, row: Record, body: Body, tally: Tally) -> tuple[Body, Tally]:
    """Return body and tally with no more energy than the onset's, the work of others and of the port."""
    limit = GRANTED * s.onset_energy + tally.work + given_by_drift(s, row.line, tally.push)
    if c.passive == 0:
        limit += max(0.0, s.port_work)
    elif s.driven == 1:
        limit += granted_to_drive(c, s, row)
    share = momentum_kept(c, body, tally.push, tally.twist, max(0.0, limit))
    s.capped = 1 if share < 1.0 else 0
    if share == 1.0:
        return body, tally
    return relieved(c, row, body, tally, share - 1.0, tally.push, tally.twist)


@njit(cache=True, error_model="numpy")
def is_driven(s: Record, row: Record) -> bool:
    """Return whether a touch comes from a drive: a port at rest can only be run into, against its force."""
    force, rate, speed = 0.0, 0.0, 0.0
    for i in range(6):
        rate += row.wrench[i] * s.onset_twist[i]
    for i in range(3):
        force += row.wrench[i] ** 2
        speed += s.onset_twist[i] ** 2
    return rate >= -math.sqrt(force) * max(SLOW, GRAZING * math.sqrt(speed))


@njit(cache=True, error_model="numpy")
def watch_port(c: Record, s: Record, row: Record, before: Record) -> None:
    """Book what the port did in a cycle; where it has surely given more than it took, it has a drive.

    The sum over cycles errs by at most the variation of force and speed within them.
    """
    s.arm_work = arm_work(c, row)
    s.port_work += s.arm_work
    for i in range(6):
        changed, turned = row.wrench[i] - before.wrench[i], row.twist[i] - before.twist[i]
        s.doubt += c.step * (abs(changed * row.twist[i]) + abs(row.wrench[i] * turned))
    s.drift_work = -min(0.0, s.drift * row.first)
    if s.driven == 1 and (s.n - s.onset) * c.step < SHORT:
        force = vector_at(row.wrench, 0)
        s.behind += (c.phase_lead + c.step) * mobility_of(c, row) * dot(force, force) * c.step
    if worked(s):
        s.driven = 1


@njit(cache=True, error_model="numpy")
def worked(s: Record) -> bool:
    """Return whether the port has surely given more than it took."""
    return bool(s.port_work - s.drift_work > s.doubt + (GRANTED - 1.0) * s.onset_energy)


@njit(cache=True, error_model="numpy")
def granted_to_drive(c: Record, s: Record, row: Record) -> float:
    """Return what a drive may have given the body at most [J].

    The arm comes after the body by the delay T: what the force does meanwhile on the body alone is
    `int f (v(t) - v(t - T)) dt <= T int f2 / m dt`, which a short push is given, and of a long one a share.
    """
    late = c.phase_lead + c.step
    force = s.most
    for i in range(3):
        force = max(force, abs(row.wrench[i]))
    seen = max(0.0, s.port_work)
    unseen = max(s.behind, min(UNSEEN * seen, late / c.step * s.doubt))
    return seen + unseen + 0.5 * mobility_of(c, row) * (late * force) ** 2


@njit(cache=True, error_model="numpy")
def mobility_of(c: Record, row: Record) -> float:
    """Return how much a force moves the body, at most [1/kg]."""
    return float(max(1.0 / c.mass, row.inverse_mass))


@njit(cache=True, error_model="numpy")
def relieved(
    c: Record, row: Record, body: Body, tally: Tally, share: float, push: Vector, twist: Vector
) -> tuple[Body, Tally]:
    """Return body and tally with a share of an impulse more, booked with the last cycle's."""
    for i in range(3):
        row.impulse[i] += share * push[i]
        row.impulse[3 + i] += share * twist[i]
    after = Body(body.p, body.q, along(body.v, share / c.mass, push), along(body.L, share, twist))
    return after, Tally(
        along(tally.push, share, push),
        along(tally.twist, share, twist),
        tally.work,
        tally.port_way,
        tally.port_rate,
        tally.residual,
        tally.anchor,
    )


@njit(cache=True, error_model="numpy")
def damped(c: Record, s: Record, row: Record, before: Body, body: Body, tally: Tally) -> tuple[Body, Tally]:
    """Return body and tally damped by what the delay has created so far (variable damping, passivity).

    The work on the body less that on the arm is what was created. As much is taken from the momenta, at most
    half a cycle's of critical damping (after De Stefano, on-orbit contact by hardware in the loop).
    """
    work = kinetic_energy(body, c.mass, c.inverse_inertia) - kinetic_energy(before, c.mass, c.inverse_inertia)
    for i in range(3):
        work -= row.known[i] * before.v[i] * c.step
    s.created += work - s.arm_work
    kinetic = kinetic_energy(body, c.mass, c.inverse_inertia)
    if s.created <= 0.0 or kinetic <= 1e-12:
        return body, tally
    share = min(0.5 * s.created / kinetic, 0.5)
    s.created -= kinetic * (1.0 - (1.0 - share) ** 2)
    momentum = (c.mass * body.v[0], c.mass * body.v[1], c.mass * body.v[2])
    return relieved(c, row, body, tally, -share, momentum, body.L)


@njit(cache=True, error_model="numpy")
def arm_work(c: Record, row: Record) -> float:
    """Return what the measured wrench does on the arm in a cycle [J]."""
    work = 0.0
    for i in range(6):
        work += row.wrench[i] * row.twist[i]
    return work * c.step


@njit(cache=True, error_model="numpy")
def restitution(c: Record, s: Record, body: Body, tally: Tally) -> float:
    """Return speed after over speed before along the contact's whole impulse; nan without one."""
    omega = spin(body, c.inverse_inertia)
    after = dot(tally.push, body.v) + dot(tally.twist, omega)
    before = 0.0
    for i in range(3):
        before += tally.push[i] * s.onset_twist[i] + tally.twist[i] * s.onset_twist[3 + i]
    return -after / before if before < 0.0 else math.nan
