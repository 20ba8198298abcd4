"""Broken files of components and assemblies: each is refused by one clear line with file, key and value."""

from pathlib import Path

import pytest

from hil.common.errors import AssemblyError
from sim.assembly.assembly_file import load_assembly
from sim.assembly.database import Database, load_component, load_database

JOINT = """name = "elbow"
kind = "joint"
source = "made up"
[input]
gender = "female"
type = "flange"
size_mm = 80.0
[output]
gender = "male"
type = "flange"
size_mm = 80.0
[[bodies]]
mass_kg = 1.0
inertia_kg_m2 = [0.01, 0.01, 0.01, 0.0, 0.0, 0.0]
[[bodies]]
mass_kg = 2.0
inertia_kg_m2 = [0.01, 0.02, 0.02, 0.0, 0.0, 0.0]
[[joints]]
type = "revolute"
axis = [0.0, 1.0, 0.0]
lower_deg = -90.0
upper_deg = 90.0
speed_deg_s = 100.0
torque_n_m = 50.0
"""
GEAR = """name = "gear"
kind = "gear"
source = "made up"
[gear]
ratio = 100.0
stiffness_n_m_per_rad = [1e4, 2e4, 3e4]
torque_limits_n_m = [10.0, 30.0]
efficiency = 0.8
torque_peak_n_m = 60.0
"""
# file, what is written instead of what, words of the refusal
COMPONENTS = [
    (JOINT, "mass_kg = 2.0", "mass_kg = -2.0", r"bodies\[1\].mass_kg = -2.0 must be at least 0"),
    (JOINT, "[0.01, 0.02, 0.02,", "[0.01, 0.02, 0.04,", r"bodies\[1\].inertia_kg_m2 is that of no body.*0.01, 0.02, 0.04"),  # noqa: E501
    (JOINT, "[0.01, 0.02, 0.02,", "[-0.01, 0.02, 0.02,", "is that of no body"),
    (JOINT, "0.0, 0.0, 0.0]\n[[joints]]", "0.05, 0.0, 0.0]\n[[joints]]", "is that of no body"),
    (JOINT, "mass_kg = 2.0", "mass_kg = 0.0", "must be 0 where mass_kg is 0"),
    (JOINT, "mass_kg = 2.0", "mass_g = 2000.0", r"bodies\[1\].mass_g is unknown; did you mean mass_kg"),
    (JOINT, "size_mm = 80.0\n[output]", "size_in = 3.0\n[output]", "input.size_in is unknown"),
    (JOINT, "torque_n_m = 50.0", "torque_nm = 50.0", "torque_nm is unknown; did you mean torque_n_m"),
    (JOINT, "mass_kg = 2.0", "mass_kg = nan", "mass_kg"),
    (JOINT, "mass_kg = 2.0", 'mass_kg = "2 kg"', "mass_kg"),
    (JOINT, "[input]\n", "[entrance]\n", "entrance is unknown"),
    (JOINT, JOINT[JOINT.index("[input]") : JOINT.index("[output]")], "", "input is missing: the marker"),
    (JOINT, JOINT[JOINT.index("[output]") : JOINT.index("[[bodies]]")], "", "output is missing: the marker"),
    (JOINT, "[0.0, 1.0, 0.0]", "[0.0, 1.0, 1.0]", "must have length 1, it has 1.41"),
    (JOINT, "lower_deg = -90.0", "lower_deg = 90.0", r"joints\[0\].lower_deg must be below upper_deg"),
    (JOINT, JOINT[JOINT.index("[[joints]]") :], "", "bodies: 2 of them; 0 joints need 1"),
    (JOINT, 'kind = "joint"', 'kind = "elbow"', "kind = 'elbow' must be one of"),
    (JOINT, 'name = "elbow"', 'name = "El bow"', "name = 'El bow' must match"),
    (JOINT, 'source = "made up"\n', "", "source is missing"),
    (JOINT, 'source = "made up"', 'source = "made up"\nassumed = ["bodies.mas_kg"]', "assumed names 'bodies.mas_kg'"),  # noqa: E501
    (JOINT, 'type = "revolute"', 'type = "helical"', "helical"),
    (JOINT, 'gender = "male"', 'gender = "neuter"', "output.gender = 'neuter' must be one of"),
    (JOINT, "mass_kg = 2.0", "mass_kg = ", "is no TOML"),
    (GEAR, "[10.0, 30.0]", "[30.0, 10.0]", "T1 = 30 must be below T2 = 10"),
    (GEAR, "torque_limits_n_m = [10.0, 30.0]\n", "", "belong together"),
    (GEAR, "efficiency = 0.8", "efficiency = 1.2", "gear.efficiency = 1.2 must be at most 1"),
    (GEAR, "ratio = 100.0", "ratio = 0.5", "gear.ratio = 0.5 must be at least 1"),
    (GEAR, "[gear]", "[motor]", "motor"),
    (GEAR, 'kind = "gear"', 'kind = "brake"', "brake is missing"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "old", "new", "words"), COMPONENTS)
def test_broken_components(tmp_path: Path, text: str, old: str, new: str, words: str) -> None:
    """Every line names the file; the fault that was made is among them."""
    assert old in text
    path = tmp_path / "part.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(AssemblyError, match=words) as caught:
        load_component(path)
    assert all(line.startswith(f"{path}: ") for line in str(caught.value).splitlines())


def test_sound_ones_are_read(tmp_path: Path) -> None:
    """What the table breaks is sound before."""
    for text in (JOINT, GEAR):
        path = tmp_path / "part.toml"
        path.write_text(text, encoding="utf-8")
        load_component(path)


