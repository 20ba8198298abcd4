"""What the held mock-up looks like, from the user's own file: a mesh, or a body of a scene.

It is only drawn. Approach and certificate judge the cube of `mockup.edge_mm`, so what reaches beyond it is
refused: nobody may see a picture of something that is larger than what was judged.
"""

from pathlib import Path

import mujoco
import numpy as np

from drivers.robot.model import MOCKUP, quat_of
from hil.common.arrays import Array
from hil.common.engine import hear_warnings
from hil.common.errors import ConfigurationError
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.configuration.schema import Mockup
from hil.loop.solid import CORNERS, Solid, solids_of, turned

MESHES, SCENE = (".stl", ".obj"), ".xml"
UNITS = {"mm": 1e-3, "m": 1.0}
MOST_FACES = 20_000  # that a browser on a tablet still turns
TOLERANCE = 1e-3  # [m] beyond the cube
SMALL, LARGE = 0.02, 20.0  # times the cube's edge: the unit is meant otherwise
COLOUR = np.array([0.85, 0.7, 0.3, 1.0])


def shape_of(configuration: Configuration) -> list[Solid] | None:
    """Return the mock-up's solids on its frame, that of the tcp; None where no file is named.

    Raises:
        ConfigurationError: the file is none of the kinds, cannot be read, lacks the body, or does not lie
            within the cube that is judged.
    """
    mockup = configuration.mockup
    if mockup.shape is None:
        return None
    kind = mockup.shape.suffix.lower()
    if kind not in (*MESHES, SCENE):
        raise _refused(mockup, f"is none of {', '.join(MESHES)} and {SCENE}: save the shape as one of these")
    found = _of_mesh(mockup, mockup.shape) if kind in MESHES else _of_scene(mockup, mockup.shape)
    if mockup.shape_frame == "object":
        T = Frames.from_configuration(configuration).T_tcp_object
        found = [solid.moved(T[:3, 3], quat_of(T)) for solid in found]
    _judge(mockup, np.concatenate([_points(solid) for solid in found]))
    return found


def _of_mesh(mockup: Mockup, path: Path) -> list[Solid]:
    spec = mujoco.MjSpec()
    shell = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL  # open surfaces have no volume
    spec.add_mesh(name=MOCKUP, file=str(path.resolve()), scale=[UNITS[mockup.shape_unit]] * 3, inertia=shell)
    body = spec.worldbody.add_body(name=MOCKUP)
    body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=MOCKUP, rgba=COLOUR, contype=0, conaffinity=0)
    model = _compiled(mockup, spec)
    faces = int(model.mesh_facenum[0])
    if faces > MOST_FACES:
        raise _refused(mockup, f"has {faces} triangles; a page draws {MOST_FACES}: simplify it")
    return solids_of(model, range(1), meshes=True)


def _of_scene(mockup: Mockup, path: Path) -> list[Solid]:
    try:
        model = _compiled(mockup, mujoco.MjSpec.from_file(str(path)))
    except ValueError as error:
        raise _refused(mockup, f"is no scene: {' '.join(str(error).split())}") from error
    root = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, mockup.shape_body)
    if root < 0:
        names = ", ".join(model.body(i).name for i in range(1, model.nbody) if model.body(i).name)
        there = f"but {names}" if names else "and none with a name"
        raise _refused(mockup, f"has no body {mockup.shape_body!r}, {there}: name one by shape_body")
    own = [i for i in range(model.ngeom) if _is_below(model, int(model.geom_bodyid[i]), root)]
    if not own:
        raise _refused(mockup, f"has nothing to draw on the body {mockup.shape_body!r}")
    if any(model.geom_type[i] == mujoco.mjtGeom.mjGEOM_PLANE for i in own):
        raise _refused(
            mockup, f"has a plane on the body {mockup.shape_body!r}, which has no end: take it out"
        )
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    R_root, p_root = data.xmat[root].reshape(3, 3), data.xpos[root]
    found = []
    for solid, i in zip(solids_of(model, own, meshes=True), own, strict=True):
        turn = quat_of(R_root.T @ data.geom_xmat[i].reshape(3, 3))
        found.append(solid.at(R_root.T @ (data.geom_xpos[i] - p_root), turn).on(MOCKUP))
    return found


def _is_below(model: mujoco.MjModel, body: int, root: int) -> bool:
    while body and body != root:
        body = int(model.body_parentid[body])
    return body == root


def _compiled(mockup: Mockup, spec: mujoco.MjSpec) -> mujoco.MjModel:
    hear_warnings()
    try:
        return spec.compile()
    except (ValueError, OSError, mujoco.FatalError) as error:
        said = " ".join(str(error).split())
        raise _refused(
            mockup, f"cannot be drawn: {said}; meshes must be binary STL or OBJ, scenes MJCF"
        ) from error


def _points(solid: Solid) -> Array:
    """Return points whose bounds are those of a solid, in its frame [m], shape (n, 3)."""
    own = 0.5 * solid.size * CORNERS if solid.mesh is None else solid.mesh.vertices
    return solid.p + np.array([turned(solid.quat, point) for point in own])


def _judge(mockup: Mockup, points: Array) -> None:
    """Refuse a shape that reaches beyond the cube, or is of no size."""
    low, high = points.min(axis=0), points.max(axis=0)
    edge = mockup.edge
    reach = max(np.abs([low[:2], high[:2]]).max() * 2.0, high[2])
    largest = float(np.ptp(points, axis=0).max())
    if largest > LARGE * edge or largest < SMALL * edge:
        raise _refused(
            mockup,
            f"is {1e3 * largest:.3g} mm large and the cube of mockup.edge_mm {1e3 * edge:g}: is its unit "
            f"right (shape_unit = {mockup.shape_unit!r})?",
        )
    if low[2] < -TOLERANCE:
        raise _refused(
            mockup,
            f"reaches {-1e3 * low[2]:.0f} mm behind the tcp: it must lie along the tcp's z from there on; "
            "move it, or the tcp (robot.tcp_position_mm)",
        )
    if reach > edge + TOLERANCE:
        axis = "along z" if high[2] == reach else "beside the tcp"
        raise _refused(
            mockup,
            f"reaches beyond the cube that approach and certificate judge ({axis}): write mockup.edge_mm = "
            f"{np.ceil(1e3 * reach):.0f} at least, instead of {1e3 * edge:g}, and certify again "
            "(`zerog workspace`)",
        )


def _refused(mockup: Mockup, words: str) -> ConfigurationError:
    return ConfigurationError(f"mockup.shape = {str(mockup.shape)!r} {words}")
