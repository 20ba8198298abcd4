"""O-rings and snap fasteners for compiled loops: many parts as tables, the state of each as a row of numbers.

A row of zeros is a part that has touched nothing yet. All that a part remembers is in its row, so that who
keeps the rows can go back in time. Where friction holds a hook and its law has no load, the last load stands
as long as it resists: a part never gives energy that it was not given.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from sim.mating.o_ring import numbers_of as ring_numbers
from sim.mating.o_ring_load import HOLE, RingNumbers, ring_energy, ring_load
from sim.mating.o_ring_schema import ORingSection
from sim.mating.snap import numbers_of as snap_numbers
from sim.mating.snap_equilibrium import APART, DEEP, Settled, SnapNumbers, lowest, settle
from sim.mating.snap_schema import SnapSection

SEAL, SNAP = 0, 1
HALF = 8  # numbers by half of a snap: contact + 1 by side, then the support's deformation
# columns of a row: load on the moving part, its power last time, work done on the part so far, 1: it holds
LOAD, POWER, WORK, HOLDS, WIDTH = 2 * HALF, 2 * HALF + 6, 2 * HALF + 7, 2 * HALF + 8, 2 * HALF + 9
# columns of a snap's numbers
LENGTH, FRICTION, SLIP, WHOLE, HALVES, ANNULAR, BREADTH, SIZE, FORCE = range(9)
UPRIGHT = 0.8  # cosine of the tilt up to which a part is looked at


class Packed(NamedTuple):
    """Parts as arrays, one row a part; what a kind does not need is zero.

    Attributes:
        kind: `SEAL` or `SNAP`, shape (n,).
        numbers: of a ring in the order of `RingNumbers`, of a snap see the columns above, shape (n, 10).
        arcs: of rings, shape (n, a, 2) [rad].
        counts: of a ring its arcs; of a snap the directions that give way and the sides, shape (n, 2).
        K: stiffness of a snap's support, shape (n, 6, 6).
        flexible: its directions that give way, shape (n, 6).
        hook: its corners, shape (n, 4, 2) [m].
        sides: where its profile is looked at, shape (n, 2) [m].
    """

    kind: IntArray
    numbers: Array
    arcs: Array
    counts: IntArray
    K: Array
    flexible: IntArray
    hook: Array
    sides: Array


def packed(sections: Sequence[ORingSection | SnapSection]) -> Packed:
    """Return the tables of some parts."""
    n = len(sections)
    most = max((len(s.arcs) for s in sections if isinstance(s, ORingSection)), default=0)
    out = Packed(
        np.zeros(n, np.int64), np.zeros((n, 10)), np.zeros((n, most, 2)), np.zeros((n, 2), np.int64),
        np.zeros((n, 6, 6)), np.zeros((n, 6), np.int64), np.zeros((n, 4, 2)), np.zeros((n, 2)),
    )  # fmt: skip
    for i, section in enumerate(sections):
        if isinstance(section, ORingSection):
            ring = ring_numbers(section)
            out.kind[i], out.counts[i, 0] = SEAL, len(ring.arcs)
            out.numbers[i] = ring[:-1]
            out.arcs[i, : len(ring.arcs)] = ring.arcs
        else:
            snap, annular = snap_numbers(section), section.support.type == "ring"
            out.kind[i], out.counts[i] = SNAP, (snap.flexible.size, snap.sides.size)
            told = (snap.length, snap.mu, snap.slip, snap.whole, section.halves, annular)
            out.numbers[i, : FORCE + 1] = *told, section.hook.width, snap.size, snap.force
            out.K[i], out.hook[i] = snap.K, snap.hook
            out.flexible[i, : snap.flexible.size], out.sides[i, : snap.sides.size] = snap.flexible, snap.sides
    return out


@njit(cache=True)
def step_part(row: Array, parts: Packed, i: int, T: Array, twist: Array, dt: float) -> None:
    """Bring a part's row to a pose and twist.

    The work is that of the load that has acted since the last time, over the way at the mean of both speeds:
    in a simulation that holds the load over a step and moves by the new speed, just what it did.

    Args:
        row: of the part, changed in place, shape (WIDTH,).
        parts: tables.
        i: which part.
        T: pose of the moving part in the counterpart, shape (4, 4).
        twist: of the moving part's origin, counterpart's axes, shape (6,) [m/s, rad/s].
        dt: time since the last step [s].
    """
    row[WORK] -= 0.5 * dt * (row[POWER] + _dot(row, twist))
    if parts.kind[i] == SEAL:
        _step_ring(row, ring_at(parts, i), T, twist)
    else:
        _step_snap(row, parts, i, T, twist)
    row[POWER] = _dot(row, twist)


@njit(cache=True)
def stored_energy(row: Array, parts: Packed, i: int, T: Array) -> float:
    """Return what a part's rubber or its support holds in a state and pose [J]."""
    if parts.kind[i] == SEAL:
        return ring_energy(ring_at(parts, i), T)
    total = 0.0
    for half in range(int(parts.numbers[i, HALVES])):
        d = row[half * HALF + 2 : (half + 1) * HALF]
        for j in range(6):
            for k in range(6):
                total += 0.5 * d[j] * parts.K[i, j, k] * d[k]
    return total


