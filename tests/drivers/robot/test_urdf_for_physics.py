"""Arms as their files come: grippers, mimics, other names, meshes; whatever a run builds, `check` builds."""

import re
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from drivers.emulation.arm.arm import EmulatedArm
from drivers.robot.model import arm_spec, compiled
from drivers.robot.urdf_for_physics import notes_of
from hil.commands.cli import main
from hil.common.errors import RobotModelError
from hil.configuration import load_configuration
from hil.loop.models import build_models
from hil.loop.solids import ArmPicture
from planner.kinematics.arm_model import load_arm_model
from tests.conftest import ROOT

ARM = (ROOT / "configs/robots/lwr4.urdf").read_text(encoding="utf-8")
CUBE = (ROOT / "configs/cube.toml").read_text(encoding="utf-8")
INERTIAL = (
    '<inertial><origin xyz="0 0 0.02"/><mass value="0.2"/>'
    '<inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/></inertial>'
)
GRIPPER = (
    f'<link name="hand">{INERTIAL}</link><link name="left">{INERTIAL}</link>'
    f'<link name="right">{INERTIAL}</link>'
    '<joint name="hand_joint" type="fixed"><parent link="flange"/><child link="hand"/></joint>'
    '<joint name="finger_left" type="prismatic"><parent link="hand"/><child link="left"/><axis xyz="0 1 0"/>'
    '<limit lower="0" upper="0.04" effort="9" velocity="0.1"/></joint>'
    '<joint name="finger_right" type="revolute"><parent link="hand"/><child link="right"/>'
    '<axis xyz="0 -1 0"/><limit lower="0" upper="0.4" effort="9" velocity="0.1"/>'
    '<mimic joint="finger_left"/></joint>'
)


def with_gripper(text: str) -> str:
    """The arm with a hand of two fingers."""
    return text.replace("</robot>", f"{GRIPPER}</robot>")


def meshed(name: str) -> Callable[[str], str]:
    """The arm with a mesh to look at on a link."""
    visual = f'<visual><geometry><mesh filename="{name}"/></geometry></visual>'
    return lambda text: text.replace('<link name="link_3">', f'<link name="link_3">{visual}', 1)


def renamed(text: str) -> str:
    """The arm as its maker calls its parts; `A3` is the name of another joint's."""
    text = re.sub(r'(<joint name|joint)="A(\d)"', r'\1="lwr_joint_\2"', text)
    return text.replace("link_0", "base_link").replace("flange_joint", "A3")


def file_of(folder: Path, change: Callable[[str], str]) -> Path:
    """Write a run with a changed arm, and return it."""
    text = change(ARM)
    assert text != ARM
    (folder / "arm.urdf").write_text(text, encoding="utf-8")
    path = folder / "run.toml"
    path.write_text(re.sub(r'model = ".*?"', f'model = "{folder}/arm.urdf"', CUBE), encoding="utf-8")
    return path


def without_mass(text: str) -> str:
    """The arm with a link whose mass is not told."""
    pattern = r'(<link name="link_3">\s*)<inertial>.*?</inertial>'
    return re.sub(pattern, r"\1", text, count=1, flags=re.DOTALL)


NO_MESH = "of link 'link_3' cannot be read"
NAMES = ", ".join(f"lwr_joint_{i}" for i in range(1, 8))
FINGERS = [
    f"joint 'finger_{side}' is none of the arm's seven and is locked at 0" for side in ("left", "right")
]
TAKEN = {
    "gripper": (with_gripper, FINGERS),
    "package": (meshed("package://none/a.stl"), [f"mesh package://none/a.stl {NO_MESH}"]),
    "missing": (meshed("meshes/none.obj"), [f"mesh meshes/none.obj {NO_MESH}"]),
    "collada": (meshed("/dev/null"), [f"mesh /dev/null {NO_MESH}"]),
    "names": (renamed, [f"joints {NAMES} are A1 to A7, in that order"]),
    "plain": (lambda text: re.sub(r"<mujoco>.*?</mujoco>", "", text, flags=re.DOTALL), []),
    "all": (lambda text: meshed("model://x/y.dae")(with_gripper(renamed(text))), [*FINGERS, NAMES, NO_MESH]),
}  # fmt: skip


