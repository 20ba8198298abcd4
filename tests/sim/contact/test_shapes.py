"""Volume, centre of mass and inertia of the shapes against integrals over their slices."""

import math
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import mujoco
import numpy as np
import pytest

from hil.common.arrays import Array
from hil.common.errors import InterfaceError
from sim.contact.interface import load_interfaces
from sim.contact.interface_inertia import pins_inertia, plate_inertia, set_inertia
from sim.contact.mass import Inertia, joined
from sim.contact.shapes import CylSphere, CylSphereHole, cap_inertia
from tests.sim.contact.test_pairs import INTERFACES, MODEL

DENSITY = 2700.0
Slice = tuple[float, float, float]  # area, and its second moments of x and of y


def disc(radius: float) -> Slice:
    return math.pi * radius**2, math.pi * radius**4 / 4, math.pi * radius**4 / 4


def rectangle(a: float, b: float) -> Slice:
    return 4 * a * b, 4 * a**3 * b / 3, 4 * a * b**3 / 3


def by_slices(slices: Callable[[float], Slice], bounds: list[float]) -> tuple[float, float, Array]:
    """Mass, z of the centre of mass and inertia about it: Gauss integration over z between the bounds."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    moments = np.zeros(5)  # of the mass: 1, z, z^2, x^2, y^2
    for low, high in pairwise(bounds):
        for node, weight in zip(nodes, weights, strict=True):
            z = 0.5 * (low + high) + 0.5 * (high - low) * node
            area, xx, yy = slices(z)
            moments += (
                0.5 * (high - low) * weight * DENSITY * np.array([area, area * z, area * z * z, xx, yy])
            )
    mass, first, zz, xx, yy = moments
    zz -= first**2 / mass
    return mass, first / mass, np.array([yy + zz, xx + zz, xx + yy])


def capsule_slice(z: float, radius: float, length: float) -> Slice:
    beyond = max(abs(z) - length / 2, 0.0)
    return disc(math.sqrt(radius**2 - beyond**2))


def holed_slice(z: float, shape: CylSphereHole) -> Slice:
    below = max(-shape.height - z, 0.0)
    hole = disc(math.sqrt(max(shape.radius**2 - below**2, 0.0)))
    return tuple(a - b for a, b in zip(rectangle(*shape.half_widths), hole, strict=True))  # type: ignore


@pytest.mark.parametrize(("radius", "length"), [(0.01745, 0.08), (0.01745, 0.0), (0.003, 0.2)])
def test_capsule(radius: float, length: float) -> None:
    """A capsule's mass and inertia to 1e-6, also of a mere sphere."""
    shape = CylSphere(radius, length)
    half = length / 2
    bounds = [-half - radius, -half, half, half + radius]
    mass, com, inertia = by_slices(lambda z: capsule_slice(z, radius, length), bounds)
    ours = shape.inertia(DENSITY)
    assert ours.mass == pytest.approx(mass, rel=1e-6)
    assert DENSITY * shape.volume == pytest.approx(mass, rel=1e-6)
    assert ours.com == pytest.approx([0, 0, com], abs=1e-6 * radius)
    assert ours.about_com == pytest.approx(np.diag(inertia), rel=1e-6)


@pytest.mark.parametrize("box_height", [0.0625, 0.07, 0.2])
def test_holed_box(box_height: float) -> None:
    """The paper's c = h + r and higher boxes: mass, centre of mass and inertia to 1e-6."""
    shape = CylSphereHole(0.0175, 0.045, (0.05, 0.03), box_height)
    bounds = [-box_height, -0.0625, -0.045, 0.0] if box_height > 0.0625 else [-0.0625, -0.045, 0.0]
    mass, com, inertia = by_slices(lambda z: holed_slice(z, shape), bounds)
    ours = shape.inertia(DENSITY)
    assert ours.mass == pytest.approx(mass, rel=1e-6)
    assert DENSITY * shape.volume == pytest.approx(mass, rel=1e-6)
    assert ours.com == pytest.approx([0, 0, com], rel=1e-6)
    assert ours.about_com == pytest.approx(np.diag(inertia), rel=1e-6)


