"""Solids of components: volumes in closed form, closed surfaces, colours; and what is drawn of them."""

import math
import struct
import zlib

import numpy as np
import pytest

from sim.assembly.assembly_file import load_assembly
from sim.assembly.component_schema import Body, Shape
from sim.assembly.database import SHIPPED, Database, load_database
from sim.assembly.manipulator import manipulator_of
from sim.assembly.picture import component_picture, drawn, manipulator_picture, png
from sim.assembly.shapes import mesh_of, mesh_of_shape

R, L = 0.05, 0.3  # m
POLYGON = 0.02  # of a volume: circles are polygons


def shape(solid: str, *size_mm: float, **more: object) -> Shape:
    """A solid of this size."""
    sizes = [float(x) for x in (*size_mm, 0.0, 0.0)[:3]]
    return Shape.model_validate({"solid": solid, "size_mm": sizes, **more})


@pytest.mark.parametrize(
    ("made", "volume"),
    [
        (shape("box", 100.0, 200.0, 300.0), 0.006),
        (shape("cylinder", 50.0, 300.0), math.pi * R**2 * L),
        (shape("sphere", 50.0), 4.0 / 3.0 * math.pi * R**3),
        (shape("capsule", 50.0, 300.0), math.pi * R**2 * L + 4.0 / 3.0 * math.pi * R**3),
        (shape("bend", 50.0, 80.0), math.pi * R**2 * 0.5 * math.pi * 0.08),  # Pappus
    ],
)
def test_volumes(made: Shape, volume: float) -> None:
    """Closed surfaces, outwards, of the volume that the size says."""
    mesh = mesh_of_shape(made)
    assert mesh.is_watertight
    assert mesh.volume == pytest.approx(volume, rel=POLYGON)


def test_a_bend_ends_where_the_next_piece_begins() -> None:
    """From the origin along +z to (R, 0, R) along +x."""
    low, high = mesh_of_shape(shape("bend", 50.0, 80.0)).bounds
    np.testing.assert_allclose(low, [-0.05, -0.05, 0.0], atol=1e-9)
    np.testing.assert_allclose(high, [0.08, 0.05, 0.13], atol=1e-9)


def test_a_body_is_its_solids_in_place_and_colour() -> None:
    """Two boxes side by side, one turned; colours face by face; a body without solids has no faces."""
    two = Body.model_validate({
        "mass_kg": 1.0, "inertia_kg_m2": [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
        "shapes": [{"solid": "box", "size_mm": [100.0, 100.0, 100.0], "colour": [1.0, 0.0, 0.0]},
                   {"solid": "box", "size_mm": [100.0, 100.0, 300.0], "position_mm": [500.0, 0.0, 0.0],
                    "rotvec_deg": [0.0, 90.0, 0.0], "colour": [0.0, 0.0, 1.0]}],
    })  # fmt: skip
    mesh = mesh_of(two)
    np.testing.assert_allclose(mesh.bounds, [[-0.05, -0.05, -0.05], [0.65, 0.05, 0.05]], atol=1e-9)
    colours = np.unique(mesh.visual.face_colors, axis=0)  # type: ignore[union-attr]
    assert colours.tolist() == [[0, 0, 255, 255], [255, 0, 0, 255]]
    bare = Body.model_validate({"mass_kg": 1.0, "inertia_kg_m2": [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]})
    assert len(mesh_of(bare).faces) == 0


def pixels(data: bytes) -> np.ndarray:
    """The pixels of a PNG as written here: one chunk of rows without filter, shape (h, w, 3)."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    begin = data.index(b"IDAT") + 4
    length = struct.unpack(">I", data[begin - 8 : begin - 4])[0]
    rows = np.frombuffer(zlib.decompress(data[begin : begin + length]), np.uint8).reshape(
        height, 3 * width + 1
    )
    return rows[:, 1:].reshape(height, width, 3)


def test_what_is_nearer_hides_what_is_behind() -> None:
    """A red box before a blue one of the same size, seen from the front right and above."""
    front = shape("box", 100.0, 100.0, 100.0, position_mm=[300.0, -430.0, 260.0], colour=[1.0, 0.0, 0.0])
    behind = shape("box", 100.0, 100.0, 100.0, colour=[0.0, 0.0, 1.0])
    middle = drawn([mesh_of_shape(behind), mesh_of_shape(front)], 41, 41)[20, 20]
    assert middle[0] > 3.0 * middle[2]


def test_pictures_are_read_by_others() -> None:
    """A PNG that matplotlib reads as the same pixels."""
    import io

    import matplotlib.image

    image = drawn([mesh_of_shape(shape("sphere", 50.0, colour=[1.0, 0.5, 0.0]))], 60, 40)
    read = matplotlib.image.imread(io.BytesIO(png(image)), format="png")
    np.testing.assert_allclose(read[..., :3], image, atol=0.5 / 255.0 + 1e-6)
    assert read.shape[:2] == (40, 60)


@pytest.fixture(scope="module")
def database() -> Database:
    """The shipped components."""
    return load_database()


def test_every_component_shows_something(database: Database) -> None:
    """A picture of each, with at least a twentieth of it not ground."""
    for component in database:
        image = pixels(component_picture(component, 48)).astype(int)
        assert (np.abs(image - image[0, 0]).sum(-1) > 30).mean() > 0.05, component.name


def test_arms_stand_upright(database: Database) -> None:
    """RobotR3 points up along its own y, against its gravity; the picture is higher than wide."""
    made = manipulator_of(load_assembly(SHIPPED.parent / "assemblies" / "robot_r3.toml", database))
    image = pixels(manipulator_picture(made, np.zeros(6), 80, 80)).astype(int)
    rows, columns = np.nonzero(np.abs(image - image[0, 0]).sum(-1) > 30)
    assert np.ptp(rows) > 1.5 * np.ptp(columns)
