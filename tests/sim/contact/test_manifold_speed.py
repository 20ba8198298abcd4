"""The manifold's speed as ratios to its peers', and the peers' own geometry."""

import numpy as np
import pytest

from bench.contact_manifold import LEVELS, call_times, own_times, peer_run
from bench.contact_peers import HAS_COAL, CoalMesh, MujocoPieces, holed_box_mesh, sectors
from tests.sim.contact.pose_classes import AX, AY, CLASSES, HOLE, C, H, R, draw

POSES = 60


def median(name: str, levels: int) -> float:
    return float(np.median(own_times(draw(name, POSES, 1), levels)))


def test_the_exact_manifold_is_faster_than_the_subdivision() -> None:
    """At 8 levels by more than twice wherever the rim is searched, and never slower."""
    for name in CLASSES:
        ratio = median(name, LEVELS) / median(name, 0)
        assert ratio > (
            2.0 if name in ("inserted and tilted", "tip at the rim", "leaning on the rim") else 1.0
        )


def test_a_pin_wholly_inside_takes_a_short_way() -> None:
    assert median("wholly inside", 0) < 0.5 * median("inserted and tilted", 0)


def test_convex_pieces_take_longer() -> None:
    """MuJoCo's capsule against 16 pieces takes more than five times as long, call included."""
    for name in ("inserted and tilted", "leaning on the rim"):
        times, _ = peer_run(MujocoPieces(HOLE, 16), draw(name, POSES, 1))
        assert np.median(times) > 5.0 * median(name, 0)


def test_many_pairs_share_one_call() -> None:
    """20 pairs in one call take less than 10 calls of one pair."""
    poses = draw("inserted and tilted", 20, 1)
    one = tuple(array[:1] for array in poses)
    assert np.median(call_times(poses, 500)) < 10.0 * np.median(call_times(one, 500))  # type: ignore[arg-type]


@pytest.mark.parametrize("pieces", [8, 16, 32])
def test_pieces_fill_the_box_but_for_a_polygon_around_the_hole(pieces: int) -> None:
    """Their areas add up to the rectangle less the polygon that touches the circle from outside."""
    area = 0.0
    for polygon in sectors(R, AX, AY, pieces):
        p = np.array(polygon)
        q = np.roll(p, -1, axis=0)
        area += 0.5 * float((p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]).sum())
        assert np.hypot(*p.T).min() >= R
    assert area == pytest.approx(4 * AX * AY - pieces * R**2 * np.tan(np.pi / pieces), rel=1e-12)


def test_the_mesh_is_closed_and_has_the_holed_boxs_volume() -> None:
    vertices, triangles = holed_box_mesh(HOLE, 256)
    edges = np.sort(
        np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1
    )
    _, counts = np.unique(edges, axis=0, return_counts=True)
    assert set(counts) == {2}
    volume = np.einsum(
        "ij,ij->", vertices[triangles[:, 0]], np.cross(*vertices[triangles[:, 1:]].swapaxes(0, 1))
    )
    exact = 4 * AX * AY * C - np.pi * R**2 * (H + 2 / 3 * R)
    assert abs(volume) / 6.0 == pytest.approx(exact, rel=1e-4)


@pytest.mark.skipif(not HAS_COAL, reason="coal is not installed (extra oracles)")
def test_coals_deepest_contact_is_the_exact_one_to_the_meshs_error() -> None:
    """An independent library, 256 flats: the deepest overlap of inserted pins agrees to 5 um."""
    from bench.contact_manifold import own_depths

    poses = draw("inserted and tilted", POSES, 1)
    _, depths = peer_run(CoalMesh(HOLE, 256), poses)
    exact = own_depths(poses, 0)
    assert (exact > 1e-5).sum() > 10
    assert np.abs(depths - exact)[exact > 1e-5].max() < 5e-6
