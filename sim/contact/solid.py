"""All contacts of one pin with one holed solid: ends, rims, outer edges, and the axis within the material."""

from typing import Any

from numba import njit

from hil.common.arrays import Array
from sim.contact.deep import Box, Line, add_deep_contacts
from sim.contact.holes import hole_at, plate_feature
from sim.contact.outside import add_edge_contact, add_face_ends, slab
from sim.contact.rim import add_rim_contacts, add_seat_contacts
from sim.contact.rows import add_contact

POINT = 1e-24  # [m^2] of the squared length of a body: below it the pin is a sphere


@njit(cache=True, error_model="numpy")
def solid_manifold_into(
    out: Array,
    x: float,
    y: float,
    z: float,
    X: float,
    Y: float,
    Z: float,
    r: float,
    ax: float,
    ay: float,
    c: float,
    holes: Any,
) -> int:
    """Write the contacts of a pin with a box with holes and return their number.

    Args:
        out: rows, shape (MAX_CONTACTS, CONTACT_SIZE), see `sim.contact.rows`.
        x: one end of the pin's axis (centre of its half sphere) in the box's frame [m], as y and z.
        y: see x.
        z: see x.
        X: the other end [m], as Y and Z.
        Y: see X.
        Z: see X.
        r: radius of the pin [m].
        ax: half widths of the box [m], as ay.
        ay: see ax.
        c: height of the box [m]; its top face is at z = 0.
        holes: rows x, y, R, h [m]: centre of the opening, radius, height of the cylinder.
    """
    if min(z, Z) >= r or max(z, Z) <= -c - r:
        return 0
    if min(x, X) >= ax + r or max(x, X) <= -ax - r or min(y, Y) >= ay + r or max(y, Y) <= -ay - r:
        return 0
    near, far = hole_at(x, y, z, holes), hole_at(X, Y, Z, holes)
    kind, s, nx, ny, nz = plate_feature(x, y, z, ax, ay, c, holes, near)
    n = add_contact(out, 0, r, s, x, y, z, nx, ny, nz, kind, 0.0)
    kind, s, nx, ny, nz = plate_feature(X, Y, Z, ax, ay, c, holes, far)
    n = add_contact(out, n, r, s, X, Y, Z, nx, ny, nz, kind, 1.0)
    if near >= 0 and near == far and z < 0.0 and Z < 0.0:
        return n  # wholly inside: the hole is convex; a call of its own, so that this way is short
    line = (x, y, z, X - x, Y - y, Z - z)
    n = add_hole_contacts(out, n, r, line, holes)
    return add_outer_contacts(out, n, r, line, (ax, ay, c), holes)


@njit(cache=True, error_model="numpy")
def add_hole_contacts(out: Array, n: int, r: float, line: Line, holes: Any) -> int:
    """Add what the pin touches of the rims of all holes that it is over, but for its ends; return the count.

    Args:
        out: rows, shape (MAX_CONTACTS, CONTACT_SIZE).
        n: rows so far.
        r: radius of the pin [m].
        line: the body: `p0` and the way to `p1` [m].
        holes: rows x, y, R, h [m].
    """
    x, y, z, ux, uy, uz = line
    X, Y = x + ux, y + uy
    for k in range(len(holes)):
        hole = holes[k]
        cx, cy, R = hole[0], hole[1], hole[2]
        if min(x, X) < cx + R and max(x, X) > cx - R and min(y, Y) < cy + R and max(y, Y) > cy - R:
            if ux * ux + uy * uy + uz * uz > POINT:
                n = add_rim_contacts(out, n, r, x - cx, y - cy, z, ux, uy, uz, cx, cy, R)
            if r > R:
                n = add_seat_contacts(out, n, r, x - cx, y - cy, z, cx, cy, R, 0.0)
                n = add_seat_contacts(out, n, r, X - cx, Y - cy, z + uz, cx, cy, R, 1.0)
    return n


@njit(cache=True, error_model="numpy")
def add_outer_contacts(out: Array, n: int, r: float, line: Line, box: Box, holes: Any) -> int:
    """Add what the body touches besides rims (edges, corners, ends of faces, material); return the count.

    Args:
        out: rows, shape (MAX_CONTACTS, CONTACT_SIZE).
        n: rows so far.
        r: radius of the pin [m].
        line: the body: `p0` and the way to `p1` [m].
        box: half widths ax, ay and height c [m].
        holes: rows x, y, R, h [m].
    """
    x, y, z, ux, uy, uz = line
    ax, ay, c = box
    lowest = min(z, z + uz)
    beyond = max(abs(x), abs(x + ux)) > ax or max(abs(y), abs(y + uy)) > ay or lowest < -c
    if not beyond and lowest >= 0.0:
        return n
    if ux * ux + uy * uy + uz * uz <= POINT:
        return n
    half = 0.5 * c
    slabs = (slab(x, ux, ax), slab(y, uy, ay), slab(z + half, uz, half))
    if beyond:
        n = add_edge_contact(out, n, r, x, y, z + half, ux, uy, uz, ax, ay, half, slabs)
        n = add_face_ends(out, n, r, x, y, z + half, ux, uy, uz, ax, ay, half, slabs)
    return add_deep_contacts(out, n, r, line, box, holes, slabs)
