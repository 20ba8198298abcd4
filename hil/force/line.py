"""The line of force: one wrench gives direction and lever at once, so no geometry need be known.

A torque that no lever explains, as of a twist lock, has no line of force. There the line is that of the whole
wrench, torques counted as forces at an arm: the same law in a screw's angle instead of a depth.

`W` is the wrench of a unit force along the line. Compression is what the arm goes against it,
`dc = -W . (dp, rotation)`, its rate `-W . V`, and `1/M = W' M6^-1 W` the body's mass along it.
"""

import math

from numba import njit

from hil.common.arrays import Array
from hil.force.body import world_times
from hil.force.gate import QUIET, out_of_reach
from hil.force.rows import Record, Records
from hil.force.tuples import (
    dot,
    minus,
    put_vector,
    quaternion_of,
    rotation_between,
    vector_at,
)

OPPOSED = -0.5  # cosine from which a force counts as turned round
LONGEST_LEVER = 0.5  # [m] from the centre of mass to a line of force: beyond it a torque is one
SAME = 0.9  # cosine of lines up to which a force after a gap is of the same touch
LATCHED_FORCE = 3.0  # times the gate that a pulling force must reach to be one ...
LATCHED_SHARE = 0.2  # ... and of the greatest force so far


@njit(cache=True, error_model="numpy")
def magnitude(c: Record, s: Record, wrench: Array) -> float:
    """Return the length of a wrench's force [N]; of a twist, where torques count as forces at an arm."""
    return math.sqrt(shared(c, s, wrench, wrench))


@njit(cache=True, error_model="numpy")
def shared(c: Record, s: Record, one: Array, other: Array) -> float:
    """Return the product of two wrenches' forces [N2]; of a twist that of their torques as well."""
    product = dot(vector_at(one, 0), vector_at(other, 0))
    if s.twisted == 1:
        product += dot(vector_at(one, 3), vector_at(other, 3)) / (c.twist_arm * c.twist_arm)
    return product


@njit(cache=True, error_model="numpy")
def is_twist(c: Record, wrench: Array) -> bool:
    """Return whether a wrench is a torque that no lever explains: such a one has no line of force."""
    if c.twist_arm == 0.0:
        return False
    force, torque = vector_at(wrench, 0), vector_at(wrench, 3)
    return bool(dot(torque, torque) > LONGEST_LEVER * LONGEST_LEVER * dot(force, force))


@njit(cache=True, error_model="numpy")
def draw_line(c: Record, s: Record, ring: Records, n: int) -> None:
    """Write row `n`'s line, force, compression, its rate and the integrals of the force.

    Within the gate the line is that of the cycle before. A force that turns round without ever having let
    go is that of a contact that holds: the line keeps its sense and the force becomes negative.
    """
    size = ring.shape[0]
    row, before = ring[n % size], ring[(n - 1) % size]
    size_of = magnitude(c, s, row.wrench)
    row.on = 1 if row.usable == 1 and size_of > c.gate else 0
    sense = 1.0
    if s.lined == 1:
        cosine = 0.0
        if size_of > 0.0:
            cosine = shared(c, s, row.wrench, before.line) / size_of
        # it has come round all at once, or little by little
        about = dot(vector_at(row.wrench, 0), vector_at(s.touch_line, 0)) < OPPOSED * size_of
        if s.plain == 0 and s.pulls == 0 and row.on == 1 and (cosine < OPPOSED or about):
            strong = size_of > max(LATCHED_FORCE * c.gate, LATCHED_SHARE * s.most)
            if strong and c.detect_latch == 1 and s.known == 1 and s.quiet < QUIET:
                s.pulls = 1
            elif not strong:  # what pulls a little where it pushed is bias
                row.on = 0
        if s.pulls == 1 and cosine < 0.0:
            sense = -1.0
    if row.on == 1:
        for i in range(6):
            row.line[i] = sense * row.wrench[i] / size_of
        row.force = sense * size_of
    else:
        for i in range(6):
            row.line[i] = before.line[i]
        row.force = shared(c, s, row.wrench, row.line)
    moment = vector_at(row.line, 3)
    row.inverse_mass = (
        dot(vector_at(row.line, 0), vector_at(row.line, 0)) / c.mass
        + dot(moment, world_times(c.inverse_inertia, quaternion_of(row.q), moment))
    )  # fmt: skip
    row.rate = -dot(vector_at(row.line, 0), vector_at(row.twist, 0)) - dot(moment, vector_at(row.twist, 3))


