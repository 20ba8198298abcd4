"""Components as meshes for the page: triangles with a normal at each corner, smooth where they are round."""

import base64
from typing import Any

import numpy as np

from hil.common.arrays import Array, IntArray
from sim.assembly.chain import pose_of
from sim.assembly.component_schema import ComponentFile
from sim.assembly.shapes import mesh_of

CREASE = np.cos(np.radians(35.0))  # faces that meet at a greater angle have an edge between them


def mesh_table(component: ComponentFile) -> dict[str, Any]:
    """Return the bodies of a component for the page, base64 of little-endian arrays in row order.

    Of each body `corners` float32 (3 n, 3) [m] in its frame, `normals` int8 (3 n, 3) of 127ths, `colours`
    uint8 (3 n, 3), and `T` (16,), its place at zero in the first body's frame.
    """
    T, bodies = np.eye(4), []
    for k, body in enumerate(component.bodies):
        if k > 0:
            T = T @ pose_of(component.joints[k - 1].position, component.joints[k - 1].rotvec)
        mesh: Any = mesh_of(body)
        vertices, faces = np.asarray(mesh.vertices, dtype=float), np.asarray(mesh.faces, dtype=np.int64)
        colours = np.asarray(mesh.visual.face_colors, dtype=np.uint8)[:, :3]
        bodies.append(
            {
                "corners": _packed(vertices[faces].astype("<f4")),
                "normals": _packed(np.rint(127.0 * corner_normals(vertices, faces)).astype("i1")),
                "colours": _packed(np.repeat(colours, 3, axis=0)),
                "T": T.ravel().tolist(),
            }
        )
    return {"bodies": bodies}


def corner_normals(vertices: Array, faces: IntArray) -> Array:
    """Return unit normals at the corners of triangles, shape (n, 3, 3).

    A corner's is the mean over the faces at its vertex that lie within the crease of its own, by their area.

    Args:
        vertices: (m, 3) [m], each once.
        faces: (n, 3), outwards.
    """
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    weighted = np.cross(b - a, c - a)
    normals = _unit(weighted)
    order = np.argsort(faces.ravel(), kind="stable")  # corners by their vertex
    _, starts, counts = np.unique(faces.ravel()[order], return_index=True, return_counts=True)
    repeats = np.repeat(counts, counts)
    mine = np.repeat(order, repeats)
    first = np.repeat(np.repeat(starts, counts), repeats)
    within = np.arange(len(mine)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    other = order[first + within]
    near = np.einsum("ij,ij->i", normals[mine // 3], normals[other // 3]) > CREASE
    summed = np.zeros((faces.size, 3))
    np.add.at(summed, mine[near], weighted[other[near] // 3])
    return _unit(summed).reshape(-1, 3, 3)


def _unit(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    out: Array = vectors / np.where(lengths > 0.0, lengths, 1.0)
    return out


def _packed(values: Any) -> str:
    return base64.b64encode(np.ascontiguousarray(values).tobytes()).decode("ascii")
