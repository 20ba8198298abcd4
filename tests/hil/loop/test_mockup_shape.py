"""The mock-up is drawn from the user's file, where it is there; beyond the cube it is refused."""

import itertools
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from foxglove_schemas_protobuf.SceneUpdate_pb2 import SceneUpdate
from scipy.spatial.transform import Rotation

from drivers.robot.model import MOCKUP
from hil.analysis.report.solid_mesh import faces_of, outline_of
from hil.commands.cli import main
from hil.common.arrays import Array
from hil.common.errors import ConfigurationError
from hil.configuration import load_configuration
from hil.configuration.frames import Frames
from hil.loop.creases import creases
from hil.loop.mockup_shape import shape_of
from hil.loop.solid import Mesh, Solid
from hil.loop.solids import OBJECT, ArmPicture
from hil.recording.picture import scene

ROOT = Path(__file__).resolve().parents[3]
CUBE = ROOT / "configs/cube.toml"
SATELLITE = ROOT / "configs/scenes/satellite.xml"
TETRAHEDRON = np.array([[-60.0, -50.0, 10.0], [90.0, -50.0, 10.0], [0.0, 120.0, 10.0], [10.0, 0.0, 260.0]])
SIDES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


def stl(file: Path, corners: Array) -> Path:
    """A tetrahedron as a binary STL file."""
    triangles = b"".join(
        struct.pack("<12fH", 0.0, 0.0, 0.0, *corners[list(side)].reshape(-1), 0) for side in SIDES
    )
    file.write_bytes(b"\0" * 80 + struct.pack("<I", len(SIDES)) + triangles)
    return file


def shaped(file: Path, *more: str) -> Any:
    """The default configuration with that shape."""
    return load_configuration(CUBE, [f'mockup.shape="{file}"', *more])


def corners_of(solids: list[Solid]) -> Array:
    """All corners of faces in the solids' frame, where each stands once."""
    faces = [face for solid in solids for face in faces_of(solid, np.zeros(3), IDENTITY)]
    return np.unique(np.round(np.concatenate(faces), 5), axis=0)


def same(found: Array, wanted: Array) -> bool:
    """Whether two sets of points are the same, to 10 um."""
    return found.shape == wanted.shape and bool(
        np.all(np.linalg.norm(found[:, None] - wanted[None], axis=2).min(axis=1) < 2e-5)
    )


@pytest.mark.parametrize("suffix", [".stl", ".obj"])
@pytest.mark.parametrize("unit", ["mm", "m"])
def test_a_mesh_is_drawn_where_its_file_has_it(tmp_path: Path, suffix: str, unit: str) -> None:
    """Corners come out as written, in the tcp's axes, whatever the engine does with a mesh's own axes."""
    corners = TETRAHEDRON * (1.0 if unit == "mm" else 1e-3)
    file = tmp_path / f"shape{suffix}"
    if suffix == ".stl":
        stl(file, corners)
    else:
        lines = ["v {} {} {}".format(*corner) for corner in corners]
        file.write_text("\n".join(lines + ["f {} {} {}".format(*(k + 1 for k in side)) for side in SIDES]))
    solids = shape_of(shaped(file, f"mockup.shape_unit={unit}"))
    assert solids is not None and [solid.frame for solid in solids] == [MOCKUP]
    assert same(corners_of(solids), 1e-3 * TETRAHEDRON)


def test_a_scene_is_drawn_in_its_bodys_frame(tmp_path: Path) -> None:
    """Geometries of the body and of those fixed to it, wherever it stands in its scene; others are not."""
    file = tmp_path / "shape.xml"
    file.write_text(
        '<mujoco><worldbody><geom name="wall" type="box" size="1 1 1"/>'
        '<body name="sat" pos="3 2 1" euler="0 0 90"><freejoint/>'
        '<geom type="box" pos="0 0.01 0.1" size="0.05 0.06 0.1"/>'
        '<body pos="0.08 0 0.1"><geom type="box" size="0.02 0.03 0.04"/></body></body></worldbody></mujoco>'
    )
    solids = shape_of(shaped(file, "mockup.shape_body=sat"))
    assert solids is not None
    boxes = [((0.0, 0.01, 0.1), (0.05, 0.06, 0.1)), ((0.08, 0.0, 0.1), (0.02, 0.03, 0.04))]
    wanted = [
        np.array(middle) + np.array(signs) * half
        for middle, half in boxes
        for signs in itertools.product((-1.0, 1.0), repeat=3)
    ]
    assert same(corners_of(solids), np.array(wanted))


def test_a_runs_scene_has_the_objects_frame(tmp_path: Path) -> None:
    """With `shape_frame = "object"` the file's origin is the object's centre of mass, in its axes."""
    file = stl(tmp_path / "shape.stl", TETRAHEDRON - [0.0, 0.0, 150.0])
    solids = shape_of(shaped(file, "mockup.shape_frame=object", "object.rotvec_deg=[0.0, 0.0, 30.0]"))
    assert solids is not None
    turn = Rotation.from_rotvec([0.0, 0.0, 30.0], degrees=True).as_matrix()
    wanted = 1e-3 * (TETRAHEDRON - [0.0, 0.0, 150.0]) @ turn.T + [0.0, 0.0, 0.15]
    assert same(corners_of(solids), wanted)


