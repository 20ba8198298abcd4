"""The wrench about the object's centre: against the adjoint by hand, with tcp, object and arm all oblique."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.configuration import Configuration
from hil.wrench.held_body import object_axes, object_pose, object_wrench
from planner.kinematics.arm_model import ArmModel, load_arm_model

Q = np.array([0.3, -0.9, 0.4, 1.2, -0.5, 0.8, 0.2])


def pose(rotvec: list[float], p: list[float]) -> np.ndarray:
    """A pose (4, 4), its rotation by SciPy."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = Rotation.from_rotvec(rotvec).as_matrix(), p
    return T


FLANGE_TCP = pose([0.7, -0.4, 1.1], [0.02, -0.03, 0.11])
FLANGE_OBJECT = pose([-0.3, 0.9, 0.5], [-0.05, 0.04, 0.21])


@pytest.fixture(scope="module")
def model(cube: Configuration) -> ArmModel:
    return load_arm_model(cube.robot.model)


def flange(model: ArmModel) -> np.ndarray:
    """The flange's pose, product of its elementary motions, by SciPy."""
    T = pose([0, 0, 0], [0, 0, model.lengths[0]])
    for j, angle in enumerate(model.signs * Q):
        axis = [0, 0, angle] if j % 2 == 0 else [0, angle, 0]
        T = T @ pose(axis, [0, 0, 0])
        if j % 2:
            T = T @ pose([0, 0, 0], [0, 0, model.lengths[(j + 1) // 2]])
    return T


@pytest.mark.parametrize("in_tool_axes", [True, False])
def test_a_wrench_at_an_oblique_tcp_about_the_oblique_object(model: ArmModel, in_tool_axes: bool) -> None:
    """Force in object axes; torque likewise, plus the lever from the centre to the tcp times the force."""
    rng = np.random.default_rng(2)
    T_base_flange = flange(model)
    T_object_tcp = np.linalg.inv(FLANGE_OBJECT) @ FLANGE_TCP
    R_object_base = (T_base_flange @ FLANGE_OBJECT)[:3, :3].T
    R = T_object_tcp[:3, :3] if in_tool_axes else R_object_base
    for _ in range(20):
        wrench = rng.normal(size=6)
        force, torque = R @ wrench[:3], R @ wrench[3:]
        expected = np.concatenate([force, torque + np.cross(T_object_tcp[:3, 3], force)])
        found = object_wrench(model.geometry, Q, FLANGE_TCP, FLANGE_OBJECT, wrench, in_tool_axes)
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_the_held_object_is_where_the_chain_of_poses_says(model: ArmModel) -> None:
    """World, base, flange, object; and its axes alone, in base axes."""
    world_base = pose([0.2, 0.3, -0.8], [0.4, 0.5, -0.6])
    found = object_pose(model.geometry, Q, world_base, FLANGE_OBJECT)
    np.testing.assert_allclose(found, world_base @ flange(model) @ FLANGE_OBJECT, atol=1e-12)
    axes = object_axes(model.geometry, Q, FLANGE_OBJECT)
    np.testing.assert_allclose(axes, (flange(model) @ FLANGE_OBJECT)[:3, :3], atol=1e-12)
