"""The pin's body against the rim of one hole: minima of the distance and ends of line contacts.

Only the part of the axis straight above the opening counts, an interval. There the distance d from the
rim, with rho the distance from the hole's axis, obeys d^2 = |Q|^2 + R^2 - 2 R rho: a quadratic less a
convex function, so that it has at most two minima. With sigma the horizontal way along the body from its
closest approach m to the hole's axis, k = 1 + tan(slope)^2 and a = z* tan(slope), they are roots of

    G(sigma) = a + k sigma - R sigma / sqrt(m^2 + sigma^2),

concave in -sigma on the side where the first root lies and convex on the other; Newton from the outer
end of each bracket never passes a root. Errata 7 to 10 of the paper's (18) to (21).
"""

import math

from numba import njit

from hil.common.arrays import Array
from sim.contact.distance import DIAGONAL, TINY
from sim.contact.rows import CROSSING, RIM, RIM_BODY, add_contact

MAX_ITERATIONS = 60
UPRIGHT = 1e-24  # of squared lengths: below it the body is parallel to the hole
NO_ROOT = math.inf


@njit(cache=True, error_model="numpy")
def gradient(sigma: float, a: float, k: float, m2: float, R: float) -> float:
    """Return G, the derivative of d^2 / 2 along the horizontal way."""
    rho = math.sqrt(m2 + sigma * sigma)
    return a + k * sigma - (R * sigma / rho if rho > 0.0 else 0.0)


@njit(cache=True, error_model="numpy")
def newton(s: float, a: float, k: float, m2: float, R: float, least: float) -> float:
    """Return the largest root of `a + k s - R s / rho` below `s`, where that is positive, or NO_ROOT.

    The function is convex in s > 0, so every step ends at or above the root; where there is none, a step
    leads below `least`, the lower end of the bracket, or to where the function falls.
    """
    for _ in range(MAX_ITERATIONS):
        rho2 = m2 + s * s
        rho = math.sqrt(rho2)
        slope = k - R * m2 / (rho2 * rho)
        if slope <= 0.0:
            return NO_ROOT
        step = (a + s * (k - R / rho)) / slope
        s -= step
        if s <= least:
            return NO_ROOT
        if step <= 1e-12 * s:
            break
    return s


@njit(cache=True, error_model="numpy")
def above_opening(
    x: float, y: float, z: float, ux: float, uy: float, uz: float, R: float
) -> tuple[float, float]:
    """Return the places between which the segment is straight above the opening; first > last if nowhere."""
    first, last = 0.0, 1.0
    if uz > 0.0:
        first = max(first, -z / uz)
    elif uz < 0.0:
        last = min(last, -z / uz)
    elif z < 0.0:
        return 1.0, 0.0
    pp, b, e = ux * ux + uy * uy, x * ux + y * uy, x * x + y * y - R * R
    if pp <= UPRIGHT:
        return (1.0, 0.0) if e > 0.0 else (first, last)
    room = b * b - pp * e
    if room <= 0.0:
        return 1.0, 0.0
    root = math.sqrt(room)
    return max(first, (-b - root) / pp), min(last, (-b + root) / pp)


@njit(cache=True, error_model="numpy")
def rim_minima(
    a: float, k: float, m2: float, R: float, begin: float, end: float, falls: bool, rises: bool
) -> tuple[float, float]:
    """Return sigma of the minima between `begin` and `end`; infinite where there is none.

    Args:
        a: height at the closest approach times the slope [m].
        k: 1 + slope^2.
        m2: square of the least distance between the line and the hole's axis [m^2].
        R: radius of the hole [m].
        begin: lower bound of sigma [m].
        end: upper bound [m].
        falls: whether the distance falls at `begin`.
        rises: whether it rises at `end`.
    """
    side = 1.0
    if a < 0.0:  # mirrored, so that the rules below may take a >= 0
        side, a = -1.0, -a
        begin, end = -end, -begin
        falls, rises = rises, falls
    left, right = NO_ROOT, NO_ROOT
    if falls and begin < 0.0 and (end >= 0.0 or rises):
        left = -newton(min(-begin, (a + R) / k), -a, k, m2, R, -1.0)
    if rises and end > 0.0 and k * k * m2 < R * R and a < R:
        right = newton(min(end, (R - a) / k), a, k, m2, R, max(begin, 0.0))
    return side * left, side * right


