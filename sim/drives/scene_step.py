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
from sim.chain.kinematics import body_poses
from sim.chain.serial_chain import SerialChain
from sim.drives.arm_step import orders_into
from sim.drives.commit import carry_on, stopped
from sim.drives.drive_step import joint_torque, order_of
from sim.drives.end_stop import stop_torque
from sim.drives.joint_friction import STANDS, first_case, joint_frictions_into, next_case
from sim.drives.rotors import carrier_moment, carriers_of, spin_of

LOCKED = 1e9  # [kg m2, kg] armature of a joint that dry friction holds


@njit(cache=True)
def begin_scene_step(
    chain: SerialChain, drives: Any, states: Any, q_ref: Array, gravity: Array, weightless: bool
) -> tuple[Array, Array, IntArray]:
    """Return orders (n, 3), frictions (n, 5) and their first cases (n,)."""
    n = q_ref.shape[0]
    orders, friction, cases = np.zeros((n, 3)), np.zeros((n, 5)), np.zeros(n, np.int64)
    if not weightless:
        orders_into(orders, chain, drives, q_ref, gravity)
    joint_frictions_into(friction, drives, states)
    for i in range(n):
        cases[i] = first_case(friction[i], states[i].dq)
    return orders, friction, cases


@njit(cache=True)
def spins_in_scene(
    chain: SerialChain,
    drives: Any,
    states: Any,
    orders: Array,
    q_ref: Array,
    dq_ref: Array,
    ddq: Array,
    turning: Array,
    base_acceleration: Array,
    h: float,
) -> tuple[Array, Array]:
    """Return the moments that the rotors' carriers must give, in base axes (n, 3), and what armatures take.

    Their shares of the orders are written.

    Args:
        chain: of the arm.
        drives: records (n,).
        states: records (n,), of the start.
        orders: see `orders_into`, shape (n, 3); written.
        q_ref: joint reference in the middle of the step [rad, m], shape (n,).
        dq_ref: its speed [rad/s, m/s], shape (n,).
        ddq: the trial [rad/s2, m/s2], shape (n,).
        turning: of the base in its own axes [rad/s], shape (3,).
        base_acceleration: see `moving_forces_at`; its turning counts, shape (6,).
        h: step [s].
    """
    n = ddq.shape[0]
    q, dq, moments, own = np.empty(n), np.empty(n), np.empty((n, 3)), np.empty(n)
    for i in range(n):
        q[i], dq[i] = states[i].q, states[i].dq
    carriers = carriers_of(chain, body_poses(chain, q), dq, ddq, turning, base_acceleration)
    for i in range(n):
        d, s, end = drives[i], states[i], dq[i] + h * ddq[i]
        orders[i, 2] = carriers.carried[i]
        order = order_of(d, s, q_ref[i], dq_ref[i], orders[i])
        spin = spin_of(d, s, order, q[i] + h * end, 0.5 * (dq[i] + end), ddq[i], h)
        moments[i], own[i] = carrier_moment(carriers, i, spin), spin.own
    return moments, own


@njit(cache=True)
def linearised(
    drives: Any,
    states: Any,
    orders: Array,
    friction: Array,
    cases: IntArray,
    own: Array,
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
        order = order_of(d, s, q_ref[i], dq_ref[i], orders[i])
        end = s.dq + h * ddq[i]
        torque[i], slope = joint_torque(d, s, order, end, s.q + h * end, h * h, h)
        stop, stop_slope = stop_torque(d, s.q, s.q + h * end, h)
        torque[i] += stop - own[i] - friction[i, 4] * 0.5 * (s.dq + end)
        slope += h * h * stop_slope - 0.5 * h * friction[i, 4]
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
        order = order_of(d, s, q_ref[i], dq_ref[i], orders[i])
        end = 0.0 if cases[i] == STANDS else s.dq + h * ddq[i]
        passed = applied[i] - armature[i] * ddq[i]
        dry, mid = torque[i] - passed, 0.5 * (s.dq + end)
        after = s.q + h * end
        rotor = d.rotor_inertia * d.ratio * d.ratio * ddq[i] if d.elastic == 0 else 0.0
        carry_on(d, s, order, end, after, dry, passed - rotor - stopped(d, s, after, h), h)
        s.friction_heat += h * (dry + friction[i, 4] * mid) * mid
        s.q, s.dq, s.ddq = after, end, ddq[i]
