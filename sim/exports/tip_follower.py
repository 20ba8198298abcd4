"""The command at the tip of an exported model: where the joints' references go. Compiled.

theory: a passive chain without mass (Krenn): spring and damper pull the tip to its commanded pose, weak
dampers stand in the joints. `(d D + J' K J) dq = w J' K e`, with the pose's error e in base axes, and
K = diag(1/L^2, 1/L^2, 1/L^2, 1, 1, 1), D = 1 of a joint that turns and 1/L^2 of one that slides. Where
the arm is far from singular the error falls as exp(-w t); it comes near to a target that it cannot reach. The
Modelica text integrates this equation; FMU and stand-alone simulator step it.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat, quat_from_matrix, quat_from_rotvec, rotvec_from_quat
from sim.chain.kinematics import body_poses, jacobian_at
from sim.chain.serial_chain import SerialChain
from sim.drives.solving import solve_into

RATE = 20.0  # w [1/s]
LENGTH = 0.5  # L [m]
JOINT_DAMPING = 1e-3  # d


@njit(cache=True)
def follow_tip(
    chain: SerialChain, q: Array, T_command: Array, lower: Array, upper: Array, speeds: Array, h: float
) -> tuple[Array, Array]:
    """Return the joints' references behind a step, and their mean speeds in it.

    Args:
        chain: see there.
        q: references at the start [rad, m], shape (n,).
        T_command: pose of the tip in the base that is asked for, shape (4, 4).
        lower: least references, shape (n,).
        upper: greatest.
        speeds: greatest speeds [rad/s, m/s]; all are slowed alike.
        h: step [s].
    """
    n = q.shape[0]
    poses = body_poses(chain, q)
    J, T = jacobian_at(chain, poses), poses[n + 1]
    e, A, b, dq = np.empty(6), np.empty((n, n)), np.zeros(n), np.empty(n)
    R = np.ascontiguousarray(T_command[:3, :3]) @ np.ascontiguousarray(T[:3, :3].T)
    e[3:] = rotvec_from_quat(quat_from_matrix(R))
    for k in range(3):
        e[k] = T_command[k, 3] - T[k, 3]
    square = LENGTH * LENGTH
    for i in range(n):
        for k in range(6):
            b[i] += RATE * J[k, i] * e[k] / (square if k < 3 else 1.0)
        for j in range(n):
            A[i, j] = 0.0
            for k in range(6):
                A[i, j] += J[k, i] * J[k, j] / (square if k < 3 else 1.0)
        A[i, i] += JOINT_DAMPING * (1.0 / square if chain.linear[i] else 1.0)
    solve_into(dq, A, b)
    most, after = 1.0, np.empty(n)
    for i in range(n):
        most = max(most, math.fabs(dq[i]) / speeds[i])
    for i in range(n):
        after[i] = min(max(q[i] + h * dq[i] / most, lower[i]), upper[i])
        dq[i] = (after[i] - q[i]) / h
    return after, dq


def pose_vector(T: Array) -> Array:
    """Return position [m] and rotation vector [rad] of a pose (4, 4), shape (6,)."""
    turn = rotvec_from_quat(quat_from_matrix(np.ascontiguousarray(T[:3, :3])))
    return np.concatenate([T[:3, 3], turn])


def pose_of_vector(vector: Array) -> Array:
    """Return the pose (4, 4) of a position [m] and a rotation vector [rad], shape (6,)."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = matrix_from_quat(quat_from_rotvec(vector[3:].copy())), vector[:3]
    return T
