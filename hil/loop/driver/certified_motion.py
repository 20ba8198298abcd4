"""What plans and commands do with the held object, against what the stops were certified for; compiled."""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.geometry import quat_from_matrix
from hil.wrench.held_body import object_pose
from planner.kinematics.arm_geometry import Geometry
from planner.kinematics.forward import jacobian
from sim.world.stops import swing_twist

PLANNED, ASKED, COMMANDED = range(3)  # what is judged: the plan, the velocity that is asked for, the command
WITHIN, CENTRE, SWING, TWIST, SPEED = (
    0,
    1,
    4,
    5,
    6,
)  # findings: 1, 2, 3 of the centre by axis; 6 speed, 7 spin


class Bounds(NamedTuple):
    """What may be at a look-ahead of zero, and how much more for each second of it; by what is judged."""

    places: Array  # centre beyond the stops [m], swing and twist [rad], shape (2, 3, 3)
    speeds: Array  # of the object [m/s], [rad/s], shape (2, 3, 2)


class Held(NamedTuple):
    """The arm with the object, and the stops, for the kernels."""

    geometry: Geometry  # of the arm
    T_world_base: Array  # shape (4, 4)
    T_flange_object: Array  # shape (4, 4)
    stops: Array  # packed (`sim.world.stops`), shape (19,)


@njit(cache=True)
def examine_motion(
    q_before: Array,
    q: Array,
    dq_before: Array,
    planned: Array,
    wanted: Array,
    elapsed: float,
    lead: float,
    held: Held,
    bounds: Bounds,
) -> tuple[int, int, float, float]:
    """Return what is judged, the first finding, its value and its bound; WITHIN if there is none.

    Args:
        q_before: the command before, which has been sent [rad], shape (7,).
        q: the command [rad], shape (7,).
        dq_before: velocity that the command before ended with [rad/s], shape (7,).
        planned: the plan's position [rad] and velocity [rad/s], shape (2, 7).
        wanted: velocity that the law of following asks for [rad/s], shape (7,).
        elapsed: between the two commands [s], above 0.
        lead: look-ahead in use [s].
        held: arm, object and stops.
        bounds: what may be.
    """
    T = _pose(planned[0], held)
    finding, value, bound = _place(T, held.stops, bounds.places, PLANNED, lead)
    if finding != WITHIN:
        return PLANNED, finding, value, bound
    J = jacobian(held.geometry, planned[0], held.T_flange_object)
    for part in range(2):
        value, bound = _speed(J, planned[1], part), _at(bounds.speeds, PLANNED, part, lead)
        if not value <= bound:
            return PLANNED, SPEED + part, value, bound
    T_before, T = _pose(q_before, held), _pose(q, held)
    finding, value, bound = _place(T, held.stops, bounds.places, COMMANDED, lead)
    if finding != WITHIN:
        return COMMANDED, finding, value, bound
    J = jacobian(held.geometry, q, held.T_flange_object)
    for part in range(2):
        value, bound = _speed(J, wanted, part), _at(bounds.speeds, ASKED, part, lead)
        if not value <= bound:
            return ASKED, SPEED + part, value, bound
        # joints that take up what is asked for each in its own time carry the object astray meanwhile
        value = (_turned(T_before, T) if part else _shifted(T_before, T)) / elapsed
        left = _speed(J, dq_before - wanted, part)
        bound = _at(bounds.speeds, COMMANDED, part, lead)
        bound += min(left, bound)
        if not value <= bound:
            return COMMANDED, SPEED + part, value, bound
    return COMMANDED, WITHIN, 0.0, 0.0


@njit(cache=True)
def _pose(q: Array, held: Held) -> Array:
    return object_pose(held.geometry, q, held.T_world_base, held.T_flange_object)


@njit(cache=True)
def _place(T: Array, stops: Array, places: Array, judged: int, lead: float) -> tuple[int, float, float]:
    """Return a finding about a pose (4, 4) of the object, its value and its bound."""
    bound = _at(places, judged, 0, lead)
    for i in range(3):
        beyond = abs(T[i, 3] - stops[i]) - stops[3 + i]
        if not beyond <= bound:
            return CENTRE + i, beyond, bound
    swing, twist = swing_twist(quat_from_matrix(np.ascontiguousarray(T[:3, :3])), stops)
    bound = _at(places, judged, 1, lead)
    if not swing <= bound:
        return SWING, swing, bound
    bound = _at(places, judged, 2, lead)
    if not abs(twist) <= bound:
        return TWIST, twist, bound
    return WITHIN, 0.0, 0.0


@njit(cache=True, inline="always")
def _at(rows: Array, judged: int, i: int, lead: float) -> float:
    return rows[0, judged, i] + lead * rows[1, judged, i]


@njit(cache=True)
def _speed(J: Array, dq: Array, part: int) -> float:
    """Return the object's speed [m/s], or with `part` 1 its spin [rad/s], at joint velocity `dq`."""
    total = 0.0
    for i in range(3 * part, 3 * part + 3):
        along = 0.0
        for j in range(dq.shape[0]):
            along += J[i, j] * dq[j]
        total += along * along
    return math.sqrt(total)


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