@njit(cache=True)
def ring_at(parts: Packed, i: int) -> RingNumbers:
    """Return a ring's numbers."""
    a = parts.numbers[i]
    arcs = parts.arcs[i][: parts.counts[i, 0]]
    return RingNumbers(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], arcs)


@njit(cache=True)
def snap_at(parts: Packed, i: int) -> SnapNumbers:
    """Return a snap's numbers."""
    a = parts.numbers[i]
    flexible = parts.flexible[i][: parts.counts[i, 0]]
    sides = parts.sides[i][: parts.counts[i, 1]]
    return SnapNumbers(
        parts.K[i], flexible, parts.hook[i], sides, a[LENGTH], a[FRICTION], a[SLIP], a[WHOLE] > 0.0,
        a[SIZE], a[FORCE],
    )  # fmt: skip


@njit(cache=True)
def _dot(row: Array, twist: Array) -> float:
    total = 0.0
    for k in range(6):
        total += row[LOAD + k] * twist[k]
    return total


@njit(cache=True)
def _step_ring(row: Array, ring: RingNumbers, T: Array, twist: Array) -> None:
    """Take a ring's load; it seals where it is squeezed all around in a whole hole."""
    row[LOAD : LOAD + 6] = 0.0
    row[HOLDS] = 0.0
    off = np.hypot(T[0, 3], T[1, 3])
    if off >= ring.section or abs(T[2, 2]) < UPRIGHT:
        return  # beside the hole: there the law knows nothing
    load, phase, squeeze = ring_load(ring, T, twist)
    for k in range(6):
        row[LOAD + k] = load[k]
    whole = 0.0
    for n in range(ring.arcs.shape[0]):
        whole += ring.arcs[n, 1] - ring.arcs[n, 0]
    if phase == HOLE and squeeze > 2.0 * off and whole > 2.0 * np.pi - 1e-9:
        row[HOLDS] = 1.0


@njit(cache=True)
def _step_snap(row: Array, parts: Packed, i: int, T: Array, twist: Array) -> None:
    """Let a snap's halves settle; it holds where all hooks are past the rear edge or lean on it."""
    snap, a = snap_at(parts, i), parts.numbers[i]
    height, sides = -snap.hook[1, 1], snap.sides.size
    row[HOLDS] = 0.0
    if abs(T[2, 3]) > height or abs(T[1, 3]) > a[BREADTH] or T[0, 0] < UPRIGHT or T[2, 2] < UPRIGHT:
        row[: LOAD + 6] = 0.0  # beside the edge
        return
    past = T[0, 3] + snap.hook[2, 0] >= snap.length
    if _clear(row, snap, T, int(a[HALVES])):
        row[: LOAD + 6] = 0.0
        row[HOLDS] = 1.0 if past else 0.0
        return
    load, then = np.zeros(6), np.zeros(LOAD)
    for half in range(int(a[HALVES])):
        contacts, deformation = np.empty(sides, np.int64), np.empty(6)
        for side in range(sides):
            contacts[side] = int(row[half * HALF + side]) - 1
        for k in range(6):
            deformation[k] = row[half * HALF + 2 + k]
        one = settle(snap, mirrored_pose(T, half), mirrored(twist, half), contacts, deformation)
        if not one.found:
            if _dot(row, twist) > 0.0:
                row[LOAD : LOAD + 6] = 0.0
            return
        _keep(then, half, one)
        load += mirrored(one.load, half)
        for side in range(sides):
            past = past and (one.contacts[side] == APART or one.contacts[side] == 2 * snap.hook.shape[0] - 3)
    for k in range(LOAD):
        row[k] = then[k]
    for k in range(6):
        row[LOAD + k] = load[k] if k == 0 or a[ANNULAR] == 0.0 else 0.0
    row[HOLDS] = 1.0 if past else 0.0


@njit(cache=True)
def _clear(row: Array, snap: SnapNumbers, T: Array, halves: int) -> bool:
    """Return whether no half touched last time or does now: nothing is bent then, and nothing borne."""
    for half in range(halves):
        for side in range(snap.sides.size):
            if row[half * HALF + side] != 0.0:
                return False
        if not lowest(snap, mirrored_pose(T, half), True) > -DEEP:
            return False
    return True


@njit(cache=True)
def _keep(then: Array, half: int, one: Settled) -> None:
    """Write where a half has settled."""
    for side in range(one.contacts.size):
        then[half * HALF + side] = one.contacts[side] + 1
    for k in range(6):
        then[half * HALF + 2 + k] = one.deformation[k]


@njit(cache=True)
def mirrored(vector: Array, half: int) -> Array:
    """Return a force and moment, or a twist, as a half sees it: the second one from below."""
    out = vector.copy()
    if half:
        out[2], out[3], out[4] = -out[2], -out[3], -out[4]
    return out


@njit(cache=True)
def mirrored_pose(T: Array, half: int) -> Array:
    """Return a pose (4, 4) as a half sees it."""
    out = T.copy()
    if half:
        for k in range(2):
            out[k, 2], out[2, k] = -out[k, 2], -out[2, k]
        out[2, 3] = -out[2, 3]
    return out
