"""All contacts of one pin with one holed solid: ends, rims, outer edges, and the axis within the material."""

from typing import Any

from numba import njit

from hil.arrays import Array
from sim.contact.holes import hole_at, plate_feature
from sim.contact.outside import add_edge_contact, add_face_ends, slab
from sim.contact.rim import add_rim_contacts
from sim.contact.rows import add_contact

POINT = 1e-24  # [m^2] of the squared length of a body: below it the pin is a sphere


@njit(cache=True, error_model="numpy")
def solid_manifold_into(
    out: Array, p0: Array, p1: Array, r: float, ax: float, ay: float, c: float, holes: Any
) -> int:
    """Write the contacts of a pin with a box with holes and return their number.

    Args:
        out: rows, shape (MAX_CONTACTS, CONTACT_SIZE), see `sim.contact.rows`.
        p0: one end of the pin's axis (centre of its half sphere), in the box's frame [m], shape (3,).
        p1: the other end [m], shape (3,).
        r: radius of the pin [m].
        ax: half widths of the box [m], as ay.
        ay: see ax.
        c: height of the box [m]; its top face is at z = 0.
        holes: rows x, y, R, h [m]: centre of the opening, radius, height of the cylinder.
    """
    x, y, z = p0[0], p0[1], p0[2]
    X, Y, Z = p1[0], p1[1], p1[2]
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
        return n  # wholly inside: the hole is convex
    ux, uy, uz = X - x, Y - y, Z - z
    if ux * ux + uy * uy + uz * uz <= POINT:
        return n
    for k in range(len(holes)):
        hole = holes[k]
        cx, cy, R = hole[0], hole[1], hole[2]
        if min(x, X) < cx + R and max(x, X) > cx - R and min(y, Y) < cy + R and max(y, Y) > cy - R:
            n = add_rim_contacts(out, n, r, x - cx, y - cy, z, ux, uy, uz, cx, cy, R)
    if max(abs(x), abs(X)) > ax or max(abs(y), abs(Y)) > ay or min(z, Z) < -c:
        half = 0.5 * c
        slabs = (slab(x, ux, ax), slab(y, uy, ay), slab(z + half, uz, half))
        n = add_edge_contact(out, n, r, x, y, z + half, ux, uy, uz, ax, ay, half, slabs)
        n = add_face_ends(out, n, r, x, y, z + half, ux, uy, uz, ax, ay, half, slabs)
    return n
