"""The load of an O-ring that slides into a hole over its chamfers. Compiled.

theory: Meitinger & Pfeiffer, equations 26 to 33, with these put right: the eccentricity's parts are
k1 = c1 e + 2 c2 e (Da - e) and k2 = c2 e^2 (equation 29 has eps/2 and c2 e); the lateral force across the
eccentricity is zero and the moment has one component (equation 32); the load acts at the hole's radius, not
at the groove's. Added: where the squeeze would be negative the ring does not touch; and on the chamfers the
equilibrium of a ring segment with the slope's angle theta,

    p_a ((cos th - k mu sin th) - s mu |k sin th + mu cos th|) = p_i,

with k = 1 on the chamfer that the ring enters by, -1 on the one that it leaves by, 0 between them, and s = 1
while the ring is squeezed into its groove, -1 while it comes out: the wall of the groove holds it back by
friction. In the hole that is equation 30.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array

POINTS, WEIGHTS = np.polynomial.legendre.leggauss(12)
FREE, ENTRANCE, HOLE, EXIT, JAMMED = range(5)


class RingNumbers(NamedTuple):
    """An O-ring on its piston and the hole, in SI.

    Attributes:
        groove: radius of the groove's ground [m].
        section: radius of the ring's cross-section [m].
        hole: radius of the hole [m].
        chamfer: radius of both chamfers [m].
        length: of the hole's cylinder, between the chamfers [m].
        c1: stiffness of the line load by squeeze [N/m2].
        c2: the same by its square [N/m3].
        rubber: modulus times the section's diameter, of Lindley's law; 0: c1 and c2 alone [N/m].
        mu: friction of ring on hole and groove.
        slip: speed below which friction fades [m/s].
        arcs: where ring and hole can touch, from and to [rad] about the hole's axis, rising, shape (n, 2).
    """

    groove: float
    section: float
    hole: float
    chamfer: float
    length: float
    c1: float
    c2: float
    rubber: float
    mu: float
    slip: float
    arcs: Array


@njit(cache=True)
def slope_at(ring: RingNumbers, depth: float) -> tuple[int, int, float, float]:
    """Return phase, k, sine and cosine of the slope at a depth of the ring's centre below the edge [m]."""
    beyond = -depth if depth < 0.0 else max(0.0, depth - ring.length)
    if beyond == 0.0:
        return HOLE, 0, 0.0, 1.0
    sine = beyond / (ring.chamfer + ring.section)
    if sine >= 1.0:
        return FREE, 0, 0.0, 1.0
    return (ENTRANCE if depth < 0.0 else EXIT), (1 if depth < 0.0 else -1), sine, math.sqrt(1.0 - sine * sine)


@njit(cache=True)
def line_load(ring: RingNumbers, squeeze: float) -> float:
    """Return what squeezes the ring, by length of the hole's circle [N/m], at a squeeze [m] (equation 28).

    Lindley's law for a round section of rubber, with c = squeeze / diameter: E d (1.25 c^1.5 + 50 c^6).
    """
    c = squeeze / (2.0 * ring.section)
    return (ring.c1 + ring.c2 * squeeze) * squeeze + ring.rubber * (1.25 * c * math.sqrt(c) + 50.0 * c**6)


