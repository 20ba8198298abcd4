"""The MJCF's controllers hold and follow, its tip goes where it is told, its sensors say what is."""

import mujoco
import numpy as np
import pytest

from hil.common.geometry import matrix_from_quat
from sim.assembly.manipulator import Manipulator, manipulator_of
from sim.chain.kinematics import jacobian, tip_pose
from sim.exports.mjcf import TIP_WAYS, mjcf_text
from sim.exports.swing import home_of
from tests.sim.exports.arms import arm_named

JOINTS_WORK, TIP_WORKS = 1 << 1, 1 << 0  # the group that is out


@pytest.fixture(scope="module")
def made() -> Manipulator:
    """A drawn arm of seven joints."""
    return manipulator_of(arm_named("drawn-7"))


@pytest.fixture
def model(made: Manipulator) -> mujoco.MjModel:
    """Its MJCF, without friction: what sticks keeps a rest of the error, what creeps takes long."""
    model = mujoco.MjModel.from_xml_string(mjcf_text(made, arm_named("drawn-7")))
    model.dof_frictionloss[:] = model.dof_damping[:] = 0.0
    return model


def run(model: mujoco.MjModel, data: mujoco.MjData, seconds: float) -> None:
    """Let time pass."""
    for _ in range(round(seconds / model.opt.timestep)):
        mujoco.mj_step(model, data)


def test_joint_controllers_go_where_they_are_told(made: Manipulator, model: mujoco.MjModel) -> None:
    """From home to a pose near it, against gravity, within 0.1 mrad or mm."""
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    assert model.opt.disableactuator == JOINTS_WORK
    n = len(made.axes)
    target = home_of(made) + np.linspace(-0.2, 0.2, n)
    data.ctrl[:n] = target
    run(model, data, 3.0)
    np.testing.assert_allclose(data.qpos, target, atol=1e-4)
    assert np.abs(data.actuator_force[:n]).max() < 1e-1  # nothing is left to do: gravity is compensated


def test_the_tip_goes_where_it_is_told(made: Manipulator, model: mujoco.MjModel) -> None:
    """Its pose follows a command in the base's axes: position and rotation vector."""
    data = mujoco.MjData(model)
    start = home_of(made) + 0.2 * np.cos(np.arange(len(made.axes)))
    data.qpos, model.opt.disableactuator = start, TIP_WORKS
    T = tip_pose(made.chain, start + 0.05 * np.sin(np.arange(len(made.axes))))
    for k, value in enumerate([*T[:3, 3], *rotvec_of(T)]):
        data.ctrl[model.actuator(f"tip.{TIP_WAYS[k]}").id] = value
    run(model, data, 10.0)
    np.testing.assert_allclose(data.site("flange").xpos, T[:3, 3], atol=1e-4)
    np.testing.assert_allclose(data.site("flange").xmat.reshape(3, 3), T[:3, :3], atol=1e-3)


def rotvec_of(T: np.ndarray) -> np.ndarray:
    """The rotation vector of a pose."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_matrix(T[:3, :3]).as_rotvec()


def test_sensors_say_what_is(made: Manipulator, model: mujoco.MjModel) -> None:
    """Joints, tip and its velocity by our kinematics; the base bears the weight of all units that move."""
    data, rng = mujoco.MjData(model), np.random.default_rng(3)
    data.qpos, data.qvel = rng.uniform(made.lower, made.upper), rng.uniform(-1, 1, len(made.axes))
    mujoco.mj_forward(model, data)
    T, J = tip_pose(made.chain, data.qpos), jacobian(made.chain, data.qpos)
    for i, axis in enumerate(made.axes):
        assert data.sensor(f"{axis.name}.q").data == data.qpos[i]
        assert data.sensor(f"{axis.name}.dq").data == data.qvel[i]
    np.testing.assert_allclose(data.sensor("tip.pos").data, T[:3, 3], atol=1e-12)
    np.testing.assert_allclose(matrix_from_quat(data.sensor("tip.quat").data), T[:3, :3], atol=1e-12)
    velocity = np.concatenate([data.sensor("tip.linvel").data, data.sensor("tip.angvel").data])
    np.testing.assert_allclose(velocity, J @ data.qvel, atol=1e-12)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    run(model, data, 1.0)
    weight = -made.mass * made.gravity
    np.testing.assert_allclose(data.sensor("base.force").data, weight, atol=0.5)
