"""A round peg with a torus for its chamfer in a round hole with another: where they can touch. Compiled.

theory: Meitinger & Pfeiffer, section 6.1 and equation 65 (whose torus lacks its radius in z, and whose hole
has the radius R2 + r2 (1 - cos v)). Of a torus only the middle circle of its tube counts, of a cylinder its
axis: so each of the three contacts of the paper's table is found along one angle, and a coaxial peg, for
which the contact equations have no single root, is none the worse for it.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array

NAMES = ("torus1-torus2", "cylinder1-torus2", "torus1-cylinder2")
TORI, CYLINDER_TORUS, TORUS_CYLINDER = range(3)
LOOKS, NARROWINGS = 24, 40  # along a turn, and steps of the golden section
GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)
INACTIVE = 1.0  # [m] the gap of a pair whose surfaces do not look at each other


class RoundNumbers(NamedTuple):
    """A round peg and its hole [m].

    Attributes:
        peg: radius of the peg.
        peg_chamfer: radius of its chamfer, by which its bottom lies below the chamfer's middle circle.
        hole: radius of the hole.
        hole_chamfer: radius of its chamfer.
        mu: friction.
    """

    peg: float
    peg_chamfer: float
    hole: float
    hole_chamfer: float
    mu: float


class Candidates(NamedTuple):
    """Where two parts can touch, one row a contact.

    Attributes:
        gaps: > 0 when apart, shape (n,) [m].
        points: in the counterpart's frame, shape (n, 3) [m].
        normals: out of the counterpart, shape (n, 3).
    """

    gaps: Array
    points: Array
    normals: Array


@njit(cache=True)
def ring_point(T: Array, radius: float, angle: float) -> tuple[float, float, float]:
    """Return a point of a circle about the z axis of T (4, 4)."""
    c, s = radius * math.cos(angle), radius * math.sin(angle)
    return (
        T[0, 0] * c + T[0, 1] * s + T[0, 3],
        T[1, 0] * c + T[1, 1] * s + T[1, 3],
        T[2, 0] * c + T[2, 1] * s + T[2, 3],
    )


@njit(cache=True)
def _distance(pair: int, numbers: RoundNumbers, T: Array, angle: float) -> float:
    """Return the length that is least where the pair is nearest, at an angle of its circle."""
    if pair == CYLINDER_TORUS:  # of the hole's circle from the peg's axis
        r = numbers.hole + numbers.hole_chamfer
        x, y, z = r * math.cos(angle) - T[0, 3], r * math.sin(angle) - T[1, 3], -T[2, 3]
        along = x * T[0, 2] + y * T[1, 2] + z * T[2, 2]
        return math.sqrt(max(0.0, x * x + y * y + z * z - along * along))
    x, y, z = ring_point(T, numbers.peg - numbers.peg_chamfer, angle)
    if pair == TORI:  # of the peg's circle from the hole's
        return math.hypot(math.hypot(x, y) - (numbers.hole + numbers.hole_chamfer), z)
    return -math.hypot(x, y)  # of the peg's circle from the hole's axis, the farthest


@njit(cache=True)
def nearest_angle(pair: int, numbers: RoundNumbers, T: Array) -> float:
    """Return the angle along the pair's circle at which the two are nearest [rad]."""
    best, least = 0.0, np.inf
    for k in range(LOOKS):
        angle = 2.0 * math.pi * k / LOOKS
        d = _distance(pair, numbers, T, angle)
        if d < least:
            best, least = angle, d
    low, high = best - 2.0 * math.pi / LOOKS, best + 2.0 * math.pi / LOOKS
    a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    da, db = _distance(pair, numbers, T, a), _distance(pair, numbers, T, b)
    for _ in range(NARROWINGS):
        if da < db:
            high, b, db = b, a, da
            a = high - GOLDEN * (high - low)
            da = _distance(pair, numbers, T, a)
        else:
            low, a, da = a, b, db
            b = low + GOLDEN * (high - low)
            db = _distance(pair, numbers, T, b)
    return 0.5 * (low + high)


@njit(cache=True)
def _put(out: Candidates, row: int, gap: float, point: Array, normal: Array) -> None:
    out.gaps[row] = gap
    for k in range(3):
        out.points[row, k], out.normals[row, k] = point[k], normal[k]


@njit(cache=True)
def round_candidates(numbers: RoundNumbers, T: Array) -> Candidates:
    """Return the three contacts in the order of `NAMES`.

    Args:
        numbers: peg and hole.
        T: pose of the peg, whose origin is the middle of its chamfer's circle, in the hole, whose origin is
            the middle of its chamfer's circle; both z axes point out of the hole, shape (4, 4).
    """
    out = Candidates(np.full(3, INACTIVE), np.zeros((3, 3)), np.zeros((3, 3)))
    rim = numbers.hole + numbers.hole_chamfer
    x, y, z = ring_point(T, numbers.peg - numbers.peg_chamfer, nearest_angle(TORI, numbers, T))
    far = math.hypot(x, y)
    if z > 0.0 and far > 0.0:
        foot = np.array([x / far * rim, y / far * rim, 0.0])
        away = np.array([x, y, z]) - foot
        d = math.sqrt(away[0] ** 2 + away[1] ** 2 + away[2] ** 2)
        n = away / d
        _put(out, TORI, d - numbers.peg_chamfer - numbers.hole_chamfer, foot + numbers.hole_chamfer * n, n)
    angle = nearest_angle(CYLINDER_TORUS, numbers, T)
    foot = np.array([rim * math.cos(angle), rim * math.sin(angle), 0.0])
    along = 0.0
    for k in range(3):
        along += (foot[k] - T[k, 3]) * T[k, 2]
    if along > 0.0:
        away = np.array([T[k, 3] + along * T[k, 2] - foot[k] for k in range(3)])
        d = math.sqrt(away[0] ** 2 + away[1] ** 2 + away[2] ** 2)
        n = away / d
        _put(out, CYLINDER_TORUS, d - numbers.peg - numbers.hole_chamfer, foot + numbers.hole_chamfer * n, n)
    x, y, z = ring_point(T, numbers.peg - numbers.peg_chamfer, nearest_angle(TORUS_CYLINDER, numbers, T))
    far = math.hypot(x, y)
    if z < 0.0 and far > 0.0:
        n = np.array([-x / far, -y / far, 0.0])
        wall = np.array([-n[0] * numbers.hole, -n[1] * numbers.hole, z])
        _put(out, TORUS_CYLINDER, numbers.hole - numbers.peg_chamfer - far, wall, n)
    return out
