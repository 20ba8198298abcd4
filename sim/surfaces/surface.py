"""Parametric surfaces of rigid parts, and the edges between them.

theory: Meitinger & Pfeiffer, equation 14; the z component of the torus in equation 65 lacks its factor
r1, and the normal points out of the material by the surface's own sign (equation 18 alone points into it in
a hole).
"""

from typing import NamedTuple

import numpy as np

from hil.common.arrays import Array

PLANE, CYLINDER, CONE, SPHERE, TORUS, ELLIPSOID = range(6)
WHOLE_TURN = (-np.inf, np.inf)
Range = tuple[float, float]


class Surface(NamedTuple):
    """A patch of a surface, fixed in its part.

    In the surface's own axes, with u and v [rad or m]:

        plane      (u, v, 0)
        cylinder   (R cos u, R sin u, v)
        cone       ((R + v tan a) cos u, (R + v tan a) sin u, v)
        sphere     (R cos v cos u, R cos v sin u, R sin v)
        torus      ((R + r cos v) cos u, (R + r cos v) sin u, r sin v)
        ellipsoid  (A cos v cos u, B cos v sin u, C sin v)

    Attributes:
        kind: which of these.
        size: R; R and tan a; R and r; A, B, C, shape (3,) [m].
        T_part_surface: where it lies in its part, shape (4, 4).
        outward: 1 where (U x V) points out of the material, -1 where it points into it.
        tube: of an edge, which is the middle line of a thin tube: its radius, by which gaps are wider [m].
        bounds: of u and v, lower and upper, shape (2, 2).
    """

    kind: int
    size: Array
    T_part_surface: Array
    outward: float
    tube: float
    bounds: Array


def surface(
    kind: int,
    size: tuple[float, ...],
    T_part_surface: Array | None = None,
    *,
    hollow: bool = False,
    u: Range = WHOLE_TURN,
    v: Range = WHOLE_TURN,
    tube: float = 0.0,
) -> Surface:
    """Return a patch of a surface.

    Args:
        kind: `PLANE` and so on.
        size: as the kind has it [m].
        T_part_surface: (4, 4); None: the part's own axes.
        hollow: the material lies outside: a hole, or the inner side of a torus; a plane's faces down.
        u: the patch's range.
        v: the same.
        tube: see `Surface`.
    """
    sizes = np.zeros(3)
    sizes[: len(size)] = size
    placed = np.eye(4) if T_part_surface is None else np.array(T_part_surface, dtype=float)
    sign = -1.0 if hollow else 1.0
    return Surface(kind, sizes, placed, sign, float(tube), np.array([u, v], dtype=float))


def straight_edge(
    begin: Array, end: Array, tube: float, between: tuple[Array, Array] | None = None
) -> Surface:
    """Return the edge from one point to another, each (3,): the middle line of a thin tube.

    Args:
        begin: in the part [m].
        end: the same.
        tube: the tube's radius, small against all lengths [m].
        between: the outward normals of the faces that meet here: the edge touches in directions between them;
            None: in every direction.
    """
    along = np.asarray(end, dtype=float) - begin
    length = float(np.linalg.norm(along))
    z = along / length
    T = np.eye(4)
    T[:3, 2], T[:3, 3] = z, begin
    if between is None:
        x, span = np.linalg.svd(z[None])[2][1], WHOLE_TURN
    else:
        x = between[0] - (between[0] @ z) * z
        x /= np.linalg.norm(x)
        angle = float(np.arctan2(np.cross(x, between[1]) @ z, x @ between[1]))
        span = (min(0.0, angle), max(0.0, angle))
    T[:3, 0], T[:3, 1] = x, np.cross(z, x)
    return surface(CYLINDER, (tube,), T, u=span, v=(0.0, length), tube=tube)


def round_edge(radius: float, tube: float, T_part_surface: Array | None = None) -> Surface:
    """Return an edge that is a circle about its own z axis [m]: the middle line of a thin tube."""
    return surface(TORUS, (radius, tube), T_part_surface, tube=tube)
