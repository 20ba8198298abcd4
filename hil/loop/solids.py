"""What there is to see of a run: the geometry of MuJoCo's own models, as plain shapes on moving frames.

One robot model serves planner, emulator and pictures. Pure: it draws nothing.
"""

import math
from dataclasses import dataclass, replace

import mujoco
import numpy as np

from drivers.robot.model import MOCKUP, compiled, joint_range, quat_of, robot_spec
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from sim.world.scene.bodies import other_bodies

WORLD, OBJECT = "world", "object"  # the simulated object's frame lies at its centre of mass
OTHER = "scene_"  # begins the names of the frames of bodies that are simulated only
SHAPES = {
    mujoco.mjtGeom.mjGEOM_SPHERE: "sphere",
    mujoco.mjtGeom.mjGEOM_ELLIPSOID: "sphere",
    mujoco.mjtGeom.mjGEOM_CYLINDER: "cylinder",
    mujoco.mjtGeom.mjGEOM_CAPSULE: "cylinder",
    mujoco.mjtGeom.mjGEOM_BOX: "box",
}
GHOST = 0.35  # opacity of the simulated object,
WALL = 0.25  # and of walls: they must not hide the arm


@dataclass(frozen=True, eq=False)
class Solid:
    """A shape at rest in its frame.

    Attributes:
        frame: name of the frame.
        shape: sphere, cylinder (along z) or box.
        size: full lengths along its own axes [m], shape (3,).
        p: centre in the frame [m], shape (3,).
        quat: its axes in the frame, w x y z, shape (4,).
        rgba: colour and opacity, 0 to 1, shape (4,).
    """

    frame: str
    shape: str
    size: Array
    p: Array
    quat: Array
    rgba: Array


class ArmPicture:
    """The arm with the mock-up: its solids, and where their frames are."""

    def __init__(self, configuration: Configuration) -> None:
        """Read the robot model.

        Raises:
            RobotModelError: the physics engine refuses it.
        """
        frames = Frames.from_configuration(configuration)
        self._model = compiled(robot_spec(configuration, frames), configuration.robot.model)
        self._data = mujoco.MjData(self._model)
        self._frames = frames
        self.names = [self._model.body(i).name for i in range(1, self._model.nbody)]
        self.solids = solids_of(self._model, range(self._model.ngeom))
        self.joint_range = joint_range(self._model)

    def poses(self, q: Array) -> tuple[Array, Array]:
        """Return position [m] (n, 3) and attitude w x y z (n, 4) in the world of the frames `names`.

        `q` are joint positions [rad], shape (7,).
        """
        self._data.qpos[:] = q
        mujoco.mj_kinematics(self._model, self._data)
        return self._data.xpos[1:].copy(), self._data.xquat[1:].copy()

    def held_object(self, q: Array) -> tuple[Array, Array]:
        """Return position [m] (3,) and attitude w x y z (4,) of the object where the arm holds it."""
        p, quat = (of[self.names.index(MOCKUP)] for of in self.poses(q))
        T_tcp_object = self._frames.T_tcp_object
        return p + rotated(quat, T_tcp_object[:3, 3]), _turned(quat, quat_of(T_tcp_object))

    def ghost(self) -> list[Solid]:
        """Return the mock-up's solids again, transparent, on the frame of the simulated object."""
        T_object_tcp: Array = np.asarray(np.linalg.inv(self._frames.T_tcp_object), np.float64)
        R, turn = T_object_tcp[:3, :3], quat_of(T_object_tcp)
        return [
            replace(
                solid,
                frame=OBJECT,
                p=R @ solid.p + T_object_tcp[:3, 3],
                quat=_turned(turn, solid.quat),
                rgba=np.array([*solid.rgba[:3], GHOST]),
            )
            for solid in self.solids
            if solid.frame == MOCKUP
        ]


def surroundings_of(configuration: Configuration) -> list[Solid]:
    """Return what the scene has besides the object, on the frames of `other_frames` or still in the world.

    What stands still is transparent. Nothing without a scene.
    """
    scene = _scene_of(configuration)
    if scene is None:
        return []
    model, own = scene
    moving = other_bodies(model, own)
    poses = mujoco.MjData(model)
    mujoco.mj_kinematics(model, poses)
    there = [i for i in range(model.ngeom) if model.body_weldid[model.geom_bodyid[i]] != own]
    placed = []
    for solid, i in zip(solids_of(model, there), there, strict=True):
        if model.geom_bodyid[i] in moving:
            placed.append(replace(solid, frame=f"{OTHER}{solid.frame}"))
            continue
        R = poses.geom_xmat[i].reshape(3, 3)
        colour = np.array([*solid.rgba[:3], min(solid.rgba[3], WALL)])
        placed.append(replace(solid, frame=WORLD, p=poses.geom_xpos[i].copy(), quat=quat_of(R), rgba=colour))
    return placed


def other_frames(configuration: Configuration) -> list[str]:
    """Return the names of the frames of the scene's other moving bodies, in `SimState.other_poses`' order."""
    scene = _scene_of(configuration)
    if scene is None:
        return []
    model, own = scene
    return [f"{OTHER}{_frame_name(model, i)}" for i in other_bodies(model, own)]


def _scene_of(configuration: Configuration) -> tuple[mujoco.MjModel, int] | None:
    """Return the model of the scene and the number of the object's body; None without a scene."""
    if configuration.docking is not None:
        file, body = configuration.docking.scene, configuration.docking.module_body
    elif configuration.scene is not None:
        file, body = configuration.scene.file, configuration.scene.body
    else:
        return None
    model = mujoco.MjModel.from_xml_path(str(file))
    return model, model.body(body).id


def solids_of(model: mujoco.MjModel, geoms: "range | list[int]") -> list[Solid]:
    """Return some geometries of a model on their bodies' frames, what is no solid as the box around it."""
    return [
        Solid(
            _frame_name(model, model.geom_bodyid[i]),
            SHAPES.get(model.geom_type[i], "box"),
            _size(model, i),
            model.geom_pos[i].copy(),
            model.geom_quat[i].copy(),
            model.geom_rgba[i].astype(np.float64),
        )
        for i in geoms
    ]


def _frame_name(model: mujoco.MjModel, body: int) -> str:
    return model.body(body).name or (str(body) if body else WORLD)


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


def rotated(quat: Array, vector: Array) -> Array:
    """Return a vector (3,) turned by an attitude w x y z (4,)."""
    out = np.empty(3)
    mujoco.mju_rotVecQuat(out, vector, quat)
    return out


def angle_between(a: Array, b: Array) -> float:
    """Return by how much two attitudes w x y z differ [rad]."""
    turn = _turned(a * [1.0, -1.0, -1.0, -1.0], b)
    return 2.0 * math.atan2(float(np.linalg.norm(turn[1:])), abs(float(turn[0])))


def _turned(a: Array, b: Array) -> Array:
    out = np.empty(4)
    mujoco.mju_mulQuat(out, a, b)
    return out
