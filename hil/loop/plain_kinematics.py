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


def held_frames(model: ArmModel, q: Array, T_flange_held: Array) -> tuple[Array, Array, Array]:
    """Return the same for many joint positions (n, 7) at once: (n, 3, 3), (n, 3) and (n, 6, 7)."""
    n, chain = len(q), model.chain
    R, p = np.broadcast_to(np.eye(3), (n, 3, 3)), np.zeros((n, 3))
    axes, places = np.empty((n, 7, 3)), np.empty((n, 7, 3))
    turned_by = turns((q[:, :, None] * np.array(chain.axes)).reshape(-1, 3)).reshape(n, 7, 3, 3)
    for j, (placement, axis) in enumerate(zip(chain.placements, chain.axes, strict=True)):
        p = p + R @ placement[:3, 3]
        R = R @ placement[:3, :3] @ turned_by[:, j]
        axes[:, j], places[:, j] = R @ axis, p
    T_tip = chain.T_last_tip
    p = p + R @ (T_tip[:3, 3] + T_tip[:3, :3] @ T_flange_held[:3, 3])
    R = R @ T_tip[:3, :3] @ T_flange_held[:3, :3]
    J = np.concatenate([np.cross(axes, p[:, None] - places), axes], axis=2)
    return R, p, np.swapaxes(J, 1, 2)


def turns(rotvec: Array) -> Array:
    """Return the rotations (n, 3, 3) by rotation vectors [rad], shape (n, 3)."""
    angle = np.linalg.norm(rotvec, axis=1)
    x, y, z = (rotvec / np.where(angle > 0.0, angle, 1.0)[:, None]).T
    zero = np.zeros(len(rotvec))
    K = np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]).transpose(2, 0, 1)
    sine, rest = np.sin(angle)[:, None, None], (1.0 - np.cos(angle))[:, None, None]
    found: Array = np.eye(3) + sine * K + rest * K @ K
    return found
