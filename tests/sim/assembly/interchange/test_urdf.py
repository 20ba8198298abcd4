"""URDFs as pre-assembled units, against pinocchio's reading of the same text."""

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from hil.common.errors import AssemblyError
from sim.assembly.assembly_file import assembly_text, load_assembly
from sim.assembly.chain import Chain
from sim.assembly.database import SHIPPED, Database, load_database
from sim.assembly.interchange.urdf_in import components_of_urdf
from sim.assembly.manipulator import manipulator_of
from sim.chain.dynamics import bias, mass_matrix
from sim.chain.kinematics import tip_pose
from sim.exports.urdf import urdf_text

EXACT = 1e-9
LWR = Path(__file__).parents[4] / "configs" / "robots" / "lwr4.urdf"

ARM = """<robot name="Test Arm">
  <material name="blue"><color rgba="0.1 0.2 0.9 1"/></material>
  <link name="world"/>
  <joint name="stand" type="fixed"><parent link="world"/><child link="base"/><origin xyz="0.1 0 0.2" rpy="0.1 0.2 0.3"/></joint>
  <link name="base">
    <inertial><origin xyz="0 0 0.1" rpy="0.4 0 0"/><mass value="3"/><inertia ixx="0.1" iyy="0.12" izz="0.11" ixy="0.01" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="base.stl"/></geometry></visual>
  </link>
  <link name="side"><inertial><mass value="0.5"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="glued" type="fixed"><parent link="base"/><child link="side"/><origin xyz="0 0.2 0" rpy="0 0.5 0"/></joint>
  <joint name="one" type="continuous"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.3" rpy="1 0 0.2"/>
    <axis xyz="0 3 4"/><limit effort="50" velocity="2"/><dynamics damping="1.5" friction="0.7"/></joint>
  <link name="upper">
    <inertial><origin xyz="0.1 0 0" rpy="0 0 1"/><mass value="2"/><inertia ixx="0.02" iyy="0.03" izz="0.03" ixy="0" ixz="0.001" iyz="0"/></inertial>
    <visual><origin xyz="0 0 0.1"/><geometry><cylinder radius="0.05" length="0.2"/></geometry><material name="blue"/></visual>
    <visual><geometry><box size="0.1 0.2 0.3"/></geometry></visual>
  </link>
  <joint name="two" type="prismatic"><parent link="upper"/><child link="hand"/><origin xyz="0.4 0 0"/>
    <axis xyz="1 0 0"/><limit lower="0" upper="0.3" effort="200" velocity="0.5"/></joint>
  <link name="hand"><inertial><mass value="1"/><inertia ixx="0.004" iyy="0.004" izz="0.004" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="end" type="fixed"><parent link="hand"/><child link="tool0"/><origin xyz="0 0 0.07" rpy="0 1.5707963267948966 0"/></joint>
  <link name="tool0"/>
  <joint name="eye" type="fixed"><parent link="hand"/><child link="camera"/></joint>
  <link name="camera"/>
</robot>
"""  # noqa: E501


def read(tmp_path: Path, text: str, **more: object) -> Chain:
    """The arm that is a URDF, alone on the ground."""
    path = tmp_path / "arm.urdf"
    path.write_text(text, encoding="utf-8")
    found = components_of_urdf(path, **more)  # type: ignore[arg-type]
    return Chain("arm", Database(found)).add(found[0].name)


def assert_same(chain: Chain, text: str, tip: str) -> None:
    """Kinematics, mass matrix and bias as pinocchio has them of the text, rotors aside."""
    model, made = pin.buildModelFromXML(text), manipulator_of(chain)
    data, rng, n = model.createData(), np.random.default_rng(2), len(made.axes)
    assert n == model.nv
    armature = np.diag(made.chain.armatures)
    for _ in range(10):
        q, dq = rng.uniform(-1.0, 1.0, n), rng.uniform(-1.0, 1.0, n)
        full = pin.integrate(model, pin.neutral(model), q)  # joints without end have two coordinates
        M = np.triu(pin.crba(model, data, full))
        M = M + np.triu(M, 1).T
        np.testing.assert_allclose(mass_matrix(made.chain, q) - armature, M, rtol=0.0, atol=EXACT)
        h = pin.rnea(model, data, full, dq, np.zeros(n))
        np.testing.assert_allclose(bias(made.chain, q, dq, made.gravity), h, rtol=0.0, atol=EXACT)
        pin.framesForwardKinematics(model, data, full)
        placed = data.oMf[model.getFrameId(tip)].homogeneous
        np.testing.assert_allclose(tip_pose(made.chain, q), placed, rtol=0.0, atol=EXACT)


def test_a_urdf_is_what_pinocchio_reads(tmp_path: Path) -> None:
    """Turned inertias, links glued on, an oblique axis, a slide, two ends of which one is called tool0."""
    chain = read(tmp_path, ARM)
    assert_same(chain, ARM, "tool0")
    unit = chain.parts[0].component
    assert unit.name == "test-arm" and unit.kind == "unit"
    assert [shape.solid for shape in unit.bodies[1].shapes] == ["cylinder", "box"]
    np.testing.assert_allclose(unit.bodies[1].shapes[0].colour, [0.1, 0.2, 0.9])
    gear = chain.database["test-arm-gear-1"].gear
    assert gear is not None and (gear.coulomb, gear.viscous, gear.stiffness) == (0.7, 1.5, None)


