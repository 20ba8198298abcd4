"""Forward kinematics, Jacobian and manipulability of the loop's arm, compiled.

With a_j = sign_j q_j the flange pose of an arm of ours is Tz(d0) Rz(a1) Ry(a2) Tz(d1) Rz(a3) Ry(a4) Tz(d2)
Rz(a5) Ry(a6) Tz(d3) Rz(a7), d the four lengths of the arm model. Any other arm is a serial chain.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array
from planner.kinematics.arm_geometry import Geometry
from sim.chain.kinematics import body_poses, compose_into, jacobian_at, tip_pose


@njit(cache=True)
def _turn(R: Array, first: int, second: int, angle: float) -> None:
    """Turn the frame `R` about its own axis that is neither `first` nor `second`, in place."""
    c, s = math.cos(angle), math.sin(angle)
    for i in range(3):
        a, b = R[i, first], R[i, second]
        R[i, first] = c * a + s * b
        R[i, second] = c * b - s * a


@njit(cache=True)
def flange_pose(geometry: Geometry, q: Array) -> Array:
    """Return T_base_flange (4, 4) for joint positions `q` [rad], shape (7,)."""
    arm = geometry[0]
    if arm.closed_form == 0:
        return tip_pose(arm, q)
    lengths, signs = arm.lengths, arm.signs
    R = np.eye(3)
    p = np.array([0.0, 0.0, lengths[0]])
    for j in range(7):
        first, second = (0, 1) if j % 2 == 0 else (2, 0)
        _turn(R, first, second, signs[j] * q[j])
        if j % 2 != 0:
            length = lengths[(j + 1) // 2]
            for i in range(3):
                p[i] += length * R[i, 2]
    T = np.eye(4)
    for i in range(3):
        T[i, 3] = p[i]
        for j in range(3):
            T[i, j] = R[i, j]
    return T


@njit(cache=True)
def jacobian(geometry: Geometry, q: Array, T_flange_point: Array) -> Array:
    """Return the Jacobian (6, 7) of a point fixed in the flange: linear, then angular, base axes.

    Args:
        geometry: of the arm.
        q: joint positions [rad], shape (7,).
        T_flange_point: pose whose origin is the point, in flange axes, shape (4, 4).
    """
    arm = geometry[0]
    if arm.closed_form == 0:
        return _jacobian_of_chain(arm, q, T_flange_point)
    lengths, signs = arm.lengths, arm.signs
    R = np.eye(3)
    p = np.array([0.0, 0.0, lengths[0]])
    axes = np.empty((7, 3))
    points = np.empty((7, 3))
    for j in range(7):
        column = 2 if j % 2 == 0 else 1
        for i in range(3):
            axes[j, i] = signs[j] * R[i, column]
            points[j, i] = p[i]
        first, second = (0, 1) if j % 2 == 0 else (2, 0)
        _turn(R, first, second, signs[j] * q[j])
        if j % 2 != 0:
            length = lengths[(j + 1) // 2]
            for i in range(3):
                p[i] += length * R[i, 2]
    for i in range(3):
        for k in range(3):
            p[i] += R[i, k] * T_flange_point[k, 3]
    J = np.empty((6, 7))
    for j in range(7):
        x, y, z = p[0] - points[j, 0], p[1] - points[j, 1], p[2] - points[j, 2]
        J[0, j] = axes[j, 1] * z - axes[j, 2] * y
        J[1, j] = axes[j, 2] * x - axes[j, 0] * z
        J[2, j] = axes[j, 0] * y - axes[j, 1] * x
        J[3, j], J[4, j], J[5, j] = axes[j, 0], axes[j, 1], axes[j, 2]
    return J


@njit(cache=True)
def _jacobian_of_chain(arm: Geometry, q: Array, T_flange_point: Array) -> Array:
    """Return the same of any arm: the chain's, its tip moved to the point."""
    poses, point = body_poses(arm, q), np.empty((4, 4))
    tip = q.shape[0] + 1
    compose_into(point, poses[tip], T_flange_point)
    poses[tip] = point
    return jacobian_at(arm, poses)


@njit(cache=True)
def manipulability(J: Array) -> float:
    """Return Yoshikawa's measure sqrt(det(J J^T)) of a Jacobian (6, 7); zero at a singularity."""
    return math.sqrt(max(0.0, np.linalg.det(J @ J.T)))
