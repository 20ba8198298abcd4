"""Contacts remembered by place and line: the lead sees them at the next meeting, before a force is felt.

What is remembered touches the command alone. The body still goes by what is measured and identified, so
that a memory that is wrong costs force, not truth. It is a material point of the mock-up on the line of
force, the line's direction in the world, the coordinate along it at which the point touches, stiffness and
damping. It is forgotten where the arm is in the contact and feels nothing, and not used where something is
felt elsewhere.
"""

import math

from numba import njit

from hil.common.arrays import Array
from hil.force.body import Body
from hil.force.rows import LINE, MEMORIES, MEMORY, Record
from hil.force.tuples import (
    Quaternion,
    Vector,
    along,
    conjugate,
    cross,
    dot,
    minus,
    put_quaternion,
    put_vector,
    quaternion_of,
    rotated,
    vector_at,
)

POINT, NORMAL, PLACE, TOUCH, STIFFNESS, DAMPING, KEPT = 0, 3, 6, 9, 10, 11, 12  # numbers of a memory
ALIKE = 0.98  # cosine of two lines of one touch
NEAR = 0.01  # [m] between two lines of one touch, in the mock-up
REACH = 0.05  # [m] across the line within which a place is the same
STRONG = 5.0  # times the gate that a contact should give before its absence tells
FIRM = 0.1  # share of the stiffness that may be unsure in what is remembered ...
SURE = 0.03  # ... and from which on the fit leads, and no memory


@njit(cache=True, error_model="numpy")
def forget(s: Record) -> None:
    """Forget every contact."""
    for i in range(MEMORIES):
        s.memories[i, KEPT] = 0.0
    s.candidate[KEPT], s.foreseen, s.memory_turn = 0.0, -1, 0


@njit(cache=True, error_model="numpy")
def note(s: Record, row: Record) -> None:
    """Note the contact as it is known at a row; it is remembered when it ends. A port that moves is not."""
    m = s.candidate
    normal, moment = vector_at(row.line, 0), vector_at(row.line, 3)
    stands = s.mobility == 0.0 and s.drift == 0.0 and s.pulls == 0 and s.driven == 0
    m[KEPT] = 0.0
    if not stands or dot(normal, normal) < 0.5 or s.k_sd > FIRM * s.k or row.on == 0:
        return
    arm = cross(normal, moment)  # from the centre of mass to the line
    place = along(vector_at(row.p, 0), 1.0, arm)
    put_vector(m, POINT, rotated(conjugate(quaternion_of(row.q)), arm))
    put_vector(m, NORMAL, normal)
    put_vector(m, PLACE, place)
    m[TOUCH] = dot(normal, place) + row.c - s.zero
    m[STIFFNESS], m[DAMPING], m[KEPT] = s.k, s.d, 1.0


@njit(cache=True, error_model="numpy")
def remember(s: Record) -> None:
    """Keep the contact that has ended, in place of one of the same line if there is one."""
    new = s.candidate
    if new[KEPT] == 0.0:
        return
    slot = -1
    for i in range(MEMORIES):
        if s.memories[i, KEPT] == 1.0 and same_touch(s.memories[i], new):
            slot = i
    if slot < 0:
        slot = s.memory_turn
        s.memory_turn = (slot + 1) % MEMORIES
    for i in range(MEMORY):
        s.memories[slot, i] = new[i]
    new[KEPT] = 0.0


@njit(cache=True, error_model="numpy")
def same_touch(m: Array, other: Array) -> bool:
    """Return whether two memories are of one touch: line in the world, point in the mock-up, place."""
    apart = minus(vector_at(m, POINT), vector_at(other, POINT))
    turned = dot(vector_at(m, NORMAL), vector_at(other, NORMAL))
    return bool(turned > ALIKE and dot(apart, apart) < NEAR * NEAR and within(m, vector_at(other, PLACE)))


@njit(cache=True, error_model="numpy")
def within(m: Array, place: Vector) -> bool:
    """Return whether a place is the memory's, whatever its coordinate along the line."""
    apart, normal = minus(place, vector_at(m, PLACE)), vector_at(m, NORMAL)
    across = along(apart, -dot(apart, normal), normal)
    return bool(dot(across, across) < REACH * REACH)


@njit(cache=True, error_model="numpy")
def depth_at(m: Array, p: Vector, q: Quaternion) -> float:
    """Return how deep in a remembered contact a pose is [m]; below 0 it is out."""
    touch: float = m[TOUCH]
    return touch - dot(vector_at(m, NORMAL), along(p, 1.0, rotated(q, vector_at(m, POINT))))


@njit(cache=True, error_model="numpy")
def tolerance(c: Record, m: Array, rate: float) -> float:
    """Return by how much a touch may lie off its memory [m]."""
    return 5.0 * c.position_noise + 2.0 * abs(rate) * c.step + 2.0 * c.gate / m[STIFFNESS]


@njit(cache=True, error_model="numpy")
def foresee(c: Record, s: Record, row: Record, body: Body, omega: Vector) -> int:
    """Return which remembered contact the lead must reckon with, -1 for none; forget what is wrong.

    One that the body meets within the lead; in an open contact one whose touch lies where the force began,
    as long as the fit is not sure.
    """
    found, soonest = -1, math.inf
    if s.open == 1 and (s.driven == 1 or (s.known == 1 and s.k_sd < SURE * s.k)):
        return found
    for i in range(MEMORIES):
        m = s.memories[i]
        if m[KEPT] == 0.0:
            continue
        arm = rotated(body.q, vector_at(m, POINT))
        if not within(m, along(body.p, 1.0, arm)):
            continue
        normal = vector_at(m, NORMAL)
        rate = -dot(normal, body.v) - dot(cross(arm, normal), omega)
        depth = depth_at(m, vector_at(row.p, 0), quaternion_of(row.q))
        if s.open == 1:
            if abs(depth - row.c) > tolerance(c, m, s.touch_rate):
                continue
        elif not_there(c, row, m, depth, rate):
            m[KEPT] = 0.0
            continue
        ahead = -depth_at(m, body.p, body.q)
        if ahead < soonest and (s.open == 1 or ahead < rate * c.lead):
            found, soonest = i, ahead
    return found


@njit(cache=True, error_model="numpy")
def not_there(c: Record, row: Record, m: Array, depth: float, rate: float) -> bool:
    """Return whether the arm is where a remembered contact should be felt, and feels nothing."""
    if row.usable == 0 or m[STIFFNESS] * depth < STRONG * c.gate or depth < tolerance(c, m, rate):
        return False
    return bool(dot(vector_at(row.wrench, 0), vector_at(row.wrench, 0)) < c.gate * c.gate)


@njit(cache=True, error_model="numpy")
def as_row(s: Record, row: Record, into: Record, which: int) -> None:
    """Write a remembered contact as the law of a row that belongs to no cycle, for the lead."""
    m = s.memories[which]
    q, normal = quaternion_of(row.q), vector_at(m, NORMAL)
    put_vector(into.p, 0, vector_at(row.p, 0))
    put_quaternion(into.q, q)
    put_vector(into.line, 0, normal)
    put_vector(into.line, 3, cross(rotated(q, vector_at(m, POINT)), normal))
    into.usable, into.law, into.pulls, into.k, into.d = 0, LINE, 0, m[STIFFNESS], m[DAMPING]
    into.zero, into.mobility, into.drift, into.sticks = 0.0, 0.0, 0.0, 0
    into.c, into.on = depth_at(m, vector_at(row.p, 0), q), 0
    into.inverse_mass = row.inverse_mass
    for i in range(6):
        into.known[i] = row.known[i]
