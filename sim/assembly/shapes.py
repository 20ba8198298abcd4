"""Solids of components as meshes, in metres, coloured; from the numbers in their files."""

import math

import numpy as np
import trimesh

from hil.common.arrays import Array
from sim.assembly.chain import pose_of
from sim.assembly.component_schema import Body, Shape

AROUND = 32  # sections of a circle
ALONG = 10  # of a bend


def mesh_of(body: Body) -> trimesh.Trimesh:
    """Return all solids of a body as one mesh in its frame [m]; without faces if it shows none."""
    whole = trimesh.util.concatenate([mesh_of_shape(shape) for shape in body.shapes])
    return whole if isinstance(whole, trimesh.Trimesh) else trimesh.Trimesh()


def mesh_of_shape(shape: Shape) -> trimesh.Trimesh:
    """Return a solid as a mesh in its body's frame [m], with the colour on its faces."""
    mesh = _plain(shape)
    mesh.apply_transform(pose_of(shape.position, shape.rotvec))
    colour = np.append(np.round(255.0 * shape.colour), 255.0).astype(np.uint8)
    mesh.visual = trimesh.visual.ColorVisuals(mesh, face_colors=np.tile(colour, (len(mesh.faces), 1)))
    return mesh


def _plain(shape: Shape) -> trimesh.Trimesh:
    first, second, _ = shape.size.tolist()
    if shape.solid == "box":
        return trimesh.creation.box(extents=shape.size)
    if shape.solid == "cylinder":
        return trimesh.creation.cylinder(radius=first, height=second, sections=AROUND)
    if shape.solid == "sphere":
        return trimesh.creation.icosphere(subdivisions=3, radius=first)
    if shape.solid == "capsule":
        return trimesh.creation.capsule(height=second, radius=first, count=[AROUND, AROUND])
    return bend(first, second)


def bend(radius: float, along: float) -> trimesh.Trimesh:
    """Return a quarter bend of a round bar: it leaves the origin along +z and ends along +x.

    Args:
        radius: of the bar [m].
        along: radius of its centre line [m].
    """
    turn = np.linspace(0.0, 0.5 * math.pi, ALONG + 1)[:, None]
    around = np.linspace(0.0, 2.0 * math.pi, AROUND, endpoint=False)[None, :]
    out = along - radius * np.cos(around)  # from the bend's centre, which lies at (along, 0, 0)
    rings = np.stack(
        np.broadcast_arrays(along - out * np.cos(turn), radius * np.sin(around), out * np.sin(turn)), -1
    )
    ends = np.array([[0.0, 0.0, 0.0], [along, 0.0, along]])
    vertices = np.vstack([rings.reshape(-1, 3), ends])
    return trimesh.Trimesh(vertices, _faces(ALONG + 1), process=False)


def _faces(rings: int) -> Array:
    """Return the triangles of a closed tube of rings, its two ends' centres last."""
    first, last = rings * AROUND, rings * AROUND + 1
    faces = []
    for k in range(AROUND):
        n = (k + 1) % AROUND
        for ring in range(rings - 1):
            a, b = ring * AROUND, (ring + 1) * AROUND
            faces += [[a + k, a + n, b + k], [a + n, b + n, b + k]]
        end = (rings - 1) * AROUND
        faces += [[first, n, k], [last, end + k, end + n]]
    return np.array(faces)
