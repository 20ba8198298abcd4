"""Pictures of components and arms: their meshes drawn from one side, with depth, on a plain ground."""

import math
import struct
import zlib

import numpy as np
import trimesh
from numba import njit

from hil.common.arrays import Array
from sim.assembly.chain import pose_of
from sim.assembly.component_rules import DRIVE_KINDS
from sim.assembly.component_schema import ComponentFile
from sim.assembly.drive_solids import drive_mesh
from sim.assembly.manipulator import Manipulator
from sim.assembly.shapes import mesh_of
from sim.chain.kinematics import body_poses

AZIMUTH, ELEVATION = math.radians(-55.0), math.radians(22.0)  # from where one looks
GROUND = (0.965, 0.97, 0.975)
FINER = 2  # drawn so many times finer, then averaged
MARGIN = 1.12  # of the solids' extent


def component_picture(component: ComponentFile, pixels: int = 240) -> bytes:
    """Return a PNG of a component at its joints' zero; an empty ground if it has no solids."""
    if component.kind in DRIVE_KINDS:
        return png(drawn([drive_mesh(component)], pixels, pixels))
    meshes, T = [], np.eye(4)
    for k, body in enumerate(component.bodies):
        if k > 0:
            joint = component.joints[k - 1]
            T = T @ pose_of(joint.position, joint.rotvec)
        meshes.append(mesh_of(body).apply_transform(T))
    return png(drawn(meshes, pixels, pixels))


def manipulator_picture(manipulator: Manipulator, q: Array, width: int = 640, height: int = 640) -> bytes:
    """Return a PNG of an arm at joint positions [rad, m]; what is up is against its gravity."""
    poses, up = body_poses(manipulator.chain, q), _upright(manipulator.gravity)
    meshes = [
        mesh_of(placed.body).apply_transform(up @ pose @ placed.T_unit_body)
        for pose, unit in zip(poses[:-1], manipulator.units, strict=True)
        for placed in unit
    ]
    return png(drawn(meshes, width, height))


def _upright(gravity: Array) -> Array:
    """Return a pose that turns what is up by gravity to +z."""
    strength = float(np.linalg.norm(gravity))
    if strength == 0.0:
        return np.eye(4)
    up = -gravity / strength
    axis = np.cross(up, [0.0, 0.0, 1.0])
    sine = float(np.linalg.norm(axis))
    if sine < 1e-9:
        return np.eye(4) if up[2] > 0.0 else pose_of(np.zeros(3), np.array([math.pi, 0.0, 0.0]))
    return pose_of(np.zeros(3), axis / sine * math.atan2(sine, up[2]))


def drawn(meshes: list[trimesh.Trimesh], width: int, height: int) -> Array:
    """Return meshes drawn without perspective, shape (height, width, 3) within [0, 1]."""
    meshes = [mesh for mesh in meshes if len(mesh.faces)]
    triangles = np.vstack([np.zeros((0, 3, 3)), *(mesh.triangles for mesh in meshes)])
    image = np.tile(GROUND, (FINER * height, FINER * width, 1))
    if len(triangles) == 0:
        return image[::FINER, ::FINER]
    visuals = [mesh.visual for mesh in meshes if isinstance(mesh.visual, trimesh.visual.ColorVisuals)]
    colours = np.vstack([visual.face_colors[:, :3] for visual in visuals]) / 255.0
    ca, sa, ce, se = math.cos(AZIMUTH), math.sin(AZIMUTH), math.cos(ELEVATION), math.sin(ELEVATION)
    # right, up and towards the eye, in the axes of the world
    view = np.array([[-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]])
    seen = triangles @ view.T
    low, high = seen.min((0, 1)), seen.max((0, 1))
    scale = min(FINER * width / (MARGIN * (high[0] - low[0])), FINER * height / (MARGIN * (high[1] - low[1])))
    middle = 0.5 * (low + high)
    seen[..., 0] = 0.5 * FINER * width + scale * (seen[..., 0] - middle[0])
    seen[..., 1] = 0.5 * FINER * height - scale * (seen[..., 1] - middle[1])
    seen[..., 2] *= scale
    normals = np.cross(seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0])
    sizes = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = normals / np.where(sizes > 0.0, sizes, 1.0)
    normals *= np.where(normals[:, 2:] < 0.0, -1.0, 1.0)  # those that are seen face the eye
    light = np.maximum(normals @ np.array([-0.35, -0.55, 0.757]), 0.0)  # over the left shoulder
    _fill(image, seen, colours * (0.38 + 0.62 * light[:, None]))
    return image.reshape(height, FINER, width, FINER, 3).mean((1, 3))


@njit(cache=True)
def _fill(image: Array, triangles: Array, colours: Array) -> None:
    """Draw triangles into an image, the nearest in front: x, y in pixels, z towards the eye."""
    height, width = image.shape[0], image.shape[1]
    depth = np.full((height, width), -np.inf)
    for k in range(triangles.shape[0]):
        t = triangles[k]
        area = (t[1, 0] - t[0, 0]) * (t[2, 1] - t[0, 1]) - (t[2, 0] - t[0, 0]) * (t[1, 1] - t[0, 1])
        if area == 0.0:
            continue
        left = max(int(min(t[0, 0], t[1, 0], t[2, 0])), 0)
        right = min(int(max(t[0, 0], t[1, 0], t[2, 0])) + 1, width - 1)
        top = max(int(min(t[0, 1], t[1, 1], t[2, 1])), 0)
        bottom = min(int(max(t[0, 1], t[1, 1], t[2, 1])) + 1, height - 1)
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                x, y = column + 0.5, row + 0.5
                b = ((x - t[0, 0]) * (t[2, 1] - t[0, 1]) - (t[2, 0] - t[0, 0]) * (y - t[0, 1])) / area
                c = ((t[1, 0] - t[0, 0]) * (y - t[0, 1]) - (x - t[0, 0]) * (t[1, 1] - t[0, 1])) / area
                if b < 0.0 or c < 0.0 or b + c > 1.0:
                    continue
                z = t[0, 2] + b * (t[1, 2] - t[0, 2]) + c * (t[2, 2] - t[0, 2])
                if z > depth[row, column]:
                    depth[row, column] = z
                    for channel in range(3):
                        image[row, column, channel] = colours[k, channel]


def png(image: Array) -> bytes:
    """Return an image (height, width, 3) within [0, 1] as a PNG file."""
    height, width, _ = image.shape
    pixels = np.clip(np.round(255.0 * image), 0, 255).astype(np.uint8)
    rows = np.hstack([np.zeros((height, 1), np.uint8), pixels.reshape(height, 3 * width)])
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
