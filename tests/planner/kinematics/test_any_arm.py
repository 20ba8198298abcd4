"""An arm whose geometry is none of ours: read, carried through the kernels, refused where it must be."""

import re
from pathlib import Path

import mujoco
import numpy as np
import pytest

from drivers.robot.model import arm_spec
from hil.common.arm_files import read_arm
from hil.common.errors import RobotModelError
from planner.kinematics.arm_model import WIRE_RANGE, check_inverse, load_arm_model
from planner.kinematics.forward import flange_pose, jacobian
from sim.assembly.assembly_file import load_assembly
from sim.assembly.database import SHIPPED, load_database
from sim.assembly.manipulator import manipulator_of
from sim.chain.kinematics import tip_pose

CONFIGS = Path(__file__).parents[3] / "configs"
FR3 = CONFIGS / "assemblies" / "fr3.toml"
MODEL = load_arm_model(FR3)
POINT = np.array([0.03, -0.05, 0.15])
T_FLANGE_POINT = np.eye(4)
T_FLANGE_POINT[:3, 3] = POINT


def random_joints(seed: int, count: int) -> np.ndarray:
    """Joints within the arm's limits."""
    return np.random.default_rng(seed).uniform(MODEL.lower, MODEL.upper, (count, 7))


def test_the_flange_is_where_the_assembled_chain_has_its_tip() -> None:
    """The chain of the assembly itself, whatever its URDF says: within 1e-12."""
    chain = manipulator_of(load_assembly(FR3, load_database(SHIPPED))).chain
    for q in random_joints(1, 100):
        np.testing.assert_allclose(flange_pose(MODEL.geometry, q), tip_pose(chain, q), atol=1e-12, rtol=0.0)


def test_pinocchio_agrees_about_pose_and_jacobian() -> None:
    """From the same URDF: pose of the flange, Jacobian of a point beside it; within 1e-12."""
    pin = pytest.importorskip("pinocchio")
    model = pin.buildModelFromXML(read_arm(FR3).urdf.decode())
    data, flange = model.createData(), model.getFrameId("flange")
    placed = pin.SE3(np.eye(3), POINT)
    for q in random_joints(2, 100):
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        T = flange_pose(MODEL.geometry, q)
        np.testing.assert_allclose(T, data.oMf[flange].homogeneous, atol=1e-12, rtol=0.0)
        own = pin.getFrameJacobian(model, data, flange, pin.LOCAL)
        turn = np.kron(np.eye(2), T[:3, :3])
        expected = turn @ placed.actionInverse @ own
        np.testing.assert_allclose(jacobian(MODEL.geometry, q, T_FLANGE_POINT), expected, atol=1e-12)


def test_the_jacobian_is_the_derivative_of_the_pose() -> None:
    """Central differences, step 1e-6, of a point beside the flange and of its axes."""
    h = 1e-6
    for q in random_joints(3, 20):
        J = jacobian(MODEL.geometry, q, T_FLANGE_POINT)
        R = flange_pose(MODEL.geometry, q)[:3, :3]
        for j in range(7):
            ends = [flange_pose(MODEL.geometry, q + s * h * np.eye(7)[j]) @ T_FLANGE_POINT for s in (1, -1)]
            rate = (ends[0] - ends[1]) / (2.0 * h)
            spin = rate[:3, :3] @ R.T
            assert rate[:3, 3] == pytest.approx(J[:3, j], abs=1e-8)
            assert [spin[2, 1], spin[0, 2], spin[1, 0]] == pytest.approx(J[3:, j], abs=1e-8)


def test_only_branches_are_refused_and_the_line_says_why_and_what_to_do() -> None:
    """One line with key, joint, offset and remedy; an arm of ours may have all."""
    own = load_arm_model(CONFIGS / "robots" / "lwr4.urdf")
    for inverse in ("lagrange", "passive-chain"):
        check_inverse(MODEL, inverse)
        check_inverse(own, inverse)
    check_inverse(own, "branches")
    with pytest.raises(RobotModelError) as caught:
        check_inverse(MODEL, "branches")
    told = str(caught.value)
    assert "\n" not in told and "planner.inverse = 'branches'" in told
    assert "'A4' (number 4) passes 82.500 mm beside" in told and "'lagrange' or 'passive-chain'" in told
    for part in ("lengths", "signs"):
        with pytest.raises(RobotModelError, match="no closed form"):
            getattr(MODEL, part)


@pytest.mark.parametrize("name", ["iiwa7", "iiwa14", "lwr4"])
def test_arms_without_offsets_are_ours_whoever_makes_them(name: str) -> None:
    """They have the closed form, and all branches."""
    model = load_arm_model(CONFIGS / "assemblies" / f"{name}.toml")
    assert not model.open_form and model.lengths.min() > 0.0
    check_inverse(model, "branches")


