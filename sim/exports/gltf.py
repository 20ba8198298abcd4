"""glTF 2.0, binary: the arm's solids as a tree of link units, moved by an animation of its joints.

Nodes: `NAME` of the arm (y is up below it, z above), for each link unit `link_i` with a node for each of its
sides (`link_i.output_side`, `link_i.structure`, `link_i.input_side`) and in these the bodies; for each joint
`JOINT.placement`, fixed, and below it `JOINT`, which moves; `flange` at the tip. The numbers of nodes are
doubles in text; vertices and animation are single precision, as the format has them.
"""

from typing import Any

import numpy as np
import pygltflib as gl
import trimesh

from hil.common.arrays import Array
from hil.common.errors import AssemblyError
from hil.common.geometry import quat_from_matrix, quat_from_rotvec
from sim.assembly.component_schema import Shape
from sim.assembly.manipulator import Axis, Manipulator
from sim.assembly.shapes import mesh_of_shape
from sim.exports.link_units import sides_of
from sim.exports.swing import KEYS, home_of, swing

SECONDS = 2.0  # of each joint's swing
SHARP = 0.5  # rad, between faces whose edge is seen


def swinging_glb(manipulator: Manipulator) -> bytes:
    """Return a manipulator whose joints swing in their turn."""
    n, shown = len(manipulator.axes), swing(manipulator)
    steps = len(KEYS) - 1
    times = np.arange(steps * n + 1) * SECONDS / steps
    positions = np.tile(home_of(manipulator), (len(times), 1))
    for i, keys in enumerate(shown):
        positions[steps * i : steps * i + len(KEYS), i] = keys
    return moving_glb(manipulator, times, positions)


def moving_glb(manipulator: Manipulator, times: Array, positions: Array) -> bytes:
    """Return a manipulator with a motion of its joints, as the content of a `.glb` file.

    Args:
        manipulator: see there.
        times: rising, from 0 on [s], shape (k,).
        positions: of the joints at these times [rad, m], shape (k, n); the first are those at rest.

    Raises:
        AssemblyError: the shapes do not fit together.
    """
    if positions.shape != (len(times), len(manipulator.axes)) or len(times) == 0:
        raise AssemblyError(
            f"a motion of {positions.shape} at {len(times)} times is none of this arm's joints"
        )
    file = _File()
    # z up becomes y up: a turn by -90 degrees about x
    root = file.node(manipulator.name, None, rotation=[-np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])
    parent, clock = root, file.accessor(times.astype(np.float32), "SCALAR", ends=True)
    _add_unit(file, root, manipulator, 0)
    for i, axis in enumerate(manipulator.axes):
        placement = file.node(f"{axis.name}.placement", parent, **_pose(manipulator.chain.placements[i]))
        values = _joint_values(axis, manipulator.chain.axes[i], positions[:, i])
        path = "translation" if axis.linear else "rotation"
        parent = file.node(axis.name, placement, **{path: values[0].tolist()})
        file.animate(parent, path, clock, values)
        _add_unit(file, parent, manipulator, i + 1)
    file.node("flange", parent, **_pose(manipulator.chain.T_last_tip))
    return file.written(root)


def _pose(T: Array) -> dict[str, list[float]]:
    w, x, y, z = quat_from_matrix(np.ascontiguousarray(T[:3, :3])).tolist()
    return {"translation": T[:3, 3].tolist(), "rotation": [x, y, z, w]}


def _joint_values(axis: Axis, direction: Array, positions: Array) -> Array:
    """Return translations (k, 3), or quaternions x y z w (k, 4), of a joint."""
    if axis.linear:
        return np.outer(positions, direction)
    quats = np.array([quat_from_rotvec(q * direction) for q in positions])
    return np.roll(quats, -1, axis=1)


def _add_unit(file: "_File", parent: int, manipulator: Manipulator, i: int) -> None:
    unit = file.node(f"link_{i}", parent)
    for side, bodies in sides_of(manipulator, i).items():
        group = file.node(f"link_{i}.{side}", unit)
        for placed in bodies:
            mesh = file.mesh(placed.name, placed.body.shapes) if placed.body.shapes else None
            file.node(f"link_{i}.{placed.name}", group, mesh=mesh, **_pose(placed.T_unit_body))


