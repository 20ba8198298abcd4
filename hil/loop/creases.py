"""The edges of a mesh that an eye looks for: where it bends, and where it ends."""

import numpy as np

from hil.common.arrays import Array
from hil.loop.solid import Mesh

BEND = 0.87  # cosine of the angle between two faces below which their edge is a crease: 30 deg


def creases(mesh: Mesh) -> Array:
    """Return the creases' ends in the mesh's own axes [m], shape (n, 2, 3).

    Vertices at the same place count as one: files of triangles share none.
    """
    places, same = np.unique(np.round(mesh.vertices, 6), axis=0, return_inverse=True)
    faces = same.reshape(-1)[mesh.faces]
    corners = places[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    sides = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    edges, which, count = np.unique(sides, axis=0, return_inverse=True, return_counts=True)
    total = np.zeros((len(edges), 3))
    np.add.at(total, which.reshape(-1), np.tile(normals, (3, 1)))
    # of two unit normals the sum has the length sqrt(2 + 2 cos); a single or a third face is an end
    flat = (count == 2) & ((total**2).sum(axis=1) > 2.0 + 2.0 * BEND)
    return np.asarray(places[edges[~flat]])
