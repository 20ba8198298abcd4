"""Plain shapes on moving frames, and the geometry of MuJoCo's models as such. Pure: it draws nothing."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import mujoco
import numpy as np

from hil.common.arrays import Array, IntArray

WORLD = "world"
_GEOM = mujoco.mjtGeom
# by plain numbers: one of numpy's does not find the engine's own in a table
SHAPES = {
    int(_GEOM.mjGEOM_SPHERE): "sphere",
    int(_GEOM.mjGEOM_ELLIPSOID): "sphere",
    int(_GEOM.mjGEOM_CYLINDER): "cylinder",
    int(_GEOM.mjGEOM_CAPSULE): "cylinder",
    int(_GEOM.mjGEOM_BOX): "box",
}
CORNERS = np.array([[n & 1, n >> 1 & 1, n >> 2] for n in range(8)]) * 2.0 - 1.0


class Mesh(NamedTuple):
    """Triangles.

    Attributes:
        vertices: about the solid's centre, in its own axes [m], shape (n, 3).
        faces: numbers of their vertices, anticlockwise from outside, shape (m, 3).
    """

    vertices: Array
    faces: IntArray


@dataclass(frozen=True, eq=False)
class Solid:
    """A shape at rest in its frame.

    Attributes:
        frame: name of the frame.
        shape: sphere, cylinder (along z), box or mesh.
        size: full lengths along its own axes [m], shape (3,).
        p: centre in the frame [m], shape (3,).
        quat: its axes in the frame, w x y z, shape (4,).
        rgba: colour and opacity, 0 to 1, shape (4,).
        mesh: of a mesh.
    """

    frame: str
    shape: str
    size: Array
    p: Array
    quat: Array
    rgba: Array
    mesh: Mesh | None = None

    def at(self, p: Array, quat: Array) -> "Solid":
        """Return it with its centre at `p` [m] and its axes turned by `quat` in its frame."""
        return replace(self, p=p, quat=quat)

    def moved(self, p: Array, quat: Array) -> "Solid":
        """Return it in a frame in which its own frame lies at `p` [m], turned by `quat`."""
        return self.at(p + turned(quat, self.p), multiplied(quat, self.quat))

    def on(self, frame: str) -> "Solid":
        """Return it on another frame, at the same place there."""
        return replace(self, frame=frame)


def solids_of(model: mujoco.MjModel, geoms: Iterable[int], meshes: bool = False) -> list[Solid]:
    """Return some geometries of a model on their bodies' frames.

    Args:
        model: of the physics engine.
        geoms: their numbers.
        meshes: whether meshes are told as such; otherwise what is no solid is the box around it.
    """
    return [_solid(model, i, meshes) for i in geoms]


def _solid(model: mujoco.MjModel, i: int, meshes: bool) -> Solid:
    mesh = _mesh(model, i) if meshes and model.geom_type[i] == mujoco.mjtGeom.mjGEOM_MESH else None
    return Solid(
        frame_name(model, model.geom_bodyid[i]),
        "mesh" if mesh is not None else SHAPES.get(int(model.geom_type[i]), "box"),
        _size(model, i),
        model.geom_pos[i].copy(),
        model.geom_quat[i].copy(),
        model.geom_rgba[i].astype(np.float64),
        mesh,
    )


def frame_name(model: mujoco.MjModel, body: int) -> str:
    """Return the name of a body's frame."""
    return model.body(body).name or (str(body) if body else WORLD)


def _mesh(model: mujoco.MjModel, i: int) -> Mesh:
    k = model.geom_dataid[i]
    first, count = model.mesh_vertadr[k], model.mesh_vertnum[k]
    face, faces = model.mesh_faceadr[k], model.mesh_facenum[k]
    vertices = model.mesh_vert[first : first + count].astype(np.float64)
    return Mesh(vertices, model.mesh_face[face : face + faces].astype(np.int64))


def _size(model: mujoco.MjModel, i: int) -> Array:
    kind, size = model.geom_type[i], model.geom_size[i]
    if kind == mujoco.mjtGeom.mjGEOM_SPHERE:
        return np.full(3, 2.0 * size[0])
    if kind == mujoco.mjtGeom.mjGEOM_CYLINDER:
        return np.array([2.0 * size[0], 2.0 * size[0], 2.0 * size[1]])
    if kind == mujoco.mjtGeom.mjGEOM_CAPSULE:  # its ends are drawn flat
        return np.array([2.0 * size[0], 2.0 * size[0], 2.0 * (size[0] + size[1])])
    if kind in (mujoco.mjtGeom.mjGEOM_BOX, mujoco.mjtGeom.mjGEOM_ELLIPSOID):
        full: Array = 2.0 * size
        return full
    around: Array = 2.0 * model.geom_aabb[i, 3:]
    return around


def turned(quat: Array, vector: Array) -> Array:
    """Return a vector (3,) turned by an attitude w x y z (4,)."""
    out = np.empty(3)
    mujoco.mju_rotVecQuat(out, vector, quat)
    return out


def multiplied(a: Array, b: Array) -> Array:
    """Return the attitude that `b` has in the frame in which `a` is that of its own, w x y z (4,)."""
    out = np.empty(4)
    mujoco.mju_mulQuat(out, a, b)
    return out
