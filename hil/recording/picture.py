"""Poses and shapes as the well-known types that Foxglove draws by itself.

Moving poses are rounded to single precision, which no eye sees: half of their digits would be noise that
cannot be compressed.
"""

from typing import Any

import numpy as np
from foxglove_schemas_protobuf.FrameTransform_pb2 import FrameTransform
from foxglove_schemas_protobuf.FrameTransforms_pb2 import FrameTransforms
from foxglove_schemas_protobuf.PoseInFrame_pb2 import PoseInFrame
from foxglove_schemas_protobuf.SceneEntity_pb2 import SceneEntity
from foxglove_schemas_protobuf.SceneUpdate_pb2 import SceneUpdate
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from hil.common.arrays import Array
from hil.loop.solid import WORLD, Solid

FRAMES, SCENE, POSE = FrameTransforms, SceneUpdate, PoseInFrame


def schema_of(kind: Any) -> bytes:
    """Return the serialized `FileDescriptorSet` of a generated type, with all that it imports."""
    files: dict[str, FileDescriptor] = {}
    _collect(kind.DESCRIPTOR.file, files)
    described = FileDescriptorSet()
    for file in files.values():
        file.CopyToProto(described.file.add())
    return bytes(described.SerializeToString())


def transforms(wall_ns: int, names: list[str], p: Array, quat: Array) -> bytes:
    """Return frames at their places in the world.

    Args:
        wall_ns: wall time.
        names: of the frames.
        p: their origins [m], shape (n, 3).
        quat: their attitudes, w x y z, shape (n, 4).
    """
    made: Any = FrameTransforms()
    for name, position, turn in zip(names, _rounded(p), _rounded(quat), strict=True):
        frame: Any = FrameTransform(parent_frame_id=WORLD, child_frame_id=name)
        frame.timestamp.FromNanoseconds(wall_ns)
        _place(frame.translation, frame.rotation, position, turn)
        made.transforms.append(frame)
    return bytes(made.SerializeToString())


def pose(wall_ns: int, p: Array, quat: Array) -> bytes:
    """Return one pose in the world; arguments as in `transforms`, of shapes (3,) and (4,)."""
    made: Any = PoseInFrame(frame_id=WORLD)
    made.timestamp.FromNanoseconds(wall_ns)
    _place(made.pose.position, made.pose.orientation, _rounded(p), _rounded(quat))
    return bytes(made.SerializeToString())


def scene(wall_ns: int, solids: list[Solid]) -> bytes:
    """Return shapes that stay where their frames are, one entity a frame."""
    entities: dict[str, Any] = {}
    for solid in solids:
        entity = entities.get(solid.frame)
        if entity is None:
            entity = SceneEntity(frame_id=solid.frame, id=solid.frame, frame_locked=True)
            entity.timestamp.FromNanoseconds(wall_ns)
            entities[solid.frame] = entity
        if solid.mesh is not None:
            _draw_mesh(entity.triangles.add(), solid)
            continue
        shapes = {"sphere": entity.spheres, "cylinder": entity.cylinders, "box": entity.cubes}
        _draw(shapes[solid.shape].add(), solid)
    return bytes(SceneUpdate(entities=list(entities.values())).SerializeToString())


def _draw(shape: Any, solid: Solid) -> None:
    _place(shape.pose.position, shape.pose.orientation, solid.p.tolist(), solid.quat.tolist())
    shape.size.x, shape.size.y, shape.size.z = solid.size.tolist()
    shape.color.r, shape.color.g, shape.color.b, shape.color.a = solid.rgba.tolist()
    if solid.shape == "cylinder":
        shape.bottom_scale = shape.top_scale = 1.0


def _draw_mesh(shape: Any, solid: Solid) -> None:
    assert solid.mesh is not None
    _place(shape.pose.position, shape.pose.orientation, solid.p.tolist(), solid.quat.tolist())
    shape.color.r, shape.color.g, shape.color.b, shape.color.a = solid.rgba.tolist()
    for x, y, z in solid.mesh.vertices.tolist():
        shape.points.add(x=x, y=y, z=z)
    shape.indices.extend(solid.mesh.faces.reshape(-1).tolist())


def _rounded(values: Array) -> list[Any]:
    return values.astype(np.float32).tolist()


def _place(position: Any, orientation: Any, p: list[float], quat: list[float]) -> None:
    position.x, position.y, position.z = p
    orientation.w, orientation.x, orientation.y, orientation.z = quat


def _collect(file: FileDescriptor, files: dict[str, FileDescriptor]) -> None:
    """Note a file after those that it imports."""
    for imported in file.dependencies:
        _collect(imported, files)
    files.setdefault(file.name, file)
