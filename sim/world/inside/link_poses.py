"""Where the bodies of an arm inside are, to be drawn; and what they look like: from joint to joint."""

import numpy as np

from hil.common.arrays import Array, SingleArray
from hil.common.geometry import matrix_from_quat, quat_from_matrix
from sim.world.inside.arm_tree import ArmTree
from sim.world.inside.composite import place_into, rest_into


def body_frames(arm: ArmTree, q: Array) -> Array:
    """Return the frames of all bodies in the base's, shape (n + 1, 4, 4), of joints `q` [rad], shape (n,)."""
    poses, speeds = np.empty((len(arm.mass), 12)), np.empty((len(arm.mass), 6))
    rest_into(poses, speeds)
    for k in range(1, len(arm.mass)):
        place_into(poses, speeds, k, float(q[k - 1]), 0.0, int(arm.parent[k]), arm.placement, arm.axis)
    frames = np.tile(np.eye(4), (len(poses), 1, 1))
    frames[:, :3, :3], frames[:, :3, 3] = poses[:, :9].reshape(-1, 3, 3), poses[:, 9:]
    return frames


def link_poses(arm: ArmTree, q: Array, p: Array, quat: Array) -> SingleArray:
    """Return position and attitude of the bodies that move, (n, 7), the base at `p` (3,) and `quat` (4,)."""
    frames, R = body_frames(arm, q)[1:], matrix_from_quat(quat)
    rows = [
        np.concatenate((p + R @ T[:3, 3], quat_from_matrix(np.ascontiguousarray(R @ T[:3, :3]))))
        for T in frames
    ]
    return np.array(rows, np.float32).reshape(-1, 7)
