"""A step of a whole arm: rigid bodies and drives as one implicit system. Compiled.

theory: implicit midpoint rule. Unknown are the joints' accelerations, of a floating base also its own six;
`q1 = q + h (dq + dq1)/2`. The residual is inverse dynamics at the middle less the drives' torques, each drive
solved exactly for its joint's motion (`drive_step`). Newton with the mass matrix and the drives' slopes; what
is left out of its matrix, the bias' slope, is of the order of h, so each round gains three digits or so. Dry
friction at joints by cases: a joint that slides has its friction, one that stands has `dq1 = 0`; cases are
changed until all hold.
"""

from typing import Any

import numpy as np
from numba import njit

from hil.common.arrays import YES, Array
from sim.chain.dynamics import bias, free_mass_matrix_at, mass_matrix_at, moving_forces_at
from sim.chain.kinematics import body_poses
from sim.chain.serial_chain import SerialChain
from sim.drives.base import Base, add_outside_work, carry_base, keep_momenta, turned_into, turned_pose_into
from sim.drives.commit import carry_on
from sim.drives.drive_step import dry_friction, joint_torque, order_of
from sim.drives.solving import solve_into
from sim.drives.spring import twist_of

ROUNDS = 60
CASES = 12  # changes of the cases of friction in a step
SAME = 1e-11  # [rad/s, m/s] change of a joint's speed at which a step is solved
FREE, STANDS = 0, 2  # and 1, -1: slides forwards, backwards
DIVERGED = -1
FASTEST = 1e12  # [rad/s2, m/s2]


@njit(cache=True)
def orders_into(orders: Array, chain: SerialChain, drives: Any, q_ref: Array, gravity: Array) -> None:
    """Write weight and sag that the controllers know, rows of (2,)."""
    known = False
    for i in range(q_ref.shape[0]):
        known |= drives[i].gravity_model != 0
    if known:
        weights = bias(chain, q_ref, np.zeros(q_ref.shape[0]), gravity)
        for i in range(q_ref.shape[0]):
            orders[i, 0] = weights[i]
            orders[i, 1] = twist_of(drives[i], weights[i]) if drives[i].elastic != 0 else 0.0


@njit(cache=True)
def joint_frictions_into(out: Array, drives: Any, states: Any) -> None:
    """Write each joint's friction: forwards, backwards, standing, standing backwards, viscous; rows of (5,).

    The motor's is in it where the gear is rigid.
    """
    for i in range(drives.shape[0]):
        d = drives[i]
        out[i, 0], out[i, 1], out[i, 4] = d.joint_coulomb, d.joint_coulomb_back, d.joint_viscous
        out[i, 2], out[i, 3] = max(d.joint_coulomb, d.joint_stick), max(d.joint_coulomb_back, d.joint_stick)
        if d.elastic == 0:
            forwards, backwards, stick, stick_back = dry_friction(d, states[i])
            if d.ratio < 0.0:
                forwards, backwards, stick, stick_back = backwards, forwards, stick_back, stick
            ratio = abs(d.ratio)
            out[i, 0] += ratio * forwards
            out[i, 1] += ratio * backwards
            out[i, 2] += ratio * stick
            out[i, 3] += ratio * stick_back
            out[i, 4] += ratio * ratio * d.motor_viscous


@njit(cache=True)
def first_case(friction: Array, dq: float) -> int:
    """Return with which case of a joint's friction a step begins."""
    if friction[2] == 0.0 and friction[3] == 0.0:
        return FREE
    if dq == 0.0:
        return STANDS
    return 1 if dq > 0.0 else -1


@njit(cache=True)
def next_case(case: int, friction: Array, dq: float, needed: float) -> int:
    """Return the case that a solution asks for: the same, if it holds."""
    if case == STANDS:
        if needed > friction[2]:
            return 1
        return -1 if needed < -friction[3] else STANDS
    if case != FREE and case * dq < 0.0:
        return STANDS
    return case


