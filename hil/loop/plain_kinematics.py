"""Where an arm holds something, and how its joints move that: in plain arrays.

For the daemon, which loads no compiled code, and for what must agree with it to the bit.
"""

import numpy as np

from hil.common.arrays import Array
from hil.configuration.frames import pose_of
from planner.kinematics.arm_model import ArmModel


def held_frame(model: ArmModel, q: Array, T_flange_held: Array) -> tuple[Array, Array, Array]:
    """Return axes (3, 3) and place (3,) [m] of what the flange holds, in the base, and its Jacobian (6, 7).

    The Jacobian is that of its place: velocity, then angular velocity, in the base's axes.

    Args:
        model: the arm.
        q: joint positions [rad], shape (7,).
        T_flange_held: where it is held, shape (4, 4).
    """
    chain, R, p = model.chain, np.eye(3), np.zeros(3)
    axes, places = np.empty((7, 3)), np.empty((7, 3))
    for j, (placement, axis) in enumerate(zip(chain.placements, chain.axes, strict=True)):
        p = p + R @ placement[:3, 3]
        R = R @ placement[:3, :3] @ turned(q[j] * axis)
        axes[j], places[j] = R @ axis, p
    T_last_held = chain.T_last_tip @ T_flange_held
    R, p = R @ T_last_held[:3, :3], p + R @ T_last_held[:3, 3]
    return R, p, np.vstack([np.cross(axes, p - places).T, axes.T])


def turned(rotvec: Array) -> Array:
    """Return the rotation (3, 3) by a rotation vector [rad], shape (3,)."""
    return pose_of(rotvec, np.zeros(3))[:3, :3]
