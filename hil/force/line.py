"""The line of force: one wrench gives direction and lever at once, so no geometry need be known.

`W` is the wrench of a unit force along the line. Compression is what the arm goes against it,
`dc = -W . (dp, rotation)`, its rate `-W . V`, and `1/M = W' M6^-1 W` the body's mass along it.
"""

import math

from numba import njit

from hil.common.arrays import Array
from hil.force.body import world_times
from hil.force.gate import QUIET, has_gone, out_of_reach
from hil.force.rows import Record, Records
from hil.force.tuples import (
    dot,
    minus,
    quaternion_of,
    rotation_between,
    vector_at,
)

OPPOSED = -0.5  # cosine from which a force counts as turned round
SAME = 0.9  # cosine of lines up to which a force after a gap is of the same touch
LATCHED_FORCE = 3.0  # times the gate that a pulling force must reach to be one ...
LATCHED_SHARE = 0.2  # ... and of the greatest force so far


@njit(cache=True, error_model="numpy")
def magnitude(wrench: Array) -> float:
    """Return the length of a wrench's force [N]."""
    return math.sqrt(dot(vector_at(wrench, 0), vector_at(wrench, 0)))


@njit(cache=True, error_model="numpy")
def draw_line(c: Record, s: Record, ring: Records, n: int) -> None:
    """Write row `n`'s line, force, compression, its rate and the integrals of the force.

    Within the gate the line is that of the cycle before. A force that turns round without ever having let
    go is that of a contact that holds: the line keeps its sense and the force becomes negative.
    """
    size = ring.shape[0]
    row, before = ring[n % size], ring[(n - 1) % size]
    size_of = magnitude(row.wrench)
    row.on = 1 if row.usable == 1 and size_of > c.gate else 0
    sense = 1.0
    if s.lined == 1:
        cosine = 0.0
        if size_of > 0.0:
            cosine = dot(vector_at(row.wrench, 0), vector_at(before.line, 0)) / size_of
        if s.pulls == 0 and row.on == 1 and cosine < OPPOSED:
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
        row.force = dot(vector_at(row.wrench, 0), vector_at(row.line, 0))
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
    if s.known == 1 and row.on == 1 and before.on == 0 and turned_line(c, row, before):
        # another foot, or another face: it begins at its own touch
        row.c = s.zero + s.mobility * before.second + 0.5 * h * row.rate
    if row.usable == 0 and s.known == 1:  # what the contact must have done where nothing was read
        f = s.k * (row.c - s.mobility * before.second - s.zero) + s.d * (row.rate - s.mobility * before.first)
        if s.pulls == 0:
            f = max(0.0, f)
        row.force = f
    row.first = before.first + 0.5 * h * (f + g)
    row.second = before.second + h * before.first + h * h * (f + 2.0 * g) / 6.0
    if row.on == 1 and out_of_reach(c, s, row):
        row.on = 0
    row.gone = 1 if has_gone(c, s, row) else 0


@njit(cache=True, error_model="numpy")
def begin_line(c: Record, s: Record, ring: Records, n: int) -> None:
    """Draw the line of all rows of a contact that has opened in cycle `n`, from `s.start` on.

    The touch lies half a step before the first sample above the gate, on average: there is c's zero.
    """
    size = ring.shape[0]
    first = n
    for i in range(n, s.start - 1, -1):
        row = ring[i % size]
        if row.usable == 1 and magnitude(row.wrench) > c.gate:
            first = i
    draw_line(c, s, ring, first)
    for i in range(s.start, n + 1):
        row = ring[i % size]
        if i < first:
            for j in range(6):
                row.line[j] = ring[first % size].line[j]
            row.on, row.gone = 0, 0
            row.force = dot(vector_at(row.wrench, 0), vector_at(row.line, 0))
            row.inverse_mass = ring[first % size].inverse_mass
            row.rate = -dot(vector_at(row.line, 0), vector_at(row.twist, 0)) - dot(
                vector_at(row.line, 3), vector_at(row.twist, 3)
            )
        else:
            draw_line(c, s, ring, i)
        if i == s.start:
            row.c, row.first, row.second, row.gone = 0.0, 0.0, 0.0, 0
        else:
            follow_line(c, s, ring, i)
    touch = ring[first % size]
    s.touch_rate = touch.rate
    shift = 0.5 * c.step * touch.rate - touch.c
    for i in range(s.start, n + 1):
        ring[i % size].c += shift
    s.lined = 1