@njit(cache=True)
def arm_step(
    chain: SerialChain,
    drives: Any,
    states: Any,
    base: Base,
    floats: bool,
    arm: SerialChain,
    q_ref: Array,
    dq_ref: Array,
    gravity: Array,
    wrench_tip: Array,
    h: float,
) -> int:
    """Carry an arm on by a step; its states and its base are written.

    Args:
        chain: of the whole, the satellite in its base body; armatures those of rigid gears only.
        drives: records (n,).
        states: records (n,).
        base: see there.
        floats: whether the base does.
        arm: the same without the satellite, for the force between the two.
        q_ref: joint reference in the middle of the step [rad, m], shape (n,).
        dq_ref: its speed [rad/s, m/s], shape (n,).
        gravity: in world axes [m/s2], shape (3,).
        wrench_tip: of the environment on the tip, about it, base axes [N, N m], shape (6,).
        h: step [s].

    Returns:
        Rounds of Newton's; `DIVERGED` if they came to no end: then nothing is written.
    """
    n = q_ref.shape[0]
    extra = 6 if floats else 0
    x, dx, rest = np.zeros(extra + n), np.zeros(extra + n), np.zeros(extra + n)
    q, dq, ddq, q_mid, dq_mid = np.empty(n), np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    torque, slope, dry = np.zeros(n), np.zeros(n), np.zeros(n)
    friction, orders, cases = np.zeros((n, 5)), np.zeros((n, 2)), np.zeros(n, np.int64)
    A, M = np.empty((extra + n, extra + n)), np.empty((extra + n, extra + n))
    pose, own_gravity, spin, no_motion = base.pose.copy(), np.empty(3), base.twist[3:].copy(), np.zeros(6)
    for i in range(n):
        q[i], dq[i], x[extra + i] = states[i].q, states[i].dq, states[i].ddq
    for k in range(extra):
        x[k] = base.acceleration[k]
    turned_into(own_gravity, pose, gravity, YES)
    if not floats:  # what floats has no weight
        orders_into(orders, chain, drives, q_ref, own_gravity)
    joint_frictions_into(friction, drives, states)
    for i in range(n):
        cases[i] = first_case(friction[i], dq[i])
    rounds, changes, base_acceleration = 0, 0, no_motion
    while True:
        for i in range(n):
            if cases[i] == STANDS:
                x[extra + i] = -dq[i] / h
            ddq[i] = x[extra + i]
            dq_mid[i] = dq[i] + 0.5 * h * ddq[i]
            q_mid[i] = q[i] + 0.5 * h * dq_mid[i]
        if floats:
            base_acceleration = x[:6].copy()
            for k in range(3):
                spin[k] = base.twist[3 + k] + 0.5 * h * x[3 + k]
            turned_pose_into(pose, base.pose, spin, 0.5 * h)
            turned_into(own_gravity, pose, gravity, YES)
        poses = body_poses(chain, q_mid)
        needed, wrench = moving_forces_at(
            chain, poses, dq_mid, ddq, spin, base_acceleration, own_gravity, wrench_tip
        )
        if rounds == 0:
            M = free_mass_matrix_at(chain, poses) if floats else mass_matrix_at(chain, poses)
        A[:, :] = M
        for k in range(extra):
            rest[k] = -wrench[k]
        for i in range(n):
            k, d, s = extra + i, drives[i], states[i]
            order = order_of(d, s, q_ref[i], dq_ref[i], orders[i, 0], orders[i, 1])
            end = dq[i] + h * ddq[i]
            torque[i], slope[i] = joint_torque(d, s, order, end, q[i] + h * dq_mid[i], 0.5 * h * h, h)
            rest[k] = torque[i] - needed[i] - friction[i, 4] * dq_mid[i]
            if cases[i] == STANDS:
                dry[i], rest[k] = rest[k], 0.0
                A[k, :], A[:, k] = 0.0, 0.0
                A[k, k] = 1.0
                continue
            dry[i] = friction[i, 0] if cases[i] == 1 else (-friction[i, 1] if cases[i] == -1 else 0.0)
            rest[k] -= dry[i]
            A[k, k] += 0.5 * h * friction[i, 4] - slope[i]
        solve_into(dx, A, rest)
        change = 0.0
        for k in range(extra + n):
            x[k] += dx[k]
            change = max(change, abs(dx[k]) * h)
            if not abs(x[k]) < FASTEST:
                return DIVERGED
        rounds += 1
        if rounds > ROUNDS:
            return DIVERGED
        if change > SAME:
            continue
        settled = True
        for i in range(n):
            case = next_case(cases[i], friction[i], dq[i] + h * x[extra + i], dry[i])
            settled &= case == cases[i]
            cases[i] = case
        changes += 1
        if settled or changes > CASES:
            break
    for i in range(n):
        d, s = drives[i], states[i]
        order = order_of(d, s, q_ref[i], dq_ref[i], orders[i, 0], orders[i, 1])
        dq_mid[i] = dq[i] + 0.5 * h * x[extra + i]
        end, after = dq[i] + h * x[extra + i], q[i] + h * dq_mid[i]
        if cases[i] == STANDS:
            end = 0.0  # and not what rounding leaves
        passed = needed[i] - chain.armatures[i] * x[extra + i]
        carry_on(d, s, order, end, after, dry[i], passed, h)
        s.friction_heat += h * (dry[i] + friction[i, 4] * dq_mid[i]) * dq_mid[i]
        s.q, s.dq, s.ddq = after, end, x[extra + i]
    add_outside_work(chain, base, poses, pose, spin, dq_mid, x, floats, wrench_tip, h)
    if floats:
        moved = moving_forces_at(arm, poses, dq_mid, ddq, spin, base_acceleration, own_gravity, wrench_tip)
        base.wrench[:] = moved[1]
        carry_base(chain, base, poses, pose, x[:6], gravity, wrench_tip, h)
        for i in range(n):
            q[i], dq[i] = states[i].q, states[i].dq
        keep_momenta(chain, base, q, dq)
    else:
        base.wrench[:] = wrench
    return rounds
