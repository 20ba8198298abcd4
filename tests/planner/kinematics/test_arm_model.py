"""The robot model is read right; what is no arm, or has no branches, is refused by name."""

import re
from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import RobotModelError
from planner.kinematics.arm_model import check_inverse, load_arm_model

URDF = Path(__file__).parents[3] / "configs" / "robots" / "lwr4.urdf"


def test_shipped_model_has_the_published_dimensions():
    """KUKA LWR 4+: lengths, axes and limits of the public models of this arm."""
    model = load_arm_model(URDF)
    assert model.lengths == pytest.approx([0.3105, 0.40, 0.39, 0.078])
    assert model.signs.tolist() == [1, -1, 1, 1, 1, -1, 1]
    assert np.rad2deg(model.upper) == pytest.approx([170, 120, 170, 120, 170, 120, 170])
    assert model.lower == pytest.approx(-model.upper)
    assert np.rad2deg(model.velocity) == pytest.approx([108.9, 108.9, 112.5, 112.5, 128.9, 112.5, 112.5])
    assert model.names == tuple(f"A{i}" for i in range(1, 8))


def test_frames_turned_between_links_are_understood(tmp_path):
    """A URDF that turns its frames (as the iiwa's does) describes the same arm."""
    text = URDF.read_text()
    # link 2 and its children are described in axes turned by 90 degrees about x
    text = text.replace(
        '<origin xyz="0 0 0.2005" rpy="0 0 0"/>\n    <axis xyz="0 -1 0"/>',
        '<origin xyz="0 0 0.2005" rpy="1.5707963267948966 0 0"/>\n    <axis xyz="0 0 1"/>',
    )
    text = text.replace(
        '<child link="link_3"/>\n    <origin xyz="0 0 0.20" rpy="0 0 0"/>',
        '<child link="link_3"/>\n    <origin xyz="0 0.20 0" rpy="-1.5707963267948966 0 0"/>',
    )
    path = tmp_path / "turned.urdf"
    path.write_text(text)
    turned, straight = load_arm_model(path), load_arm_model(URDF)
    assert turned.lengths == pytest.approx(straight.lengths)
    assert turned.signs.tolist() == straight.signs.tolist()


FAULTS = {
    "axis": ('<axis xyz="0 1 0"/>', '<axis xyz="1 0 0"/>', "'A4' .number 4. turns about"),
    "slanted axis": ('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0.1"/>', "'A4' .number 4. turns about"),
    "zero axis": ('<axis xyz="0 1 0"/>', '<axis xyz="0 0 0"/>', "'A4' turns about an axis without length"),
    "elbow offset": (
        '<child link="link_4"/>\n    <origin xyz="0 0 0.20"',
        '<child link="link_4"/>\n    <origin xyz="0.045 0 0.20"',
        "joint 'A4' .number 4. passes 45.000 mm beside",
    ),
    "wrist offset": (
        '<origin xyz="0 0 0.060" rpy="0 0 0"/>',
        '<origin xyz="0.088 0 0.060" rpy="0 0 0"/>',
        "joint 'A7' .number 7. passes 88.000 mm beside",
    ),
    "prismatic": ('name="A3" type="revolute"', 'name="A3" type="prismatic"', "'A3' is 'prismatic'"),
    "six joints": ('name="A7" type="revolute"', 'name="A7" type="fixed"', "'A7' is 'fixed'"),
    "no velocity": (
        'effort="176" velocity="1.90066355541868"',
        'effort="176"',
        "'A1' has no <limit velocity",
    ),
    "no lower": ('lower="-2.96705972839036" ', "", "'A1' has no <limit lower"),
    "crossed limits": ('lower="-2.96705972839036"', 'lower="3.0"', "'A1' has limits .3.0, 2.96"),
    "text": ('xyz="0 0 0.11"', 'xyz="0 0 high"', "'A1': '0 0 high' is not 3 numbers"),
    "not a number": ('xyz="0 0 0.11"', 'xyz="0 0 nan"', '<origin xyz="0 0 nan"> must be finite'),
    "endless mass": (
        '<mass value="2.7"',
        '<mass value="-Infinity"',
        '<mass value="-Infinity"> must be finite',
    ),
    "template": ('xyz="0 0 0.11"', 'xyz="0 0 ${h}"', "is of a template: expand it first"),
    "argument": ('effort="176"', 'effort="$(arg e)"', "is of a template: expand it first"),
    "no name": ('<joint name="A1"', "<joint", "a joint has no name"),
    "loose link": ("</robot>", '<link name="tool"/></robot>', "link 'tool' hangs on no joint"),
    "no flange": ('child link="flange"', 'child link="plate"', "before link 'flange'"),
    "turned flange": (
        '<origin xyz="0 0 0.018" rpy="0 0 0"/>',
        '<origin xyz="0 0 0.018" rpy="0 0 0.5"/>',
        "put offsets and turns into robot.tcp",
    ),
    "branch": ('<parent link="link_7"/>', '<parent link="link_6"/>', "link 'link_6' branches"),
    "zero velocity": ('velocity="1.90066355541868"', 'velocity="0"', "must be above 0"),
    "broken xml": ("</robot>", "", "is no XML"),
    "other root": (None, "<sdf></sdf>", "is no URDF"),
}


OPEN = ("axis", "slanted axis", "elbow offset", "wrist offset", "turned flange")  # chains, if not ours


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_named(tmp_path, name):
    """Each rule has a file that breaks it; the message names file, joint and rule."""
    old, new, expected = FAULTS[name]
    text = URDF.read_text()
    assert old is None or old in text
    path = tmp_path / "arm.urdf"
    path.write_text(new if old is None else text.replace(old, new, 1))
    if name in OPEN:
        with pytest.raises(RobotModelError, match=expected):
            check_inverse(load_arm_model(path), "branches")
        return
    with pytest.raises(RobotModelError, match=expected) as caught:
        load_arm_model(path)
    assert re.match(re.escape(str(path)), str(caught.value))


def test_missing_file_is_named(tmp_path):
    with pytest.raises(RobotModelError, match=r"nowhere\.urdf: cannot be read"):
        load_arm_model(tmp_path / "nowhere.urdf")