class _File:
    """A file that grows: its tables, and its one buffer."""

    def __init__(self) -> None:
        self._gltf = gl.GLTF2(asset=gl.Asset(version="2.0", generator="zerog workbench"))
        self._gltf.animations.append(gl.Animation(name="motion"))
        self._blob = bytearray()
        self._materials: dict[tuple[float, ...], int] = {}

    def node(self, name: str, parent: int | None, **more: Any) -> int:
        """Add a node below another and return its number."""
        self._gltf.nodes.append(gl.Node(name=name, **more))
        number = len(self._gltf.nodes) - 1
        if parent is not None:
            self._gltf.nodes[parent].children.append(number)
        return number

    def accessor(self, values: Any, kind: str, ends: bool = False, target: int | None = None) -> int:
        """Add values to the buffer and return the number of their accessor."""
        content = np.ascontiguousarray(values)
        offset = len(self._blob)
        self._blob += content.tobytes()
        self._blob += bytes(-len(self._blob) % 4)
        view = gl.BufferView(buffer=0, byteOffset=offset, byteLength=content.nbytes, target=target)
        self._gltf.bufferViews.append(view)
        component = gl.UNSIGNED_INT if content.dtype == np.uint32 else gl.FLOAT
        accessor = gl.Accessor(
            bufferView=len(self._gltf.bufferViews) - 1, componentType=component, count=len(content), type=kind
        )
        if ends:
            rows = content.reshape(len(content), -1)
            accessor.min, accessor.max = rows.min(axis=0).tolist(), rows.max(axis=0).tolist()
        self._gltf.accessors.append(accessor)
        return len(self._gltf.accessors) - 1

    def mesh(self, name: str, shapes: tuple[Shape, ...]) -> int:
        """Add solids as one mesh and return its number."""
        primitives = []
        for shape in shapes:
            solid = trimesh.graph.smooth_shade(mesh_of_shape(shape), angle=SHARP)
            position = self.accessor(solid.vertices.astype(np.float32), "VEC3", True, gl.ARRAY_BUFFER)
            normal = self.accessor(solid.vertex_normals.astype(np.float32), "VEC3", False, gl.ARRAY_BUFFER)
            faces = solid.faces.astype(np.uint32).ravel()
            primitives.append(
                gl.Primitive(
                    attributes=gl.Attributes(POSITION=position, NORMAL=normal),
                    indices=self.accessor(faces, "SCALAR", False, gl.ELEMENT_ARRAY_BUFFER),
                    material=self._material(tuple(shape.colour.tolist())),
                )
            )
        self._gltf.meshes.append(gl.Mesh(name=name, primitives=primitives))
        return len(self._gltf.meshes) - 1

    def animate(self, node: int, path: str, clock: int, values: Array) -> None:
        """Add a channel of the animation."""
        animation = self._gltf.animations[0]
        kind = "VEC4" if path == "rotation" else "VEC3"
        output = self.accessor(values.astype(np.float32), kind)
        animation.samplers.append(gl.AnimationSampler(input=clock, output=output, interpolation="LINEAR"))
        target = gl.AnimationChannelTarget(node=node, path=path)
        animation.channels.append(gl.AnimationChannel(sampler=len(animation.samplers) - 1, target=target))

    def written(self, root: int) -> bytes:
        """Return the file's content."""
        self._gltf.scenes.append(gl.Scene(nodes=[root]))
        self._gltf.scene = 0
        self._gltf.buffers.append(gl.Buffer(byteLength=len(self._blob)))
        self._gltf.set_binary_blob(bytes(self._blob))
        return b"".join(self._gltf.save_to_bytes())

    def _material(self, colour: tuple[float, ...]) -> int:
        if colour not in self._materials:
            look = gl.PbrMetallicRoughness(
                baseColorFactor=[*colour, 1.0], metallicFactor=0.1, roughnessFactor=0.6
            )
            self._gltf.materials.append(gl.Material(pbrMetallicRoughness=look))
            self._materials[colour] = len(self._gltf.materials) - 1
        return self._materials[colour]
