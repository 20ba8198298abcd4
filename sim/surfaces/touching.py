"""Where two surfaces lie opposite each other: the contact equations and their root. Compiled.

theory: Meitinger & Pfeiffer, equations 23 to 25, with two signs put right: the gap is `n2 . rD` (positive
when apart; equation 25 has it negative), and with it the derivative of equation 24 holds as it is printed.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array
from sim.surfaces.shape import R, U, V, forms, normal_derivatives, normal_of, shape_at
from sim.surfaces.surface import Surface

STEPS = 50
CLOSE = 1e-13  # of the contact equations, each made dimensionless
SINGULAR = 1e-7  # a direction of smaller singular value is left as it is: there is no one root there
HALVINGS = 12


class Touch(NamedTuple):
    """Where two surfaces lie opposite each other.

    Attributes:
        x: u1, v1, u2, v2, shape (4,).
        gap: > 0 when apart [m]; that of an edge is measured from the edge itself.
        point: on the second body, in the outer frame, shape (3,) [m].
        normal: out of the second body, shape (3,).
        opposite: the normals look at each other and both points lie in their patches.
        rank: of the equations: below 4 the point is one of a family (a cylinder along a cylinder).
        steps: of Newton's method.
        converged: whether the equations hold.
    """

    x: Array
    gap: float
    point: Array
    normal: Array
    opposite: bool
    rank: int
    steps: int
    converged: bool


@njit(cache=True)
def scales(s1: Array, s2: Array) -> Array:
    """Return the lengths of U1, V1, U2, V2, shape (4,); a vanishing one counts as 1."""
    out = np.empty(4)
    for k in range(4):
        row = s1[U + k] if k < 2 else s2[U + k - 2]
        out[k] = math.sqrt(row @ row)
        if out[k] < 1e-300:
            out[k] = 1.0
    return out


@njit(cache=True)
def equations(s1: Array, n1: Array, s2: Array) -> Array:
    """Return n1.U2, n1.V2, rD.U2, rD.V2 (equation 23), shape (4,)."""
    d = s1[R] - s2[R]
    return np.array([n1 @ s2[U], n1 @ s2[V], d @ s2[U], d @ s2[V]])


@njit(cache=True)
def equations_by_x(s1: Array, n1: Array, s2: Array, n2: Array) -> Array:
    """Return the derivative of the contact equations by u1, v1, u2, v2, shape (4, 4).

    Equation 24 holds at a root; away from it n1 is not -n2, and rows 1 and 2 need n1 itself, rows 3 and 4 the
    whole of rD: so they are written here.
    """
    dn = normal_derivatives(s1, n1)
    d = s1[R] - s2[R]
    E, F, G = forms(s2, n2)[:3]
    out = np.empty((4, 4))
    for i in range(2):
        out[i, 0], out[i, 1] = s2[U + i] @ dn[0], s2[U + i] @ dn[1]
        out[i, 2], out[i, 3] = n1 @ s2[3 + i], n1 @ s2[4 + i]
        out[2 + i, 0], out[2 + i, 1] = s2[U + i] @ s1[U], s2[U + i] @ s1[V]
    out[2, 2], out[2, 3] = d @ s2[3] - E, d @ s2[4] - F
    out[3, 2], out[3, 3] = d @ s2[4] - F, d @ s2[5] - G
    return out


@njit(cache=True)
def strides(s1: Array, n1: Array, s2: Array, n2: Array, lengths: Array, size: float) -> Array:
    """Return steps of u1, v1, u2, v2 that go as far as `size` or turn the normal by 1 rad, shape (4,).

    Whichever is less: a step as long as `size` would be many turns around a thin tube.
    """
    out = np.empty(4)
    one, two = normal_derivatives(s1, n1), normal_derivatives(s2, n2)
    for k in range(4):
        turn = one[k] if k < 2 else two[k - 2]
        out[k] = 1.0 / max(lengths[k] / size, math.sqrt(turn @ turn))
    return out


@njit(cache=True)
def made_dimensionless(f: Array, J: Array, lengths: Array, size: float, columns: Array) -> None:
    """Scale rows by the tangents' lengths (the last two by `size` too) and columns by `strides`."""
    for i in range(4):
        row = 1.0 / (lengths[2 + i % 2] * (1.0 if i < 2 else size))
        f[i] *= row
        for j in range(4):
            J[i, j] *= row * columns[j]


