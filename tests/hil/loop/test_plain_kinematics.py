"""Kinematics without kernels, against those of the kernels."""

import numpy as np

from bench.fidelity import changed
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.plain_kinematics import held_frame
from hil.wrench.held_body import object_pose
from planner.kinematics.arm_model import load_arm_model


def test_pose_and_jacobian_are_those_of_the_kernels(cube: Configuration) -> None:
    """By central differences of the other forward kinematics, away from the start pose, a tilted tool."""
    tool = np.radians([10.0, -20.0, 30.0])
    c = changed(cube, "robot", tcp_rotvec=tool, tcp_position=np.array([0.03, -0.02, 0.05]))
    model, frames = load_arm_model(c.robot.model), Frames.from_configuration(c)
    q = np.array(c.robot.start) + 0.2
    R, p, J = held_frame(model, q, frames.T_flange_object)
    own = np.block([[R, p[:, None]], [np.zeros((1, 3)), 1.0]])

    def pose(joints: Array) -> Array:
        return object_pose(model.geometry, joints, np.eye(4), frames.T_flange_object)

    np.testing.assert_allclose(own, pose(q), atol=1e-12)
    for j in range(7):
        step = 1e-5 * np.eye(7)[j]
        before, after = pose(q - step), pose(q + step)
        D = after[:3, :3] @ before[:3, :3].T
        turn = 0.5 * np.array([D[2, 1] - D[1, 2], D[0, 2] - D[2, 0], D[1, 0] - D[0, 1]])
        np.testing.assert_allclose(J[:, j] * 2e-5, [*(after - before)[:3, 3], *turn], atol=1e-12)
