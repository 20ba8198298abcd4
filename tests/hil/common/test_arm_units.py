"""A robot model as CAD programs export it is refused with its unit; arms of any real size are taken."""

import re
from pathlib import Path

import pytest

from drivers.robot.urdf_for_physics import notes_of
from hil.common.errors import RobotModelError
from planner.kinematics.urdf_arm import urdf_root
from tests.conftest import ROOT

OWN = (ROOT / "configs" / "robots" / "lwr4.urdf").read_text(encoding="utf-8")


def scaled(pattern: str, factor: float, text: str = OWN) -> str:
    """The model with all numbers in the attributes that match times a factor."""

    def more(found: re.Match[str]) -> str:
        return f'{found[1]}"{" ".join(f"{float(word) * factor:.9g}" for word in found[2].split())}"'

    return re.sub(rf'({pattern}=)"([^"]*)"', more, text)


def scaled_in(tag: str, pattern: str, factor: float) -> str:
    """The same within elements of a tag only."""
    return re.sub(rf"<{tag}.*?</{tag}>", lambda m: scaled(pattern, factor, m[0]), OWN, flags=re.S)


OTHER_UNITS = {
    "all lengths in mm": (scaled("xyz", 1e3), r"its joints reach 1\d\d\d m, .*: millimetres, of 1\.\d+ m\?"),
    "all lengths in cm": (scaled("xyz", 1e2), r"its joints reach 1\d\d\.\d* m, .*metres: centimetres"),
    "all lengths in inches": (scaled("xyz", 1 / 0.0254), r"its joints reach \d\d\.\d* m, .*metres: inches"),
    "masses in g": (scaled("mass value", 1e3), r"its links weigh \d\.\d+e\+04 kg at a reach of 1.*: grams"),
    "centres in mm": (scaled_in("inertial", "xyz", 1e3), "the centre of mass of link .* lies .*milli"),
    "inertia in kg mm2": (scaled("i[xyz][xyz]", 1e6), "the inertia of link 'link_.' is .*: kg mm2"),
    "limits in degrees": (scaled("(?:lower|upper)", 57.29578), "joint 'A.' turns by 1.* rad; .*: degrees"),
}  # fmt: skip


@pytest.mark.parametrize("kind", OTHER_UNITS)
def test_a_model_in_other_units_is_refused_by_kinematics_and_physics(kind: str, tmp_path: Path) -> None:
    """With the number and the likely unit, wherever it is read."""
    text, words = OTHER_UNITS[kind]
    path = tmp_path / "arm.urdf"
    path.write_text(text, encoding="utf-8")
    for read in (urdf_root, notes_of):
        with pytest.raises(RobotModelError, match=words):
            read(path)


@pytest.mark.parametrize(("length", "mass"), [(1.0, 1.0), (0.3, 0.05), (2.7, 300.0), (15.0, 110.0)], ids=str)
def test_arms_as_they_are_built_are_taken(length: float, mass: float, tmp_path: Path) -> None:
    """A desk's of under a kilogram, the heaviest industrial one, a space station's; any pedestal."""
    path = tmp_path / "arm.urdf"
    text = scaled("mass value", mass, scaled("xyz", length))
    path.write_text(text.replace('value="', 'value="9', 1), encoding="utf-8")
    urdf_root(path)
    notes_of(path)
