"""Points, tangents and curvature of a surface. Compiled.

theory: Meitinger & Pfeiffer, equations 14 to 22.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.triples import crossed, triple
from sim.surfaces.surface import CONE, CYLINDER, ELLIPSOID, PLANE, TORUS, Surface

R, U, V, UU, UV, VV = range(6)  # rows: the point, its first and its second derivatives


@njit(cache=True)
def _round(out: Array, u: float, v: float, a: Array, b: Array) -> None:
    """Write (a1 f(v) cos u, a2 f(v) sin u, g(v)): `a` the two radii, `b` = f, f', f'', g, g', g''."""
    c, s = math.cos(u), math.sin(u)
    p, q = a[0] * c, a[1] * s
    p_u, q_u = -a[0] * s, a[1] * c
    out[R, 0], out[R, 1], out[R, 2] = p * b[0], q * b[0], b[3]
    out[U, 0], out[U, 1], out[U, 2] = p_u * b[0], q_u * b[0], 0.0
    out[V, 0], out[V, 1], out[V, 2] = p * b[1], q * b[1], b[4]
    out[UU, 0], out[UU, 1], out[UU, 2] = -p * b[0], -q * b[0], 0.0
    out[UV, 0], out[UV, 1], out[UV, 2] = p_u * b[1], q_u * b[1], 0.0
    out[VV, 0], out[VV, 1], out[VV, 2] = p * b[2], q * b[2], b[5]


@njit(cache=True)
def own_shape(kind: int, size: Array, u: float, v: float) -> Array:
    """Return the point and its derivatives in the surface's own axes, shape (6, 3) [m]."""
    out = np.zeros((6, 3))
    if kind == PLANE:
        out[R, 0], out[R, 1] = u, v
        out[U, 0], out[V, 1] = 1.0, 1.0
        return out
    a, b = np.ones(2), np.zeros(6)
    c, s = math.cos(v), math.sin(v)
    if kind == CYLINDER or kind == CONE:
        slope = size[1] if kind == CONE else 0.0
        b[0], b[1], b[3], b[4] = size[0] + v * slope, slope, v, 1.0
    elif kind == TORUS:
        b[0], b[1], b[2] = size[0] + size[1] * c, -size[1] * s, -size[1] * c
        b[3], b[4], b[5] = size[1] * s, size[1] * c, -size[1] * s
    else:
        z = size[2] if kind == ELLIPSOID else size[0]
        a[0], a[1] = size[0], size[1] if kind == ELLIPSOID else size[0]
        b[0], b[1], b[2], b[3], b[4], b[5] = c, -s, -c, z * s, z * c, -z * s
    _round(out, u, v, a, b)
    return out


@njit(cache=True)
def shape_at(surface: Surface, T_part: Array, u: float, v: float) -> Array:
    """Return the point and its derivatives in the outer frame of `T_part` (4, 4), shape (6, 3)."""
    own = own_shape(surface.kind, surface.size, u, v)
    T = T_part @ surface.T_part_surface
    out = np.empty((6, 3))
    for i in range(6):
        for j in range(3):
            out[i, j] = T[j, 0] * own[i, 0] + T[j, 1] * own[i, 1] + T[j, 2] * own[i, 2]
    for j in range(3):
        out[R, j] += T[j, 3]
    return out


@njit(cache=True)
def cross(a: Array, b: Array) -> Array:
    """Return the cross product, shape (3,)."""
    return np.array(crossed(triple(a), triple(b)))


@njit(cache=True)
def normal_of(shape: Array, outward: float) -> Array:
    """Return the unit normal out of the material (equation 18 with the surface's sign), shape (3,).

    Zero where the parameters have no two tangents: at the tip of a cone, exactly at a pole.
    """
    n = cross(shape[U], shape[V])
    length = math.sqrt(n @ n)
    return n * (outward / length) if length > 0.0 else n


@njit(cache=True)
def forms(shape: Array, n: Array) -> Array:
    """Return both fundamental forms E, F, G, L, M, N (equations 17 and 19), shape (6,)."""
    out = np.empty(6)
    out[0], out[1], out[2] = shape[U] @ shape[U], shape[U] @ shape[V], shape[V] @ shape[V]
    out[3], out[4], out[5] = n @ shape[UU], n @ shape[UV], n @ shape[VV]
    return out


@njit(cache=True)
def normal_derivatives(shape: Array, n: Array) -> Array:
    """Return the derivatives of the normal by u and v (Weingarten, equation 20), shape (2, 3)."""
    E, F, G, L, M, N = forms(shape, n)
    det = E * G - F * F
    out = np.zeros((2, 3))
    if det <= 0.0:
        return out
    for j in range(3):
        out[0, j] = ((F * M - G * L) * shape[U, j] + (F * L - E * M) * shape[V, j]) / det
        out[1, j] = ((F * N - G * M) * shape[U, j] + (F * M - E * N) * shape[V, j]) / det
    return out
