"""A contact as a row of numbers, and how a kernel adds one to its list.

Row: signed distance 0 (negative = depth) [m], point 1:4 (midway between the two surfaces) [m], normal 4:7
(unit, out of the plate: it pushes the pin), kind 7, place 8 (0 at the pin's end `p0`, 1 at `p1`).
"""

from numba import njit

from hil.common.arrays import Array

MAX_CONTACTS = 8  # of one pin with one plate; of more, the shallowest are left out
CONTACT_SIZE = 9
KIND, PLACE = 7, 8  # columns

# kinds: what of the holed box is touched, and by what of the pin
BOTTOM = 1  # the hole's bottom, by an end
WALL = 2  # its wall, by an end
RIM = 3  # its rim, by an end
RIM_BODY = 4  # its rim, by the body
CROSSING = 5  # the end of a line contact, where the body crosses an outline: rim, opening or an outer edge
TOP = 6  # the top face, by an end
SIDE = 7  # another outer face, by an end
EDGE = 8  # an outer edge; SIDE, EDGE, CORNER count the faces that a point is beyond
CORNER = 9  # an outer corner
DEEP = 10  # the pin's axis is within the material
KIND_NAMES = {
    BOTTOM: "bottom",
    WALL: "wall",
    RIM: "rim, end",
    RIM_BODY: "rim, body",
    CROSSING: "crossing",
    TOP: "top face",
    SIDE: "side face",
    EDGE: "edge",
    CORNER: "corner",
    DEEP: "deep",
}


@njit(cache=True, error_model="numpy")
def add_contact(
    out: Array,
    n: int,
    r: float,
    s: float,
    x: float,
    y: float,
    z: float,
    nx: float,
    ny: float,
    nz: float,
    kind: int,
    place: float,
) -> int:
    """Add the contact of a point of the pin's axis if it overlaps, and return the new count.

    The nearest surface point is `P - s n`, so that the midpoint of both surfaces is `P - n (s + r) / 2`.

    Args:
        out: rows, shape (MAX_CONTACTS, CONTACT_SIZE).
        n: rows so far.
        r: radius of the pin [m].
        s: signed distance of the axis point from the plate [m].
        x: the axis point P [m], as y and z.
        y: see x.
        z: see x.
        nx: outward unit normal at the nearest surface point, as ny and nz.
        ny: see nx.
        nz: see nx.
        kind: one of the kinds above.
        place: of P along the pin's axis, 0 to 1.
    """
    if not s < r:
        return n
    row = n
    if n == out.shape[0]:
        row = 0
        for i in range(1, n):
            if out[i, 0] > out[row, 0]:
                row = i
        if out[row, 0] <= s - r:
            return n
        n -= 1
    back = 0.5 * (s + r)
    out[row, 0] = s - r
    out[row, 1] = x - back * nx
    out[row, 2] = y - back * ny
    out[row, 3] = z - back * nz
    out[row, 4] = nx
    out[row, 5] = ny
    out[row, 6] = nz
    out[row, 7] = kind
    out[row, 8] = place
    return n + 1
