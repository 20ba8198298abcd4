"""The arm in joint stiffness mode against statics: springs, levers, friction and loads have closed forms."""

import math

import mujoco
import numpy as np
import pytest

from drivers.robot.stiffness_arm import TOOL, JointControl, Tool, damping_at, stiffness_arm
from hil.common.arrays import Array
from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import flange_pose, jacobian
from tests.documents import ROOT

URDF = ROOT / "configs/robots/lwr4.urdf"
ARM = load_arm_model(URDF)
STIFFNESS = np.array([500.0, 500.0, 400.0, 400.0, 300.0, 200.0, 200.0])
START = np.radians([-14.0, 46.0, 48.0, 95.0, -28.0, -46.0, -35.0])
TIP = 0.18  # [m] from the flange
G = 9.81
SLIPPERY = 1e-6  # [N m] of dry friction: as good as none


def control(coulomb: float = SLIPPERY, viscous: float = 0.5, damping: Array | None = None) -> JointControl:
    held = np.full(7, 20.0) if damping is None else damping
    return JointControl(STIFFNESS, held, np.full(7, coulomb), np.full(7, viscous))


def arm(joints: JointControl, mass: float = 1.2, load: float = 1.2) -> mujoco.MjModel:
    return stiffness_arm(URDF, np.eye(4), joints, Tool(mass, load, 0.0, TIP, 0.017)).compile()


def settled(model: mujoco.MjModel, force: Array, steps: int = 6000) -> Array:
    """Joints at rest, commanded to START, a force on the tip."""
    data = mujoco.MjData(model)
    data.qpos[:] = data.ctrl[:] = START
    tool = model.body(TOOL).id
    for _ in range(steps):
        mujoco.mj_kinematics(model, data)
        tip = data.xpos[tool] + TIP * data.xmat[tool][2::3]
        data.xfrc_applied[tool] = [*force, *np.cross(tip - data.xipos[tool], force)]
        mujoco.mj_step(model, data)
    assert np.abs(data.qvel).max() < 1e-5
    return np.array(data.qpos)


def point_jacobian(q: Array, along: float) -> Array:
    """Linear part (3, 7) of the Jacobian of a point on the flange's z axis, by the planner's kinematics."""
    T = np.eye(4)
    T[2, 3] = along
    return jacobian(ARM.geometry, q, T)[:3]


def test_gravity_is_compensated() -> None:
    """With the load that the controller knows nothing moves."""
    q = settled(arm(control()), np.zeros(3), 1000)
    np.testing.assert_allclose(q, START, atol=1e-7)


@pytest.mark.parametrize("force", [[0.0, 0.0, 40.0], [15.0, -10.0, 5.0]])
def test_joints_give_way_as_springs(force: list[float]) -> None:
    """At rest the springs bear the force through the Jacobian: K (q_d - q) + J(q)^T f = 0."""
    q = settled(arm(control()), np.array(force))
    springs = STIFFNESS * (START - q)
    assert np.abs(springs).max() > 3.0
    np.testing.assert_allclose(springs, -point_jacobian(q, TIP).T @ force, atol=2e-3)


def test_a_heavier_tool_than_believed_sags() -> None:
    """The springs bear the weight that the load data lack, at the tool's centre of mass."""
    q = settled(arm(control(), mass=1.5, load=1.2), np.zeros(3))
    missing = np.array([0.0, 0.0, -0.3 * G])
    np.testing.assert_allclose(STIFFNESS * (START - q), -point_jacobian(q, 0.5 * TIP).T @ missing, atol=2e-3)


def test_dry_friction_holds_what_is_below_it() -> None:
    """A force whose torques stay below the friction moves no joint, and none creeps."""
    force = np.array([0.0, 0.0, 2.0])
    torques = point_jacobian(START, TIP).T @ force
    assert 0.5 < np.abs(torques).max() < 1.5
    q = settled(arm(control(coulomb=1.5)), force, 3000)
    np.testing.assert_allclose(q, START, atol=3e-5)  # in 3 s; with MuJoCo's default it creeps by 1e-3


def test_friction_shows_in_the_torque_of_a_steady_motion() -> None:
    """A joint that turns steadily needs dry friction and speed times viscous friction, no more."""
    model = arm(control(coulomb=0.3, viscous=2.0))
    data = mujoco.MjData(model)
    data.qpos[:] = data.ctrl[:] = START
    speed = 0.2
    for k in range(4000):
        data.ctrl[6] = START[6] + 1e-3 * (k + 1) * speed
        mujoco.mj_step(model, data)
    assert data.qvel[6] == pytest.approx(speed, rel=1e-3)
    assert data.actuator_force[6] == pytest.approx(0.3 + 2.0 * speed, rel=0.01)


def test_the_damping_is_that_of_its_ratio() -> None:
    """A released joint overshoots by exp(-pi z / sqrt(1 - z^2))."""
    ratio = 0.4
    q = START.copy()
    damping = damping_at(arm(control()), q, STIFFNESS, ratio)
    model = arm(control(viscous=1e-6, damping=damping))
    data = mujoco.MjData(model)
    data.qpos[:] = q
    data.ctrl[:] = START
    data.ctrl[6] += 0.02
    course = []
    for _ in range(500):
        mujoco.mj_step(model, data)
        course.append(data.qpos[6])
    overshoot = (max(course) - data.ctrl[6]) / 0.02
    assert overshoot == pytest.approx(math.exp(-math.pi * ratio / math.sqrt(1.0 - ratio**2)), abs=0.03)


def test_the_tool_lies_along_the_flange() -> None:
    """The end of the tool is where the planner's kinematics has it."""
    model = arm(control())
    data = mujoco.MjData(model)
    data.qpos[:] = START
    mujoco.mj_kinematics(model, data)
    T = flange_pose(ARM.geometry, START)
    tool = model.body(TOOL).id
    np.testing.assert_allclose(
        data.xpos[tool] + TIP * data.xmat[tool][2::3], T[:3, 3] + TIP * T[:3, 2], atol=1e-12
    )
