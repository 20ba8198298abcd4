"""The arm's plants, kinematics and dynamics against closed forms and second libraries."""

import itertools

import mujoco
import numpy as np
import pytest
from scipy import signal

from drivers.emulation.arm.arm import EmulatedArm, grid_of
from drivers.emulation.arm.plants import DynamicPlant, StiffPlant
from drivers.emulation.controller.set_point_path import SetPointPath
from drivers.robot.chain import chain_of
from drivers.robot.flange_motion import FlangeMotion
from drivers.robot.model import JOINT_STIFFNESS, MOCKUP, robot_spec
from hil.common.errors import RobotModelError
from hil.configuration.frames import Frames
from hil.configuration.schema import Emulator
from tests.drivers.emulation.loops import configured, sine_pose

ZERO = np.zeros(6)


@pytest.mark.parametrize(("lag", "damping"), [(0.01, 0.8), (0.03, 0.4)])
def test_the_lag_answers_steps_and_ramps_as_its_transfer_function(lag, damping):
    """Steps of piecewise linear input agree with scipy's exact response of w2/(s2 + 2 z w s + w2)."""
    w = 2.0 * damping / lag
    rng = np.random.default_rng(1)
    u = np.concatenate(([0.0, 1.0], 1.0 + np.cumsum(rng.normal(size=300)) * 0.01))
    t = np.arange(len(u)) * 1e-3
    _, expected, _ = signal.lsim(([w * w], [1.0, 2.0 * damping * w, w * w]), u, t, interp=True)
    plant = StiffPlant(Emulator(lag_ms=1e3 * lag, damping=damping), np.zeros(7), 1e-3)
    q, dq = [0.0], [0.0]
    for a, b in itertools.pairwise(u):
        plant.step(np.full(7, a), np.full(7, b), ZERO)
        q.append(plant.q[3])
        dq.append(plant.dq[3])
    np.testing.assert_allclose(q, expected, atol=1e-9)
    np.testing.assert_allclose(np.gradient(expected, t)[5:-5], np.array(dq)[5:-5], atol=2.0)
    assert abs(plant.ddq[0] - (w * w * (u[-1] - q[-1]) - 2 * damping * w * dq[-1])) < 1e-9


def test_a_ramp_is_followed_with_the_lag():
    """In the steady state the delay behind a ramp is the configured lag."""
    plant = StiffPlant(Emulator(lag_ms=10.0, damping=0.8), np.zeros(7), 1e-3)
    for k in range(1000):
        plant.step(np.full(7, 1e-3 * k), np.full(7, 1e-3 * (k + 1)), ZERO)
    np.testing.assert_allclose(plant.q, 1.0 - 0.010, atol=1e-9)


@pytest.mark.parametrize("delay", [0.0, 0.004, 0.0123, 0.25])
def test_a_set_point_is_reached_after_its_cycle_and_the_interface_delay(delay):
    """Set-points of a ramp sent every 5 ms come out after 5 ms plus the delay, continuous and linear."""
    step, steps = grid_of(0.005)
    path = SetPointPath(np.zeros(7), step, steps, delay, np.ones(7))
    out = []
    for k in range(200):
        path.follow(np.full(7, 0.005 * k))
        for _ in range(steps):
            path.advance()
            out.append(path.delayed[0])
    t = (np.arange(len(out)) + 1) * step
    expected = np.maximum(0.0, t - 0.005 - delay)
    np.testing.assert_allclose(out, expected, atol=1e-12 if delay != 0.0123 else 2e-4)
    late = t > 0.02 + delay
    np.testing.assert_allclose(np.array(out)[late], expected[late], atol=1e-12)