@pytest.mark.parametrize("name", ["ur10e", "puma560", "robot_r3"])
def test_other_numbers_of_joints_are_refused(name: str) -> None:
    """Seven joints stand in every message and in the robot's interface."""
    with pytest.raises(RobotModelError, match="6 revolute joints before the flange, 7 are needed"):
        load_arm_model(CONFIGS / "assemblies" / f"{name}.toml")


def test_limits_are_the_arms_own_as_far_as_the_wire_tells_positions() -> None:
    """Published for the FR3; A6 reaches 4.5 rad, of which 4 count."""
    assert MODEL.lower == pytest.approx([-2.7437, -1.7837, -2.9007, -3.0421, -2.8065, 0.5445, -3.0159])
    assert MODEL.upper == pytest.approx([2.7437, 1.7837, 2.9007, -0.1518, 2.8065, WIRE_RANGE, 3.0159])
    assert MODEL.velocity == pytest.approx([2.62, 2.62, 2.62, 2.62, 5.26, 4.18, 5.26])


def test_the_bodies_enclose_what_is_drawn() -> None:
    """Every corner of every solid of the first six links, as MuJoCo places it, is within a capsule."""
    model = arm_spec(FR3, np.eye(4)).compile()
    assert {body.link for body in MODEL.bodies} == set(range(6)) and not MODEL.unjudged
    around = np.linspace(0.0, 2.0 * np.pi, 17)
    for geom in range(model.ngeom):
        link = int(model.body(model.geom_bodyid[geom]).name.removeprefix("link_"))
        if link > 5:
            continue
        radius, half, _ = model.geom_size[geom]
        assert model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_CYLINDER
        R = np.empty(9)
        mujoco.mju_quat2Mat(R, model.geom_quat[geom])
        for side in (-half, half):
            for c, s in zip(np.cos(around), np.sin(around), strict=True):
                p = model.geom_pos[geom] + R.reshape(3, 3) @ [radius * c, radius * s, side]
                beyond = [
                    _distance(p, body.start, body.end) - body.radius
                    for body in MODEL.bodies
                    if body.link == link
                ]
                assert min(beyond) < 1e-9, (link, p)


def test_without_solids_nothing_is_said_of_clearances(tmp_path: Path) -> None:
    """The reason names the link; a box that is turned is enclosed as well."""
    text = read_arm(FR3).urdf.decode()
    bare = tmp_path / "bare.urdf"
    bare.write_text(re.sub(r"<visual>.*?</visual>", "", text, flags=re.S), encoding="utf-8")
    model = load_arm_model(bare)
    assert model.bodies == () and "link 'link_0'" in model.unjudged
    boxed = tmp_path / "boxed.urdf"
    geometry = '<geometry><box size="0.1 0.4 0.2"/></geometry>'
    boxed.write_text(re.sub(r"<geometry>.*?</geometry>", geometry, text, flags=re.S), encoding="utf-8")
    body = load_arm_model(boxed).bodies[0]
    assert np.linalg.norm(body.end - body.start) == pytest.approx(0.4)
    assert body.radius == pytest.approx(np.hypot(0.05, 0.1))


@pytest.mark.parametrize(
    ("solid", "length"), [('cylinder radius="0.07" length="0.4"', 0.4), ('sphere radius="0.07"', 0.0)]
)
def test_a_capsule_is_as_thick_and_as_long_as_its_solid(tmp_path: Path, solid: str, length: float) -> None:
    """No thinner, for it would miss what is there, and no thicker, for it would forbid what is free."""
    path = tmp_path / "solid.urdf"
    text = read_arm(FR3).urdf.decode()
    geometry = f"<geometry><{solid}/></geometry>"
    path.write_text(re.sub(r"<geometry>.*?</geometry>", geometry, text, flags=re.S), encoding="utf-8")
    bodies = load_arm_model(path).bodies
    assert len(bodies) == len(MODEL.bodies)
    for body, own in zip(bodies, MODEL.bodies, strict=True):
        assert body.radius == 0.07 and body.link == own.link
        assert np.linalg.norm(body.end - body.start) == pytest.approx(length, abs=1e-12)
        np.testing.assert_allclose(body.start + body.end, own.start + own.end, atol=1e-12)


def _distance(p: np.ndarray, start: np.ndarray, end: np.ndarray) -> float:
    along = end - start
    share = np.clip((p - start) @ along / max(float(along @ along), 1e-300), 0.0, 1.0)
    return float(np.linalg.norm(p - start - share * along))
