"""Contacts of all pairs in world, from the poses of the bodies."""

from pathlib import Path

import mujoco
import numpy as np

from sim.contact.interface import Interface, load_interfaces
from sim.contact.pairs import PIN, contacts_into, pack_pairs
from sim.contact.plate import plate_manifold_into
from sim.contact.rows import CONTACT_SIZE, MAX_CONTACTS

INTERFACES = """
[material.steel]
friction = 0.2
restitution = 0.5
contact_time_ms = 20.0
[[interface]]
name = "dock"
[interface.pins]
body = "servicer"
material = "steel"
radius_mm = 17.4
length_mm = 60.0
axis = [0.0, 2.0, 0.0]
places_mm = [[-40.0, 10.0, 5.0], [40.0, 10.0, 5.0]]
[interface.plate]
body = "module"
material = "steel"
position_mm = [5.0, -10.0, 20.0]
rotvec_deg = [10.0, 25.0, -30.0]
half_widths_mm = [90.0, 50.0]
height_mm = 70.0
[interface.plate.holes]
radius_mm = 17.5
height_mm = 45.0
places_mm = [[-40.0, 0.0], [40.0, 0.0]]
"""
MODEL = """<mujoco><worldbody>
<body name="servicer"><freejoint/><geom size="0.01"/></body>
<body name="module"><freejoint/><geom size="0.01"/></body>
</worldbody></mujoco>"""


def scene(tmp_path: Path) -> tuple[Interface, mujoco.MjModel, mujoco.MjData]:
    file = tmp_path / "interfaces.toml"
    file.write_text(INTERFACES)
    (interface,) = load_interfaces(file)
    model = mujoco.MjModel.from_xml_string(MODEL)
    return interface, model, mujoco.MjData(model)


def test_contacts_in_world_are_those_in_the_plates_frame(tmp_path: Path) -> None:
    """Points and normals, turned back by matrices that NumPy multiplies, equal the plate's own manifold."""
    interface, model, data = scene(tmp_path)
    pins, plate = interface.pins, interface.plate
    pairs = pack_pairs([interface], model)
    room, which = pairs.room
    rng = np.random.default_rng(7)
    found = 0
    for _ in range(200):
        data.qpos[:] = rng.normal(size=14)
        data.qpos[:3] = data.qpos[7:10] + rng.uniform(-0.1, 0.1, 3)
        mujoco.mj_kinematics(model, data)
        n = contacts_into(room, which, pairs, data.xpos, data.xmat)
        out = room[:n]
        T = {name: np.eye(4) for name in ("servicer", "module")}
        for name, pose in T.items():
            pose[:3, :3] = data.body(name).xmat.reshape(3, 3)
            pose[:3, 3] = data.body(name).xpos
        T_body_plate = np.eye(4)
        T_body_plate[:3, :3], T_body_plate[:3, 3] = plate.R_body_plate, plate.p_body_plate
        T_world_plate = T["module"] @ T_body_plate
        ends = np.linalg.inv(T_world_plate) @ T["servicer"]
        for i in range(2):
            rows = np.empty((MAX_CONTACTS, CONTACT_SIZE))
            p0, p1 = (ends[:3, :3] @ p[i] + ends[:3, 3] for p in (pins.places, pins.tips))
            rows = rows[: plate_manifold_into(rows, p0, p1, pins.radius, plate.size, plate.holes)]
            ours = out[which[:n, PIN] == i]
            assert len(ours) == len(rows)
            assert np.allclose(ours[:, [0, 7, 8]], rows[:, [0, 7, 8]], atol=1e-12)
            assert np.allclose(ours[:, 1:4], rows[:, 1:4] @ T_world_plate[:3, :3].T + T_world_plate[:3, 3])
            assert np.allclose(ours[:, 4:7], rows[:, 4:7] @ T_world_plate[:3, :3].T)
            found += len(rows)
    assert found > 100
