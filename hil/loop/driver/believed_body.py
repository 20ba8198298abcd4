"""The simulated body as the driver believes it: where its plan has the joints, and what the plan lacks."""

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat, quat_from_rotvec
from planner.kinematics.arm_geometry import Geometry
from planner.kinematics.forward import flange_pose, jacobian


@njit(cache=True)
def believed_body(
    arm: Geometry, q: Array, dq: Array, missing: Array, T_world_base: Array, T_flange_object: Array
) -> tuple[Array, Array]:
    """Return the body's pose `T_world_object` (4, 4) and its twist, world axes [m/s, rad/s], shape (6,).

    The planner's inverse kinematics is exact, so the plan's joints say where the body was foreseen; pushes
    that the plan does not contain are added.

    Args:
        arm: its geometry.
        q: the plan's joint positions [rad], shape (7,).
        dq: their velocities [rad/s], shape (7,).
        missing: twist that the plan lacks, object axes [m/s, rad/s], displacement by it [m, rad], and more
            that is not needed, shape (3, 6).
        T_world_base: the arm's base in world, shape (4, 4).
        T_flange_object: object (centre of mass) in flange, shape (4, 4).
    """
    T = T_world_base @ flange_pose(arm, q) @ T_flange_object
    J = jacobian(arm, q, T_flange_object)
    R = np.ascontiguousarray(T[:3, :3])
    planned, twist = np.zeros(6), np.zeros(6)
    for i in range(6):
        for j in range(7):
            planned[i] += J[i, j] * dq[j]
    for i in range(3):
        for j in range(3):
            T[i, 3] += R[i, j] * missing[1, j]
            for part in (0, 3):
                twist[part + i] += T_world_base[i, j] * planned[part + j] + R[i, j] * missing[0, part + j]
    T[:3, :3] = R @ matrix_from_quat(quat_from_rotvec(missing[1, 3:]))
    return T, twist
