"""Where the bodies of a serial chain are, and how its tip moves with the joints. Compiled.

theory: the product of placements and joint motions (Krenn, the markers of links); a joint that turns gives
the tip `a x (p_tip - p)` and `a`, one that slides gives `a` and nothing, all in base axes.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array
from sim.chain.serial_chain import SerialChain


@njit(cache=True)
def joint_motion_into(out: Array, linear: bool, axis: Array, q: float) -> None:
    """Write the motion of a joint, shape (4, 4), at its position [rad, m]."""
    x, y, z = axis[0], axis[1], axis[2]
    if linear:
        c, s, u = 1.0, 0.0, 0.0
        out[0, 3], out[1, 3], out[2, 3] = x * q, y * q, z * q
    else:
        c, s = math.cos(q), math.sin(q)
        u = 1.0 - c
        out[0, 3], out[1, 3], out[2, 3] = 0.0, 0.0, 0.0
    out[0, 0], out[0, 1], out[0, 2] = c + u * x * x, u * x * y - s * z, u * x * z + s * y
    out[1, 0], out[1, 1], out[1, 2] = u * x * y + s * z, c + u * y * y, u * y * z - s * x
    out[2, 0], out[2, 1], out[2, 2] = u * x * z - s * y, u * y * z + s * x, c + u * z * z
    out[3, 0], out[3, 1], out[3, 2], out[3, 3] = 0.0, 0.0, 0.0, 1.0


@njit(cache=True)
def compose_into(out: Array, A: Array, B: Array) -> None:
    """Write the product of two poses (4, 4); `out` is neither of them."""
    for i in range(3):
        for j in range(4):
            out[i, j] = A[i, 0] * B[0, j] + A[i, 1] * B[1, j] + A[i, 2] * B[2, j]
        out[i, 3] += A[i, 3]
    out[3, 0], out[3, 1], out[3, 2], out[3, 3] = 0.0, 0.0, 0.0, 1.0


@njit(cache=True)
def body_poses(chain: SerialChain, q: Array) -> Array:
    """Return the poses of all bodies in the base, and last that of the tip, shape (n + 2, 4, 4)."""
    n = q.shape[0]
    poses = np.empty((n + 2, 4, 4))
    placed, motion = np.empty((4, 4)), np.empty((4, 4))
    poses[0] = np.eye(4)
    for i in range(n):
        compose_into(placed, poses[i], chain.placements[i])
        joint_motion_into(motion, chain.linear[i], chain.axes[i], q[i])
        compose_into(poses[i + 1], placed, motion)
    compose_into(poses[n + 1], poses[n], chain.T_last_tip)
    return poses


@njit(cache=True)
def tip_pose(chain: SerialChain, q: Array) -> Array:
    """Return the pose of the tip in the base, shape (4, 4)."""
    return body_poses(chain, q)[q.shape[0] + 1]


@njit(cache=True)
def axes_in_base(chain: SerialChain, poses: Array) -> Array:
    """Return the joints' axes in base axes, shape (n, 3), at poses of `body_poses`."""
    n = chain.axes.shape[0]
    turned = np.empty((n, 3))
    for i in range(n):
        for k in range(3):
            turned[i, k] = (
                poses[i + 1, k, 0] * chain.axes[i, 0]
                + poses[i + 1, k, 1] * chain.axes[i, 1]
                + poses[i + 1, k, 2] * chain.axes[i, 2]
            )
    return turned


@njit(cache=True)
def jacobian_at(chain: SerialChain, poses: Array) -> Array:
    """Return the Jacobian of the tip in base axes, linear then angular, shape (6, n)."""
    n = chain.axes.shape[0]
    axes, J = axes_in_base(chain, poses), np.zeros((6, n))
    for i in range(n):
        ax, ay, az = axes[i, 0], axes[i, 1], axes[i, 2]
        if chain.linear[i]:
            J[0, i], J[1, i], J[2, i] = ax, ay, az
            continue
        rx = poses[n + 1, 0, 3] - poses[i + 1, 0, 3]
        ry = poses[n + 1, 1, 3] - poses[i + 1, 1, 3]
        rz = poses[n + 1, 2, 3] - poses[i + 1, 2, 3]
        J[0, i], J[1, i], J[2, i] = ay * rz - az * ry, az * rx - ax * rz, ax * ry - ay * rx
        J[3, i], J[4, i], J[5, i] = ax, ay, az
    return J


@njit(cache=True)
def jacobian(chain: SerialChain, q: Array) -> Array:
    """Return the Jacobian of the tip in base axes, linear then angular, shape (6, n)."""
    return jacobian_at(chain, body_poses(chain, q))
