"""The declaration of interfaces: what a file says, and how each mistake is answered."""

import re
from pathlib import Path

import mujoco
import numpy as np
import pytest

from hil.common.errors import ConfigurationError, InterfaceError
from sim.contact.interface import check_bodies, load_interfaces
from tests.documents import ROOT, blocks
from tests.sim.contact.test_pairs import INTERFACES, MODEL


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "interfaces.toml"
    file.write_text(text)
    return file


def test_an_interface_is_what_its_file_says(tmp_path: Path) -> None:
    """Lengths in metres, the axis a unit vector, the plate's axes a rotation, tips above their feet."""
    (interface,) = load_interfaces(written(tmp_path, INTERFACES))
    pins, plate = interface.pins, interface.plate
    assert (interface.name, pins.body, plate.body) == ("dock", "servicer", "module")
    assert pins.radius == pytest.approx(0.0174)
    assert pins.axis.tolist() == [0.0, 1.0, 0.0]
    assert np.allclose(pins.tips, [[-0.04, 0.07, 0.005], [0.04, 0.07, 0.005]])
    assert plate.p_body_plate == pytest.approx([0.005, -0.01, 0.02])
    assert plate.R_body_plate @ plate.R_body_plate.T == pytest.approx(np.eye(3))
    turn = np.trace(plate.R_body_plate)
    assert turn == pytest.approx(1 + 2 * np.cos(np.radians(np.linalg.norm([10.0, 25.0, -30.0]))))
    assert plate.size == pytest.approx([0.09, 0.05, 0.07])
    assert plate.holes == pytest.approx(np.array([[-0.04, 0, 0.0175, 0.045], [0.04, 0, 0.0175, 0.045]]))
    assert pins.material.restitution == 0.5 and pins.material.contact_time == pytest.approx(0.02)
    assert pins.material.stiffness is None


def test_the_documents_example_loads(tmp_path: Path) -> None:
    """docs/use/interfaces.md shows a file that is taken as it stands."""
    (snippet,) = blocks(ROOT / "docs/use/interfaces.md", "toml")
    (interface,) = load_interfaces(written(tmp_path, snippet))
    assert len(interface.pins.places) == len(interface.plate.holes) == 2


STEEL = "restitution = 0.5\ncontact_time_ms = 20.0"
HOLES = "[[-40.0, 0.0], [40.0, 0.0]]"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "radius_mm = 17.4",
            "radius_mm = 17.49",
            "pins.radius_mm = 17.49 in holes of radius 17.5 leaves 10 um of clearance, at least 20 um is "
            "needed: without it the pin touches the wall all around at once",
        ),
        ("radius_mm = 17.4", "radius_mm = 18.0", "leaves -500 um of clearance"),
        ("radius_mm = 17.4", "radius_mm = 0.0", "interface[0].pins.radius_mm = 0.0 must be above 0"),
        (HOLES, "[[-40.0, 0.0]]", "2 pins (pins.places_mm) but 1 holes (plate.holes.places_mm)"),
        (
            HOLES,
            "[[-40.0, 0.0], [40.3, 0.0]]",
            "pins 0 and 1 (pins.places_mm) are 80 mm apart across their axis, their holes "
            "(plate.holes.places_mm) 80.3 mm: the difference must be at most twice the clearance, 0.2 mm",
        ),
        (
            HOLES,
            "[[-40.0, 0.0], [75.0, 0.0]]",
            "holes.places_mm[1] = [75.0, 0.0] is outside the plate: |x| must be below half_widths_mm - "
            "radius_mm = 72.5",
        ),
        (
            HOLES,
            "[[-10.0, 0.0], [20.0, 0.0]]",
            "places_mm[0] and [1] are 30 mm apart, they overlap: more than 2 radius_mm = 35 is needed",
        ),
        ("height_mm = 70.0", "height_mm = 60.0", "plate.height_mm = 60 must be at least holes.height_mm + "),
        ('body = "module"', 'body = "servicer"', "pins and plate must be on two bodies"),
        ("axis = [0.0, 2.0, 0.0]", "axis = [0.0, 0.0, 0.0]", "pins.axis = [0.0, 0.0, 0.0] has no direction"),
        (
            'body = "module"\nmaterial = "steel"',
            'body = "module"\nmaterial = "stel"',
            "'stel' is not declared",
        ),
        (STEEL, f"{STEEL}\nstiffness_n_per_m = 1e5", "material.steel is over-determined"),
        (STEEL, "restitution = 0.5", "material.steel is incomplete: it has restitution; give either"),
        (STEEL, "restitution = 1.5\ncontact_time_ms = 20.0", "restitution = 1.5 must be at most 1"),
        ("friction = 0.2\n", "", "material.steel.friction is missing"),
        ("length_mm = 60.0", "lenght_mm = 60.0", "pins.lenght_mm is unknown; did you mean length_mm?"),
        ("[-40.0, 10.0, 5.0]", "[-40.0, 10.0]", "pins.places_mm[0] has 2 values, expected 3"),
        ("[[interface]]", "[interface]", "interface = "),
        ("length_mm = 60.0", "length_mm = nan", "length_mm"),
    ],
)
def test_every_mistake_is_named(tmp_path: Path, old: str, new: str, words: str) -> None:
    """The message has the file, the key, the value, the bound and what to do."""
    assert old in INTERFACES
    file = written(tmp_path, INTERFACES.replace(old, new, 1))
    with pytest.raises(InterfaceError, match=re.escape(words)) as caught:
        load_interfaces(file)
    assert str(caught.value).startswith(f"{file}: ")


def test_all_faults_come_in_one_report(tmp_path: Path) -> None:
    """Two names alike, a thick pin and a hole outside: three lines at least."""
    text = INTERFACES.replace("radius_mm = 17.4", "radius_mm = 18.0").replace("[40.0, 0.0]]", "[80.0, 0.0]]")
    twice = text + text[text.index("[[interface]]") :]
    with pytest.raises(InterfaceError) as caught:
        load_interfaces(written(tmp_path, twice))
    lines = str(caught.value).splitlines()
    assert len(lines) == 5
    assert any("'dock' is used 2 times" in line for line in lines)


def test_no_interface_and_no_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InterfaceError, match="interface: there is none"):
        load_interfaces(written(tmp_path, "interface = []\n[material]\n"))
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_interfaces(tmp_path / "missing.toml")
    with pytest.raises(ConfigurationError, match="is no TOML"):
        load_interfaces(written(tmp_path, "[["))


def test_bodies_that_the_scene_lacks_are_named(tmp_path: Path) -> None:
    """Both missing bodies, their keys, and the bodies that there are."""
    interfaces = load_interfaces(written(tmp_path, INTERFACES))
    check_bodies(interfaces, mujoco.MjModel.from_xml_string(MODEL))
    other = mujoco.MjModel.from_xml_string(MODEL.replace("servicer", "tug").replace("module", "cube"))
    with pytest.raises(InterfaceError) as caught:
        check_bodies(interfaces, other)
    assert str(caught.value).splitlines() == [
        "there is no body 'servicer' (interface 'dock', pins.body); bodies: 'tug', 'cube'",
        "there is no body 'module' (interface 'dock', plate.body); bodies: 'tug', 'cube'",
    ]
