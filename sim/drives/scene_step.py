"""The drives' side of a step in MuJoCo's scene. Compiled.

theory: with the bodies, and all contacts, solved by MuJoCo a step is linearly implicit: each drive is solved
exactly (`drive_step`) for a trial of its joint's acceleration a0, and stands in MuJoCo's equations as the
torque `tau(a0) + G a0` and the armature G, its slope. The new a is the next trial, until nothing changes. The
bodies move by the symplectic Euler rule, `q1 = q + h dq1`.
"""

from typing import Any

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from sim.chain.serial_chain import SerialChain
from sim.drives.arm_step import orders_into
from sim.drives.commit import carry_on
from sim.drives.drive_step import joint_torque, order_of
from sim.drives.joint_friction import STANDS, first_case, joint_frictions_into, next_case

LOCKED = 1e9  # [kg m2, kg] armature of a joint that dry friction holds


@njit(cache=True)
def begin_scene_step(
    chain: SerialChain, drives: Any, states: Any, q_ref: Array, gravity: Array, weightless: bool
) -> tuple[Array, Array, IntArray]:
    """Return orders (n, 2), frictions (n, 5) and their first cases (n,)."""
    n = q_ref.shape[0]
    orders, friction, cases = np.zeros((n, 2)), np.zeros((n, 5)), np.zeros(n, np.int64)
    if not weightless:
        orders_into(orders, chain, drives, q_ref, gravity)
    joint_frictions_into(friction, drives, states)
    for i in range(n):
        cases[i] = first_case(friction[i], states[i].dq)
    return orders, friction, cases


@njit(cache=True)
def linearised(
    drives: Any,
    states: Any,
    orders: Array,
    friction: Array,
    cases: IntArray,
    q_ref: Array,
    dq_ref: Array,
    ddq: Array,
    h: float,
) -> tuple[Array, Array, Array]:
    """Return what MuJoCo is to apply and its armature without rotors, and the drives' torques; each (n,)."""
    n = q_ref.shape[0]
    applied, armature, torque = np.empty(n), np.empty(n), np.empty(n)
    for i in range(n):
        d, s = drives[i], states[i]
        order = order_of(d, s, q_ref[i], dq_ref[i], orders[i, 0], orders[i, 1])
        end = s.dq + h * ddq[i]
        torque[i], slope = joint_torque(d, s, order, end, s.q + h * end, h * h, h)
        torque[i] -= friction[i, 4] * 0.5 * (s.dq + end)
        slope -= 0.5 * h * friction[i, 4]
        if cases[i] == STANDS:
            armature[i], applied[i] = LOCKED, -LOCKED * s.dq / h
            continue
        dry = friction[i, 0] if cases[i] == 1 else (-friction[i, 1] if cases[i] == -1 else 0.0)
        armature[i], applied[i] = -slope, torque[i] - dry - slope * ddq[i]
    return applied, armature, torque


@njit(cache=True)
def changed_cases(
    states: Any, friction: Array, cases: IntArray, applied: Array, armature: Array, torque: Array, ddq: Array,
    h: float,
) -> bool:  # fmt: skip
    """Write the cases that a solution asks for, and return whether one is another."""
    changed = False
    for i in range(ddq.shape[0]):
        needed = torque[i] - (applied[i] - armature[i] * ddq[i])
        case = next_case(cases[i], friction[i], states[i].dq + h * ddq[i], needed)
        changed |= case != cases[i]
        cases[i] = case
    return changed


@njit(cache=True)
def end_scene_step(
    drives: Any,
    states: Any,
    orders: Array,
    friction: Array,
    cases: IntArray,
    q_ref: Array,
    dq_ref: Array,
    applied: Array,
    armature: Array,
    torque: Array,
    ddq: Array,
    h: float,
) -> None:
    """Write the drives' and joints' states at the end of the step."""
    for i in range(ddq.shape[0]):
        d, s = drives[i], states[i]
        order = order_of(d, s, q_ref[i], dq_ref[i], orders[i, 0], orders[i, 1])
        end = 0.0 if cases[i] == STANDS else s.dq + h * ddq[i]
        passed = applied[i] - armature[i] * ddq[i]
        dry, mid = torque[i] - passed, 0.5 * (s.dq + end)
        after = s.q + h * end
        rotor = d.rotor_inertia * d.ratio * d.ratio * ddq[i] if d.elastic == 0 else 0.0
        carry_on(d, s, order, end, after, dry, passed - rotor, h)
        s.friction_heat += h * (dry + friction[i, 4] * mid) * mid
        s.q, s.dq, s.ddq = after, end, ddq[i]