@njit(cache=True)
def ring_load(ring: RingNumbers, T: Array, twist: Array) -> tuple[Array, int, float]:
    """Return the load on the piston about the ring's centre, the phase, and the greatest squeeze.

    Args:
        ring: its numbers.
        T: pose of the ring's centre in the hole, whose z axis points out of it and begins where the cylinder
            does, shape (4, 4). The ring is not tilted: its own axis counts as parallel.
        twist: of the ring's centre, shape (6,) [m/s, rad/s]; friction looks at its speed along z.

    Returns:
        Force and moment in the hole's axes, shape (6,) [N, N m]; `FREE` and so on; squeeze [m].
    """
    load = np.zeros(6)
    phase, k, sine, cosine = slope_at(ring, -T[2, 3])
    e, azimuth = math.hypot(T[0, 3], T[1, 3]), math.atan2(T[1, 3], T[0, 3])
    # the radius at which the section's centre would just touch
    throat = ring.hole + ring.chamfer - (ring.chamfer + ring.section) * cosine
    deepest = ring.groove + ring.section - throat + e
    if phase == FREE or deepest <= 0.0:
        return load, FREE, 0.0
    fading = math.tanh(-twist[2] / ring.slip)
    mu, wall = ring.mu * fading, ring.mu * abs(fading)
    if k * fading < 0.0:
        wall = -wall
    along = k * sine + mu * cosine
    inward = cosine - k * mu * sine
    rest = inward - wall * abs(along)
    if rest <= 0.0:
        return load, JAMMED, deepest
    half = math.pi if deepest >= 2.0 * e else math.acos(1.0 - deepest / e)
    radius = ring.hole + ring.chamfer * (1.0 - cosine)
    height = -k * ring.section * sine
    for n in range(ring.arcs.shape[0]):
        for turn in range(-3, 2):
            low = max(ring.arcs[n, 0] - azimuth + 2.0 * math.pi * turn, -half)
            high = min(ring.arcs[n, 1] - azimuth + 2.0 * math.pi * turn, half)
            by = np.array([inward / rest, along / rest, radius, height])
            _add_arc(load, ring, low, high, azimuth, deepest, e, by)
    return load, phase, deepest


@njit(cache=True)
def ring_energy(ring: RingNumbers, T: Array) -> float:
    """Return what the squeezed ring holds in a pose (4, 4) [J]: the line load's integral all around.

    Without friction its gradient is the load: the throat's slope is that of the chamfer.
    """
    phase, _, _, cosine = slope_at(ring, -T[2, 3])
    e, azimuth = math.hypot(T[0, 3], T[1, 3]), math.atan2(T[1, 3], T[0, 3])
    throat = ring.hole + ring.chamfer - (ring.chamfer + ring.section) * cosine
    deepest, total = ring.groove + ring.section - throat + e, 0.0
    if phase == FREE or deepest <= 0.0:
        return total
    for n in range(ring.arcs.shape[0]):
        low, width = ring.arcs[n, 0], ring.arcs[n, 1] - ring.arcs[n, 0]
        pieces = max(1, math.ceil(width / 0.2))
        for piece in range(pieces):
            for m in range(POINTS.size):
                angle = low + (piece + 0.5 + 0.5 * POINTS[m]) * width / pieces
                a = max(0.0, deepest - e + e * math.cos(angle - azimuth))
                c = a / (2.0 * ring.section)
                line = (0.5 * ring.c1 + ring.c2 * a / 3.0) * a * a
                line += ring.rubber * 2.0 * ring.section * (0.5 * c * c * math.sqrt(c) + 50.0 * c**7 / 7.0)
                total += line * WEIGHTS[m] * 0.5 * width / pieces * ring.hole
    return total


@njit(cache=True)
def _add_arc(
    load: Array, ring: RingNumbers, low: float, high: float, azimuth: float, deepest: float, e: float,
    by: Array,
) -> None:  # fmt: skip
    """Add what an arc carries: `by` the inward and axial share of the squeezing load, radius and height."""
    if high <= low:
        return
    pieces = max(1, math.ceil((high - low) / 0.8))
    width = (high - low) / pieces
    c, s = math.cos(azimuth), math.sin(azimuth)
    for piece in range(pieces):
        middle = low + (piece + 0.5) * width
        for m in range(POINTS.size):
            angle = middle + 0.5 * width * POINTS[m]
            along, across = math.cos(angle), math.sin(angle)
            a = max(0.0, deepest - e + e * along)
            p = line_load(ring, a) * WEIGHTS[m] * 0.5 * width * ring.hole
            x, y = c * along - s * across, s * along + c * across
            fr, fz = -p * by[0], p * by[1]
            load[0] += fr * x
            load[1] += fr * y
            load[2] += fz
            load[3] += by[2] * y * fz - by[3] * fr * y
            load[4] += by[3] * fr * x - by[2] * x * fz
