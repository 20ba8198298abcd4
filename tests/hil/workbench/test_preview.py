"""What the preview draws: meshes with normals, poses of bodies, what joints hold; the catalogue's rows."""

import base64
import math

import numpy as np
import pytest
import trimesh

from hil.workbench.editor import empty_editor
from hil.workbench.page.catalogue import catalogue
from hil.workbench.page.data_rows import rows_of
from hil.workbench.page.formats import WORDS
from hil.workbench.page.ledger import ledger, place_of
from hil.workbench.page.meshes import corner_normals, mesh_table
from hil.workbench.page.preview import clipped, posture
from sim.assembly.database import load_database
from sim.assembly.manipulator import manipulator_of
from sim.exports.exporting import FORMATS
from tests.hil.workbench.toy_parts import toy_database

DATABASE = toy_database()
BOOM = empty_editor(DATABASE).chain.add("base").add("pitch").add("link").add("slide")


def test_normals_are_smooth_on_round_sides_and_sharp_at_edges() -> None:
    """Of a sphere they point out of the centre; of a cylinder's side across its axis; a box has six."""
    ball = trimesh.creation.icosphere(subdivisions=3, radius=0.2)
    corners = ball.vertices[ball.faces]
    outward = corners / np.linalg.norm(corners, axis=-1, keepdims=True)
    assert np.einsum("ijk,ijk->ij", corner_normals(ball.vertices, ball.faces), outward).min() > 0.999
    bar = trimesh.creation.cylinder(0.05, 0.4, sections=32)
    normals, corners = corner_normals(bar.vertices, bar.faces), bar.vertices[bar.faces]
    side = np.abs(normals[..., 2]) < 0.5
    radial = corners[side][:, :2] / np.linalg.norm(corners[side][:, :2], axis=1, keepdims=True)
    assert np.einsum("ij,ij->i", normals[side][:, :2], radial).min() > 0.995
    assert np.allclose(np.abs(normals[~side]), [0.0, 0.0, 1.0])
    box = trimesh.creation.box((1.0, 2.0, 3.0))
    assert np.allclose(corner_normals(box.vertices, box.faces), box.face_normals[:, None, :])


def test_meshes_are_packed_body_by_body() -> None:
    """Corners in metres as the shape says, colours as its own, the second body where the joint is."""
    first, second = mesh_table(DATABASE["pitch"])["bodies"]
    corners = np.frombuffer(base64.b64decode(first["corners"]), "<f4").reshape(-1, 3)
    assert np.allclose(
        [corners.min(0), corners.max(0)], [[-0.04, -0.04, -0.005], [0.04, 0.04, 0.055]], atol=1e-6
    )
    normals = np.frombuffer(base64.b64decode(first["normals"]), "i1").reshape(-1, 3) / 127.0
    assert np.allclose(np.linalg.norm(normals, axis=1), 1.0, atol=0.02)
    colours = np.frombuffer(base64.b64decode(first["colours"]), "u1").reshape(-1, 3)
    assert np.all(np.abs(colours - [230, 128, 26]) <= 1) and len(colours) == len(corners)
    assert np.reshape(second["T"], (4, 4))[2, 3] == pytest.approx(0.05)
    assert mesh_table(DATABASE["motor"])["bodies"] == []


def test_a_posture_is_where_bodies_are_and_what_joints_hold() -> None:
    """By hand: bent by 90 degrees the boom lies along x; the joint holds the weights by their levers."""
    manipulator = manipulator_of(BOOM)
    shown = posture(manipulator, np.array([math.pi / 2, 0.1]))
    tip = np.reshape(shown["tip"], (4, 4))
    np.testing.assert_allclose(tip[:3, 3], [0.25, 0.0, 0.15], atol=1e-12)
    assert len(shown["poses"]) == 3 and np.reshape(shown["poses"][0], (4, 4))[3, 3] == 1.0
    # behind the joint: its own second body at 25 mm, the link at 100 mm, the slide's two at 150 and 250 mm
    torque = 9.81 * (1.0 * 0.025 + 2.0 * 0.1 + 1.0 * 0.15 + 1.0 * 0.25)
    assert abs(shown["holding"][0]) == pytest.approx(torque)
    assert shown["holding"][1] == pytest.approx(0.0, abs=1e-12), "it slides level"


def test_joint_positions_of_a_page_are_clipped_or_refused() -> None:
    """Beyond a limit: the limit; other numbers than joints, or none: refused."""
    manipulator = manipulator_of(BOOM)
    assert clipped(manipulator, [9.0, -1.0]).tolist() == [manipulator.upper[0], 0.0]
    for wrong in ([1.0], [1.0, float("nan")], "ab", [[1.0, 2.0]], None):
        with pytest.raises((ValueError, TypeError)):
            clipped(manipulator, wrong)


def test_the_ledger_says_what_the_checks_say() -> None:
    """The boom's reach by hand; a finding belongs to its part; an arm without joints has no figures."""
    told = ledger(BOOM)
    # the axis turns about y at the base's z; the tip is farthest with the slide out
    assert told["figures"]["reach_m"] == pytest.approx(0.05 + 0.1 + 0.2, abs=1e-9)
    assert len(told["figures"]["margins"]) == 2
    stick = ledger(empty_editor(DATABASE).chain.add("base"))
    assert stick["figures"] == {} and stick["findings"][0]["grave"]
    assert ledger(empty_editor(DATABASE).chain) == {"figures": {}, "findings": []}
    assert [place_of(BOOM, name) for name in ("base", "slide", "slide_1", "pitch_2", "")] == [
        0,
        3,
        3,
        None,
        None,
    ]


def test_the_catalogue_has_every_component_with_its_data() -> None:
    """Of the shipped database: each once, each with rows in the units of its file."""
    database = load_database()
    told = catalogue(database)
    assert sorted(card["name"] for card in told["components"]) == sorted(c.name for c in database)
    assert all(card["rows"] and card["brief"] and card["source"] for card in told["components"])
    rows = dict(rows_of(DATABASE["pitch"]))
    assert rows["mass"] == "2 kg" and rows["torque"] == "50 N m" and rows["lower"] == "-120 °"
    assert rows["input"] == "both flange 80 mm" and rows["body 2 mass"] == "1 kg"
    assert dict(rows_of(DATABASE["motor"]))["inductance"] == "0.5 mH"


def test_the_page_offers_the_formats_that_there_are() -> None:
    """No more and no fewer than the exports have."""
    assert set(WORDS) == set(FORMATS)