@njit(cache=True, error_model="numpy")
def add_rim_contact(
    out: Array,
    n: int,
    r: float,
    x: float,
    y: float,
    z: float,
    ux: float,
    uy: float,
    uz: float,
    cx: float,
    cy: float,
    R: float,
    kind: int,
    t: float,
) -> int:
    """Add the contact at place `t` of the body with the rim; arguments as in `add_rim_contacts`."""
    x, y, z = x + t * ux, y + t * uy, z + t * uz
    rho = math.sqrt(x * x + y * y)
    ex, ey = (x / rho, y / rho) if rho > TINY else (1.0, 0.0)
    inward = rho - R
    g = math.sqrt(inward * inward + z * z)
    nr, nz = (inward / g, z / g) if g > TINY else (-DIAGONAL, DIAGONAL)
    return add_contact(out, n, r, g, x + cx, y + cy, z, nr * ex, nr * ey, nz, kind, t)


@njit(cache=True, error_model="numpy")
def add_seat_contacts(
    out: Array, n: int, r: float, x: float, y: float, z: float, cx: float, cy: float, R: float, place: float
) -> int:
    """Add three more points of the rim for an end that is too thick for the hole; return the new count.

    Such an end can sit on the whole rim at once, and its nearest point would not hold it: erratum 13.
    With it they are four at right angles. The end (x, y, z) is in the hole's frame; only one straight above
    the opening counts.
    """
    rho = math.sqrt(x * x + y * y)
    if z < 0.0 or rho > R:
        return n
    ex, ey = (x / rho, y / rho) if rho > TINY else (1.0, 0.0)
    for _ in range(3):
        ex, ey = -ey, ex
        dx, dy = x - R * ex, y - R * ey
        g = math.sqrt(dx * dx + dy * dy + z * z)
        n = add_contact(out, n, r, g, x + cx, y + cy, z, dx / g, dy / g, z / g, RIM, place)
    return n


@njit(cache=True, error_model="numpy")
def add_rim_contacts(
    out: Array,
    n: int,
    r: float,
    x: float,
    y: float,
    z: float,
    ux: float,
    uy: float,
    uz: float,
    cx: float,
    cy: float,
    R: float,
) -> int:
    """Add the contacts of the pin's body with one hole's rim and return the new count.

    Args:
        out: rows, shape (MAX_CONTACTS, CONTACT_SIZE).
        n: rows so far.
        r: radius of the pin [m].
        x: end `p0` of the pin in the hole's frame [m], as y and z.
        y: see x.
        z: see x.
        ux: from `p0` to `p1` [m], as uy and uz.
        uy: see ux.
        uz: see ux.
        cx: centre of the opening in the plate's frame [m], as cy.
        cy: see cx.
        R: radius of the hole [m].
    """
    first, last = above_opening(x, y, z, ux, uy, uz, R)
    if first >= last or min(z + first * uz, z + last * uz) >= r:
        return n
    pp = ux * ux + uy * uy
    if pp <= UPRIGHT:  # upright: the distance falls towards the opening
        lower = first if uz > 0.0 else last
        if 0.0 < lower < 1.0:
            n = add_rim_contact(out, n, r, x, y, z, ux, uy, uz, cx, cy, R, CROSSING, lower)
        return n
    p = math.sqrt(pp)
    middle = -(x * ux + y * uy) / pp
    m = (x * uy - y * ux) / p
    m2 = m * m
    tangent = uz / p
    a = (z + middle * uz) * tangent
    k = 1.0 + tangent * tangent
    begin, end = p * (first - middle), p * (last - middle)
    if R - math.sqrt(m2 + max(begin * begin, end * end)) >= r:
        return n
    falls = gradient(begin, a, k, m2, R) < 0.0
    rises = gradient(end, a, k, m2, R) > 0.0
    if first > 0.0 and not falls:
        n = add_rim_contact(out, n, r, x, y, z, ux, uy, uz, cx, cy, R, CROSSING, first)
    if last < 1.0 and not rises:
        n = add_rim_contact(out, n, r, x, y, z, ux, uy, uz, cx, cy, R, CROSSING, last)
    left, right = rim_minima(a, k, m2, R, begin, end, falls, rises)
    for sigma in (left, right):
        t = middle + sigma / p
        if 0.0 < t < 1.0:
            n = add_rim_contact(out, n, r, x, y, z, ux, uy, uz, cx, cy, R, RIM_BODY, t)
    return n
