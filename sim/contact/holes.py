"""A plate's holes as seen from a point: which one holds it, and how far it is from the whole solid.

`holes` has a row (x, y, R, h) for each hole, centre of the opening in the plate's frame, or is a tuple of
such tuples where the number is known to the compiler.
"""

from typing import Any

from numba import njit

from sim.contact.distance import (
    Feature,
    column_feature,
    hole_distance,
    hole_normal,
    in_column,
    inner_feature,
    outer_feature,
)
from sim.contact.rows import DEEP


@njit(cache=True, error_model="numpy")
def hole_at(x: float, y: float, z: float, holes: Any) -> int:
    """Return the number of the hole that holds the point or lies straight below it, else -1."""
    for k in range(len(holes)):
        hole = holes[k]
        if in_column(x - hole[0], y - hole[1], z, hole[2], hole[3]):
            return k
    return -1


@njit(cache=True, error_model="numpy")
def plate_feature(
    x: float, y: float, z: float, ax: float, ay: float, c: float, holes: Any, k: int
) -> Feature:
    """Return kind, signed distance from the plate and outward normal at a point.

    Args:
        x: the point in the plate's frame [m], as y and z.
        y: see x.
        z: see x.
        ax: half widths of the plate [m], as ay.
        ay: see ax.
        c: its height [m].
        holes: rows x, y, R, h [m].
        k: the hole at the point, as `hole_at` has it.
    """
    if k >= 0:
        hole = holes[k]
        return column_feature(x - hole[0], y - hole[1], z, hole[2], hole[3])
    if abs(x) > ax or abs(y) > ay or z > 0.0 or z < -c:
        return outer_feature(x, y, z, ax, ay, c)
    _, s, nx, ny, nz = inner_feature(x, y, z, ax, ay, c)
    for j in range(len(holes)):
        hole = holes[j]
        d = hole_distance(x - hole[0], y - hole[1], z, hole[2], hole[3])
        if d > s:
            s = d
            nx, ny, nz = hole_normal(x - hole[0], y - hole[1], z, hole[2], hole[3])
    return DEEP, s, nx, ny, nz
