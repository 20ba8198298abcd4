"""A pin pressed on a plate slides over the seam between two cells as over a plate without one."""

from pathlib import Path

import mujoco
import numpy as np

from hil.common.arrays import Array
from sim.contact.contact_scene import ContactScene
from sim.contact.interface import load_interfaces

STEP = 1e-3  # [s]
MODEL = """<mujoco><option gravity="0 0 0"/><worldbody>
<body name="plate"><geom type="box" size="0.1 0.05 0.01" pos="0 0 -0.02" contype="0" conaffinity="0"/></body>
<body name="tool" pos="-0.025 0 0.1"><joint name="x" type="slide" axis="1 0 0"/>
<joint name="z" type="slide" axis="0 0 1"/>
<geom type="sphere" size="0.01" mass="2" contype="0" conaffinity="0"/></body>
</worldbody></mujoco>"""
INTERFACES = """
[material.steel]
friction = 0.2
restitution = 0.5
contact_time_ms = 20.0
[[interface]]
name = "dock"
[interface.pins]
body = "tool"
material = "steel"
radius_mm = 15.0
length_mm = 85.0
axis = [0.0, 0.0, -1.0]
places_mm = [[0.0, 0.0, 0.0], [100.0, 0.0, 60.0]]
[interface.plate]
body = "plate"
material = "steel"
half_widths_mm = [100.0, 50.0]
height_mm = 70.0
[interface.plate.holes]
radius_mm = 17.5
height_mm = 45.0
places_mm = [[-50.0, 0.0], [50.0, 0.0]]
"""


def slide(tmp_path: Path, text: str) -> Array:
    """Positions and velocities of the tool, 10 N on the plate, 0.3 m/s along x, step by step."""
    file = tmp_path / "interfaces.toml"
    file.write_text(text)
    scene = ContactScene(mujoco.MjModel.from_xml_string(MODEL), load_interfaces(file), step=STEP)
    scene.data.xfrc_applied[2, 2] = -10.0
    scene.data.qvel[0] = 0.3
    rows = np.empty((250, 4))
    for row in rows:
        scene.run(1)
        row[:2], row[2:] = scene.data.qpos, scene.data.qvel
    assert len(scene.contacts()) == 1  # the second pin is high above
    return rows


def test_a_pin_sliding_over_a_seam_feels_nothing(tmp_path: Path) -> None:
    """Holes on both sides of the seam or somewhere else: the same motion, bit by bit."""
    seam = slide(tmp_path, INTERFACES)
    elsewhere = INTERFACES.replace("[[-50.0, 0.0], [50.0, 0.0]]", "[[-82.0, 30.0], [18.0, 32.0]]")
    assert elsewhere != INTERFACES
    blank = slide(tmp_path, elsewhere)
    assert seam[0, 0] < 0.001 and seam[-1, 0] > 0.04  # from -25 mm over the seam at 0
    assert np.array_equal(seam, blank)
    assert 0.0 < seam[-1, 2] < 0.1  # there is friction to be felt
