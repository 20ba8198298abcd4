"""A rectangular peg with chamfers in a rectangular hole: forty places where they can touch. Compiled.

theory: Meitinger & Pfeiffer, section 6.2 and figure 20: in each of four planes, one at either end of either
width, a profile with the corners a, b, c, d and the edges 1 to 5 against a hole with the planes 1' to 5' and
the corners a' and b'. Four contacts are a corner on a plane, six an edge on a corner.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array
from sim.mating.round_peg import INACTIVE, Candidates

PLANES = ("y at -z", "y at +z", "z at -y", "z at +y")
PAIRS = ("a-2'", "b-1'", "c-5'", "d-4'", "1-a'", "2-a'", "3-a'", "3-b'", "4-b'", "5-b'")


class RectangularNumbers(NamedTuple):
    """A rectangular peg and its hole [m].

    Attributes:
        peg: its widths along y and z, shape (2,).
        chamfer: its chamfers' size along the widths and along x, shape (2,).
        length: of the peg along x.
        hole: the hole's widths along y and z, shape (2,).
        planes: which of `PLANES` are looked at, shape (4,).
        mu: friction.
    """

    peg: Array
    chamfer: Array
    length: float
    hole: Array
    planes: Array
    mu: float


@njit(cache=True)
def _profile(numbers: RectangularNumbers, T: Array, plane: int) -> Array:
    """Return the peg's profile in a plane: top, a, b, c, d, top, in the hole's frame, shape (6, 3)."""
    axis, end = plane // 2, plane % 2
    half, cut, deep = 0.5 * numbers.peg[axis], numbers.chamfer[0], numbers.chamfer[1]
    across = (end - 0.5) * numbers.peg[1 - axis]
    out = np.empty((6, 3))
    for k in range(6):
        side = -1.0 if k < 3 else 1.0
        inner = k == 2 or k == 3
        wide = side * (half - cut if inner else half)
        x = 0.0 if inner else (-deep if k == 1 or k == 4 else -numbers.length)
        y, z = (wide, across) if axis == 0 else (across, wide)
        for i in range(3):
            out[k, i] = T[i, 0] * x + T[i, 1] * y + T[i, 2] * z + T[i, 3]
    return out


@njit(cache=True)
def _edge_on_corner(out: Candidates, row: int, p: Array, q: Array, wide: int, corner: float) -> None:
    """Write the contact of the edge from p to q with the hole's corner at x = 0 and a place along `wide`."""
    tx, tw = q[0] - p[0], q[wide] - p[wide]
    length = math.hypot(tx, tw)
    px, pw = p[0], p[wide] - corner
    u = -(px * tx + pw * tw) / (length * length)
    if not 0.0 <= u <= 1.0:
        return
    nx, nw = -tw / length, tx / length  # into the peg, whose profile runs from left to right below it
    out.gaps[row] = nx * px + nw * pw
    for k in range(3):
        out.points[row, k] = p[k] + u * (q[k] - p[k])
        out.normals[row, k] = 0.0
    out.normals[row, 0], out.normals[row, wide] = nx, nw


@njit(cache=True)
def rectangular_candidates(numbers: RectangularNumbers, T: Array) -> Candidates:
    """Return the forty contacts: by plane (`PLANES`), and in it in the order of `PAIRS`.

    Args:
        numbers: peg and hole.
        T: pose of the peg, whose origin is the middle of its bottom, in the hole, whose origin is the middle
            of its opening; both x axes point into the hole, shape (4, 4).
    """
    out = Candidates(np.full(40, INACTIVE), np.zeros((40, 3)), np.zeros((40, 3)))
    for plane in range(4):
        if not numbers.planes[plane]:
            continue
        wide = 1 + plane // 2
        half = 0.5 * numbers.hole[plane // 2]
        profile = _profile(numbers, T, plane)
        for pair in range(4):
            p, row = profile[pair + 1], 10 * plane + pair
            side = -1.0 if pair < 2 else 1.0
            gap, n_x, n_wide = INACTIVE, 0.0, 0.0
            if (pair == 0 or pair == 3) and p[0] > 0.0:
                gap, n_wide = half - side * p[wide], -side
            elif (pair == 1 or pair == 2) and side * p[wide] > half:
                gap, n_x = -p[0], -1.0
            out.gaps[row], out.normals[row, 0], out.normals[row, wide] = gap, n_x, n_wide
            for k in range(3):
                out.points[row, k] = p[k]
        for k in range(6):
            edge = k + 1 if k < 3 else k  # 1, 2, 3 on a', then 3, 4, 5 on b'
            corner = -half if k < 3 else half
            _edge_on_corner(out, 10 * plane + 4 + k, profile[edge - 1], profile[edge], wide, corner)
    return out


def contact_name(row: int) -> str:
    """Return the paper's name of one of the forty contacts."""
    return PAIRS[row % 10]
