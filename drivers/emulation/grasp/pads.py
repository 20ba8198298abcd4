"""What two pads of four points each exert on a bar: springs and dampers along the normal, bristles across.

Compiled. A point within the bar is pressed out of the face on its pad's side; it never pulls. One that comes
in over an edge is pressed no deeper than it lies behind that edge: edges are rounded. Along the face a
bristle is stretched by the way that the point slides, and slips where it would pull more than friction holds.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from drivers.emulation.grasp.law import POINTS, GraspLaw
from hil.common.arrays import Array


class Pressed(NamedTuple):
    """What the pads do; all arrays are written.

    Attributes:
        bristles: by what they are stretched, bar's x and z [m], (2, 4, 2).
        on_object: wrench on the object about its centre, world axes [N, N m], (6,).
        on_tool: wrench on the tool about its tip, world axes [N, N m], (6,).
        normal: force of each pad along the bar's normal [N], (2,).
        opening: force on each finger along its way [N], (2,).
        deepest: penetration of the deepest point, negative: the nearest one's gap [m], (1,).
    """

    bristles: Array
    on_object: Array
    on_tool: Array
    normal: Array
    opening: Array
    deepest: Array


def untouched() -> Pressed:
    """Return pads that touch nothing."""
    return Pressed(
        np.zeros((2, POINTS, 2)), np.zeros(6), np.zeros(6), np.zeros(2), np.zeros(2), np.full(1, -np.inf)
    )


@njit(cache=True)
def press_into(
    pads: Pressed,
    law: GraspLaw,
    T_object: Array,
    twist_object: Array,
    T_tip: Array,
    twist_tip: Array,
    fingers: Array,
    slid: float,
) -> None:
    """Write what the pads exert.

    Args:
        pads: written.
        law: constants.
        T_object: pose of the object in world, (4, 4).
        twist_object: of its centre, world axes, (6,).
        T_tip: pose of the tool in world, (4, 4); its y is the way of the fingers.
        twist_tip: of the tip, world axes, (6,).
        fingers: way of each from the middle [m] and its speed [m/s], (2,).
        slid: time since the bristles were written last [s].
    """
    pads.on_object[:], pads.on_tool[:], pads.normal[:], pads.opening[:] = 0.0, 0.0, 0.0, 0.0
    pads.deepest[0] = -math.inf
    R = np.ascontiguousarray(T_object[:3, :3]) @ law.R_object_bar  # the bar's axes in world
    same = 0.0
    for k in range(3):
        same += T_tip[k, 1] * R[k, 1]
    point, place, speed, force = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    for finger in range(2):
        way = 1.0 if finger == 0 else -1.0
        side = way if same > 0.0 else -way
        for i in range(POINTS):
            x = law.pad_half if i % 2 == 0 else -law.pad_half
            z = law.pad_half if i < 2 else -law.pad_half
            for k in range(3):
                point[k] = T_tip[k, 0] * x + T_tip[k, 1] * way * fingers[0] + T_tip[k, 2] * z
            _seen_from_bar(place, speed, law, R, T_object, twist_object, T_tip, twist_tip, point)
            for k in range(3):
                for j in range(3):
                    speed[k] += R[j, k] * T_tip[j, 1] * way * fingers[1]
            _one_point(force, pads, law, place, speed, side, finger, i, slid)
            if not (force[0] == 0.0 and force[1] == 0.0 and force[2] == 0.0):
                _give(pads, R, T_object, T_tip, point, force, way, finger)


@njit(cache=True)
def _seen_from_bar(
    place: Array,
    speed: Array,
    law: GraspLaw,
    R: Array,
    T_object: Array,
    twist_object: Array,
    T_tip: Array,
    twist_tip: Array,
    point: Array,
) -> None:
    """Write where a point fixed to the tool is and how it moves, as seen from the bar, both (3,)."""
    r, v = np.empty(3), np.empty(3)
    for k in range(3):
        r[k] = T_tip[k, 3] + point[k] - T_object[k, 3]
    w, u = twist_tip, twist_object
    v[0] = w[0] + w[4] * point[2] - w[5] * point[1] - u[0] - u[4] * r[2] + u[5] * r[1]
    v[1] = w[1] + w[5] * point[0] - w[3] * point[2] - u[1] - u[5] * r[0] + u[3] * r[2]
    v[2] = w[2] + w[3] * point[1] - w[4] * point[0] - u[2] - u[3] * r[1] + u[4] * r[0]
    for k in range(3):
        place[k], speed[k] = 0.0, 0.0
        for j in range(3):
            place[k] += R[j, k] * r[j] - law.R_object_bar[j, k] * law.bar[j]
            speed[k] += R[j, k] * v[j]


@njit(cache=True)
def _one_point(
    force: Array,
    pads: Pressed,
    law: GraspLaw,
    place: Array,
    speed: Array,
    side: float,
    finger: int,
    i: int,
    slid: float,
) -> None:
    """Write the force of one point on the bar, bar's axes (3,), and its bristle."""
    force[:] = 0.0
    bristle = pads.bristles[finger, i]
    depth = law.half[1] - side * place[1]
    beside = max(abs(place[0]) - law.half[0], abs(place[2]) - law.half[2])
    pads.deepest[0] = max(pads.deepest[0], min(depth, -beside))
    normal = law.stiffness * min(depth, -beside) - law.damping * side * speed[1]
    if depth <= 0.0 or depth >= law.half[1] or beside >= 0.0 or normal <= 0.0:
        bristle[:] = 0.0
        return
    bristle[0] += speed[0] * slid
    bristle[1] += speed[2] * slid
    x = law.along * bristle[0] + law.drag * speed[0]
    z = law.along * bristle[1] + law.drag * speed[2]
    size, most = math.sqrt(x * x + z * z), law.friction * normal
    if size > most:
        x, z = x * most / size, z * most / size
        bristle[0] = (x - law.drag * speed[0]) / law.along
        bristle[1] = (z - law.drag * speed[2]) / law.along
    force[0], force[1], force[2] = x, -side * normal, z
    pads.normal[finger] += normal


@njit(cache=True)
def _give(
    pads: Pressed,
    R: Array,
    T_object: Array,
    T_tip: Array,
    point: Array,
    force: Array,
    way: float,
    finger: int,
) -> None:
    """Add a point's force on the bar, bar's axes (3,), to both bodies and to its finger."""
    f = R @ force
    r0 = T_tip[0, 3] + point[0] - T_object[0, 3]
    r1 = T_tip[1, 3] + point[1] - T_object[1, 3]
    r2 = T_tip[2, 3] + point[2] - T_object[2, 3]
    for k in range(3):
        pads.on_object[k] += f[k]
        pads.on_tool[k] -= f[k]
        pads.opening[finger] -= way * T_tip[k, 1] * f[k]
    pads.on_object[3] += r1 * f[2] - r2 * f[1]
    pads.on_object[4] += r2 * f[0] - r0 * f[2]
    pads.on_object[5] += r0 * f[1] - r1 * f[0]
    pads.on_tool[3] -= point[1] * f[2] - point[2] * f[1]
    pads.on_tool[4] -= point[2] * f[0] - point[0] * f[2]
    pads.on_tool[5] -= point[0] * f[1] - point[1] * f[0]
