"""The arm's fixed geometry as a chain of joints, from the compiled model."""

import mujoco
import numpy as np

from drivers.robot.flange_motion import Chain
from drivers.robot.urdf_for_physics import BASE, FLANGE
from hil.common.arrays import frozen_array
from hil.common.errors import RobotModelError


def chain_of(model: mujoco.MjModel) -> Chain:
    """Return the arm's fixed geometry, joint by joint, from the compiled model."""
    origins, rotations, axes = [], [], []
    body = model.body(FLANGE).id
    base = model.body(BASE).id
    T = np.eye(4)  # from the next joint outwards to the one before it: fixed bodies between are merged
    while body != base:
        own = np.eye(4)
        matrix = np.zeros(9)
        mujoco.mju_quat2Mat(matrix, model.body_quat[body])
        own[:3, :3], own[:3, 3] = matrix.reshape(3, 3), model.body_pos[body]
        T = own @ T
        parent = int(model.body_parentid[body])
        if parent == base or model.body_jntnum[parent] > 0:
            origins.append(T[:3, 3].copy())
            rotations.append(T[:3, :3].copy())
            T = np.eye(4)
        if model.body_jntnum[body] > 0:
            axes.append(model.jnt_axis[model.body_jntadr[body]].copy())
        body = parent
    if len(axes) != 7 or len(origins) != 8:
        raise RobotModelError(
            f"the robot model has {len(axes)} joints between {BASE} and {FLANGE}, expected 7"
        )
    return Chain(frozen_array(origins[::-1]), frozen_array(rotations[::-1]), frozen_array(axes[::-1]))
