"""Peers of the contact manifold: MuJoCo's capsule in a hole of convex pieces, coal's capsule in a mesh.

Each has `load(r, p0, p1)`, `collide()` (what is timed) and `depth()`, the deepest overlap found [m].
"""

import importlib.util

import mujoco
import numpy as np

from hil.common.arrays import Array, IntArray

HAS_COAL = importlib.util.find_spec("coal") is not None


def turned_to(axis: Array) -> Array:
    """Return a rotation whose z is along `axis`, shape (3, 3)."""
    z = axis / np.linalg.norm(axis)
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def cut(polygon: list[Array], normal: Array, bound: float) -> list[Array]:
    """Return the part of a convex polygon where `normal . p >= bound`."""
    out: list[Array] = []
    for a, b in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        da, db = normal @ a - bound, normal @ b - bound
        if da >= 0.0:
            out.append(a)
        if da * db < 0.0:
            out.append(a + (b - a) * da / (da - db))
    return out


def sectors(R: float, ax: float, ay: float, pieces: int) -> list[list[Array]]:
    """Return the convex pieces of a rectangle around a hole, their inner sides tangent to its circle."""
    half = np.pi / pieces
    box = [np.array([x, y]) for x, y in ((-ax, -ay), (ax, -ay), (ax, ay), (-ax, ay))]
    out = []
    for k in range(pieces):
        angle = 2.0 * half * k
        piece = cut(box, np.array([np.cos(angle), np.sin(angle)]), R)
        for side in (1.0, -1.0):
            edge = angle - side * half
            piece = cut(piece, side * np.array([-np.sin(edge), np.cos(edge)]), 0.0)
        out.append(piece)
    return out


class MujocoPieces:
    """MuJoCo's own capsule against a hole of convex prisms, and a block below them for the bottom."""

    def __init__(self, hole: Array, pieces: int) -> None:
        R, h, ax, ay, c = hole
        floor = -h - R
        meshes, geoms = [], []
        for k, polygon in enumerate(sectors(R, ax, ay, pieces)):
            corners = [f"{x:.9g} {y:.9g} {z:.9g}" for x, y in polygon for z in (floor, 0.0)]
            meshes.append(f'<mesh name="m{k}" vertex="{" ".join(corners)}"/>')
            geoms.append(f'<geom type="mesh" mesh="m{k}" contype="2" conaffinity="1"/>')
        if c + floor > 1e-6:
            size, middle = 0.5 * (c + floor), 0.5 * (floor - c)
            geoms.append(
                f'<geom type="box" size="{ax} {ay} {size}" pos="0 0 {middle}" contype="2" conaffinity="1"/>'
            )
        self.model = mujoco.MjModel.from_xml_string(
            f"<mujoco><asset>{''.join(meshes)}</asset><worldbody>{''.join(geoms)}"
            '<body name="pin"><freejoint/>'
            '<geom type="capsule" size="0.01 0.01" contype="1" conaffinity="2"/></body></worldbody></mujoco>'
        )
        self.data = mujoco.MjData(self.model)
        self.pin = self.model.ngeom - 1

    def load(self, r: float, p0: Array, p1: Array) -> None:
        """Place the pin."""
        length = float(np.linalg.norm(p1 - p0))
        self.model.geom_size[self.pin, :2] = r, 0.5 * length
        self.model.geom_rbound[self.pin] = r + 0.5 * length
        self.model.geom_aabb[self.pin, 3:] = r, r, r + 0.5 * length
        self.model.bvh_aabb[self.model.body_bvhadr[-1], 3:] = r, r, r + 0.5 * length
        self.data.qpos[:3] = 0.5 * (p0 + p1)
        mujoco.mju_mat2Quat(self.data.qpos[3:], turned_to(p1 - p0).ravel())
        mujoco.mj_kinematics(self.model, self.data)

    def collide(self) -> None:
        """Find the contacts."""
        mujoco.mj_collision(self.model, self.data)

    def depth(self) -> float:
        """Return the deepest overlap [m], 0 if there is none."""
        return max(0.0, -float(self.data.contact.dist.min())) if self.data.ncon else 0.0


def holed_box_mesh(hole: Array, around: int) -> tuple[Array, IntArray]:
    """Return vertices and triangles of the holed box, `around` flats tangent to the hole's cylinder."""
    R, h, ax, ay, c = hole
    wide = R / np.cos(np.pi / around)
    angles = 2.0 * np.pi * (np.arange(around) + 0.5) / around
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    outline = ring / np.maximum(np.abs(ring[:, :1]) / ax, np.abs(ring[:, 1:]) / ay)
    corner = np.arctan2([ay, ay, -ay, -ay], [ax, -ax, -ax, ax]) % (2.0 * np.pi)
    nearest = [int(np.argmin(np.abs((angles - a + np.pi) % (2.0 * np.pi) - np.pi))) for a in corner]
    outline[nearest] = [[ax, ay], [-ax, ay], [-ax, -ay], [ax, -ay]]
    steps = around // 4
    rings = [np.column_stack([outline, np.full(around, -c)]), np.column_stack([outline, np.zeros(around)])]
    rings.append(np.column_stack([wide * ring, np.zeros(around)]))
    for lift in np.linspace(0.0, 0.5 * np.pi, steps + 1)[:-1]:
        level = np.full(around, -h - wide * np.sin(lift))
        rings.append(np.column_stack([wide * np.cos(lift) * ring, level]))
    vertices = np.vstack([*rings, [[0.0, 0.0, -h - wide]], [[0.0, 0.0, -c]]])
    triangles = []
    for k in range(len(rings) - 1):
        for i in range(around):
            j = (i + 1) % around
            a, b, d, e = k * around + i, k * around + j, (k + 1) * around + i, (k + 1) * around + j
            triangles += [[a, b, e], [a, e, d]]
    last, pole, under = (len(rings) - 1) * around, len(vertices) - 2, len(vertices) - 1
    for i in range(around):
        j = (i + 1) % around
        triangles += [[last + i, last + j, pole], [j, i, under]]
    return vertices, np.array(triangles)


class CoalMesh:
    """coal's capsule against a triangle mesh of the holed box; all contacts are asked for."""

    def __init__(self, hole: Array, around: int) -> None:
        import coal

        self.coal = coal
        vertices, triangles = holed_box_mesh(hole, around)
        points = coal.StdVec_Vec3s()
        points.extend(list(vertices))
        faces = coal.StdVec_Triangle()
        faces.extend([coal.Triangle(*map(int, face)) for face in triangles])
        self.mesh = coal.BVHModelOBBRSS()
        self.mesh.beginModel(len(triangles), len(vertices))
        self.mesh.addSubModel(points, faces)
        self.mesh.endModel()
        self.triangles = len(triangles)
        self.request = coal.CollisionRequest(coal.CollisionRequestFlag.CONTACT, 10_000)
        self.result = coal.CollisionResult()
        self.here = coal.Transform3s.Identity()

    def load(self, r: float, p0: Array, p1: Array) -> None:
        """Place the pin."""
        self.capsule = self.coal.Capsule(r, float(np.linalg.norm(p1 - p0)))
        self.pose = self.coal.Transform3s(turned_to(p1 - p0), 0.5 * (p0 + p1))

    def collide(self) -> None:
        """Find the contacts."""
        self.result.clear()
        self.coal.collide(self.mesh, self.here, self.capsule, self.pose, self.request, self.result)

    def depth(self) -> float:
        """Return the deepest overlap [m], 0 if there is none."""
        contacts = self.result.getContacts()
        return max((-contact.penetration_depth for contact in contacts), default=0.0)
