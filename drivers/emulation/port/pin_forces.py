"""What a plate with holes exerts on pins that a stiff arm moves, from where they touch. Compiled.

Each contact presses along its normal by the port's law, and rubs by Coulomb's, faded below a creeping
speed: `f_t = -min(mu f_n, c |v_t|) v_t / |v_t|`. The arm moves as it is commanded: there is nothing to solve.
A pin whose tip has touched the bottom of its hole is held there along the hole, if the port latches.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from drivers.emulation.port.law import Law, contact_force
from hil.common.arrays import Array, BoolArray, IntArray

CREEPS = 500.0  # [N s/m] of a contact that slides slower than friction could hold
DISTANCE, POINT, NORMAL, KIND = 0, 1, 4, 7  # columns of a contact
BOTTOM = 1  # the kind of contact that the end of a pin has with the bottom of its hole


class PinContacts(NamedTuple):
    """Where pins touch a plate; what finds it is handed to the emulation.

    Attributes:
        rows: signed distance [m], point (3) and normal (3) in world, which pushes the pin, kind; (n, >= 8).
        pins: which pin each row is of, shape (n,).
        tips: centres of all pins' tips, world [m], shape (pins, 3).
    """

    rows: Array
    pins: IntArray
    tips: Array


class Held(NamedTuple):
    """What a plate holds its pins by.

    Attributes:
        latched: which pins, shape (pins,), written.
        origin: of the plate's face, world [m], shape (3,).
        normal: out of it, shape (3,).
        seat: depth of a tip's centre below the face that touches the bottom [m].
    """

    latched: BoolArray
    origin: Array
    normal: Array
    seat: float


@njit(cache=True)
def pin_wrench_into(
    out: Array, rows: Array, pins: IntArray, tips: Array, law: Law, held: Held, p: Array, twist: Array
) -> float:
    """Write the wrench on the mock-up about its centre, world axes (6,); return the deepest contact [m].

    Args:
        out: written.
        rows: as in `PinContacts`.
        pins: see there.
        tips: see there.
        law: of each contact.
        held: what holds the tips; a tip at the bottom latches if the law says so.
        p: the object's centre, world [m], shape (3,).
        twist: of the object, world axes, shape (6,).
    """
    out[:] = 0.0
    deepest, speed, force = -math.inf, np.empty(3), np.empty(3)
    for i in range(rows.shape[0]):
        x, n = -rows[i, DISTANCE], rows[i, NORMAL : NORMAL + 3]
        deepest = max(deepest, x)
        bottom = rows[i, KIND] == BOTTOM
        if bottom and law.latches and x > 0.0:
            held.latched[pins[i]] = True
        if bottom and held.latched[pins[i]]:
            continue
        point = rows[i, POINT : POINT + 3]
        into = _speed_into(speed, point, p, twist, n)
        f = contact_force(law, x, -into, False)[0]
        slides = 0.0
        for k in range(3):
            speed[k] -= into * n[k]
            slides += speed[k] * speed[k]
        slides = math.sqrt(slides)
        rubs = min(law.friction * f / slides, CREEPS) if slides > 0.0 else 0.0
        for k in range(3):
            force[k] = f * n[k] - rubs * speed[k]
        _add(out, force, point, p)
    for i in range(tips.shape[0]):
        if not held.latched[i]:
            continue
        deep = 0.0
        for k in range(3):
            deep -= held.normal[k] * (tips[i, k] - held.origin[k])
        into = _speed_into(speed, tips[i], p, twist, held.normal)
        f = contact_force(law, deep - held.seat, -into, True)[0]
        deepest = max(deepest, deep - held.seat)
        for k in range(3):
            force[k] = f * held.normal[k]
        _add(out, force, tips[i], p)
    return deepest


@njit(cache=True)
def _speed_into(speed: Array, point: Array, p: Array, twist: Array, n: Array) -> float:
    """Write the velocity (3,) of a point of the mock-up; return its part along `n` [m/s]."""
    r0, r1, r2 = point[0] - p[0], point[1] - p[1], point[2] - p[2]
    speed[0] = twist[0] + twist[4] * r2 - twist[5] * r1
    speed[1] = twist[1] + twist[5] * r0 - twist[3] * r2
    speed[2] = twist[2] + twist[3] * r1 - twist[4] * r0
    return speed[0] * n[0] + speed[1] * n[1] + speed[2] * n[2]


@njit(cache=True)
def _add(out: Array, force: Array, point: Array, p: Array) -> None:
    """Add a force (3,) at a point to a wrench about `p`."""
    r0, r1, r2 = point[0] - p[0], point[1] - p[1], point[2] - p[2]
    for k in range(3):
        out[k] += force[k]
    out[3] += r1 * force[2] - r2 * force[1]
    out[4] += r2 * force[0] - r0 * force[2]
    out[5] += r0 * force[1] - r1 * force[0]
