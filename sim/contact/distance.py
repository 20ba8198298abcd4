"""The signed distance of a point from a holed box, with the outward normal at the nearest surface point.

Frame of a hole: origin in the centre of its opening, z out of it. The hole is a cylinder of radius R and
height h that ends in a half sphere about (0, 0, -h). The box is |x| <= ax, |y| <= ay, -c <= z <= 0.
"""

import math

from numba import njit

from sim.contact.rows import BOTTOM, RIM, SIDE, TOP, WALL

TINY = 1e-14  # [m] below which a direction is not to be had from a difference
DIAGONAL = math.sqrt(0.5)

Feature = tuple[int, float, float, float, float]  # kind, signed distance, normal


@njit(cache=True, error_model="numpy")
def in_column(x: float, y: float, z: float, R: float, h: float) -> bool:
    """Return whether a point is in the hole or straight above its opening."""
    e = x * x + y * y
    if z < -h:
        e += (z + h) * (z + h)
    return e <= R * R


@njit(cache=True, error_model="numpy")
def column_feature(x: float, y: float, z: float, R: float, h: float) -> Feature:
    """Return kind, distance and normal at a point in the hole or straight above its opening.

    In the hole it is the distance from bottom or wall, paper (12), (16) with the directions of the
    errata; above it that from the rim, errata 7 and 10.
    """
    rho2 = x * x + y * y
    if z < -h:
        q = math.sqrt(rho2 + (z + h) * (z + h))
        if q < TINY:
            return BOTTOM, R, 0.0, 0.0, 1.0
        back = -1.0 / q
        return BOTTOM, R - q, back * x, back * y, back * (z + h)
    rho = math.sqrt(rho2)
    scale = 1.0 / rho if rho > TINY else 0.0
    ex, ey = (scale * x, scale * y) if rho > TINY else (1.0, 0.0)
    if z < 0.0:
        return WALL, R - rho, -ex, -ey, 0.0
    inward = rho - R
    g = math.sqrt(inward * inward + z * z)
    if g < TINY:
        return RIM, 0.0, -DIAGONAL * ex, -DIAGONAL * ey, DIAGONAL
    return RIM, g, inward / g * ex, inward / g * ey, z / g


@njit(cache=True, error_model="numpy")
def outer_feature(x: float, y: float, z: float, ax: float, ay: float, c: float) -> Feature:
    """Return kind, distance and normal at a point outside the box; at a point inside a distance of 0."""
    dx = x - min(max(x, -ax), ax)
    dy = y - min(max(y, -ay), ay)
    dz = z - min(max(z, -c), 0.0)
    if dx == 0.0 and dy == 0.0:
        if dz > 0.0:
            return TOP, dz, 0.0, 0.0, 1.0
        return SIDE, -dz, 0.0, 0.0, -1.0
    s = math.sqrt(dx * dx + dy * dy + dz * dz)
    kind = (dx != 0.0) + (dy != 0.0) + (dz != 0.0)
    return SIDE - 1 + kind, s, dx / s, dy / s, dz / s


@njit(cache=True, error_model="numpy")
def inner_feature(x: float, y: float, z: float, ax: float, ay: float, c: float) -> Feature:
    """Return the face that is nearest to a point inside the box: kind, distance (<= 0) and normal."""
    s, nx, ny, nz = z, 0.0, 0.0, 1.0
    kind = TOP
    if abs(x) - ax > s:
        s, nx, ny, nz, kind = abs(x) - ax, math.copysign(1.0, x), 0.0, 0.0, SIDE
    if abs(y) - ay > s:
        s, nx, ny, nz, kind = abs(y) - ay, 0.0, math.copysign(1.0, y), 0.0, SIDE
    if -c - z > s:
        s, nx, ny, nz, kind = -c - z, 0.0, 0.0, -1.0, SIDE
    return kind, s, nx, ny, nz


@njit(cache=True, error_model="numpy")
def hole_distance(x: float, y: float, z: float, R: float, h: float) -> float:
    """Return the distance from the hole's wall or bottom, positive in the hole, at a point below the top."""
    e = x * x + y * y
    if z < -h:
        e += (z + h) * (z + h)
    return R - math.sqrt(e)


@njit(cache=True, error_model="numpy")
def hole_normal(x: float, y: float, z: float, R: float, h: float) -> tuple[float, float, float]:
    """Return the direction into the hole at the point of its wall or bottom nearest to (x, y, z)."""
    qz = min(z + h, 0.0)
    q = math.sqrt(x * x + y * y + qz * qz)
    if q < TINY:
        return 0.0, 0.0, 1.0
    return -x / q, -y / q, -qz / q
