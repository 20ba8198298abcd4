"""Where pegs touch their holes: against contact equations of whole surfaces, and fine outlines."""

import itertools
import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.common.arrays import Array
from sim.mating.rectangular_peg import PAIRS, RectangularNumbers, contact_name, rectangular_candidates
from sim.mating.round_peg import INACTIVE, NAMES, RoundNumbers, round_candidates
from sim.surfaces.surface import CYLINDER, TORUS, surface
from sim.surfaces.tracking import nearest_touch

MM = 1e-3
ROUND = RoundNumbers(19.95 * MM, 4 * MM, 20 * MM, 6 * MM, 0.1)
ALL = np.ones(4, np.bool_)


def rectangular(planes: Array = ALL) -> RectangularNumbers:
    return RectangularNumbers(
        np.array([45.2, 45.4]) * MM,
        np.array([4.0, 4.0]) * MM,
        120 * MM,
        np.array([46.0, 45.8]) * MM,
        planes,
        0.1,
    )


def pose(x: float, y: float, z: float, tilt: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Array:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = Rotation.from_rotvec(tilt).as_matrix(), np.array([x, y, z]) * MM
    return T


def test_round_contacts_are_those_of_the_whole_surfaces() -> None:
    """Gap, point and normal of each pair, tilted and offset: the roots of the contact equations."""
    peg = surface(TORUS, (15.95 * MM, 4 * MM)), surface(CYLINDER, (19.95 * MM,), v=(0.0, 0.2))
    hole = surface(TORUS, (26 * MM, 6 * MM)), surface(CYLINDER, (20 * MM,), hollow=True, v=(-0.2, 0.0))
    cases = [
        (0, pose(2.1, 1.3, 5.0, (0.02, -0.03, 0.0)), peg[0], hole[0]),
        (1, pose(0.8, -0.3, -6.0, (0.01, 0.02, 0.1)), peg[1], hole[0]),
        (2, pose(0.02, 0.03, -9.0, (0.004, -0.002, 0.0)), peg[0], hole[1]),
    ]
    for row, T, one, two in cases:
        ours = round_candidates(ROUND, T)
        theirs = nearest_touch(one, T, two, np.eye(4))
        assert theirs is not None, NAMES[row]
        assert ours.gaps[row] == pytest.approx(theirs.gap, abs=1e-12), NAMES[row]
        assert ours.points[row] == pytest.approx(theirs.point, abs=1e-8)
        assert ours.normals[row] == pytest.approx(theirs.normal, abs=1e-6)


def test_first_contact_of_the_round_experiment() -> None:
    """Offset (2.1, 1.3) mm: the peg's bottom is 2.52 mm above the hole's plane; then the torus hands over."""

    def first(z: float) -> float:
        return float(round_candidates(ROUND, pose(2.1, 1.3, z)).gaps[0])

    e = math.hypot(2.1, 1.3)
    z = math.sqrt(100.0 - (10.05 - e) ** 2)
    assert first(z) == pytest.approx(0.0, abs=1e-12) and z - 4.0 == pytest.approx(2.52, abs=0.01)
    assert first(z + 0.1) > 0.0 > first(z - 0.1)
    above, below = (
        round_candidates(ROUND, pose(0.05, 0.0, 0.01)),
        round_candidates(ROUND, pose(0.05, 0.0, -0.01)),
    )
    assert above.gaps[0] == pytest.approx(0.0, abs=1e-8) and below.gaps[1] == pytest.approx(0.0, abs=1e-8)
    assert above.gaps[1] == INACTIVE and below.gaps[0] == INACTIVE, "one of the two at a time"


def test_a_coaxial_peg_has_its_clearance_everywhere() -> None:
    """No direction is nearest; the gap is right all the same."""
    found = round_candidates(ROUND, pose(0.0, 0.0, -20.0))
    assert found.gaps[1:] == pytest.approx([0.05 * MM, 0.05 * MM], abs=1e-12)
    assert np.linalg.norm(found.normals[1:], axis=1) == pytest.approx(1.0)


def test_two_points_of_a_tilted_round_peg() -> None:
    """Tilt times depth equal to the clearance's two sides: both walls touch, on opposite sides."""
    depth, tilt = 50.0, 0.002
    T = pose(0.0, 0.0, -depth, (0.0, tilt, 0.0))
    T[0, 3] = -0.5 * math.sin(tilt) * depth * MM
    found = round_candidates(ROUND, T)
    assert found.gaps[1] == pytest.approx(found.gaps[2], abs=2e-6) and found.gaps[1] < 1e-6
    assert found.normals[1] @ found.normals[2] < -0.99


def outline(numbers: RectangularNumbers, T: Array, plane: int) -> tuple[Array, Array, float]:
    """The peg's profile and what it must stay out of: x, lateral of many points; half the hole."""
    axis = plane // 2
    w, c = numbers.peg[axis] / 2, 4 * MM
    across = (plane % 2 - 0.5) * numbers.peg[1 - axis]
    corners = [(-0.12, -w), (-c, -w), (0.0, -w + c), (0.0, w - c), (-c, w), (-0.12, w)]
    local = np.array([(x, y, across) if axis == 0 else (x, across, y) for x, y in corners])
    seen = local @ T[:3, :3].T + T[:3, 3]
    t = np.linspace(0.0, 1.0, 2001)[:, None]
    dense = np.vstack([(1 - t) * p + t * q for p, q in itertools.pairwise(seen)])
    return dense[:, 0], dense[:, 1 + axis], numbers.hole[axis] / 2


def test_rectangular_contacts_against_dense_outlines() -> None:
    """Apart: the smallest gap is the distance of two finely drawn outlines, whatever the pair."""
    rng = np.random.default_rng(5)
    numbers, names = rectangular(), set()
    for _ in range(300):
        T = pose(
            rng.uniform(-3, 40), rng.uniform(-4, 4), rng.uniform(-4, 4), tuple(rng.uniform(-0.03, 0.03, 3))
        )
        found = rectangular_candidates(numbers, T)
        for plane in range(4):
            gaps = found.gaps[10 * plane : 10 * plane + 10]
            if gaps.min() <= 0.0 or gaps.min() > 5 * MM:
                continue
            x, w, half = outline(numbers, T, plane)
            inside = x > 0.0
            to_wall = np.where(inside, half - np.abs(w), np.inf)
            to_face = np.where(np.abs(w) > half, -x, np.inf)
            to_corner = np.minimum(np.hypot(x, w - half), np.hypot(x, w + half))
            nearest = min(to_wall.min(), to_face.min(), to_corner.min())
            assert gaps.min() == pytest.approx(nearest, abs=0.02 * MM)
            names.add(contact_name(int(gaps.argmin())))
    assert names >= {"2-a'", "4-b'", "1-a'", "5-b'", "a-2'", "d-4'", "b-1'", "c-5'"}


@pytest.mark.parametrize(("axis", "side"), [(1, 1), (1, -1), (2, 1), (2, -1)])
def test_first_contact_of_the_rectangular_experiment(axis: int, side: int) -> None:
    """Offset 4 mm, the chamfer's size: it touches when the bottom is half the clearance inside."""
    clearance = (0.4, 0.2)[axis - 1]
    offset = np.zeros(3)
    offset[axis] = 4.0 * side
    for depth, touching in ((clearance - 1e-6, False), (clearance + 1e-6, True)):
        found = rectangular_candidates(rectangular(), pose(depth, offset[1], offset[2]))
        assert bool(found.gaps.min() < 0.0) is touching
    names = {contact_name(row) for row in np.flatnonzero(found.gaps < 1e-8)}
    assert names == ({"4-b'"} if side > 0 else {"2-a'"})
    row = int(np.flatnonzero(found.gaps < 1e-8)[0])
    assert found.normals[row, axis] == pytest.approx(-side / math.sqrt(2.0))
    assert found.normals[row, 0] == pytest.approx(-1 / math.sqrt(2.0)), "it pushes back and inwards"


def test_planes_can_be_left_out() -> None:
    """One plane at a time, as the paper's experiments look at them; ten names, forty rows."""
    only = rectangular(np.array([True, False, False, False]))
    found = rectangular_candidates(only, pose(5.0, 4.0, 4.0))
    assert (found.gaps[10:] == INACTIVE).all() and found.gaps[:10].min() < 0.0
    assert [contact_name(row) for row in range(10)] == list(PAIRS) and found.gaps.size == 40
