"""Contacts of a pin and a holed box in poses whose contacts are known by hand."""

import math

import numpy as np
import pytest

from sim.contact.manifold import CONTACT_SIZE, MAX_CONTACTS, manifold_into
from sim.contact.rows import BOTTOM, CORNER, CROSSING, EDGE, KIND_NAMES, RIM, RIM_BODY, SIDE, TOP, WALL

R, H, AX, AY, C = 0.0175, 0.045, 0.05, 0.06, 0.07
HOLE = np.array([R, H, AX, AY, C])
r = 0.017
DIAGONAL = 0.009 * math.sqrt(3) - r
HALF, THIRD = math.sqrt(1 / 2), math.sqrt(1 / 3)


def contacts(p0: list[float], p1: list[float]) -> np.ndarray:
    out = np.full((MAX_CONTACTS, CONTACT_SIZE), np.nan)
    return out[: manifold_into(out, np.array(p0), np.array(p1), r, HOLE)]


@pytest.mark.parametrize(
    ("p0", "p1", "kind", "distance", "normal"),
    [
        ([0, 0, -H - 0.001], [0, 0, 0.02], BOTTOM, -0.0005, [0, 0, 1]),
        ([0.001, 0, -0.02], [0, 0, -0.01], WALL, -0.0005, [-1, 0, 0]),
        ([0.03, 0.03, 0.0165], [0.03, 0.03, 0.1], TOP, -0.0005, [0, 0, 1]),
        ([AX + 0.0165, 0.01, -0.02], [0.1, 0.01, -0.02], SIDE, -0.0005, [1, 0, 0]),
        ([0.01, 0.02, -C - 0.0165], [0.01, 0.02, -0.2], SIDE, -0.0005, [0, 0, -1]),
        ([0.02, AY + 0.01, 0.01], [0.02, 0.15, 0.1], EDGE, 0.01 * 2**0.5 - r, [0, HALF, HALF]),
        ([-AX - 0.009, AY + 0.009, 0.009], [-0.1, 0.1, 0.1], CORNER, DIAGONAL, [-THIRD, THIRD, THIRD]),
        ([R - 0.01, 0, 0.01], [-0.05, 0, 0.1], RIM, 0.01 * 2**0.5 - r, [-HALF, 0, HALF]),
    ],
)  # fmt: skip
def test_an_end_touches_one_feature(
    p0: list[float], p1: list[float], kind: int, distance: float, normal: list[float]
) -> None:
    """One contact of the expected kind, with its depth, its normal and its point between the surfaces."""
    (row,) = contacts(p0, p1)
    assert KIND_NAMES[int(row[7])] == KIND_NAMES[kind]
    assert row[0] == pytest.approx(distance, abs=1e-12)
    assert row[4:7] == pytest.approx(normal, abs=1e-12)
    surface = np.array(p0) - r * np.array(normal)
    assert row[1:4] == pytest.approx(surface - 0.5 * distance * np.array(normal), abs=1e-12)
    assert row[8] == 0.0


def test_a_pin_across_the_hole_touches_both_sides_of_the_rim() -> None:
    """Lying level it has two ends on the face and two contacts at the rim, all of the same depth."""
    rows = contacts([-0.04, 0, 0.0169], [0.04, 0, 0.0169])
    assert {*rows[:2, 7]} == {TOP}
    assert {*rows[2:, 7]} <= {RIM_BODY, CROSSING}, "at a level pin both are the same"
    assert len(rows) == 4
    assert np.allclose(rows[:, 0], -0.0001, atol=1e-12)
    assert np.allclose(np.sort(rows[:, 1]), [-0.04, -R, R, 0.04], atol=1e-9)
    assert np.allclose(rows[:, 4:7], [0, 0, 1], atol=1e-6)


def test_a_pin_far_away_touches_nothing() -> None:
    """Beside, above and below: the paper's half spaces (errata 1) would report contacts."""
    for centre in ([0.3, 0, -0.03], [0, 0, 0.2], [0, 0, -0.3], [1.7, 0.5, -1.0]):
        p = np.array(centre)
        assert len(contacts(list(p), [p[0], p[1], p[2] + 0.05])) == 0
