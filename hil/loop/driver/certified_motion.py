"""What a command does with the held object, against what the stops were certified for; compiled."""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.geometry import quat_from_matrix
from hil.wrench.held_body import object_pose
from planner.kinematics.forward import jacobian
from sim.world.stops import swing_twist

WITHIN, CENTRE, SWING, TWIST = 0, 1, 4, 5  # findings; of the centre one for each axis: 1, 2, 3
ASKED, MOVING = 6, 8  # what is asked for is too fast, what is commanded; of each first speed, then spin


class Bounds(NamedTuple):
    """What may be at a look-ahead of zero, and how much more for each second of it."""

    places: Array  # centre beyond the stops [m], swing and twist [rad], shape (2, 3)
    speeds: Array  # of the object, asked for [m/s], [rad/s], shape (2, 2)


class Held(NamedTuple):
    """The arm with the object, and the stops, for the kernel."""

    lengths: Array  # of the arm [m], shape (4,)
    signs: Array  # of the joint axes, shape (7,)
    T_world_base: Array  # shape (4, 4)
    T_flange_object: Array  # shape (4, 4)
    stops: Array  # packed (`sim.world.stops`), shape (17,)


@njit(cache=True)
def examine_motion(
    q_before: Array,
    q: Array,
    dq_before: Array,
    wanted: Array,
    elapsed: float,
    lead: float,
    held: Held,
    bounds: Bounds,
) -> tuple[int, float, float]:
    """Return the first finding with its value and bound; WITHIN if there is none.

    Args:
        q_before: the command before, which has been sent [rad], shape (7,).
        q: the command [rad], shape (7,).
        dq_before: velocity that the command before ended with [rad/s], shape (7,).
        wanted: velocity that the law of following asks for [rad/s], shape (7,).
        elapsed: between the two commands [s], above 0.
        lead: look-ahead in use [s].
        held: arm, object and stops.
        bounds: what may be.
    """
    centre, swung, twisted = (
        _at(bounds.places, 0, lead),
        _at(bounds.places, 1, lead),
        _at(bounds.places, 2, lead),
    )
    T = object_pose(held.lengths, held.signs, q, held.T_world_base, held.T_flange_object)
    for i in range(3):
        beyond = abs(T[i, 3] - held.stops[i]) - held.stops[3 + i]
        if not beyond <= centre:
            return CENTRE + i, beyond, centre
    swing, twist = swing_twist(quat_from_matrix(np.ascontiguousarray(T[:3, :3])), held.stops)
    if not swing <= swung:
        return SWING, swing, swung
    if not abs(twist) <= twisted:
        return TWIST, twist, twisted
    T_before = object_pose(held.lengths, held.signs, q_before, held.T_world_base, held.T_flange_object)
    J = jacobian(held.lengths, held.signs, q, held.T_flange_object)
    for part in range(2):
        most = _at(bounds.speeds, part, lead)
        moved = _turned(T_before, T) if part else _shifted(T_before, T)
        asked = late = 0.0
        for i in range(3 * part, 3 * part + 3):
            along = left = 0.0
            for j in range(q.shape[0]):
                along += J[i, j] * wanted[j]
                left += J[i, j] * (dq_before[j] - wanted[j])
            asked += along * along
            late += left * left
        if not math.sqrt(asked) <= most:
            return ASKED + part, math.sqrt(asked), most
        # joints that reach what is asked for each in its own time carry the object astray meanwhile
        most += min(math.sqrt(late), most)
        if not moved / elapsed <= most:
            return MOVING + part, moved / elapsed, most
    return WITHIN, 0.0, 0.0


@njit(cache=True, inline="always")
def _at(rows: Array, i: int, lead: float) -> float:
    return rows[0, i] + lead * rows[1, i]


@njit(cache=True)
def _shifted(T_before: Array, T: Array) -> float:
    """Return how far the centre has moved [m]."""
    total = 0.0
    for i in range(3):
        total += (T[i, 3] - T_before[i, 3]) ** 2
    return math.sqrt(total)


@njit(cache=True)
def _turned(T_before: Array, T: Array) -> float:
    """Return by which angle the object has turned, in [0, pi] [rad]."""
    trace = x = y = z = 0.0
    for k in range(3):
        a, b, c = T_before[k, 0], T_before[k, 1], T_before[k, 2]
        trace += a * T[k, 0] + b * T[k, 1] + c * T[k, 2]
        x += c * T[k, 1] - b * T[k, 2]
        y += a * T[k, 2] - c * T[k, 0]
        z += b * T[k, 0] - a * T[k, 1]
    return math.atan2(math.sqrt(x * x + y * y + z * z), trace - 1.0)
