"""A robot at an instant of its path: linear about it, or whole. Compiled.

theory: Meitinger & Pfeiffer, equations 5 and 7. Coordinates are deviations from the nominal path; the
controller is told that path, and the torques that hold the weight on it.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat, quat_from_rotvec
from sim.chain.dynamics import bias
from sim.chain.kinematics import body_poses, jacobian_at
from sim.insertion.elastic_dynamics import RobotNumbers, bend_springs, elastic_mass
from sim.insertion.reach import Nominal


class Instant(NamedTuple):
    """A robot at an instant.

    Attributes:
        M, P, Q: shape (dof, dof).
        J: of the tip, shape (6, dof).
        T: the tip in the base, shape (4, 4).
        force: all that is not from contact, shape (dof,).
        held: torques that hold the weight on the nominal path, which the controller knows, shape (n,).
    """

    M: Array
    P: Array
    Q: Array
    J: Array
    T: Array
    force: Array
    held: Array


@njit(cache=True)
def linear_instant(nominal: Nominal, way: float, v_nominal: Array, q: Array, h: float) -> Instant:
    """Return the linear model at a distance along its path, deviating by q (dof,)."""
    dof = q.shape[0]
    at = way / nominal.spacing
    node = max(0, min(int(at), nominal.q.shape[0] - 2))
    x = at - node
    M, Q, J = np.empty((dof, dof)), np.empty((dof, dof)), np.empty((6, dof))
    for i in range(dof):
        for j in range(dof):
            M[i, j] = (1.0 - x) * nominal.M[node, i, j] + x * nominal.M[node + 1, i, j]
            Q[i, j] = (1.0 - x) * nominal.Q[node, i, j] + x * nominal.Q[node + 1, i, j]
    for i in range(6):
        for j in range(dof):
            J[i, j] = (1.0 - x) * nominal.J[node, i, j] + x * nominal.J[node + 1, i, j]
    moved = np.zeros(6)
    for i in range(6):
        for j in range(dof):
            moved[i] += J[i, j] * q[j]
    turn = matrix_from_quat(quat_from_rotvec(moved[3:].copy()))
    T = nominal.T_begin.copy()
    for i in range(3):
        T[i, 3] += way * nominal.direction[i] + moved[i]
        for j in range(3):
            T[i, j] = 0.0
            for k in range(3):
                T[i, j] += turn[i, k] * nominal.T_begin[k, j]
    force = np.zeros(dof)
    for i in range(dof):
        for j in range(dof):
            force[i] += (nominal.P[i, j] + h * Q[i, j]) * v_nominal[j]
        force[i] -= nominal.viscous[i] * v_nominal[i]
    held = np.empty(nominal.held.shape[1])
    for i in range(held.shape[0]):
        held[i] = (1.0 - x) * nominal.held[node, i] + x * nominal.held[node + 1, i]
    return Instant(M, nominal.P.copy(), Q, J, T, force, held)


@njit(cache=True)
def whole_instant(
    robot: RobotNumbers, nominal: Nominal, q_nominal: Array, v_nominal: Array, q: Array, V: Array, h: float
) -> Instant:
    """Return the nonlinear model, deviating by q (dof,) from q_nominal, moving at V."""
    dof, n = q.shape[0], robot.motors.shape[0]
    m = dof - n
    joints = (q_nominal + q)[m:].copy()
    poses = body_poses(robot.chain, joints)
    J = np.zeros((6, dof))
    J[:, m:] = jacobian_at(robot.chain, poses)
    held = bias(robot.chain, q_nominal[m:].copy(), np.zeros(n), robot.gravity)
    needed = bias(robot.chain, joints, V[m:].copy(), robot.gravity)
    P, Q, force = nominal.P.copy(), nominal.servo.copy(), np.zeros(dof)
    bend_springs(robot, P, Q, force, q_nominal, q)
    for i in range(dof):
        for j in range(dof):
            force[i] += (P[i, j] + h * Q[i, j]) * v_nominal[j]
        force[i] -= nominal.viscous[i] * v_nominal[i]
    for i in range(n):
        force[m + i] += held[i] - needed[i]
    return Instant(elastic_mass(robot, joints), P, Q, J, poses[n + 1].copy(), force, held)