def test_braking_keeps_each_deceleration_and_ends_at_the_closed_form_place():
    """From speed v a joint stands after v2/(2 a), and no step of the speed exceeds a h."""
    deceleration = np.array([8.0, 8.0, 10.0, 10.0, 12.0, 15.0, 15.0])
    path = SetPointPath(np.zeros(7), 1e-3, 2, 0.0, deceleration)
    v = np.array([1.9, -1.7, 0.5, 0.0, 2.2, -0.003, 1.0])
    path.follow(v * 2e-3)
    path.advance(), path.advance()
    start = path.reference.copy()
    path.brake()
    speeds = [path.speed.copy()]
    for _ in range(400):
        path.advance()
        speeds.append(path.speed.copy())
    assert path.at_rest
    np.testing.assert_allclose(path.reference - start, np.sign(v) * v * v / (2.0 * deceleration), atol=1e-12)
    assert np.all(np.abs(np.diff(speeds, axis=0)) <= deceleration * 1e-3 * (1 + 1e-9))


def moved_arm_configuration():
    return configured(
        robot={
            "mount_position_mm": [100.0, -200.0, 300.0],
            "mount_rotvec_deg": [10.0, 20.0, -130.0],
            "tcp_position_mm": [10.0, 20.0, 30.0],
            "tcp_rotvec_deg": [5.0, -10.0, 40.0],
        },
        object={"position_mm": [30.0, -40.0, 150.0], "rotvec_deg": [20.0, 0.0, -70.0]},
    )


def test_flange_motion_agrees_with_mujoco_and_with_differences():
    """Pose, Jacobian and velocity agree with MuJoCo; acceleration with the derivative of velocity."""
    c = moved_arm_configuration()
    frames = Frames.from_configuration(c)
    model = robot_spec(c, frames).compile()
    data = mujoco.MjData(model)
    chain = chain_of(model)
    motion = FlangeMotion()
    rng = np.random.default_rng(2)
    for _ in range(5):
        q, dq, ddq = rng.uniform(-1.5, 1.5, 7), rng.normal(size=7), rng.normal(size=7)
        motion.update(chain, q, dq, ddq)
        data.qpos[:], data.qvel[:] = q, dq
        mujoco.mj_forward(model, data)
        flange = model.body("flange").id
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = data.xmat[flange].reshape(3, 3), data.xpos[flange]
        np.testing.assert_allclose(frames.T_world_base @ motion.T_base_flange, T, atol=1e-12)
        linear, angular = np.zeros((3, 7)), np.zeros((3, 7))
        mujoco.mj_jac(model, data, linear, angular, data.xpos[flange], flange)
        R = frames.T_world_base[:3, :3]
        np.testing.assert_allclose(R @ motion.jacobian(np.zeros(3))[:3], linear, atol=1e-12)
        np.testing.assert_allclose(R @ motion.jacobian(np.zeros(3))[3:], angular, atol=1e-12)
        np.testing.assert_allclose(R @ motion.v, linear @ dq, atol=1e-12)
        h = 1e-6
        after, before = FlangeMotion(), FlangeMotion()
        after.update(chain, q + h * dq + h * h / 2 * ddq, dq + h * ddq, ddq)
        before.update(chain, q - h * dq + h * h / 2 * ddq, dq - h * ddq, ddq)
        np.testing.assert_allclose((after.v - before.v) / (2 * h), motion.a, atol=1e-7)
        np.testing.assert_allclose((after.omega - before.omega) / (2 * h), motion.alpha, atol=1e-7)


def test_the_held_object_is_where_the_frames_say_and_moves_as_its_pose_does():
    """T_world_object is the product of the frames; its twist is the derivative of its pose."""
    c = moved_arm_configuration()
    arm = EmulatedArm(c)
    f = arm.frames
    start = arm.q.copy()
    poses, twists = [], []
    for k in range(100):
        arm.step(sine_pose(start, k * 1e-3)[0], sine_pose(start, (k + 1) * 1e-3)[0], ZERO)
        poses.append(arm.T_world_object.copy())
        twists.append(arm.twist_world_object.copy())
    expected = f.T_world_base @ arm.motion.T_base_flange @ f.T_flange_tcp @ f.T_tcp_object
    np.testing.assert_allclose(arm.T_world_object, expected, atol=1e-14)
    rate = (poses[60] - poses[58]) / 2e-3
    spin = rate[:3, :3] @ poses[59][:3, :3].T
    np.testing.assert_allclose(rate[:3, 3], twists[59][:3], atol=2e-6)
    np.testing.assert_allclose([spin[2, 1], spin[0, 2], spin[1, 0]], twists[59][3:], atol=2e-6)


