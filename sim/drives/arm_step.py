"""A step of a whole arm: rigid bodies and drives as one implicit system. Compiled.

theory: implicit midpoint rule. Unknown are the joints' accelerations, of a floating base also its own six;
`q1 = q + h (dq + dq1)/2`. The residual is inverse dynamics at the middle less the drives' torques, each drive
solved exactly for its joint's motion (`drive_step`). Newton with the mass matrix and the drives' slopes; what
is left out of its matrix, the bias' slope, is of the order of h, so each round gains three digits or so. Dry
friction at joints by cases: a joint that slides has its friction, one that stands has `dq1 = 0`; cases are
changed until all hold.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import YES, Array, IntArray
from sim.chain.dynamics import bias, free_mass_matrix_at, mass_matrix_at, moving_forces_at
from sim.chain.kinematics import body_poses
from sim.chain.serial_chain import SerialChain
from sim.drives.base import Base, add_outside_work, carry_base, keep_momenta, turned_into, turned_pose_into
from sim.drives.commit import carry_on, stopped
from sim.drives.drive_step import joint_torque, order_of
from sim.drives.end_stop import stop_torque
from sim.drives.joint_friction import FREE, STANDS, first_case, joint_frictions_into, next_case
from sim.drives.rotors import carriers_of, couple, react, spin_of
from sim.drives.solving import solve_into
from sim.drives.spring import twist_of

ROUNDS = 60
CYCLING = 20  # rounds after which Newton's method goes to and fro over a kink, and every other one is halved
CASES = 12  # changes of the cases of friction in a step
SAME = 1e-11  # [rad/s, m/s] change of a joint's speed at which a step is solved
DIVERGED = -1
FASTEST = 1e12  # [rad/s2, m/s2]


@njit(cache=True)
def orders_into(orders: Array, chain: SerialChain, drives: Any, q_ref: Array, gravity: Array) -> None:
    """Write weight and sag that the controllers know, rows of (3,); the third is the carriers' motion."""
    known = False
    for i in range(q_ref.shape[0]):
        known |= drives[i].gravity_model != 0
    if known:
        weights = bias(chain, q_ref, np.zeros(q_ref.shape[0]), gravity)
        for i in range(q_ref.shape[0]):
            orders[i, 0] = weights[i]
            orders[i, 1] = twist_of(drives[i], weights[i]) if drives[i].elastic != 0 else 0.0


class Step(NamedTuple):
    """What a step is computed in; arrays, written.

    Attributes:
        x: accelerations, of a floating base first (6,), then of the joints (n,), shape (m,).
        change: of them by a round, shape (m,).
        rest: what is left of the equations, shape (m,).
        matrix: of Newton's method, shape (m, m).
        q: joint positions at the start, shape (n,).
        dq: joint speeds at the start, shape (n,).
        q_mid: positions in the middle, shape (n,).
        dq_mid: speeds in the middle, shape (n,).
        ddq: accelerations, shape (n,).
        dry: dry friction of the joints, shape (n,).
        own: what armatures take for their carriers' turning, shape (n,).
        friction: see `joint_frictions_into`, shape (n, 5).
        orders: see `orders_into`; third: the carrier's acceleration about the rotor's axis, shape (n, 3).
        cases: of friction, shape (n,).
        pose: the base's in the middle; its rotation counts, shape (4, 4).
        spin: the base's angular velocity in the middle, own axes, shape (3,).
        base_acceleration: shape (6,).
        gravity: in the base's axes in the middle, shape (3,).
        moment: that the rotors' spin asks of the base, shape (3,).
    """

    x: Array
    change: Array
    rest: Array
    matrix: Array
    q: Array
    dq: Array
    q_mid: Array
    dq_mid: Array
    ddq: Array
    dry: Array
    own: Array
    friction: Array
    orders: Array
    cases: IntArray
    pose: Array
    spin: Array
    base_acceleration: Array
    gravity: Array
    moment: Array


