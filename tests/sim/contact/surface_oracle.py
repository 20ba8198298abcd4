"""The holed plate as an oracle knows it: the nearest of its surface patches, searched densely along a body.

Nothing here knows regions, roots or derivatives. A patch is a rectangle (with round windows), a tube or a
half sphere; the distance of a point is the least over all patches, the sign that of an inside test.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array

LEVEL = 1e-13  # [m] noise of a level stretch
SAMPLES = 3001  # along the axis, before refinement
GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)


@njit(cache=True)
def face_patch(u: float, v: float, w: float, a: float, b: float) -> float:
    """Distance from a rectangle |u| <= a, |v| <= b in the plane w = 0."""
    du, dv = max(abs(u) - a, 0.0), max(abs(v) - b, 0.0)
    return math.sqrt(du * du + dv * dv + w * w)


@njit(cache=True)
def signed_distance(x: float, y: float, z: float, plate: Array, holes: Array) -> float:
    """Signed distance of a point from the plate [m], negative in its material."""
    ax, ay, c = plate[0], plate[1], plate[2]
    window = -1  # the top face's window over which the point is
    in_hole = False
    best = 1e9
    for k in range(holes.shape[0]):
        dx, dy, R, h = x - holes[k, 0], y - holes[k, 1], holes[k, 2], holes[k, 3]
        rho = math.sqrt(dx * dx + dy * dy)
        q = math.sqrt(rho * rho + (z + h) ** 2)
        if rho <= R:
            window = k
        best = min(best, math.hypot(rho - R, max(z, 0.0) + max(-h - z, 0.0)))  # the tube
        if z <= -h:
            best = min(best, abs(q - R))  # the half sphere
        in_hole = in_hole or (rho < R and -h <= z <= 0.0) or (q < R and z < -h)
    if window < 0:
        best = min(best, face_patch(x, y, z, ax, ay))
    # beside a window the top face is nearest straight below, over it at its edge: that is the tube's
    best = min(best, face_patch(x, y, z + c, ax, ay))
    middle = z + 0.5 * c
    best = min(
        best, min(face_patch(y, middle, x - ax, ay, 0.5 * c), face_patch(y, middle, x + ax, ay, 0.5 * c))
    )
    best = min(
        best, min(face_patch(x, middle, y - ay, ax, 0.5 * c), face_patch(x, middle, y + ay, ax, 0.5 * c))
    )
    material = abs(x) < ax and abs(y) < ay and -c < z < 0.0 and not in_hole
    return -best if material else best


@njit(cache=True)
def along(t: float, p0: Array, p1: Array, plate: Array, holes: Array) -> float:
    """Signed distance at a place of the axis."""
    return signed_distance(
        p0[0] + t * (p1[0] - p0[0]),
        p0[1] + t * (p1[1] - p0[1]),
        p0[2] + t * (p1[2] - p0[2]),
        plate,
        holes,
    )


@njit(cache=True)
def refined(low: float, high: float, p0: Array, p1: Array, plate: Array, holes: Array) -> float:
    """Place of the least distance in a bracket, by golden section."""
    a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    fa, fb = along(a, p0, p1, plate, holes), along(b, p0, p1, plate, holes)
    for _ in range(60):
        if fa <= fb:
            high, b, fb = b, a, fa
            a = high - GOLDEN * (high - low)
            fa = along(a, p0, p1, plate, holes)
        else:
            low, a, fa = a, b, fb
            b = low + GOLDEN * (high - low)
            fb = along(b, p0, p1, plate, holes)
    return 0.5 * (low + high)


@njit(cache=True)
def minima(p0: Array, p1: Array, r: float, plate: Array, holes: Array) -> tuple[Array, Array]:
    """Places and distances, less the radius, of all overlapping local minima, ends of the axis included."""
    s = np.empty(SAMPLES)
    step = 1.0 / (SAMPLES - 1)
    for i in range(SAMPLES):
        s[i] = along(i * step, p0, p1, plate, holes)
    places, depths = np.empty(SAMPLES), np.empty(SAMPLES)
    n = 0
    for i in range(SAMPLES):
        left = s[i - 1] if i > 0 else math.inf
        right = s[i + 1] if i < SAMPLES - 1 else math.inf
        if s[i] > left - LEVEL or s[i] > right or s[i] - r > 1e-5:
            continue  # of a level stretch its first sample counts
        t = refined(max(i - 1, 0) * step, min(i + 1, SAMPLES - 1) * step, p0, p1, plate, holes)
        # at an end the end itself counts, if nothing beside it is deeper
        if i == 0 and s[0] <= along(t, p0, p1, plate, holes) + 1e-12:
            t = 0.0
        if i == SAMPLES - 1 and s[i] <= along(t, p0, p1, plate, holes) + 1e-12:
            t = 1.0
        places[n], depths[n] = t, along(t, p0, p1, plate, holes) - r
        if depths[n] < 0.0:
            n += 1
    return places[:n].copy(), depths[:n].copy()
