"""One arm, three descriptions: our chain, pinocchio on the URDF, MuJoCo on the MJCF agree everywhere."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import mujoco
import numpy as np
import pytest

from sim.assembly.manipulator import Manipulator, manipulator_of
from sim.chain.dynamics import bias, mass_matrix
from sim.chain.kinematics import tip_pose
from sim.exports.mjcf import mjcf_text
from sim.exports.text import number, roll_pitch_yaw
from sim.exports.urdf import DRAKE, urdf_text
from tests.sim.exports.arms import ARMS, arm_named

STATES = 20
POSE, FORCES = 1e-12, 1e-10  # m and 1; relative to the greatest, N m and kg m2


@pytest.fixture(scope="module", params=ARMS)
def arm(request: pytest.FixtureRequest) -> tuple[Any, Manipulator]:
    """An assembly and its mechanism."""
    chain = arm_named(request.param)
    return chain, manipulator_of(chain)


def states(manipulator: Manipulator) -> list[tuple[np.ndarray, np.ndarray]]:
    """Positions within the limits, and velocities."""
    rng = np.random.default_rng(7)
    n = len(manipulator.axes)
    return [(rng.uniform(manipulator.lower, manipulator.upper), rng.uniform(-2, 2, n)) for _ in range(STATES)]


def armatures_of(urdf: str) -> list[float]:
    """What the transmissions say: rotor inertia by the square of the ratio."""
    root = ElementTree.fromstring(urdf)
    return [
        float(actuator.find(f"{{{DRAKE}}}rotor_inertia").attrib["value"])
        * float(actuator.find(f"{{{DRAKE}}}gear_ratio").attrib["value"]) ** 2
        for actuator in root.iterfind("transmission/actuator")
    ]


def close(found: np.ndarray, expected: np.ndarray) -> None:
    """Within the tolerance of forces, of the greatest value."""
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=FORCES * max(1.0, np.abs(expected).max()))


def test_pinocchio_reads_the_urdf_as_our_chain(arm: tuple[Any, Manipulator]) -> None:
    """Pose of the tip, mass matrix with the drives' inertia, bias."""
    pin = pytest.importorskip("pinocchio")
    assembly, made = arm
    text = urdf_text(made, assembly)
    model = pin.buildModelFromXML(text)
    model.gravity.linear = made.gravity
    model.armature = np.array(armatures_of(text))
    data, frame = model.createData(), model.getFrameId("flange")
    assert list(model.names)[1:] == [axis.name for axis in made.axes]
    np.testing.assert_array_equal(model.lowerPositionLimit, made.lower)
    np.testing.assert_array_equal(model.velocityLimit, made.speeds)
    np.testing.assert_array_equal(model.effortLimit, made.efforts)
    for q, dq in states(made):
        pin.framesForwardKinematics(model, data, q)
        np.testing.assert_allclose(data.oMf[frame].homogeneous, tip_pose(made.chain, q), rtol=0, atol=POSE)
        M = pin.crba(model, data, q)
        close(np.triu(M) + np.triu(M, 1).T, mass_matrix(made.chain, q))
        close(pin.nonLinearEffects(model, data, q, dq), bias(made.chain, q, dq, made.gravity))


def test_mujoco_reads_the_mjcf_as_our_chain(arm: tuple[Any, Manipulator]) -> None:
    """Pose of the tip, mass matrix with the drives' inertia, bias."""
    assembly, made = arm
    model = mujoco.MjModel.from_xml_string(mjcf_text(made, assembly))
    data, n = mujoco.MjData(model), len(made.axes)
    assert model.nq == model.nv == n
    for q, dq in states(made):
        data.qpos, data.qvel = q, dq
        mujoco.mj_forward(model, data)
        T = np.eye(4)
        T[:3, 3], T[:3, :3] = data.site("flange").xpos, data.site("flange").xmat.reshape(3, 3)
        np.testing.assert_allclose(T, tip_pose(made.chain, q), rtol=0, atol=POSE)
        M = np.empty((n, n))
        mujoco.mj_fullM(model, data, M)
        close(M, mass_matrix(made.chain, q))
        close(data.qfrc_bias, bias(made.chain, q, dq, made.gravity))


def test_mujoco_reads_the_urdf_too(arm: tuple[Any, Manipulator], tmp_path: Path) -> None:
    """The loop takes its arms that way; links and joints keep their names, and the tip its place."""
    assembly, made = arm
    path = tmp_path / "arm.urdf"
    path.write_text(urdf_text(made, assembly), encoding="utf-8")
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    for q, _ in states(made)[:3]:
        data.qpos = q
        mujoco.mj_forward(model, data)
        np.testing.assert_allclose(
            data.body("flange").xpos, tip_pose(made.chain, q)[:3, 3], rtol=0, atol=POSE
        )


@pytest.mark.parametrize("pitch", [0.0, 0.5 * np.pi, -0.5 * np.pi, 0.5 * np.pi - 1e-9, 0.5 * np.pi - 1e-5])
def test_roll_pitch_yaw_give_the_rotation_back(pitch: float) -> None:
    """At, near and far from the pitch where roll and yaw are one."""
    from scipy.spatial.transform import Rotation

    for roll, yaw in ((0.3, -1.2), (np.pi, 0.5 * np.pi), (-2.0, 2.9)):
        R = Rotation.from_euler("ZYX", [yaw, pitch, roll]).as_matrix()
        again = Rotation.from_euler("xyz", roll_pitch_yaw(R)).as_matrix()
        np.testing.assert_allclose(again, R, rtol=0, atol=1e-15)


def test_numbers_come_back_as_they_were() -> None:
    """Every double, whatever its digits."""
    for value in np.random.default_rng(1).normal(size=200) * 10.0 ** np.arange(-100, 100):
        assert float(number(value)) == value