def test_gravity_and_mass_matrix_agree_with_pinocchio():
    """A second library's gravity torques and mass matrix, from the same URDF and mock-up."""
    pinocchio = pytest.importorskip("pinocchio")
    c = configured()
    arm = EmulatedArm(c)
    model = pinocchio.buildModelFromUrdf(str(c.robot.model))
    mockup = c.mockup
    inertia = pinocchio.Inertia(mockup.mass, np.array([0, 0, 0.15]), np.diag(mockup.inertia))
    flange = model.frames[model.getFrameId("flange")]
    model.appendBodyToJoint(flange.parentJoint, inertia, flange.placement)
    data = model.createData()
    gravity, mass = arm.gravity_and_mass()
    np.testing.assert_allclose(pinocchio.computeGeneralizedGravity(model, data, arm.q), gravity, atol=2e-3)
    crba = pinocchio.crba(model, data, arm.q)
    full = np.triu(crba) + np.triu(crba, 1).T
    np.testing.assert_allclose(full, mass, atol=1e-9)


@pytest.mark.parametrize(
    ("control", "elastic"), [("impedance", False), ("position", True), ("impedance", True)]
)
def test_dynamic_plants_stand_still_and_yield_by_their_compliance(control, elastic):
    """At rest nothing moves; a constant wrench w bends the joints by (1/K_control + 1/K_joint) J^T w."""
    c = configured(emulator={"control": control, "elastic": elastic})
    arm = EmulatedArm(c)
    u = np.array(c.robot.start)
    for _ in range(200):
        arm.step(u, u, ZERO)
    np.testing.assert_allclose(arm.q, u, atol=1e-9)
    wrench = np.array([6.0, -4.0, 5.0, 0.3, -0.2, 0.1])
    for _ in range(4000):
        arm.step(u, u, wrench)
    compliance = (1.0 / c.emulator.stiffness if control == "impedance" else 0.0) + (
        1.0 / JOINT_STIFFNESS if elastic else 0.0
    )
    bent = compliance * (arm.motion.jacobian(arm.frames.T_flange_object[:3, 3]).T @ wrench)
    np.testing.assert_allclose(arm.q - u, bent, atol=0.02 * np.abs(bent).max())


@pytest.mark.parametrize("elastic", [False, True])
def test_dynamic_plants_follow_a_smooth_path(elastic):
    """A smooth motion is followed within 0.03 rad under impedance control and joints that bend."""
    c = configured(emulator={"control": "impedance" if not elastic else "position", "elastic": elastic})
    arm = EmulatedArm(c)
    start = np.array(c.robot.start)
    worst = 0.0
    for k in range(1500):
        arm.step(sine_pose(start, k * 1e-3)[0], sine_pose(start, (k + 1) * 1e-3)[0], ZERO)
        worst = max(worst, float(np.abs(arm.q - sine_pose(start, (k + 1) * 1e-3)[0]).max()))
    assert worst < (0.02 if elastic else 0.03)


def test_the_mockup_is_part_of_the_model():
    """Mass and inertia of the held body are the configured ones, its centre half an edge off the tcp."""
    c = configured()
    plant = DynamicPlant(c, Frames.from_configuration(c), np.array(c.robot.start), 1e-3)
    body = plant.model.body(MOCKUP).id
    assert plant.model.body_mass[body] == 5.0
    np.testing.assert_allclose(plant.model.body_ipos[body], [0, 0, 0.15])
    np.testing.assert_allclose(sorted(plant.model.body_inertia[body]), [0.05, 0.06, 0.075])


def test_a_file_that_is_no_robot_is_refused_by_name(tmp_path):
    """The error names the file and what is missing."""
    path = tmp_path / "arm.urdf"
    c = configured()
    for text, words in [("", "is no XML"), ('<robot name="x"><link name="a"/></robot>', "no link .flange.")]:
        path.write_text(text)
        broken = c.model_copy(update={"robot": c.robot.model_copy(update={"model": path})})
        with pytest.raises(RobotModelError, match=f"arm.urdf.*{words}"):
            EmulatedArm(broken)