@njit(cache=True, error_model="numpy")
def turned_line(c: Record, row: Record, before: Record) -> bool:
    """Return whether two rows' lines are of different touches: their cosine in the body's own metric."""
    moved = world_times(c.inverse_inertia, quaternion_of(row.q), vector_at(before.line, 3))
    shared = dot(vector_at(row.line, 0), vector_at(before.line, 0)) / c.mass
    shared += dot(vector_at(row.line, 3), moved)
    return bool(shared < SAME * math.sqrt(row.inverse_mass * before.inverse_mass))


@njit(cache=True, error_model="numpy")
def follow_line(c: Record, s: Record, ring: Records, n: int) -> None:
    """Carry compression and integrals of the force on from the row before."""
    size = ring.shape[0]
    row, before = ring[n % size], ring[(n - 1) % size]
    dp = minus(vector_at(row.p, 0), vector_at(before.p, 0))
    dr = rotation_between(quaternion_of(row.q), quaternion_of(before.q))
    row.c = before.c
    for i in range(3):
        row.c -= 0.5 * (row.line[i] + before.line[i]) * dp[i]
        row.c -= 0.5 * (row.line[3 + i] + before.line[3 + i]) * dr[i]
    f, g, h = row.force, before.force, c.step
    row.since = before.since + h
    if s.known == 1 and row.on == 1 and before.on == 0 and turned_line(c, row, before):
        # another foot, or another face: it begins at its own touch
        row.c = s.zero + s.mobility * before.second + s.drift * row.since + 0.5 * h * row.rate
    if row.usable == 0 and s.known == 1:  # what the contact must have done where nothing was read
        f = s.k * (row.c - s.mobility * before.second - s.drift * row.since - s.zero)
        f += s.d * (row.rate - s.mobility * before.first - s.drift)
        if s.pulls == 0:
            f = max(0.0, f)
        row.force = f
    row.first = before.first + 0.5 * h * (f + g)
    row.second = before.second + h * before.first + h * h * (f + 2.0 * g) / 6.0
    if row.on == 1 and out_of_reach(c, s, row):
        row.on = 0


@njit(cache=True, error_model="numpy")
def begin_line(c: Record, s: Record, ring: Records, n: int) -> None:
    """Draw the line of all rows of a contact that has opened in cycle `n`, from `s.start` on.

    The touch lies half a step before the first sample above the gate, on average: there is c's zero.
    """
    size = ring.shape[0]
    first = n
    for i in range(n, s.start - 1, -1):
        row = ring[i % size]
        if row.usable == 1 and magnitude(c, s, row.wrench) > c.gate:
            first = i
    draw_line(c, s, ring, first)
    for i in range(s.start, n + 1):
        row = ring[i % size]
        if i < first:
            for j in range(6):
                row.line[j] = ring[first % size].line[j]
            row.on = 0
            row.force = shared(c, s, row.wrench, row.line)
            row.inverse_mass = ring[first % size].inverse_mass
            row.rate = -dot(vector_at(row.line, 0), vector_at(row.twist, 0)) - dot(
                vector_at(row.line, 3), vector_at(row.twist, 3)
            )
        else:
            draw_line(c, s, ring, i)
        if i == s.start:
            row.c, row.first, row.second, row.since = 0.0, 0.0, 0.0, 0.0
        else:
            follow_line(c, s, ring, i)
    touch = ring[first % size]
    s.touch_rate = touch.rate
    shift = 0.5 * c.step * touch.rate - touch.c
    for i in range(s.start, n + 1):
        ring[i % size].c += shift
    s.lined = 1
    put_vector(s.touch_line, 0, vector_at(touch.line, 0))