def test_a_lopsided_inertia_may_be_let_through(tmp_path: Path) -> None:
    """Where its file says that it is so published; a negative one never."""
    path = tmp_path / "part.toml"
    published = JOINT.replace('source = "made up"', 'source = "made up"\ninertia_as_published = true')
    path.write_text(published.replace("[0.01, 0.02, 0.02,", "[0.01, 0.02, 0.04,"), encoding="utf-8")
    assert load_component(path).inertia_as_published
    path.write_text(published.replace("[0.01, 0.02, 0.02,", "[-0.01, 0.02, 0.02,"), encoding="utf-8")
    with pytest.raises(AssemblyError, match="is that of no body"):
        load_component(path)


def test_a_folder_tells_of_all_its_faults(tmp_path: Path) -> None:
    """Two broken files and two of one name: three lines; no folder: one."""
    for name, text in (("a", JOINT.replace("1.0\n", "-1.0\n", 1)), ("b", "name ="), ("c", GEAR), ("d", GEAR)):
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    with pytest.raises(AssemblyError) as caught:
        load_database(tmp_path)
    lines = str(caught.value).splitlines()
    assert len(lines) == 3 and "d.toml" in lines[2] and "'gear' is that of" in lines[2]
    with pytest.raises(AssemblyError, match="no such folder of components"):
        load_database(tmp_path / "none")


ARM = """name = "arm"
[[parts]]
component = "base-l"
name = "base"
[[parts]]
component = "joint-roll-l"
name = "A1"
[[parts]]
component = "link-straight-l"
name = "upper"
[[parts]]
component = "joint-pitch-l"
name = "A2"
"""
ASSEMBLIES = [
    ('component = "base-l"\nname = "base"', 'component = "link-straight-l"', r"parts\[0\]: .*is no base"),
    ('"joint-pitch-l"', '"joint-pitch-m"', r"parts\[3\]: .*'upper' \(male flange 120 mm\) and 'joint-pitch-m' \(female flange 100 mm\).*size"),  # noqa: E501
    ('"joint-pitch-l"', '"tool-camera"', "of different type"),
    ('"joint-pitch-l"', '"hd-25-100"', "is a gear: a joint names it"),
    ('"joint-pitch-l"', '"base-l"', "is a base, and the chain has one"),
    ('"joint-pitch-l"', '"joint-pich-l"', "there is no component 'joint-pich-l'.*near: joint-pitch-l"),
    ('name = "A2"', 'name = "A1"', "there is a part 'A1' already"),
    ('name = "A2"', 'turn = 90.0', r"parts\[3\].turn is unknown; did you mean turn_deg"),
    ('name = "A2"', 'turn_rad = 1.0', "turn_rad is unknown"),
    ('name = "A2"', "turn_deg = 1000.0", "turn_deg = 1000.0 must be at most 360"),
    ('name = "A1"', 'name = "A1"\non = "A2"', "joined to one another in a loop"),
    ('name = "base"', 'name = "base"\non = "A2"', "joined to one another in a loop: begin with a base"),
    ('name = "A2"', 'name = "A2"\non = "base"', "'joint-roll-l' and 'joint-pitch-l' are both joined to 'base': a chain has no branches"),  # noqa: E501
    ('name = "A2"', 'name = "A2"\non = "nobody"', r"parts\[3\].on = 'nobody': there is no part"),
    ('name = "arm"', 'name = "arm"\ngravity = [0.0, 0.0]', "gravity has 2 values, expected 3"),
    ('name = "arm"', 'name = "arm"\n[[components]]\nfile = "parts.xyz"', "components come from a folder, or a file"),  # noqa: E501
    ('name = "arm"', 'name = "arm"\n[[components]]\nfile = "parts.urdf"', "parts.urdf: cannot be read"),
    ('name = "arm"', 'name = "arm"\n[[components]]\nfile = "parts.json"', "parts.json: cannot be read"),
    (ARM[ARM.index("[[parts]]") :], "parts = []", "parts has 0 values, expected 1"),
    ("[[parts]]", "[[parts", "is no TOML"),
    ('name = "arm"', 'name = "arm"\nx = ' + 999 * "[" + 999 * "]", "lie too deep in one another"),
    ('name = "A2"', 'name = "upper arm/2"', r"parts\[3\].*'upper arm/2' is no name for a part: letters"),
]  # fmt: skip


@pytest.fixture(scope="module")
def database() -> Database:
    """The shipped components."""
    return load_database()


@pytest.mark.parametrize(("old", "new", "words"), ASSEMBLIES)
def test_broken_assemblies(tmp_path: Path, database: Database, old: str, new: str, words: str) -> None:
    """One line with the file, the part's number and what is wrong."""
    assert old in ARM
    path = tmp_path / "arm.toml"
    path.write_text(ARM.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(AssemblyError, match=words) as caught:
        load_assembly(path, database)
    assert str(caught.value).startswith(str(tmp_path)) and "\n" not in str(caught.value)


def test_parts_may_stand_in_any_order(tmp_path: Path, database: Database) -> None:
    """Where each says on which it stands."""
    path = tmp_path / "arm.toml"
    text = ARM.replace('name = "A1"', 'name = "A1"\non = "base"').replace(
        'name = "A2"', 'name = "A2"\non = "upper"'
    )
    parts = text.split("[[parts]]")
    shuffled = [parts[0], parts[1], parts[4], parts[3].replace('"upper"', '"upper"\non = "A1"'), parts[2]]
    path.write_text("[[parts]]".join(shuffled), encoding="utf-8")
    assert [part.name for part in load_assembly(path, database)] == ["base", "A1", "upper", "A2"]
