"""The pin's body where its axis runs through the material: every local minimum of the signed distance.

Within the material the signed distance is the largest of f, that from the outer faces, convex and
piecewise linear along the body, and of one g for each hole, concave. So its minima lie where f has its
own, where some g crosses f (f - g is convex: Newton from either end) or where two g cross between their
peaks. There it has a kink with two normals; the contact's is their combination that is perpendicular to
the body, to which the normals from outside converge.
"""

import math
from typing import Any

from numba import njit

from hil.common.arrays import Array
from sim.contact.distance import hole_distance, hole_normal, inner_feature
from sim.contact.holes import hole_at, plate_feature
from sim.contact.outside import Interval
from sim.contact.rows import DEEP, KIND, PLACE, add_contact

MAX_ITERATIONS = 60
HALVINGS = 36  # of a bracket between two holes
NONE = -1.0  # a place that is none
ASIDE = 1e-7  # of the body's length: where normals beside a kink are taken
LEAST_PUSH = 0.1  # a combined normal shorter than this would push hardly anything out
Line = tuple[float, float, float, float, float, float]  # from p0 (x, y, z) along (ux, uy, uz)
Box = tuple[float, float, float]  # ax, ay, c


@njit(cache=True, error_model="numpy")
def face_distance(t: float, line: Line, box: Box) -> tuple[float, float]:
    """Return the signed distance from the nearest outer face, and its slope along the body."""
    x, y, z, ux, uy, uz = line
    _, s, nx, ny, nz = inner_feature(x + t * ux, y + t * uy, z + t * uz, box[0], box[1], box[2])
    return s, nx * ux + ny * uy + nz * uz


@njit(cache=True, error_model="numpy")
def wall_distance(t: float, line: Line, hole: Any) -> tuple[float, float]:
    """Return the signed distance from a hole's wall or bottom, and its slope along the body."""
    x, y, z, ux, uy, uz = line
    x, y, z = x + t * ux - hole[0], y + t * uy - hole[1], z + t * uz
    nx, ny, nz = hole_normal(x, y, z, hole[2], hole[3])
    return hole_distance(x, y, z, hole[2], hole[3]), nx * ux + ny * uy + nz * uz


@njit(cache=True, error_model="numpy")
def lowest_of_faces(begin: float, end: float, line: Line, box: Box) -> float:
    """Return where the distance from the faces is least, or NONE if that is at an end of the stretch.

    The tangents at both ends of the bracket meet below the function; it has at most six pieces.
    """
    low, falls = face_distance(begin, line, box)
    high, rises = face_distance(end, line, box)
    if falls >= 0.0 or rises <= 0.0:
        return NONE
    t = begin
    for _ in range(8):
        t = (high - low + falls * begin - rises * end) / (falls - rises)
        s, slope = face_distance(t, line, box)
        if s <= low + falls * (t - begin) + 1e-15:
            break
        if slope < 0.0:
            begin, low, falls = t, s, slope
        else:
            end, high, rises = t, s, slope
    return t


@njit(cache=True, error_model="numpy")
def wall_meets_faces(begin: float, end: float, line: Line, box: Box, hole: Any) -> float:
    """Return where f - g first becomes zero on the way from `begin` to `end`, or NONE."""
    t = begin
    way = end - begin
    for i in range(MAX_ITERATIONS):
        f, df = face_distance(t, line, box)
        g, dg = wall_distance(t, line, hole)
        if f - g <= 1e-15:
            return t if i > 0 else NONE
        if (df - dg) * way >= 0.0:
            return NONE
        t -= (f - g) / (df - dg)
        if (t - end) * way > 0.0:
            return NONE
    return t


@njit(cache=True, error_model="numpy")
def within_reach(line: Line, hole: Any, c: float) -> bool:
    """Return whether a hole may be nearer to the body than the faces, which are within c / 2 of it."""
    x, y, _, ux, uy, _ = line
    reach = hole[2] + 0.5 * c
    return (
        min(x, x + ux) < hole[0] + reach
        and max(x, x + ux) > hole[0] - reach
        and min(y, y + uy) < hole[1] + reach
        and max(y, y + uy) > hole[1] - reach
    )


@njit(cache=True, error_model="numpy")
def nearest_to_hole(line: Line, hole: Any) -> float:
    """Return where the line comes nearest to the hole's axis, or to the centre of its bottom if below."""
    x, y, z, ux, uy, uz = line
    x, y = x - hole[0], y - hole[1]
    pp = ux * ux + uy * uy
    t = -(x * ux + y * uy) / pp if pp > 0.0 else 0.0
    if z + t * uz >= -hole[3]:
        return t
    return -(x * ux + y * uy + (z + hole[3]) * uz) / (pp + uz * uz)