@njit(cache=True)
def _begun(
    chain: SerialChain, drives: Any, states: Any, base: Base, floats: bool, q_ref: Array, gravity: Array
) -> Step:
    """Return a step whose accelerations are those of the last one."""
    n = q_ref.shape[0]
    m = n + 6 if floats else n
    step = Step(
        np.zeros(m), np.zeros(m), np.zeros(m), np.zeros((m, m)), np.empty(n), np.empty(n), np.empty(n),
        np.empty(n), np.empty(n), np.zeros(n), np.zeros(n), np.zeros((n, 5)), np.zeros((n, 3)),
        np.zeros(n, np.int64), base.pose.copy(), base.twist[3:].copy(), np.zeros(6), np.empty(3), np.zeros(3),
    )  # fmt: skip
    for i in range(n):
        step.q[i], step.dq[i], step.x[m - n + i] = states[i].q, states[i].dq, states[i].ddq
    for k in range(m - n):
        step.x[k] = base.acceleration[k]
    turned_into(step.gravity, step.pose, gravity, YES)
    if not floats:  # what floats has no weight
        orders_into(step.orders, chain, drives, q_ref, step.gravity)
    joint_frictions_into(step.friction, drives, states)
    for i in range(n):
        step.cases[i] = first_case(step.friction[i], step.dq[i])
    return step


@njit(cache=True)
def _to_the_middle(step: Step, base: Base, floats: bool, gravity: Array, h: float) -> None:
    """Write the motion in the middle of the step by the accelerations."""
    n = step.q.shape[0]
    m = step.x.shape[0]
    for i in range(n):
        if step.cases[i] == STANDS:
            step.x[m - n + i] = -step.dq[i] / h
        step.ddq[i] = step.x[m - n + i]
        step.dq_mid[i] = step.dq[i] + 0.5 * h * step.ddq[i]
        step.q_mid[i] = step.q[i] + 0.5 * h * step.dq_mid[i]
    if floats:
        for k in range(6):
            step.base_acceleration[k] = step.x[k]
        for k in range(3):
            step.spin[k] = base.twist[3 + k] + 0.5 * h * step.x[3 + k]
        turned_pose_into(step.pose, base.pose, step.spin, 0.5 * h)
        turned_into(step.gravity, step.pose, gravity, YES)


@njit(cache=True)
def _rotors(
    step: Step, chain: SerialChain, poses: Array, drives: Any, states: Any, q_ref: Array, dq_ref: Array,
    needed: Array, wrench: Array, h: float,
) -> None:  # fmt: skip
    """Add what the rotors' spin asks for, to the matrix too."""
    carriers = carriers_of(chain, poses, step.dq_mid, step.ddq, step.spin, step.base_acceleration)
    for k in range(3):
        step.moment[k] = 0.0
    for i in range(step.q.shape[0]):
        d, s = drives[i], states[i]
        step.orders[i, 2] = carriers.carried[i]
        order = order_of(d, s, q_ref[i], dq_ref[i], step.orders[i])
        spin = spin_of(d, s, order, step.q[i] + h * step.dq_mid[i], step.dq_mid[i], step.ddq[i], h)
        step.own[i] = spin.own
        react(needed, wrench, step.moment, chain, carriers, i, spin)
        couple(step.matrix, chain, carriers.axes, i, spin)


@njit(cache=True)
def _equations(
    step: Step, drives: Any, states: Any, q_ref: Array, dq_ref: Array, needed: Array, wrench: Array,
    h: float,
) -> None:  # fmt: skip
    """Write what is left of the equations, and add the drives to Newton's matrix."""
    n = step.q.shape[0]
    m = step.x.shape[0]
    A, rest, extra = step.matrix, step.rest, m - n
    for k in range(extra):
        rest[k] = -wrench[k]
    for i in range(n):
        k, d, s = extra + i, drives[i], states[i]
        order = order_of(d, s, q_ref[i], dq_ref[i], step.orders[i])
        end, after = step.dq[i] + h * step.ddq[i], step.q[i] + h * step.dq_mid[i]
        torque, slope = joint_torque(d, s, order, end, after, 0.5 * h * h, h)
        stop, stop_slope = stop_torque(d, step.q[i], after, h)
        rest[k] = torque + stop - needed[i] - step.own[i] - step.friction[i, 4] * step.dq_mid[i]
        if step.cases[i] == STANDS:  # its acceleration is known
            step.dry[i], rest[k] = rest[k], 0.0
            for j in range(m):
                A[k, j] = A[j, k] = 0.0
            A[k, k] = 1.0
            continue
        step.dry[i] = 0.0
        if step.cases[i] != FREE:
            step.dry[i] = step.friction[i, 0] if step.cases[i] == 1 else -step.friction[i, 1]
        rest[k] -= step.dry[i]
        A[k, k] += 0.5 * h * step.friction[i, 4] - slope - 0.5 * h * h * stop_slope


