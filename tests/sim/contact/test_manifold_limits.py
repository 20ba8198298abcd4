"""The manifold at its limits: normals in a sweep, deep penetration, a pin too thick for its hole, seams."""

import numpy as np
import pytest

from hil.common.arrays import Array
from sim.contact.rows import BOTTOM, CROSSING, DEEP, EDGE, RIM, RIM_BODY, TOP, WALL
from tests.sim.contact.pose_classes import CLASSES, HOLE, C, H, R, draw
from tests.sim.contact.test_manifold_oracle import BOX, ONE_HOLE, disagreements, manifold


def test_normals_are_continuous_from_wall_over_rim_to_face() -> None:
    """An end that rolls out of the hole at constant depth turns its normal as it turns itself."""
    r, depth, step = 0.017, 2e-4, 1e-4
    d = r - depth
    below = [np.array([R - d, 0.0, z]) for z in np.arange(-0.01, 0.0, step * d)]
    around = [np.array([R - d * np.cos(w), 0.0, d * np.sin(w)]) for w in np.arange(0.0, 0.5 * np.pi, step)]
    beside = [np.array([x, 0.0, d]) for x in np.arange(R, R + 0.01, step * d)]
    kinds, normals = [], []
    for p in [*below, *around, *beside]:
        rows = manifold(p, p, r, BOX, ONE_HOLE)[:1]  # a sphere: both ends are one
        assert rows[0, 0] == pytest.approx(-depth, abs=1e-12)
        kinds.append(int(rows[0, 7]))
        normals.append(rows[0, 4:7])
    assert list(dict.fromkeys(kinds)) == [WALL, RIM, TOP]
    turns = np.linalg.norm(np.diff(normals, axis=0), axis=1)
    assert turns.max() < 1.01 * step


def test_the_bodys_normal_is_continuous_into_the_material() -> None:
    """A leaning body that sinks through the rim, its axis at last in the material, keeps its normal."""
    r, u = 0.012, np.array([0.5, 0.2, 1.0]) * 0.03
    normals, kinds, depths = [], [], []
    for sink in np.linspace(-0.01, 0.002, 600):
        middle = np.array([R, 0.0, 0.0]) + sink * np.array([1.0, 0.0, -1.0]) / np.sqrt(2)
        rows = manifold(middle - u, middle + u, r, BOX, ONE_HOLE)
        body = rows[(rows[:, 7] == RIM_BODY) | ((rows[:, 7] == DEEP) & (rows[:, 8] > 0) & (rows[:, 8] < 1))]
        assert len(body) == 1, sink
        kinds.append(int(body[0, 7]))
        normals.append(body[0, 4:7])
        depths.append(-body[0, 0])
        assert abs(body[0, 4:7] @ u) < 1e-8
    assert list(dict.fromkeys(kinds)) == [RIM_BODY, DEEP]
    assert np.linalg.norm(np.diff(normals, axis=0), axis=1).max() < 0.05
    assert 0.0 < np.diff(depths).min() and np.diff(depths).max() < 3e-5


@pytest.mark.parametrize(
    ("end", "distance", "normal"),
    [
        ([0.03, 0.03, -0.004], -0.004, [0, 0, 1]),
        ([0.045, 0.03, -0.03], -0.005, [1, 0, 0]),
        ([-0.03, -0.058, -0.03], -0.002, [0, -1, 0]),
        ([0.03, 0.03, -C + 0.001], -0.001, [0, 0, -1]),
        ([R + 0.003, 0, -0.02], -0.003, [-1, 0, 0]),
        ([0, 0, -H - R - 0.001], -0.001, [0, 0, 1]),
    ],
)
def test_an_end_deep_in_the_material_leaves_by_the_nearest_exit(
    end: list[float], distance: float, normal: list[float]
) -> None:
    """Its depth is the way to the nearest surface and the pin's radius on top."""
    r = 0.01
    rows = manifold(np.array(end), np.array(end), r, BOX, ONE_HOLE)
    assert rows[0, 7] == DEEP
    assert rows[0, 0] == pytest.approx(distance - r, abs=1e-12)
    assert rows[0, 4:7] == pytest.approx(normal, abs=1e-12)


