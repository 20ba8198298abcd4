"""IK parameters and X3D: read back by what knows only their files, the tip is where our chain has it."""

import tomllib
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from sim.assembly.manipulator import Manipulator, manipulator_of
from sim.chain.kinematics import tip_pose
from sim.exports.ik import ik_text
from sim.exports.primitives import primitives_of
from sim.exports.x3d import x3d_text
from tests.sim.exports.arms import ARMS, arm_named


@pytest.fixture(scope="module", params=ARMS)
def arm(request: pytest.FixtureRequest) -> tuple[Any, Manipulator]:
    """An assembly and its mechanism."""
    chain = arm_named(request.param)
    return chain, manipulator_of(chain)


def moved(kind: str, axis: Any, q: float) -> np.ndarray:
    """A joint's motion."""
    T = np.eye(4)
    if kind == "linear":
        T[:3, 3] = q * np.array(axis)
    else:
        T[:3, :3] = Rotation.from_rotvec(q * np.array(axis)).as_matrix()
    return T


def test_the_product_of_the_files_markers_is_the_tip(arm: tuple[Any, Manipulator]) -> None:
    """Number of joints, types, distances, rotations, limits and weights, as a reader takes them."""
    _, made = arm
    read = tomllib.loads(ik_text(made))
    assert read["joints"] == len(read["joint"]) == len(read["link"]) - 1 == len(made.axes)
    assert [joint["lower"] for joint in read["joint"]] == made.lower.tolist()
    assert {name: len(values) for name, values in read["weights"].items()} == {
        **dict.fromkeys(("position", "speed", "acceleration", "torque", "power"), read["joints"]),
        "base_wrench": 6,
    }
    rng = np.random.default_rng(5)
    for _ in range(10):
        q, T = rng.uniform(made.lower, made.upper), np.eye(4)
        for i, link in enumerate(read["link"]):
            if i > 0:
                T = T @ moved(read["joint"][i - 1]["type"], read["joint"][i - 1]["axis"], q[i - 1])
            T = T @ np.vstack([np.column_stack([link["rotation"], link["distance"]]), [0, 0, 0, 1]])
        np.testing.assert_allclose(T, tip_pose(made.chain, q), rtol=0, atol=1e-12)


def x3d_pose(node: ElementTree.Element) -> np.ndarray:
    """A Transform's own pose."""
    T = np.eye(4)
    T[:3, 3] = [float(v) for v in node.get("translation", "0 0 0").split()]
    x, y, z, angle = (float(v) for v in node.get("rotation", "0 0 1 0").split())
    T[:3, :3] = Rotation.from_rotvec(angle * np.array([x, y, z])).as_matrix()
    return T


def test_x3d_has_the_tip_where_it_is(arm: tuple[Any, Manipulator]) -> None:
    """Transforms multiplied down to the flange, the joints' turned by hand; then y is up."""
    assembly, made = arm
    root = ElementTree.fromstring(x3d_text(made, assembly))
    rng = np.random.default_rng(6)
    q = dict(zip((axis.name for axis in made.axes), rng.uniform(made.lower, made.upper), strict=True))
    T, node = np.eye(4), root.find("Scene/Transform")
    base = x3d_pose(node)
    while node is not None:
        name = node.get("DEF")
        named = [i for i, axis in enumerate(made.axes) if axis.name == name]
        T = T @ (
            moved("linear" if made.axes[named[0]].linear else "revolute", made.chain.axes[named[0]], q[name])
            if named
            else x3d_pose(node)
        )
        node = next((child for child in node.iterfind("Transform")), None)
    np.testing.assert_allclose(T, base @ tip_pose(made.chain, np.array(list(q.values()))), rtol=0, atol=1e-12)
    np.testing.assert_allclose(base[:3, 2], [0, 1, 0], atol=1e-15)


def test_x3d_groups_link_units_and_moves_them(arm: tuple[Any, Manipulator]) -> None:
    """Each solid is in a group of its unit's sides; each joint has its route and stays within its limits."""
    assembly, made = arm
    root = ElementTree.fromstring(x3d_text(made, assembly))
    groups = {node.get("DEF") for node in root.iter("Group")}
    assert {"link_0_structure", "link_1_output_side"} <= groups
    solids = [part for unit in made.units for placed in unit for part in primitives_of(placed)]
    assert len(list(root.iter("Shape"))) == len(solids)
    routes = {(node.get("fromNode"), node.get("toNode")) for node in root.iter("ROUTE")}
    names = {node.get("DEF") for node in root.iter()}
    for axis in made.axes:
        assert ("CLOCK", f"MOTION_{axis.name}") in routes and (f"MOTION_{axis.name}", axis.name) in routes
        assert {axis.name, f"MOTION_{axis.name}"} <= names
