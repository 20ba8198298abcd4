"""The contact manifold of a pin and a plate: one solid with many holes, so that no seam can be felt."""

from numba import njit

from hil.common.arrays import Array
from sim.contact.solid import solid_manifold_into


@njit(cache=True, error_model="numpy")
def plate_manifold_into(out: Array, p0: Array, p1: Array, r: float, plate: Array, holes: Array) -> int:
    """Write the contacts of a pin with a plate and return their number.

    Frame: origin in the centre of the plate's top face, z out of it. The pin is tested against every hole
    that it is over.

    Args:
        out: rows, shape (MAX_CONTACTS, CONTACT_SIZE), see `sim.contact.rows`.
        p0: one end of the pin's axis (centre of its half sphere) [m], shape (3,).
        p1: the other end [m], shape (3,).
        r: radius of the pin [m].
        plate: half widths ax, ay and height c [m], shape (3,).
        holes: x, y of the opening's centre, radius R and height h of each hole's cylinder [m], shape (K, 4).
    """
    return solid_manifold_into(
        out, p0[0], p0[1], p0[2], p1[0], p1[1], p1[2], r, plate[0], plate[1], plate[2], holes
    )