@njit(cache=True)
def least_step(J: Array, f: Array) -> tuple[Array, int]:
    """Return the shortest step that solves J dx = -f as far as J's rank goes, and that rank."""
    dx, rank = np.zeros(4), 0
    if not np.isfinite(J.sum()):
        return dx, rank
    u, s, vt = np.linalg.svd(J)
    for k in range(4):
        if s[k] <= SINGULAR * s[0]:
            break
        dx -= vt[k] * ((u[:, k] @ f) / s[k])
        rank += 1
    return dx, rank


@njit(cache=True)
def size_of(first: Surface, second: Surface, s1: Array, s2: Array) -> float:
    """Return a length that surfaces and distance are of the order of [m]."""
    d = s1[R] - s2[R]
    size = max(first.size.max(), second.size.max(), math.sqrt(d @ d))
    return size if size > 0.0 else 1.0


@njit(cache=True)
def inside(surface: Surface, u: float, v: float) -> bool:
    """Return whether a point lies in the surface's patch; angles count as they are given."""
    b = surface.bounds
    return b[0, 0] <= u <= b[0, 1] and b[1, 0] <= v <= b[1, 1]


@njit(cache=True)
def touch(first: Surface, T_first: Array, second: Surface, T_second: Array, x: Array) -> Touch:
    """Return the root of the contact equations that Newton's method reaches.

    Args:
        first: surface of the one part.
        T_first: the part's pose, shape (4, 4).
        second: surface of the other.
        T_second: its part's pose, shape (4, 4).
        x: where to begin: u1, v1, u2, v2, shape (4,).
    """
    x = x.copy()
    s1, s2 = shape_at(first, T_first, x[0], x[1]), shape_at(second, T_second, x[2], x[3])
    size = size_of(first, second, s1, s2)
    rank, steps, error = 4, 0, np.inf
    for steps in range(STEPS + 1):
        s1, s2 = shape_at(first, T_first, x[0], x[1]), shape_at(second, T_second, x[2], x[3])
        n1, n2 = normal_of(s1, first.outward), normal_of(s2, second.outward)
        f, J = equations(s1, n1, s2), equations_by_x(s1, n1, s2, n2)
        lengths = scales(s1, s2)
        columns = strides(s1, n1, s2, n2, lengths, size)
        made_dimensionless(f, J, lengths, size, columns)
        error = np.abs(f).max()
        if not error >= CLOSE or steps == STEPS:
            break
        dx, rank = least_step(J, f)
        x = _shortened(first, T_first, second, T_second, x, dx * columns, lengths, size, float(f @ f))
    s1, s2 = shape_at(first, T_first, x[0], x[1]), shape_at(second, T_second, x[2], x[3])
    n1, n2 = normal_of(s1, first.outward), normal_of(s2, second.outward)
    J, f = equations_by_x(s1, n1, s2, n2), equations(s1, n1, s2)
    lengths = scales(s1, s2)
    made_dimensionless(f, J, lengths, size, strides(s1, n1, s2, n2, lengths, size))
    rank = least_step(J, f)[1]
    gap = n2 @ (s1[R] - s2[R]) + first.tube + second.tube
    opposite = bool(n1 @ n2 < -1.0 + 1e-9) and inside(first, x[0], x[1]) and inside(second, x[2], x[3])
    return Touch(x, gap, s2[R] + n2 * -second.tube, n2, opposite, rank, steps, error < 1e3 * CLOSE)


@njit(cache=True)
def _shortened(
    first: Surface, T_first: Array, second: Surface, T_second: Array,
    x: Array, dx: Array, lengths: Array, size: float, merit: float,
) -> Array:  # fmt: skip
    """Return x + t dx with the largest t = 1, 1/2, ... that makes the equations smaller."""
    t = 1.0
    for _ in range(HALVINGS):
        y = x + t * dx
        s1, s2 = shape_at(first, T_first, y[0], y[1]), shape_at(second, T_second, y[2], y[3])
        f = equations(s1, normal_of(s1, first.outward), s2)
        for i in range(4):
            f[i] /= lengths[2 + i % 2] * (1.0 if i < 2 else size)
        if f @ f < merit or merit < CLOSE * CLOSE:
            return y
        t *= 0.5
    return x + dx
