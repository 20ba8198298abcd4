"""A run's arm with its base as one URDF: two other libraries put the object where the product has it."""

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest

from hil.commands.cli import main
from hil.common.planar import carried_pose
from hil.configuration import load_configuration
from hil.configuration.frames import Frames
from hil.loop.setting_urdf import base_joints, setting_urdf
from hil.wrench.held_body import object_pose
from planner.kinematics.arm_model import load_arm_model

CONFIGS = Path(__file__).resolve().parents[3] / "configs"
MOUNTED = ["robot.mount_position_mm=[120.0,-40.0,60.0]", "robot.mount_rotvec_deg=[3.0,-2.0,25.0]"]
TOOLED = [
    "robot.tcp_position_mm=[10.0,-20.0,90.0]",
    "robot.tcp_rotvec_deg=[20.0,0.0,-40.0]",
    "stops.certified=''",
]
DECKLESS = ["base.deck_mm=[[-900.0,-300.0],[-100.0,300.0]]"]


def setting(name: str, more: list[str]):
    """A shipped configuration whose mount and tool stand askew."""
    return load_configuration(CONFIGS / name, [*MOUNTED, *TOOLED, "stops.certified=''", *more])


def moves(c, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, list[float]]:
    """Joints, a pose of the base, and the base's joints for it."""
    q = rng.uniform(-1.0, 1.0, 7)
    x, y, heading = rng.uniform(-1.0, 1.0, 3)
    if c.base.kind == "platform":
        return q, np.array([x, y, heading]), [x, y, heading]
    if c.base.kind == "rail":
        along = np.array([math.cos(c.base.axis_yaw), math.sin(c.base.axis_yaw)])
        return q, np.array([*(x * along), 0.0]), [x]
    return q, np.zeros(3), []


@pytest.mark.parametrize(
    ("name", "more"), [("platform.toml", DECKLESS), ("rail.toml", []), ("cube.toml", [])]
)
def test_two_readers_find_the_object_where_it_is(name: str, more: list[str], tmp_path: Path) -> None:
    """MuJoCo's and pinocchio's own readers, at drawn poses: `object` is where the product has it, to 1e-9."""
    pinocchio = pytest.importorskip("pinocchio")
    c = setting(name, more)
    text = setting_urdf(c)
    engine = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(engine)
    other = pinocchio.buildModelFromXML(text)
    frames, arm = Frames.from_configuration(c), load_arm_model(c.robot.model)
    rng, joints = np.random.default_rng(4), (*base_joints(c), *(f"A{i}" for i in range(1, 8)))
    for _ in range(5):
        q, pose, driven = moves(c, rng)
        T_base = carried_pose(np.ascontiguousarray(frames.T_world_base), pose)
        T = object_pose(arm.geometry, q, T_base, frames.T_flange_object)
        for joint, value in zip(joints, (*driven, *q), strict=True):
            data.qpos[engine.joint(joint).qposadr[0]] = value
        mujoco.mj_kinematics(engine, data)
        np.testing.assert_allclose(data.body("object").xpos, T[:3, 3], atol=1e-9)
        np.testing.assert_allclose(data.body("object").xmat.reshape(3, 3), T[:3, :3], atol=1e-9)
        state = pinocchio.neutral(other)
        for joint, value in zip(joints, (*driven, *q), strict=True):
            found = other.joints[other.getJointId(joint)]
            state[found.idx_q : found.idx_q + found.nq] = (
                [math.cos(value), math.sin(value)] if found.nq == 2 else value
            )
        there = other.createData()
        pinocchio.framesForwardKinematics(other, there, state)
        np.testing.assert_allclose(there.oMf[other.getFrameId("object")].homogeneous, T, atol=1e-9)


def test_limits_are_the_floor_and_what_the_base_can() -> None:
    """Ways end at the floor, speeds are the vehicle's; the deck is drawn, and the mock-up has its mass."""
    c = load_configuration(CONFIGS / "platform.toml")
    model = mujoco.MjModel.from_xml_string(setting_urdf(c))
    for i, name in enumerate(("base_x", "base_y")):
        np.testing.assert_allclose(model.joint(name).range, [c.base.floor[0][i], c.base.floor[1][i]])
    assert not model.joint("base_heading").limited[0]
    assert model.body("mockup").mass[0] == c.mockup.mass
    size = " ".join(repr(float(x)) for x in c.base.deck[1] - c.base.deck[0])
    assert f'<box size="{size} ' in setting_urdf(c)


def test_the_command_writes_it_and_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file and a line; a link that bears a name of ours is refused with the file."""
    out = tmp_path / "platform.urdf"
    assert main(["urdf", str(CONFIGS / "platform.toml"), "-o", str(out)]) == 0
    assert "base_x, base_y, base_heading" in capsys.readouterr().out
    assert mujoco.MjModel.from_xml_path(str(out)).nq == 10
    model = tmp_path / "arm.urdf"
    text = (CONFIGS / "robots" / "lwr4.urdf").read_text(encoding="utf-8")
    model.write_text(text.replace("</robot>", '<link name="mockup"/><joint name="m" type="fixed"><parent '
        'link="flange"/><child link="mockup"/></joint></robot>'), encoding="utf-8")  # fmt: skip
    assert main(["urdf", str(CONFIGS / "cube.toml"), "--set", f'robot.model="{model}"', "-o", str(out)]) == 2
    assert "its link 'mockup' has the name" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["a.png", "a", "a.toml"])
def test_a_name_that_is_no_models_is_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, before anything is written; `.xml` is one."""
    assert main(["urdf", str(CONFIGS / "platform.toml"), "-o", str(tmp_path / name)]) == 2
    told = capsys.readouterr().err
    assert f"{name} cannot be written as URDF: its name must end in .urdf or .xml" in told
    assert told.count("\n") == 1
    assert not list(tmp_path.iterdir())
    assert main(["urdf", str(CONFIGS / "platform.toml"), "-o", str(tmp_path / "a.xml")]) == 0
