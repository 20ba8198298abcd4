"""The pin's body against the outer edges and corners of the box, and the ends of line contacts on its faces.

The distance from a box is convex along the body, so there is one minimum. Its derivative is linear between
the places where the body crosses the planes of the faces, so it is found in closed form.
"""

import math

from numba import njit

from hil.common.arrays import Array
from sim.contact.rows import CROSSING, SIDE, add_contact

LEVEL = 1e-12  # [m] nearer to the plane of a face an edge's minimum counts as the end of a line contact
Interval = tuple[float, float]


@njit(cache=True, error_model="numpy")
def excess(x: float, half: float) -> float:
    """Return by how much `x` lies beyond -half or +half, signed."""
    return x - min(max(x, -half), half)


@njit(cache=True, error_model="numpy")
def beyond(x: float, half: float) -> float:
    """Return the excess, but 0 where it is only rounding."""
    d = excess(x, half)
    return d if abs(d) > LEVEL else 0.0


@njit(cache=True, error_model="numpy")
def slab(x: float, u: float, half: float) -> Interval:
    """Return the places between which |x + t u| <= half; first > last if nowhere."""
    if u == 0.0:
        return (-math.inf, math.inf) if abs(x) <= half else (math.inf, -math.inf)
    a, b = (-half - x) / u, (half - x) / u
    return min(a, b), max(a, b)


@njit(cache=True, error_model="numpy")
def add_edge_contact(
    out: Array,
    n: int,
    r: float,
    x: float,
    y: float,
    z: float,
    ux: float,
    uy: float,
    uz: float,
    ax: float,
    ay: float,
    az: float,
    slabs: tuple[Interval, Interval, Interval],
) -> int:
    """Add the body's contact with an outer edge or corner, if its minimum is there; return the new count.

    Args:
        out: rows, shape (MAX_CONTACTS, CONTACT_SIZE).
        n: rows so far.
        r: radius of the pin [m].
        x: end `p0` of the pin from the box's centre [m], as y and z.
        y: see x.
        z: see x.
        ux: from `p0` to `p1` [m], as uy and uz.
        uy: see ux.
        uz: see ux.
        ax: half widths of the box [m], as ay and az.
        ay: see ax.
        az: see ax.
        slabs: of each axis, as `slab` has them.
    """
    begin, end = 0.0, 1.0
    falls = ux * excess(x, ax) + uy * excess(y, ay) + uz * excess(z, az)
    rises = ux * excess(x + ux, ax) + uy * excess(y + uy, ay) + uz * excess(z + uz, az)
    if falls >= 0.0 or rises <= 0.0:
        return n
    for axis in range(3):
        for t in slabs[axis]:
            if begin < t < end:
                rate = ux * excess(x + t * ux, ax) + uy * excess(y + t * uy, ay) + uz * excess(z + t * uz, az)
                if rate < 0.0:
                    begin, falls = t, rate
                else:
                    end, rises = t, rate
    t = begin - falls * (end - begin) / (rises - falls)
    dx, dy, dz = beyond(x + t * ux, ax), beyond(y + t * uy, ay), beyond(z + t * uz, az)
    outside = (dx != 0.0) + (dy != 0.0) + (dz != 0.0)
    if outside < 2:  # a face: flat, or not outside at all
        return n
    s = math.sqrt(dx * dx + dy * dy + dz * dz)
    return add_contact(
        out, n, r, s, x + t * ux, y + t * uy, z + t * uz - az, dx / s, dy / s, dz / s, SIDE - 1 + outside, t
    )


@njit(cache=True, error_model="numpy")
def add_face_ends(
    out: Array,
    n: int,
    r: float,
    x: float,
    y: float,
    z: float,
    ux: float,
    uy: float,
    uz: float,
    ax: float,
    ay: float,
    az: float,
    slabs: tuple[Interval, Interval, Interval],
) -> int:
    """Add contacts where the body leaves a face that it lies on, unless an edge has its minimum there.

    Arguments as in `add_edge_contact`.
    """
    u = (ux, uy, uz)
    for axis in range(3):  # the face's
        for step in range(1, 3):
            across, other = (axis + step) % 3, (axis + 3 - step) % 3
            for end in range(2):
                t = slabs[across][end]
                if not (0.0 < t < 1.0 and slabs[other][0] <= t <= slabs[other][1]):
                    continue
                dx = excess(x + t * ux, ax) if axis == 0 else 0.0
                dy = excess(y + t * uy, ay) if axis == 1 else 0.0
                dz = excess(z + t * uz, az) if axis == 2 else 0.0
                s = abs(dx + dy + dz)
                rises = (dx * ux + dy * uy + dz * uz) * (1.0 if end == 1 else -1.0)  # on the way out
                if s > 0.0 and rises >= -LEVEL * abs(u[across]):
                    nx, ny, nz = dx / s, dy / s, dz / s
                    n = add_contact(
                        out, n, r, s, x + t * ux, y + t * uy, z + t * uz - az, nx, ny, nz, CROSSING, t
                    )
    return n
