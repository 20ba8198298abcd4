"""Solids taken apart lie where their meshes lie."""

import numpy as np
import pytest
import trimesh

from sim.assembly.component_schema import Body
from sim.assembly.manipulator import PlacedBody
from sim.assembly.shapes import mesh_of
from sim.exports.primitives import primitives_of
from tests.sim.chain.chains import random_pose

SIZES = {"box": [40.0, 50.0, 60.0], "cylinder": [40.0, 100.0, 0.0], "sphere": [45.0, 0.0, 0.0],
         "capsule": [30.0, 80.0, 0.0], "bend": [30.0, 90.0, 0.0]}  # fmt: skip
NEAR = 5.5e-3  # m: a bend is pieces, a ball facets


@pytest.mark.parametrize("solid", SIZES)
def test_they_fill_what_the_mesh_fills(solid: str) -> None:
    """Points drawn in the mesh's box are in both or in none, but near the surface."""
    place = {"position_mm": [30.0, -20.0, 10.0], "rotvec_deg": [30.0, 40.0, 50.0]}
    body = Body.model_validate(
        {
            "mass_kg": 0.0,
            "inertia_kg_m2": [0.0] * 6,
            "shapes": [{"solid": solid, "size_mm": SIZES[solid], **place}],
        }
    )
    rng = np.random.default_rng(4)
    T = random_pose(rng)
    parts = primitives_of(PlacedBody("part", body, T))
    mesh = mesh_of(body).apply_transform(T)
    low, high = mesh.bounds
    points = rng.uniform(low, high, (400, 3))
    inside = np.zeros(len(points), bool)
    for part in parts:
        local = (points - part.T[:3, 3]) @ part.T[:3, :3]
        if part.solid == "box":
            inside |= (np.abs(local) <= 0.5 * np.array(part.size)).all(axis=1)
        elif part.solid == "sphere":
            inside |= np.linalg.norm(local, axis=1) <= part.size[0]
        else:
            across = np.linalg.norm(local[:, :2], axis=1)
            inside |= (across <= part.size[0]) & (np.abs(local[:, 2]) <= 0.5 * part.size[1])
    far = np.abs(trimesh.proximity.signed_distance(mesh, points)) > NEAR
    assert far.sum() > 200
    np.testing.assert_array_equal(inside[far], mesh.contains(points[far]))
