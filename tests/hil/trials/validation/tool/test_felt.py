"""What the simulated tool's sensor feels: beside MuJoCo's own force sensor, and the joints' statics."""

import mujoco
import numpy as np

from drivers.robot.model import quat_of
from drivers.robot.stiffness_arm import TOOL
from hil.configuration.frames import pose_of
from hil.trials.validation import arm_scene as scenes
from hil.trials.validation.setup import Setup
from hil.trials.validation.simulation import simulate
from hil.trials.validation.tool.estimate import jacobians, wrench_by_joints
from hil.trials.validation.tool.felt import ToolFelt
from planner.kinematics.forward import flange_pose
from tests.hil.trials.validation.setups import slide

PLACED = (
    "sensor.kind=emulated",
    "sensor.position_mm=[10, -20, 30]",
    "sensor.rotvec_deg=[20, -30, 40]",
)
PUSH = "sequence.move=[{tip_mm=[0, 0, -30], speed_mm_s=40, dwell_s=1.0}]"


def test_it_reads_what_mujocos_own_sensor_reads() -> None:
    """Through a touch and in contact, weight and inertia among it, at every hundredth step: to 0.5 mN."""
    setup = slide(*PLACED, PUSH, "campaign.moves=1")
    e = setup.experiment
    T = pose_of(e.sensor.rotvec, e.sensor.position)
    scene = scenes.arm_scene(setup, setup.parameters, np.zeros(3), None)
    spec = scenes.stiffness_arm(
        e.arm.model, setup.T_world_base, setup.parameters.control, setup.tool(e.peg.mass)
    )
    spec.body(TOOL).add_site(name="sensor", pos=T[:3, 3], quat=quat_of(T))
    for name, kind in (("f", mujoco.mjtSensor.mjSENS_FORCE), ("t", mujoco.mjtSensor.mjSENS_TORQUE)):
        spec.add_sensor(name=name, type=kind, objtype=mujoco.mjtObj.mjOBJ_SITE, objname="sensor")
    model = spec.compile()
    data = mujoco.MjData(model)
    felt, rows = ToolFelt(scene, e), setup.commands
    scene.data.qpos[:7] = rows[0]
    mujoco.mj_forward(scene.model, scene.data)
    touched, begin = 0, scene.data.qpos[:7].copy()
    for k in range(100, len(rows), 100):
        scene.run(99, rows[k - 99 : k])
        begin, speed = scene.data.qpos[:7].copy(), scene.data.qvel[:7].copy()
        scene.run(1, rows[k : k + 1])
        # the same motion, with the contacts' forces on the tool as given ones
        data.qpos[:7], data.qvel[:7], data.qacc[:7] = begin, speed, scene.data.qacc[:7]
        mujoco.mj_fwdPosition(model, data)
        tool = model.body(TOOL).id
        data.xfrc_applied[tool] = 0.0
        for contact in scene.contacts():
            f = contact["force"][0] * contact["normal"] + contact["force"][1:] @ contact["tangents"]
            data.xfrc_applied[tool, :3] += f
            data.xfrc_applied[tool, 3:] += np.cross(contact["point"] - data.xipos[tool], f)
            touched += 1
        mujoco.mj_inverse(model, data)
        mujoco.mj_rnePostConstraint(model, data)
        mujoco.mj_sensorAcc(model, data)
        np.testing.assert_allclose(felt.now(), -data.sensordata, atol=5e-4)
    assert touched > 5


def turned_weight(setup: Setup, wrench: np.ndarray, q: np.ndarray, q_end: np.ndarray) -> np.ndarray:
    """The weight that a sensor reads at joints `q`, as it reads it where the arm has given way, (6,)."""
    sensor, geometry = setup.experiment.sensor, setup.arm.geometry
    held = pose_of(sensor.rotvec, sensor.position)[:3, :3]
    before, after = (flange_pose(geometry, joints)[:3, :3] @ held for joints in (q, q_end))
    lever = np.cross(wrench[:3], wrench[3:]) / (wrench[:3] @ wrench[:3])
    force = after.T @ before @ wrench[:3]
    return np.concatenate([force, np.cross(lever, force)])


def test_pressing_joints_bear_what_it_reads() -> None:
    """Where the arm rests on the table almost without friction, `J^T w` is the torques of the joints."""
    rubs = "friction.coulomb_n_m=[0.001, 0.001, 0.001, 0.001, 0.001, 0.001, 0.001]"
    setup = slide(*PLACED, PUSH, "campaign.moves=1", rubs)
    run = simulate(setup, setup.parameters)
    assert run.wrench is not None
    end = slice(len(run.t) - 5, None)
    J = jacobians(setup, run.q[end])
    shown = np.einsum("nij,ni->nj", J, run.wrench[end])
    empty = turned_weight(setup, run.wrench[5], run.q[5], run.q[-1])
    weight = np.einsum("nij,ni->nj", J, np.tile(empty, (5, 1)))  # the controller takes the load off
    np.testing.assert_allclose(shown - weight, run.external[end], atol=0.05)
    assert np.abs(run.external[end]).max() > 10.0
    told = wrench_by_joints(setup, run.q[end], run.external[end])
    np.testing.assert_allclose(told, run.wrench[end] - empty, atol=0.2)


def test_without_a_sensor_there_is_none() -> None:
    """And the arm does the same to the bit."""
    bare, sensed = slide(PUSH, "campaign.moves=1"), slide(*PLACED, PUSH, "campaign.moves=1")
    one, other = simulate(bare, bare.parameters), simulate(sensed, sensed.parameters)
    assert one.wrench is None and other.wrench is not None
    np.testing.assert_array_equal(one.q, other.q)
    np.testing.assert_array_equal(one.torque, other.torque)