def test_a_pin_too_thick_for_its_hole_is_held_all_around() -> None:
    """Upright on the opening it has four points of the rim at right angles whose normals balance."""
    r = 0.02
    z = np.sqrt(r**2 - R**2) - 1e-4
    for x in (0.0, 1e-9, 1e-5):
        end = np.array([x, 0.0, z])
        rows = manifold(end, end + np.array([0.0, 0.0, 0.05]), r, BOX, ONE_HOLE)
        assert list(rows[:, 7]) == [RIM] * 4
        rim_points = end - (rows[:, :1] + r) * rows[:, 4:7]
        assert np.allclose(np.hypot(rim_points[:, 0], rim_points[:, 1]), R, atol=1e-12)
        assert np.allclose(rim_points[:, 2], 0.0, atol=1e-12)
        assert np.allclose(rows[:, 4:6].sum(axis=0), 0.0, atol=4.1 * x / r + 1e-15)
        assert np.all(rows[:, 6] > 0.4)


@pytest.mark.parametrize("tilt", [0.0, *(s * 5 * 10.0**-k for s in (-1, 1) for k in range(4, 19))])
def test_a_line_contact_keeps_its_ends_at_any_slight_tilt(tilt: float) -> None:
    """Which end is the minimum turns with the tilt, but there is always just one contact at each end."""
    r, x = 0.012, 0.03
    along = np.array([np.cos(tilt), 0.0, np.sin(tilt)])
    lifted = np.array([0.0, 0.0, r - 1e-4])
    hole = manifold(lifted - x * along, lifted + x * along, r, BOX, ONE_HOLE)
    assert np.allclose(np.sort(hole[:, 1]), [-x, -R, R, x], atol=5e-5)
    middle = np.array([BOX[0], 0.01, 0.0]) + lifted
    edge = manifold(middle - 0.02 * along, middle + x * along, r, BOX, ONE_HOLE)
    assert np.allclose(np.sort(edge[:, 1]), [BOX[0] - 0.02, BOX[0]], atol=5e-5)
    assert set(edge[:, 7]) <= {TOP, EDGE, CROSSING}
    both = manifold(middle - 0.12 * along, middle + 0.02 * along, r, BOX, ONE_HOLE)
    assert np.allclose(np.sort(both[:, 1])[[0, -1]], [-BOX[0], BOX[0]], atol=2e-4)
    wall = np.array([R - r + 1e-4, 0.0, 0.0])
    up = np.array([np.sin(tilt), 0.0, np.cos(tilt)])
    inserted = manifold(wall - 0.03 * up, wall + 0.03 * up, r, BOX, ONE_HOLE)
    assert np.allclose(np.sort(inserted[:, 3]), [-0.03, 0.0], atol=5e-5)


def test_level_pins_have_each_contact_once() -> None:
    """Exactly level, in all directions over hole and outer edges: nothing missed, and nothing there twice."""
    rng = np.random.default_rng(8)
    faults = []
    for case in range(500):
        r, turn = rng.uniform(0.005, 0.0174), rng.choice([0.0, 0.5 * np.pi, rng.uniform(0.0, 2.0 * np.pi)])
        p0 = np.array([*rng.uniform(-0.07, 0.07, 2), r - 1e-4])
        p1 = p0 + rng.uniform(0.02, 0.15) * np.array([np.cos(turn), np.sin(turn), 0.0])
        _, wrong = disagreements(p0, p1, r, BOX, ONE_HOLE)
        faults += [f"{case}, r {r!r}, {p0.tolist()}, {p1.tolist()}: {fault}" for fault in wrong]
        on_side = [np.roll(p, 1) - [0.0, 0.0, 0.035] + [BOX[0], 0.0, 0.0] for p in (p0, p1)]
        _, wrong = disagreements(*on_side, r, BOX, ONE_HOLE)
        faults += [f"{case}, side, r {r!r}, {on_side}: {fault}" for fault in wrong]
    assert not faults, f"{len(faults)} faults:\n" + "\n".join(faults[:20])


def test_a_tilted_pin_over_an_edge_touches_the_edge_only() -> None:
    r = 0.012
    p0, u = np.array([BOX[0] - 0.02, 0.01, 0.02]), np.array([0.05, 0.0, -0.02])
    assert list(manifold(p0, p0 + u, r, BOX, ONE_HOLE)[:, 7]) == [EDGE]


