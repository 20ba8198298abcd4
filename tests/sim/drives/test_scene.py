"""MuJoCo's bodies beside ours, and an arm in its scene: contact in balance, momenta kept."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from bench.drive_cases import DATABASE, START, driven, light_weight_arm, there_and_back
from hil.common.errors import SceneError
from sim.chain.dynamics import bias, mass_matrix
from sim.chain.kinematics import jacobian, tip_pose
from sim.drives.arm_in_scene import ArmInScene
from sim.drives.mujoco_model import model_of

EMPTY = "<mujoco><worldbody/></mujoco>"


def scene(folder: Path, text: str = EMPTY) -> Path:
    """A file of MuJoCo's."""
    path = folder / "scene.xml"
    path.write_text(text, encoding="utf-8")
    return path


def test_our_bodies_are_those_of_mujoco() -> None:
    """Mass matrix and bias of the assembled arm at random states, to 1e-10; and where the tip's body is."""
    made, rng = light_weight_arm(), np.random.default_rng(5)
    model = model_of(made)
    data, M = mujoco.MjData(model), np.zeros((model.nv, model.nv))
    for _ in range(20):
        data.qpos[:], data.qvel[:] = rng.uniform(-2.5, 2.5, 7), rng.uniform(-3.0, 3.0, 7)
        mujoco.mj_forward(model, data)
        mujoco.mj_fullM(model, data, M)
        q, dq = data.qpos.copy(), data.qvel.copy()
        np.testing.assert_allclose(M, mass_matrix(made.chain, q), atol=1e-10)
        np.testing.assert_allclose(data.qfrc_bias, bias(made.chain, q, dq, made.gravity), atol=1e-10)
        last = np.eye(4)
        last[:3, :3], last[:3, 3] = data.xmat[-1].reshape(3, 3), data.xpos[-1]
        np.testing.assert_allclose(last @ made.chain.T_last_tip, tip_pose(made.chain, q), atol=1e-12)


def test_an_empty_scene_changes_nothing_but_the_order(tmp_path: Path) -> None:
    """The same motion as without a scene, and nearer by the step: both go to one limit."""
    differences = []
    for dt in (1e-3, 5e-4):
        inside = ArmInScene(light_weight_arm(), DATABASE, scene(tmp_path), dt, q_start=START)
        path = there_and_back(0.4, dt)
        alone = driven(dt)
        differences.append(np.abs(inside.run(*path).q - alone.run(*path).q).max())
        np.testing.assert_allclose(inside.base_wrench, alone.base_wrench, atol=300.0 * dt)
    assert differences[0] < 1e-4
    assert 1.6 < differences[0] / differences[1] < 2.6


def test_an_arm_that_presses_a_table_is_in_balance(tmp_path: Path) -> None:
    """At rest: base and contact carry the weight together; joint torques = weight less J^T contact."""
    made = light_weight_arm()
    tip = tip_pose(made.chain, START)[:3, 3]
    text = (
        f'<mujoco><worldbody><geom type="box" size=".4 .4 .1" pos="{tip[0]} 0 {tip[2] - 0.14}"/>'
        "</worldbody></mujoco>"
    )
    arm = ArmInScene(made, DATABASE, scene(tmp_path, text), 1e-3, controller="impedance", q_start=START)
    down = np.linalg.pinv(jacobian(made.chain, START)) @ [0.0, 0.0, -0.1, 0.0, 0.0, 0.0]
    rest = np.zeros(7)
    push, base = np.zeros(6), np.zeros(6)
    for k in range(2000):
        arm.step(START + down * min(k / 800.0, 1.0), rest)
        if k >= 1960:  # the mean of 40 steps: a rim of MuJoCo's trembles on a box
            push, base = push + arm.contact_wrench / 40.0, base + arm.base_wrench / 40.0
    assert push[2] > 20.0
    weight = made.chain.masses.sum() * 9.81
    np.testing.assert_allclose(base[:3] + push[:3], [0.0, 0.0, weight], atol=0.02)
    carried = bias(made.chain, arm.q, rest, made.gravity) - jacobian(made.chain, arm.q).T @ push
    np.testing.assert_allclose(arm.torque, carried, atol=0.02)
    assert arm.variables()["contact.force_z_n"] == pytest.approx(push[2], rel=1e-4)


def test_momenta_are_kept_in_an_empty_scene(tmp_path: Path) -> None:
    """A floating base's, while nothing is touched; and a step's push goes into them."""
    options = {"base_mass": 300.0, "base_inertia": np.diag([60.0, 70.0, 50.0])}
    twist = np.array([0.1, 0.0, 0.2, 0.0, 0.1, -0.1])
    arm = ArmInScene(
        light_weight_arm(), DATABASE, scene(tmp_path), 1e-3, q_start=START, base_twist=twist, **options
    )  # type: ignore[arg-type]
    begun = arm.momentum
    q, dq = there_and_back(0.3, 1e-3)
    arm.run(q, dq)
    np.testing.assert_allclose(arm.momentum, begun, atol=1e-9)
    alone = driven(1e-3, base_twist=twist, **options)
    alone.run(q, dq)
    np.testing.assert_allclose(arm.T_world_base, alone.T_world_base, atol=1e-4)
    arm.reset()
    np.testing.assert_allclose(arm.momentum, begun, atol=1e-12)


def test_rotors_and_stops_are_in_a_scene_too(tmp_path: Path) -> None:
    """A tumbling base and a joint that is led beyond its range: as without a scene, nearer by the step."""
    made = light_weight_arm()
    options = {"base_mass": 30.0, "base_inertia": np.diag([3.0, 4.0, 2.0]),
               "base_twist": np.array([0.0, 0.0, 0.0, 0.8, -0.5, 1.0])}  # fmt: skip
    start = START.copy()
    start[6] = made.upper[6] - 0.05
    differences, pushes = [], []
    for dt in (1e-3, 5e-4):
        inside = ArmInScene(made, DATABASE, scene(tmp_path), dt, q_start=start, **options)  # type: ignore[arg-type]
        alone = driven(dt, **options)
        alone.reset(start)
        q, dq = there_and_back(0.3, dt, 1.0)
        q += start - START
        inside.run(q, dq)
        alone.run(q, dq)
        differences.append(np.abs(inside.T_world_base - alone.T_world_base).max())
        assert alone.q[6] > made.upper[6]
        pushes.append([arm.variables()["joint_7.end_stop_n_m"] for arm in (inside, alone)])
    assert differences[0] < 5e-4 and 1.6 < differences[0] / differences[1] < 2.6
    assert pushes[1][0] == pytest.approx(pushes[1][1], rel=0.02) and pushes[1][0] < -1.0


def test_a_scene_that_mujoco_refuses_is_named(tmp_path: Path) -> None:
    """With the file."""
    with pytest.raises(SceneError, match=r"scene\.xml"):
        ArmInScene(light_weight_arm(), DATABASE, scene(tmp_path, "<mujoco><nothing/></mujoco>"))
