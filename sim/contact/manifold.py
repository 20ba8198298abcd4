"""The contact manifold of a pin and one holed box, exact (paper section 3.1, corrected by its errata)."""

from numba import njit

from hil.common.arrays import Array
from sim.contact.rows import CONTACT_SIZE, MAX_CONTACTS
from sim.contact.solid import solid_manifold_into

__all__ = ["CONTACT_SIZE", "MAX_CONTACTS", "manifold_into"]


@njit(cache=True, error_model="numpy")
def manifold_into(out: Array, p0: Array, p1: Array, r: float, hole: Array) -> int:
    """Write the contacts of a pin with a holed box and return their number.

    Frame: origin in the centre of the opening, z out of the hole.

    Args:
        out: rows, shape (MAX_CONTACTS, CONTACT_SIZE), see `sim.contact.rows`.
        p0: one end of the pin's axis (centre of its half sphere) [m], shape (3,).
        p1: the other end [m], shape (3,).
        r: radius of the pin [m].
        hole: R, h, ax, ay, c [m]: radius and height of the hole's cylinder, half widths and height of the
            box, c >= h + R, shape (5,).
    """
    return solid_manifold_into(
        out,
        p0[0],
        p0[1],
        p0[2],
        p1[0],
        p1[1],
        p1[2],
        r,
        hole[2],
        hole[3],
        hole[4],
        ((0.0, 0.0, hole[0], hole[1]),),
    )
