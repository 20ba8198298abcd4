"""What a base's motion looks like to a controller that knows of none, beside the physics engine."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from drivers.robot.carried_links import carried_links, carried_wrench
from drivers.robot.model import robot_spec
from drivers.robot.urdf_for_physics import BASE, JOINTS
from hil.common.planar import carried_acceleration, carried_pose, carried_twist
from hil.configuration import load_configuration
from hil.configuration.frames import Frames

CONFIG = Path(__file__).parents[3] / "configs" / "platform.toml"
MOUNTED = load_configuration(
    CONFIG, ["robot.mount_position_mm=[100.0, 50.0, 300.0]", "robot.mount_rotvec_deg=[5.0, 0.0, 30.0]"]
)


def inverse(model, values):
    """Joint torques of inverse dynamics at positions, speeds, accelerations by name, limits apart."""
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data = mujoco.MjData(model)
    for name, (q, dq, ddq) in values.items():
        at = model.joint(name).id
        data.qpos[at], data.qvel[at], data.qacc[at] = q, dq, ddq
    mujoco.mj_inverse(model, data)
    return np.array([data.qfrc_inverse[model.joint(name).id] for name in JOINTS])


def test_torques_are_those_of_a_base_that_moves():
    """Inverse dynamics of the arm on three joints of a base, less that of the arm that stands, to 1e-10 N m.

    Oracle: the physics engine, with speeds of base and joints, so that Coriolis' terms count as well.
    """
    frames, rng = Frames.from_configuration(MOUNTED), np.random.default_rng(4)
    T = np.ascontiguousarray(frames.T_world_base)
    fixed, moving = robot_spec(MOUNTED, frames), robot_spec(MOUNTED, frames)
    body, R = moving.body(BASE), T[:3, :3]
    for i, name in enumerate("xy"):
        body.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_SLIDE, axis=R.T[:, i])
    body.add_joint(name="turn", axis=R.T[:, 2], pos=-R.T @ T[:3, 3])
    fixed, moving = fixed.compile(), moving.compile()
    links = carried_links(MOUNTED)
    for _ in range(5):
        q = np.array(MOUNTED.robot.start) + rng.normal(0.0, 0.3, 7)
        dq, ddq = rng.normal(0.0, 0.5, 7), rng.normal(0.0, 0.5, 7)
        base = rng.normal(0.0, 0.5, (3, 3))
        arm = {name: (q[i], dq[i], ddq[i]) for i, name in enumerate(JOINTS)}
        carried = arm | {name: tuple(base[:, i]) for i, name in enumerate(("x", "y", "turn"))}
        tau, _ = carried_wrench(links, q, dq, carried_acceleration(T, base))
        np.testing.assert_allclose(tau, inverse(fixed, arm) - inverse(moving, carried), atol=1e-10)


def test_the_wrench_pushes_against_the_acceleration():
    """0.35 m/s2 along x looks like 3.4 N against it; heavier links by their share."""
    q, still = np.array(MOUNTED.robot.start), np.zeros(7)
    motion = np.array([0.35, *np.zeros(8)])
    _, wrench = carried_wrench(carried_links(MOUNTED), q, still, motion)
    assert wrench[0] < -2.0
    assert np.linalg.norm(wrench[:3]) == pytest.approx(3.4, abs=0.3)
    tau, _ = carried_wrench(carried_links(MOUNTED, 0.1), q, still, motion)
    assert np.abs(tau).max() > np.abs(carried_wrench(carried_links(MOUNTED), q, still, motion)[0]).max()


def test_a_carried_mount_moves_as_its_pose_does():
    """Twist and acceleration of a mount by finite differences of its pose, of a base that turns."""
    rng, h = np.random.default_rng(6), 1e-4
    T = np.ascontiguousarray(Frames.from_configuration(MOUNTED).T_world_base)
    motion = rng.normal(size=(3, 3))
    at = [carried_pose(T, motion[0] + t * motion[1] + 0.5 * t * t * motion[2]) for t in (-h, 0.0, h)]
    p = np.array([pose[:3, 3] for pose in at])
    np.testing.assert_allclose(carried_twist(motion, p[1])[:3], (p[2] - p[0]) / (2 * h), atol=1e-6)
    acceleration = at[1][:3, :3].T @ (p[2] - 2 * p[1] + p[0]) / h**2
    np.testing.assert_allclose(carried_acceleration(T, motion)[:3], acceleration, atol=1e-5)
