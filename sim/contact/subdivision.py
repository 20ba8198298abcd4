"""The paper's own search of the rim by eight-fold subdivision, behind the signature of the exact manifold.

Errata are applied only where without them there is no meaning: containment and box (1, 2), depths and
directions (3, 5, 6, 10), the rim's cone (7, 9), the missing origin and the body's ends (8). What the
search itself does stays: it follows one minimum, and for the body that of the infinite line. So it misses
contacts, which the exact manifold does not. All that is not the rim is the exact manifold's.
"""

import math

from numba import njit

from hil.common.arrays import Array
from sim.contact.distance import DIAGONAL, TINY
from sim.contact.holes import hole_at, plate_feature
from sim.contact.rows import RIM, RIM_BODY, add_contact
from sim.contact.solid import POINT, add_outer_contacts

POSITIONS = 8  # of a search interval; the first is the whole rim
SLACK = 1e-9  # of R and in metres: the found position is only as good as the last interval


@njit(cache=True, error_model="numpy")
def nearest_rim_position(
    x: float, y: float, z: float, ux: float, uy: float, uz: float, R: float, levels: int
) -> tuple[float, float, float]:
    """Return the rim position nearest to a point, or to an infinite line, and the place on the line.

    Each level compares eight equidistant positions, paper (18) for a point and (20), (21) for a line; the
    next interval reaches from the one before the best to the one after it (Figure 7).

    Args:
        x: the point, or one of the line, in the hole's frame [m], as y and z.
        y: see x.
        z: see x.
        ux: direction of the line, as uy and uz; all zero for a point.
        uy: see ux.
        uz: see ux.
        R: radius of the hole [m].
        levels: number of levels, at least 1.
    """
    uu = ux * ux + uy * uy + uz * uz
    first, step = 0.0, 2.0 * math.pi / POSITIONS
    best_x, best_y, best_t = R, 0.0, 0.0
    for _ in range(levels):
        best, least = 0, math.inf
        for j in range(POSITIONS):
            angle = first + j * step
            cx, cy = R * math.cos(angle), R * math.sin(angle)
            dx, dy, dz = cx - x, cy - y, -z
            t = (dx * ux + dy * uy + dz * uz) / uu if uu > 0.0 else 0.0
            dx, dy, dz = dx - t * ux, dy - t * uy, dz - t * uz
            d2 = dx * dx + dy * dy + dz * dz
            if d2 < least:
                best, least = j, d2
                best_x, best_y, best_t = cx, cy, t
        first += (best - 1) * step
        step *= 2.0 / (POSITIONS - 1)
    return best_x, best_y, best_t


@njit(cache=True, error_model="numpy")
def add_found_contact(
    out: Array,
    n: int,
    r: float,
    x: float,
    y: float,
    z: float,
    cx: float,
    cy: float,
    R: float,
    kind: int,
    place: float,
) -> int:
    """Add the contact of an axis point with a rim position, if it is in the rim's cone (errata 7, 9)."""
    if z < -SLACK or x * x + y * y > R * R * (1.0 + SLACK):
        return n
    dx, dy = x - cx, y - cy
    d = math.sqrt(dx * dx + dy * dy + z * z)
    if d < TINY:
        return add_contact(
            out, n, r, 0.0, x, y, z, -DIAGONAL * cx / R, -DIAGONAL * cy / R, DIAGONAL, kind, place
        )
    return add_contact(out, n, r, d, x, y, z, dx / d, dy / d, z / d, kind, place)


@njit(cache=True, error_model="numpy")
def subdivided_manifold_into(out: Array, p0: Array, p1: Array, r: float, hole: Array, levels: int) -> int:
    """Write the contacts of a pin with a holed box, the rim's by subdivision, and return their number.

    Args:
        out: rows, shape (MAX_CONTACTS, CONTACT_SIZE), see `sim.contact.rows`.
        p0: one end of the pin's axis in the hole's frame [m], shape (3,).
        p1: the other end [m], shape (3,).
        r: radius of the pin [m].
        hole: R, h, ax, ay, c [m], shape (5,), see `sim.contact.manifold`.
        levels: of the search; each narrows the interval to 2/7, 8 leave 1e-9 m of depth.
    """
    R, h, ax, ay, c = hole[0], hole[1], hole[2], hole[3], hole[4]
    reach_x, reach_y = ax + r, ay + r
    if min(p0[2], p1[2]) >= r or max(p0[2], p1[2]) <= -c - r:
        return 0
    if min(p0[0], p1[0]) >= reach_x or max(p0[0], p1[0]) <= -reach_x:
        return 0
    if min(p0[1], p1[1]) >= reach_y or max(p0[1], p1[1]) <= -reach_y:
        return 0
    holes = ((0.0, 0.0, R, h),)
    n, inside = 0, 0
    for end in range(2):
        p = p0 if end == 0 else p1
        k = hole_at(p[0], p[1], p[2], holes)
        inside += k == 0 and p[2] < 0.0
        if k == 0 and p[2] >= 0.0:
            cx, cy, _ = nearest_rim_position(p[0], p[1], p[2], 0.0, 0.0, 0.0, R, levels)
            n = add_found_contact(out, n, r, p[0], p[1], p[2], cx, cy, R, RIM, float(end))
        else:
            kind, s, nx, ny, nz = plate_feature(p[0], p[1], p[2], ax, ay, c, holes, k)
            n = add_contact(out, n, r, s, p[0], p[1], p[2], nx, ny, nz, kind, float(end))
    ux, uy, uz = p1[0] - p0[0], p1[1] - p0[1], p1[2] - p0[2]
    if inside == 2 or ux * ux + uy * uy + uz * uz <= POINT:
        return n
    cx, cy, t = nearest_rim_position(p0[0], p0[1], p0[2], ux, uy, uz, R, levels)
    if 0.0 < t < 1.0:
        x, y, z = p0[0] + t * ux, p0[1] + t * uy, p0[2] + t * uz
        n = add_found_contact(out, n, r, x, y, z, cx, cy, R, RIM_BODY, t)
    return add_outer_contacts(out, n, r, (p0[0], p0[1], p0[2], ux, uy, uz), (ax, ay, c), holes)