def test_the_tip_may_be_named(tmp_path: Path) -> None:
    """Another link than the usual one."""
    assert_same(read(tmp_path, ARM, tip="camera"), ARM, "camera")


def test_the_shipped_arm_is_read(tmp_path: Path) -> None:
    """configs/robots/lwr4.urdf."""
    text = LWR.read_text(encoding="utf-8")
    assert_same(read(tmp_path, text), text, "flange")


@pytest.mark.parametrize("name", ["lwr4", "fr3", "ur10e"])
def test_what_we_export_comes_back(tmp_path: Path, name: str) -> None:
    """The mass matrix with the rotors in it, too."""
    before = load_assembly(SHIPPED.parent / "assemblies" / f"{name}.toml", load_database())
    arm = manipulator_of(before)
    text = urdf_text(arm, before)
    chain = read(tmp_path, text)
    assert_same(chain, text, "flange")
    again, q = manipulator_of(chain), np.full(len(arm.axes), 0.3)
    M = mass_matrix(arm.chain, q)
    np.testing.assert_allclose(mass_matrix(again.chain, q), M, rtol=0.0, atol=EXACT)
    np.testing.assert_allclose(again.lower, arm.lower, rtol=1e-12)


def test_an_assembly_takes_a_urdf_between_its_own_parts(tmp_path: Path) -> None:
    """With connectors of one's own; and it is saved with them."""
    (tmp_path / "arm.urdf").write_text(ARM, encoding="utf-8")
    file = tmp_path / "arm.toml"
    file.write_text(
        'name = "mixed"\n[[components]]\nfile = "arm.urdf"\n'
        'input = { gender = "female", type = "flange", size_mm = 120.0 }\n'
        'output = { gender = "male", type = "flange", size_mm = 80.0 }\n'
        '[[parts]]\ncomponent = "base-l"\n[[parts]]\ncomponent = "joint-roll-l"\n'
        '[[parts]]\ncomponent = "test-arm"\n[[parts]]\ncomponent = "link-straight-s"\n',
        encoding="utf-8",
    )
    chain = load_assembly(file, load_database())
    assert len(manipulator_of(chain).axes) == 3
    again = tmp_path / "again.toml"
    again.write_text(assembly_text(chain), encoding="utf-8")
    read_again = manipulator_of(load_assembly(again, load_database()))
    np.testing.assert_array_equal(read_again.chain.masses, manipulator_of(chain).chain.masses)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('type="prismatic"', 'type="floating"', "'two' is 'floating'; joints turn or slide"),
        ('type="prismatic"', 'type="planar"', "'two' is 'planar'"),
        ('<axis xyz="1 0 0"/>', '<axis xyz="1 0 0"/><mimic joint="one"/>', "'two' mimics another"),
        ('name="eye" type="fixed"', 'name="eye" type="revolute"', "'eye' has no <limit|branches"),
        (
            '<child link="camera"/>',
            '<child link="upper"/>',
            "link 'upper' has two parents, 'base' and 'hand': a loop",
        ),
        ('<child link="base"/>', '<child link="nowhere"/>', "2 root links"),
        ('link name="tool0"', 'link name="other"', "no link 'tool0'|2 root links"),
        ('effort="200" velocity="0.5"', 'effort="200"', "'two' has no <limit velocity"),
        ('<axis xyz="1 0 0"/>', '<axis xyz="0 0 0"/>', "axis of length 0"),
        ('<axis xyz="1 0 0"/>', '<axis xyz="1 0 nan"/>', "is not 3 numbers"),
        ('<mass value="2"/>', '<mass value="-2"/>', r"bodies\[1\].mass_kg = -2.0 must be at least 0"),
        ('ixx="0.02"', 'ixx="-0.02"', "is that of no body"),
        ("<robot ", "<model ", "is no XML"),
        ("</robot>", "", "is no XML"),
    ],
)
def test_what_a_chain_cannot_say_is_refused(tmp_path: Path, old: str, new: str, words: str) -> None:
    """One line with the file, and what in it."""
    assert old in ARM
    with pytest.raises(AssemblyError, match=words) as caught:
        read(tmp_path, ARM.replace(old, new, 1))
    assert str(caught.value).startswith(str(tmp_path / "arm.urdf")) and "\n" not in str(caught.value)


def test_two_driven_branches_are_refused(tmp_path: Path) -> None:
    """Both joints are named."""
    text = ARM.replace(
        'name="eye" type="fixed"><parent link="hand"/><child link="camera"/>',
        'name="eye" type="revolute"><parent link="upper"/><child link="camera"/>'
        '<limit lower="0" upper="1" effort="1" velocity="1"/>',
    )
    with pytest.raises(AssemblyError, match="branches into the joints 'two', 'eye'"):
        read(tmp_path, text)


def test_several_possible_tips_are_named(tmp_path: Path) -> None:
    """None of them has a usual name."""
    with pytest.raises(AssemblyError, match=r"several links could be the tip, \['gripper', 'camera'\]"):
        read(tmp_path, ARM.replace("tool0", "gripper"))
    with pytest.raises(AssemblyError, match="link 'upper' is no end"):
        read(tmp_path, ARM, tip="upper")
