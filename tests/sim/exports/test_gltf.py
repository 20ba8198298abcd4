"""glTF as trimesh reads it: tip and solids are where our chain has them; its animation moves the joints."""

import io
import json
import struct
from typing import Any

import numpy as np
import pytest
import trimesh

from hil.common.errors import AssemblyError
from sim.assembly.manipulator import Manipulator, manipulator_of
from sim.chain.kinematics import body_poses, tip_pose
from sim.exports.gltf import moving_glb, swinging_glb
from tests.sim.exports.arms import ARMS, arm_named

UP = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])  # z up to y up


@pytest.fixture(scope="module", params=ARMS)
def made(request: pytest.FixtureRequest) -> Manipulator:
    """An arm's mechanism."""
    return manipulator_of(arm_named(request.param))


def parsed(glb: bytes) -> tuple[dict[str, Any], bytes]:
    """The two chunks, read by hand."""
    magic, version, length = struct.unpack_from("<4sII", glb)
    assert (magic, version, length) == (b"glTF", 2, len(glb))
    size, kind = struct.unpack_from("<I4s", glb, 12)
    assert kind == b"JSON"
    rest = 20 + size
    assert struct.unpack_from("<I4s", glb, rest)[1] == b"BIN\0"
    return json.loads(glb[20:rest]), glb[rest + 8 :]


def values(document: dict[str, Any], blob: bytes, number: int) -> np.ndarray:
    """An accessor's floats."""
    accessor = document["accessors"][number]
    view = document["bufferViews"][accessor["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    flat = np.frombuffer(blob, "<f4", accessor["count"] * width, view["byteOffset"])
    return flat.reshape(-1, width)


def test_trimesh_finds_tip_and_solids_where_they_are(made: Manipulator) -> None:
    """At a drawn pose: the flange within 1e-12 m; the solids of each body as large as the components say."""
    q = np.random.default_rng(8).uniform(made.lower, made.upper)
    glb = moving_glb(made, np.zeros(1), q[None])
    scene = trimesh.load(io.BytesIO(glb), file_type="glb")
    T, _ = scene.graph.get("flange")
    np.testing.assert_allclose(T, UP @ tip_pose(made.chain, q), rtol=0, atol=1e-12)
    poses = body_poses(made.chain, q)
    shown = 0
    for i, unit in enumerate(made.units):
        np.testing.assert_allclose(scene.graph.get(f"link_{i}")[0], UP @ poses[i], rtol=0, atol=1e-12)
        for placed in unit:
            T, _ = scene.graph.get(f"link_{i}.{placed.name}")
            np.testing.assert_allclose(T, UP @ poses[i] @ placed.T_unit_body, rtol=0, atol=1e-12)
            shown += len(placed.body.shapes)
    assert len(scene.geometry) == shown
    for mesh in scene.geometry.values():
        assert np.isfinite(mesh.vertices).all() and len(mesh.faces) > 0


def test_the_animation_gives_the_joints_back(made: Manipulator) -> None:
    """Each joint's track is its motion, in the format's single precision, in turn and within its limits."""
    document, blob = parsed(swinging_glb(made))
    (animation,) = document["animations"]
    names = [node.get("name") for node in document["nodes"]]
    assert [names[c["target"]["node"]] for c in animation["channels"]] == [axis.name for axis in made.axes]
    for i, (axis, channel) in enumerate(zip(made.axes, animation["channels"], strict=True)):
        sampler = animation["samplers"][channel["sampler"]]
        times = values(document, blob, sampler["input"]).ravel()
        track = values(document, blob, sampler["output"])
        assert (np.diff(times) > 0).all() and times[-1] == pytest.approx(2.0 * len(made.axes))
        if axis.linear:
            q = track @ made.chain.axes[i]
        else:
            np.testing.assert_allclose(np.linalg.norm(track, axis=1), 1.0, atol=1e-6)
            q = 2.0 * np.arctan2(track[:, :3] @ made.chain.axes[i], track[:, 3])
        assert (q >= axis.joint.lower - 1e-6).all() and (q <= axis.joint.upper + 1e-6).all()
        moves = np.abs(q - q[0]) > 1e-3
        assert moves.any() and (times[moves] > 2.0 * i).all() and (times[moves] < 2.0 * i + 2.0).all()


def test_link_units_are_grouped_by_their_sides(made: Manipulator) -> None:
    """Output side, structure, input side, as the chain of components has them; none twice."""
    document, _ = parsed(swinging_glb(made))
    names = [node.get("name") for node in document["nodes"]]
    assert len(set(names)) == len(names)
    for i, unit in enumerate(made.units):
        (link,) = (node for node in document["nodes"] if node.get("name") == f"link_{i}")
        bodies = [
            names[body].removeprefix(f"link_{i}.")
            for side in link["children"]
            for body in document["nodes"][side]["children"]
        ]
        assert bodies == [placed.name for placed in unit]


def test_a_motion_of_other_joints_is_refused(made: Manipulator) -> None:
    """Rows and times must fit."""
    with pytest.raises(AssemblyError, match="none of this arm's joints"):
        moving_glb(made, np.zeros(2), np.zeros((1, len(made.axes))))
