"""Plain shapes as faces, and their shading, for pictures without a graphics card."""

import itertools

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat
from hil.loop.creases import creases
from hil.loop.solid import Solid

SIDES = 20  # of a round face
RINGS = 8  # of a ball
LIGHT = np.array([0.35, -0.5, 0.79])  # where it comes from, world axes
AMBIENT = 0.45
BOX = np.array(
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
)  # corners of each face; bit 0 of a corner's number is x, 1 is y, 2 is z


def faces_of(solid: Solid, p: Array, quat: Array) -> list[Array]:
    """Return the faces of a solid in the world [m], each of shape (corners, 3).

    Args:
        solid: at rest in its frame.
        p: origin of its frame in the world, shape (3,).
        quat: attitude of its frame, shape (4,).
    """
    return _placed(solid, _own_faces(solid), p, quat)


def outline_of(solid: Solid, p: Array, quat: Array) -> list[Array]:
    """Return the lines to draw where only the edges of a solid show; arguments as in `faces_of`."""
    if solid.mesh is not None:
        return _placed(solid, list(creases(solid.mesh)), p, quat)
    return [np.concatenate([face, face[:1]]) for face in faces_of(solid, p, quat)]


def _own_faces(solid: Solid) -> list[Array]:
    if solid.mesh is not None:
        return list(solid.mesh.vertices[solid.mesh.faces])
    return [face * solid.size for face in _unit_faces(solid.shape)]


def _placed(solid: Solid, points: list[Array], p: Array, quat: Array) -> list[Array]:
    own, frame = matrix_from_quat(solid.quat), matrix_from_quat(quat)
    return [(some @ own.T + solid.p) @ frame.T + p for some in points]


def shaded(faces: list[Array], rgb: Array) -> Array:
    """Return the colour of each face in a light from above, shape (n, 3)."""
    corners = np.array([face[:3] for face in faces])
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 1])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    # faces are wound either way: what is lit is lit from both sides
    bright = AMBIENT + (1.0 - AMBIENT) * np.abs(normals @ LIGHT)
    return np.clip(bright[:, None] * rgb, 0.0, 1.0)


def _unit_faces(shape: str) -> list[Array]:
    """Return the faces of a shape of length 1 along each axis, about its centre."""
    if shape == "box":
        corners = np.array([[n & 1, n >> 1 & 1, n >> 2] for n in range(8)]) - 0.5
        return [corners[face] for face in BOX]
    angles = np.linspace(0.0, 2.0 * np.pi, SIDES + 1)
    if shape == "cylinder":
        heights, radii = np.array([-0.5, 0.5]), np.array([0.5, 0.5])
    else:
        polar = np.linspace(0.0, np.pi, RINGS + 1)
        heights, radii = -0.5 * np.cos(polar), 0.5 * np.sin(polar)
    circles = [
        np.column_stack([radius * np.cos(angles), radius * np.sin(angles), np.full(SIDES + 1, height)])
        for height, radius in zip(heights, radii, strict=True)
    ]
    sides = [
        np.array([low[i], low[i + 1], high[i + 1], high[i]])
        for low, high in itertools.pairwise(circles)
        for i in range(SIDES)
    ]
    lids = [circles[0][:-1], circles[-1][:-1]] if shape == "cylinder" else []
    return sides + lids