def test_the_papers_cap() -> None:
    """Paper (3), with the mass of the whole sphere, is the half sphere's inertia: 83/320 and 2/5 of m r^2."""
    assert cap_inertia(3.0, 0.5) == pytest.approx(
        3.0 * 0.25 * np.array([83 / 320, 83 / 320, 2 / 5]), rel=1e-12
    )


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: CylSphere(0.0, 0.1), "CylSphere.radius = 0 m must be above 0"),
        (lambda: CylSphere(0.1, -0.1), "CylSphere.length = -0.1 m must be at least 0"),
        (lambda: CylSphereHole(0.0175, 0.045, (0.05, 0.05), 0.06), "at least height + radius = 0.0625 m"),
        (lambda: CylSphereHole(0.0175, 0.045, (0.05, 0.0175), 0.07), "must be above radius = 0.0175 m"),
    ],
)
def test_impossible_shapes_are_refused(make: Callable[[], object], words: str) -> None:
    with pytest.raises(InterfaceError, match=re.escape(words)):
        make()


def cloud(inertia: Inertia) -> tuple[float, Array, Array]:
    """Mass, centre and second moments about the origin: additive, whatever the frame."""
    m, c = inertia.mass, inertia.com
    second = 0.5 * np.trace(inertia.about_com) * np.eye(3) - inertia.about_com
    return m, m * c, second + m * np.outer(c, c)


def test_joined_solids_have_the_sums_of_their_moments(tmp_path: Path) -> None:
    """Pins and plate joined in one frame: mass, first and second moments add up; MuJoCo's body gets them."""
    file = tmp_path / "interfaces.toml"
    file.write_text(INTERFACES)
    (interface,) = load_interfaces(file)
    pins, plate = pins_inertia(interface.pins, 2700.0), plate_inertia(interface.plate, 1400.0)
    both = joined([pins, plate])
    for whole, a, b in zip(cloud(both), cloud(pins), cloud(plate), strict=True):
        assert whole == pytest.approx(a + b, rel=1e-12, abs=1e-15)
    spec = mujoco.MjSpec.from_string(MODEL)
    set_inertia(spec.body("module"), both)
    model = spec.compile()
    body = model.body("module")
    R = np.empty(9)
    mujoco.mju_quat2Mat(R, body.iquat)
    R = R.reshape(3, 3)
    assert body.mass[0] == pytest.approx(both.mass, rel=1e-12)
    assert body.ipos == pytest.approx(both.com, rel=1e-12)
    assert R @ np.diag(body.inertia) @ R.T == pytest.approx(both.about_com, rel=1e-9, abs=1e-12)


def test_an_interfaces_solids_stand_where_it_says(tmp_path: Path) -> None:
    """Pins: the capsule's moments along their axis; plate: a plate of one hole is the holed box, moved."""
    file = tmp_path / "interfaces.toml"
    file.write_text(INTERFACES)
    (interface,) = load_interfaces(file)
    pins = pins_inertia(interface.pins, DENSITY)
    one = CylSphere(interface.pins.radius, interface.pins.length).inertia(DENSITY)
    assert pins.com == pytest.approx([0.0, 0.04, 0.005], abs=1e-12)  # the axis is y, the feet at y = 10 mm
    assert pins.about_com[0, 0] == pytest.approx(2 * one.about_com[0, 0])
    assert pins.about_com[1, 1] == pytest.approx(2 * (one.about_com[2, 2] + one.mass * 0.04**2))
    single = INTERFACES.replace("[[-40.0, 0.0], [40.0, 0.0]]", "[[0.0, 0.0]]")
    file.write_text(single.replace("[[-40.0, 10.0, 5.0], [40.0, 10.0, 5.0]]", "[[-40.0, 10.0, 5.0]]"))
    plate = load_interfaces(file)[0].plate
    box = CylSphereHole(0.0175, 0.045, (0.09, 0.05), 0.07).inertia(DENSITY)
    ours = plate_inertia(plate, DENSITY)
    assert ours.mass == pytest.approx(box.mass)
    assert plate.R_body_plate.T @ (ours.com - plate.p_body_plate) == pytest.approx(box.com, abs=1e-12)
    assert np.linalg.eigvalsh(ours.about_com) == pytest.approx(np.sort(np.diag(box.about_com)))