@njit(cache=True, error_model="numpy")
def walls_meet(begin: float, end: float, line: Line, one: Any, other: Any) -> float:
    """Return where two holes' walls are equally far, between the places nearest to each, or NONE."""
    low, high = nearest_to_hole(line, one), nearest_to_hole(line, other)
    if low > high:
        one, other, low, high = other, one, high, low
    low, high = max(low, begin), min(high, end)
    if (
        low >= high
        or wall_distance(low, line, one)[0] <= wall_distance(low, line, other)[0]
        or wall_distance(high, line, one)[0] >= wall_distance(high, line, other)[0]
    ):
        return NONE
    for _ in range(HALVINGS):
        t = 0.5 * (low + high)
        if wall_distance(t, line, one)[0] > wall_distance(t, line, other)[0]:
            low = t
        else:
            high = t
    return low


@njit(cache=True, error_model="numpy")
def add_deep_contact(out: Array, n: int, r: float, line: Line, box: Box, holes: Any, t: float) -> int:
    """Add the contact at place `t` if the signed distance has a local minimum there."""
    x, y, z, ux, uy, uz = line
    if not ASIDE < t < 1.0 - ASIDE:
        return n
    for i in range(n):
        if out[i, KIND] == DEEP and abs(out[i, PLACE] - t) < ASIDE:
            return n  # in a regular pattern several pairs of holes meet at one place
    a, b = t - ASIDE, t + ASIDE
    _, s, nx, ny, nz = plate_feature(x + t * ux, y + t * uy, z + t * uz, box[0], box[1], box[2], holes, -1)
    _, _, lx, ly, lz = plate_feature(x + a * ux, y + a * uy, z + a * uz, box[0], box[1], box[2], holes, -1)
    _, _, hx, hy, hz = plate_feature(x + b * ux, y + b * uy, z + b * uz, box[0], box[1], box[2], holes, -1)
    falls, rises = lx * ux + ly * uy + lz * uz, hx * ux + hy * uy + hz * uz
    if falls > 0.0 or rises < 0.0 or s >= 0.0:
        return n
    if rises > falls:
        low, high = rises / (rises - falls), -falls / (rises - falls)
        nx, ny, nz = lx, ly, lz  # both exits are equally far
        mx, my, mz = low * lx + high * hx, low * ly + high * hy, low * lz + high * hz
        size = math.sqrt(mx * mx + my * my + mz * mz)
        if size > LEAST_PUSH:
            nx, ny, nz = mx / size, my / size, mz / size
    return add_contact(out, n, r, s, x + t * ux, y + t * uy, z + t * uz, nx, ny, nz, DEEP, t)


@njit(cache=True, error_model="numpy")
def add_deep_contacts(
    out: Array,
    n: int,
    r: float,
    line: Line,
    box: Box,
    holes: Any,
    slabs: tuple[Interval, Interval, Interval],
) -> int:
    """Add a contact for each local minimum of the signed distance within the material; return the new count.

    Args:
        out: rows, shape (MAX_CONTACTS, CONTACT_SIZE).
        n: rows so far.
        r: radius of the pin [m].
        line: the body in the plate's frame [m].
        box: half widths and height of the plate [m].
        holes: rows x, y, R, h [m].
        slabs: of each axis, as `sim.contact.outside.slab` has them.
    """
    begin = max(max(slabs[0][0], slabs[1][0]), max(slabs[2][0], 0.0))
    end = min(min(slabs[0][1], slabs[1][1]), min(slabs[2][1], 1.0))
    if begin >= end:
        return n
    x, y, z, ux, uy, uz = line
    near = hole_at(x + begin * ux, y + begin * uy, z + begin * uz, holes)
    if near >= 0 and near == hole_at(x + end * ux, y + end * uy, z + end * uz, holes):
        return n  # in one hole, which is convex
    n = add_deep_contact(out, n, r, line, box, holes, lowest_of_faces(begin, end, line, box))
    for k in range(len(holes)):
        if not within_reach(line, holes[k], box[2]):
            continue
        for t in (
            wall_meets_faces(begin, end, line, box, holes[k]),
            wall_meets_faces(end, begin, line, box, holes[k]),
        ):
            n = add_deep_contact(out, n, r, line, box, holes, t)
        for j in range(k):
            if within_reach(line, holes[j], box[2]):
                t = walls_meet(begin, end, line, holes[j], holes[k])
                n = add_deep_contact(out, n, r, line, box, holes, t)
    return n