@pytest.mark.parametrize("name", CLASSES)
def test_the_manifold_has_the_symmetries_of_pin_and_box(name: str) -> None:
    """Ends swapped, or everything mirrored at x = 0: the same contacts, their places and points mirrored."""
    compared = 0
    for r, p0, p1 in zip(*draw(name, 300, 6), strict=True):
        rows = manifold(p0, p1, r, BOX, ONE_HOLE)
        rows = rows[rows[:, 7] != DEEP]  # of two opposite exits it takes the one before the kink
        mirror = np.array([-1.0, 1.0, 1.0])
        swapped, mirrored = (
            manifold(p1, p0, r, BOX, ONE_HOLE),
            manifold(mirror * p0, mirror * p1, r, BOX, ONE_HOLE),
        )
        mirrored[:, 1:7] *= np.tile(mirror, 2)
        swapped[:, 8] = 1.0 - swapped[:, 8]
        for other in (swapped, mirrored):
            other = other[other[:, 7] != DEEP]
            assert len(other) == len(rows)
            for row in rows:
                gap = np.abs(np.delete(other - row, 7, axis=1)).max(axis=1)
                assert gap.min() < 1e-6, (r, p0, p1, row)
                compared += 1
    assert compared > 200


def test_a_sphere_may_be_given() -> None:
    """A pin without length has contacts at its centre only."""
    p = np.array([0.0, 0.0, -H])
    rows = manifold(p, p, R + 1e-4, BOX, ONE_HOLE)
    assert set(rows[:, 7]) == {WALL}
    rows = manifold(np.array([0, 0, -H - 1e-3]), np.array([0, 0, -H - 1e-3]), R, BOX, ONE_HOLE)
    assert set(rows[:, 7]) == {BOTTOM}


def plate_of(places: list[list[float]], half_widths: tuple[float, float]) -> tuple[Array, Array]:
    holes = np.array([[x, y, HOLE[0], HOLE[1]] for x, y in places])
    return np.array([*half_widths, C]), holes


def test_a_pin_that_slides_over_a_seam_feels_nothing() -> None:
    """Two cells of 100 mm side by side: at their seam every contact is that of one big face."""
    plate, holes = plate_of([[-0.05, 0.0], [0.05, 0.0]], (0.1, 0.05))
    blank = np.empty((0, 4))
    r = 0.015
    for x in np.linspace(-0.028, 0.028, 113):  # between the holes
        for tilt in (0.0, 1e-3, -0.3):
            p0 = np.array([x, 0.01, r - 1e-4])
            p1 = p0 + np.array([0.0, 0.03 * np.cos(tilt), 0.03 * np.sin(abs(tilt))])
            with_holes, without = (manifold(p0, p1, r, plate, cells) for cells in (holes, blank))
            assert len(with_holes) > 0
            assert np.array_equal(with_holes, without)
            assert set(with_holes[:, 7]) <= {TOP}


def test_a_pin_is_tested_against_every_hole_that_it_is_over() -> None:
    """A level pin across three holes has both sides of each rim, up to the most that are kept."""
    plate, holes = plate_of([[-0.05, 0.0], [0.0, 0.0], [0.05, 0.0]], (0.1, 0.05))
    r = 0.01
    rows = manifold(np.array([-0.06, 0, r - 1e-4]), np.array([0.06, 0, r - 1e-4]), r, plate, holes)
    crossings = rows[(rows[:, 7] == CROSSING) | (rows[:, 7] == RIM_BODY)]
    rims = [x + s * R for x in (-0.05, 0.0, 0.05) for s in (-1, 1)]
    assert np.allclose(np.sort(crossings[:, 1]), rims[1:5], atol=1e-9)
    assert not np.isin(TOP, rows[:, 7])  # both ends hang over a hole


def test_nothing_missed_nothing_spurious_at_a_plate() -> None:
    """2,000 poses at a plate of six holes, half of them deep or across several holes, against the oracle."""
    places = [[x, y] for x in (-0.045, 0.0, 0.045) for y in (-0.02, 0.02)]
    plate, holes = plate_of(places, (0.08, 0.05))
    rng = np.random.default_rng(5)
    found, faults = 0, []
    for number in range(2000):
        r = rng.uniform(0.005, 0.0174)
        p0 = np.array([rng.uniform(-0.1, 0.1), rng.uniform(-0.07, 0.07), rng.uniform(-0.05, 0.02)])
        u = rng.normal(size=3) * [1.0, 1.0, rng.choice([0.1, 1.0])]
        p1 = p0 + rng.uniform(0.02, 0.15) * u / np.linalg.norm(u)
        n, wrong = disagreements(p0, p1, r, plate, holes)
        found += n
        faults += [f"{number}, r {r!r}, {p0.tolist()}, {p1.tolist()}: {fault}" for fault in wrong]
    assert not faults, f"{len(faults)} faults:\n" + "\n".join(faults[:20])
    assert found > 1000
