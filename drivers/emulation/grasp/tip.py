"""The tip of a second arm under Cartesian impedance with its gripper, over a grid step. Compiled.

theory: `m v' = sat(K (x_d - x) + D (v_d - v)) + f`, likewise of rotation, both symmetric; the fingers go
together, `2 m_f s'' = -2 F - 2 d s' + f_1 + f_2` when they close, with +2 F until they stand open else.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from drivers.emulation.grasp.law import GraspLaw
from drivers.emulation.grasp.pads import Pressed, press_into
from hil.common.arrays import Array
from hil.common.geometry import (
    matrix_from_quat,
    quat_conjugate,
    quat_from_rotvec,
    quat_multiply,
    rotvec_from_quat,
)

SUBSTEP = 1.25e-4  # [s] at most: a finger on its pad swings at some 300 rad/s


class Tip(NamedTuple):
    """State of a second arm's tip; all arrays are written.

    Attributes:
        p: place in world [m], (3,).
        quat: attitude, w x y z, (4,).
        twist: world axes [m/s, rad/s], (6,).
        fingers: way of each from the middle [m] and its speed [m/s], (2,).
    """

    p: Array
    quat: Array
    twist: Array
    fingers: Array


class Aim(NamedTuple):
    """Where a tip is to be at the end of a grid step.

    Attributes:
        p: place in world [m], (3,).
        quat: attitude, (4,).
        twist: with which it goes there, world axes, (6,).
    """

    p: Array
    quat: Array
    twist: Array


@njit(cache=True)
def pose_into(out: Array, p: Array, quat: Array) -> None:
    """Write a pose (4, 4)."""
    out[:3, :3] = matrix_from_quat(quat)
    out[:3, 3] = p


@njit(cache=True)
def tip_step(
    tip: Tip,
    pads: Pressed,
    law: GraspLaw,
    aim: Aim,
    T_object: Array,
    twist_object: Array,
    step: float,
    closing: bool,
) -> None:
    """Advance a tip by a grid step, and write what the pads exert at its end.

    Args:
        tip: of the second arm; written.
        pads: written.
        law: constants.
        aim: at the end of the step.
        T_object: the object's pose at the end of the step, (4, 4).
        twist_object: with which it comes there, world axes, (6,).
        step: [s].
        closing: whether the gripper closes.
    """
    count = max(1, math.ceil(step / SUBSTEP - 1e-9))
    dt = step / count
    there, here, tool = T_object.copy(), np.eye(4), np.eye(4)
    target, turned = np.empty(3), np.empty(3)
    for n in range(count):
        left = step - n * dt  # all where they are when the substep begins
        for k in range(3):
            there[k, 3] = T_object[k, 3] - left * twist_object[k]
            turned[k] = -left * twist_object[3 + k]
            target[k] = aim.p[k] - left * aim.twist[k]
        there[:3, :3] = matrix_from_quat(quat_from_rotvec(turned)) @ np.ascontiguousarray(T_object[:3, :3])
        turned[:] = -left * aim.twist[3:]
        pose_into(tool, tip.p, tip.quat)
        press_into(pads, law, there, twist_object, tool, tip.twist, tip.fingers, dt)
        _pull(tip, pads, law, target, quat_multiply(quat_from_rotvec(turned), aim.quat), aim.twist, dt)
        _grip(tip, pads, law, closing, dt)
    pose_into(here, tip.p, tip.quat)
    press_into(pads, law, T_object, twist_object, here, tip.twist, tip.fingers, 0.0)


@njit(cache=True)
def _pull(
    tip: Tip, pads: Pressed, law: GraspLaw, target: Array, attitude: Array, twist: Array, dt: float
) -> None:
    """Let impedance and pads move the tip."""
    turn = rotvec_from_quat(quat_multiply(attitude, quat_conjugate(tip.quat)))
    pull = np.empty(6)
    for k in range(3):
        pull[k] = law.K[0] * (target[k] - tip.p[k]) + law.D[0] * (twist[k] - tip.twist[k])
        pull[3 + k] = law.K[1] * turn[k] + law.D[1] * (twist[3 + k] - tip.twist[3 + k])
    for part in range(2):
        at = 3 * part
        size = math.sqrt(pull[at] ** 2 + pull[at + 1] ** 2 + pull[at + 2] ** 2)
        share = law.limits[part] / size if size > law.limits[part] else 1.0
        inert = law.mass if part == 0 else law.inertia
        for k in range(at, at + 3):
            tip.twist[k] += dt * (share * pull[k] + pads.on_tool[k]) / inert
    way = np.empty(3)
    for k in range(3):
        tip.p[k] += dt * tip.twist[k]
        way[k] = dt * tip.twist[3 + k]
    quat = quat_multiply(quat_from_rotvec(way), tip.quat)
    size = math.sqrt(quat[0] ** 2 + quat[1] ** 2 + quat[2] ** 2 + quat[3] ** 2)
    for k in range(4):
        tip.quat[k] = quat[k] / size


@njit(cache=True)
def _grip(tip: Tip, pads: Pressed, law: GraspLaw, closing: bool, dt: float) -> None:
    """Move the fingers, which go together."""
    drive = -law.grip if closing else law.grip
    drive += 0.5 * (pads.opening[0] + pads.opening[1])
    # the damper is taken implicitly: it may be stronger than the step allows otherwise
    tip.fingers[1] = (tip.fingers[1] + dt * drive / law.finger) / (1.0 + dt * law.finger_damping / law.finger)
    tip.fingers[0] += dt * tip.fingers[1]
    stop = min(law.opening, max(0.0, tip.fingers[0]))
    if stop != tip.fingers[0]:
        tip.fingers[0], tip.fingers[1] = stop, 0.0