@njit(cache=True)
def _round(step: Step, h: float, share: float) -> float:
    """Change the accelerations by a share of a round of Newton's.

    Returns:
        The largest change of a speed by the whole round, or infinity.
    """
    solve_into(step.change, step.matrix, step.rest)
    largest = 0.0
    for k in range(step.x.shape[0]):
        step.x[k] += share * step.change[k]
        largest = max(largest, abs(step.change[k]) * h)
        if not abs(step.x[k]) < FASTEST:
            return math.inf
    return largest


@njit(cache=True)
def _cases_hold(step: Step, h: float) -> bool:
    """Write the cases of friction that the solution asks for; return whether they are its own."""
    n = step.q.shape[0]
    hold = True
    for i in range(n):
        end = step.dq[i] + h * step.x[step.x.shape[0] - n + i]
        case = next_case(step.cases[i], step.friction[i], end, step.dry[i])
        hold &= case == step.cases[i]
        step.cases[i] = case
    return hold


@njit(cache=True)
def _joints_end(
    step: Step, chain: SerialChain, drives: Any, states: Any, q_ref: Array, dq_ref: Array, needed: Array,
    spins: bool, h: float,
) -> None:  # fmt: skip
    """Write joints and drives at the end of the step, and the rotors' momenta into `own`."""
    n = step.q.shape[0]
    for i in range(n):
        d, s, ddq = drives[i], states[i], step.x[step.x.shape[0] - n + i]
        order = order_of(d, s, q_ref[i], dq_ref[i], step.orders[i])
        mid = step.dq[i] + 0.5 * h * ddq
        end, after = step.dq[i] + h * ddq, step.q[i] + h * mid
        if step.cases[i] == STANDS:
            end = 0.0  # and not what rounding leaves
        stop = stopped(d, s, after, h)
        carry_on(d, s, order, end, after, step.dry[i], needed[i] - stop - chain.armatures[i] * ddq, h)
        s.friction_heat += h * (step.dry[i] + step.friction[i, 4] * mid) * mid
        s.q, s.dq, s.ddq = after, end, ddq
        step.q[i], step.dq[i], step.dq_mid[i] = after, end, mid
        step.own[i] = d.rotor_inertia * s.omega if spins else 0.0


@njit(cache=True)
def arm_step(
    chain: SerialChain,
    drives: Any,
    states: Any,
    base: Base,
    floats: bool,
    spins: bool,
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
        spins: whether the rotors' spin acts on what carries them (`rotors`).
        arm: the same without the satellite, for the force between the two.
        q_ref: joint reference in the middle of the step [rad, m], shape (n,).
        dq_ref: its speed [rad/s, m/s], shape (n,).
        gravity: in world axes [m/s2], shape (3,).
        wrench_tip: of the environment on the tip, about it, base axes [N, N m], shape (6,).
        h: step [s].

    Returns:
        Rounds of Newton's; `DIVERGED` if they came to no end: then nothing is written.
    """
    step, M = _begun(chain, drives, states, base, floats, q_ref, gravity), np.empty((0, 0))
    rounds, changes = 0, 0
    while True:
        _to_the_middle(step, base, floats, gravity, h)
        poses = body_poses(chain, step.q_mid)
        needed, wrench = moving_forces_at(
            chain, poses, step.dq_mid, step.ddq, step.spin, step.base_acceleration, step.gravity, wrench_tip
        )
        if rounds == 0:
            M = free_mass_matrix_at(chain, poses) if floats else mass_matrix_at(chain, poses)
        step.matrix[:] = M
        if spins:
            _rotors(step, chain, poses, drives, states, q_ref, dq_ref, needed, wrench, h)
        _equations(step, drives, states, q_ref, dq_ref, needed, wrench, h)
        change = _round(step, h, 0.5 if rounds >= CYCLING and rounds % 2 == 0 else 1.0)
        rounds += 1
        if change == math.inf or rounds > ROUNDS:
            return DIVERGED
        if change > SAME:
            continue
        changes += 1
        if _cases_hold(step, h) or changes > CASES:
            break
    _joints_end(step, chain, drives, states, q_ref, dq_ref, needed, spins, h)
    add_outside_work(chain, base, poses, step.pose, step.spin, step.dq_mid, step.x, floats, wrench_tip, h)
    base.wrench[:] = wrench
    if floats:
        base.wrench[:] = moving_forces_at(
            arm, poses, step.dq_mid, step.ddq, step.spin, step.base_acceleration, step.gravity, wrench_tip
        )[1]
        base.wrench[3:] += step.moment
        carry_base(chain, base, poses, step.pose, step.x[:6], gravity, wrench_tip, h)
        keep_momenta(chain, base, step.q, step.dq, step.own)
    return rounds