def test_arm_picture_and_ghost_have_it_instead_of_the_cube(tmp_path: Path) -> None:
    """The held one on the tcp's frame, the simulated one on the object's; the arm stays."""
    plain = ArmPicture(load_configuration(CUBE))
    c = shaped(stl(tmp_path / "shape.stl", TETRAHEDRON))
    arm = ArmPicture(c)
    assert [s.shape for s in arm.solids if s.frame == MOCKUP] == ["mesh"]
    assert len([s for s in arm.solids if s.frame != MOCKUP]) == len(plain.solids) - 1
    (ghost,) = arm.ghost()
    assert ghost.frame == OBJECT and ghost.rgba[3] < 1.0
    T = np.linalg.inv(Frames.from_configuration(c).T_tcp_object)
    assert same(corners_of([ghost]), 1e-3 * TETRAHEDRON @ T[:3, :3].T + T[:3, 3])


def test_recordings_have_its_triangles(tmp_path: Path) -> None:
    """Foxglove's scene has the corners by number, in the shape's own place."""
    solids = shape_of(shaped(stl(tmp_path / "shape.stl", TETRAHEDRON)))
    assert solids is not None
    said: Any = SceneUpdate()
    said.ParseFromString(scene(0, solids))
    (triangles,) = said.entities[0].triangles
    points = np.array([[p.x, p.y, p.z] for p in triangles.points])[list(triangles.indices)]
    w = triangles.pose.orientation
    turn = Rotation.from_quat([w.x, w.y, w.z, w.w]).as_matrix()
    at = triangles.pose.position
    placed = points @ turn.T + [at.x, at.y, at.z]
    assert same(np.unique(np.round(placed, 5), axis=0), 1e-3 * TETRAHEDRON)


def test_creases_are_the_edges_of_a_box_without_its_diagonals() -> None:
    """Of the 18 edges of 12 triangles those 12 between faces that meet at right angles; open ends show."""
    corners = np.array(list(itertools.product((0.0, 1.0), repeat=3)))
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = np.array([half for a, b, c, d in quads for half in ((a, b, c), (a, c, d))])
    split = Mesh(corners[faces].reshape(-1, 3), np.arange(3 * len(faces)).reshape(-1, 3))  # as STL has it
    lines = creases(split)
    assert len(lines) == 12
    assert np.allclose(np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1), 1.0)
    assert len(creases(Mesh(corners, faces[:2]))) == 4  # one open face: its rim


def test_only_edges_show_where_it_was() -> None:
    """A report's outline of a mesh is its creases, of a box its faces."""
    (solid,) = (s for s in ArmPicture(load_configuration(CUBE)).solids if s.frame == MOCKUP)
    assert [len(line) for line in outline_of(solid, np.zeros(3), IDENTITY)] == [5] * 6


def test_the_shipped_satellite_fits() -> None:
    """What docs/use/own/mockup.md shows lies within the cube of the shipped configurations."""
    solids = shape_of(shaped(SATELLITE))
    assert solids is not None
    assert [solid.shape for solid in solids] == ["cylinder", "box", "box", "box", "sphere", "cylinder"]


def test_the_arm_is_drawn_in_its_models_own_shapes() -> None:
    """As many spheres, cylinders and boxes as the URDF has, and the cube."""
    text = (ROOT / "configs/robots/lwr4.urdf").read_text(encoding="utf-8")
    drawn = [solid.shape for solid in ArmPicture(load_configuration(CUBE)).solids]
    for shape in ("sphere", "cylinder"):
        assert drawn.count(shape) == text.count(f"<{shape} ") > 0
    assert drawn.count("box") == text.count("<box ") + 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("wide", "write mockup.edge_mm = 340 at least, instead of 300, and certify again"),
        ("high", "write mockup.edge_mm = 310 at least"),
        ("behind", "reaches 40 mm behind the tcp"),
        ("metres", "is its unit right (shape_unit = 'm')?"),
        ("kind", "is none of .stl, .obj and .xml"),
        ("broken", "cannot be drawn"),
        ("body", "has no body 'bus', but mockup: name one by shape_body"),
        ("none", "is no file"),
        ("nameless", "has no body 'mockup', and none with a name: name one by shape_body"),
        ("plane", "has a plane on the body 'mockup', which has no end"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(tmp_path: Path, change: str, words: str) -> None:
    """File, what is wrong, and what to do."""
    more, corners = [], TETRAHEDRON.copy()
    if change == "wide":
        corners[1, 0] = 170.0
    if change == "high":
        corners[3, 2] = 310.0
    if change == "behind":
        corners[0, 2] = -40.0
    if change == "metres":
        more = ["mockup.shape_unit=m"]
    file = stl(tmp_path / "shape.stl", corners)
    if change == "kind":
        file = file.rename(tmp_path / "shape.step")
    if change == "broken":
        file.write_text("solid x\nendsolid x\n")
    if change == "body":
        file, more = SATELLITE, ["mockup.shape_body=bus"]
    if change in ("nameless", "plane"):
        name = 'name="mockup"' if change == "plane" else ""
        kind = 'type="plane" size="1 1 1"' if change == "plane" else 'size="0.1"'
        file = tmp_path / "scene.xml"
        file.write_text(f"<mujoco><worldbody><body {name}><geom {kind}/></body></worldbody></mujoco>")
    if change == "none":
        file = tmp_path / "other.stl"
    with pytest.raises(ConfigurationError) as caught:
        shape_of(shaped(file, *more))
    assert words in str(caught.value) and "mockup.shape = " in str(caught.value)


def test_check_and_run_refuse_it_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, no process."""
    file = stl(tmp_path / "shape.stl", 2.0 * TETRAHEDRON)
    command = ["--set", f'mockup.shape="{file}"']
    for words, status in ((["check", str(CUBE)], 1), (["run", str(CUBE), "--duration", "1"], 2)):
        assert main([*words, *command]) == status
        assert "beyond the cube that approach and certificate judge" in capsys.readouterr().err