@pytest.mark.parametrize("kind", TAKEN)
def test_an_arm_is_taken_as_it_comes(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each run builds it, each thing that is not as in the file is a note, and the arm moves as before."""
    change, notes = TAKEN[kind]
    path = file_of(tmp_path, change)
    assert main(["check", str(path)]) == 0
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith("note: ")]
    assert len(said) == len(notes) and all(note in line for note, line in zip(notes, said, strict=True))
    c = load_configuration(path)
    for control, elastic in (("impedance", False), ("position", True)):
        emulator = c.emulator.model_copy(update={"control": control, "elastic": elastic})
        arm = EmulatedArm(c.model_copy(update={"emulator": emulator}))
        plain = EmulatedArm(load_configuration(ROOT / "configs/cube.toml"))
        np.testing.assert_allclose(arm.T_world_object, plain.T_world_object, atol=1e-12)
        np.testing.assert_allclose(arm.joint_range, plain.joint_range)
    q = np.linspace(-1.0, 1.0, 7)
    usual = ArmPicture(load_configuration(ROOT / "configs/cube.toml"))
    np.testing.assert_allclose(ArmPicture(c).held_object(q)[0], usual.held_object(q)[0], atol=1e-12)


def test_what_is_locked_still_weighs(tmp_path: Path) -> None:
    """A gripper's mass is the arm's to carry."""
    file_of(tmp_path, with_gripper)
    (tmp_path / "plain.urdf").write_text(ARM, encoding="utf-8")
    masses = [
        compiled(arm_spec(tmp_path / name, np.eye(4)), tmp_path).body_mass.sum()
        for name in ("arm.urdf", "plain.urdf")
    ]
    assert masses[0] - masses[1] == pytest.approx(0.6)


def test_a_mesh_in_a_package_is_shown(tmp_path: Path) -> None:
    """Where it is found, above the file or beside it, it is drawn and nothing is said."""
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    body = b"".join(
        struct.pack("<12fH", 0, 0, 0, *(0.1 * x for i in face for x in corners[i]), 0) for face in faces
    )
    folder = tmp_path / "lwr_description" / "urdf"
    folder.mkdir(parents=True)
    (folder.parent / "meshes").mkdir()
    mesh = folder.parent / "meshes" / "link.STL"
    mesh.write_bytes(bytes(80) + struct.pack("<I", len(faces)) + body)
    for name in ("package://lwr_description/meshes/link.STL", "../meshes/link.STL", f"file://{mesh}"):
        c = load_configuration(file_of(folder, meshed(name)))
        assert notes_of(c.robot.model) == ()
        usual = ArmPicture(load_configuration(ROOT / "configs/cube.toml"))
        assert len(ArmPicture(c).solids) == len(usual.solids) + 1
    mesh.write_bytes(mesh.read_bytes()[:-1])  # broken off
    assert len(notes_of(c.robot.model)) == 1


THIRD = '<parent link="link_2"/>'
REFUSED = {
    "mimic": (lambda text: text.replace(THIRD, f'{THIRD}<mimic joint="A2"/>'), "joint 'A3' mimics 'A2'"),
    "shut": (
        lambda text: with_gripper(text).replace('lower="0" upper="0.04"', 'lower="0.01" upper="0.04"'),
        "joint 'finger_left' is none of the arm's and cannot be locked at 0",
    ),
    "fixed": (
        lambda text: text.replace('name="A4" type="revolute"', 'name="A4" type="fixed"'),
        "joint 'A4' is 'fixed'",
    ),
    "branch": (
        lambda text: with_gripper(text).replace('<parent link="flange"/>', '<parent link="link_3"/>'),
        "branches into joints",
    ),
    "massless": (
        lambda text: without_mass(text).replace("<visual>", "<!--").replace("</visual>", "-->"),
        "the physics engine refuses it",
    ),
    "mesh with mass": (
        lambda text: meshed("a.dae")(without_mass(text)),
        "link 'link_3' has no <inertial>, and its mesh a.dae cannot be read",
    ),
    "template": (
        lambda text: text.replace("<robot ", '<robot xmlns:xacro="http://ros.org/xacro" ').replace(
            "</robot>", "<xacro:a/></robot>"
        ),
        "expand it first",
    ),
    "twice": (
        lambda text: with_gripper(text).replace('link name="hand"', 'link name="link_5"'),
        "two links are named 'link_5'",
    ),
    "no flange": (lambda text: text.replace('"flange"', '"tool0"'), "may come before link 'flange'"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_an_arm_that_no_run_can_have_is_refused_by_name(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By `check` with status 1, by `run` and `simulate` with 2, in one line, without a traceback."""
    change, words = REFUSED[kind]
    path = file_of(tmp_path, change)
    for command, status in ((["check"], 1), (["simulate", "--duration", "0.1"], 2)):
        assert main([command[0], str(path), *command[1:]]) == status
        error = capsys.readouterr().err
        assert words in error and error.count("\n") == 1


def test_the_shipped_arms_are_taken_to_the_letter() -> None:
    """Nothing of them is changed, so that nothing is said."""
    for name in ("cube", "fr3", "assembled"):
        c = load_configuration(ROOT / f"configs/{name}.toml")
        assert build_models(c, load_arm_model(c.robot.model)) == ()
    with pytest.raises(RobotModelError, match="is no XML"):
        arm_spec(ROOT / "README.md", np.eye(4))
