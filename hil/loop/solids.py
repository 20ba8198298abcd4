"""What there is to see of a run: the geometry of MuJoCo's own models, as plain shapes on moving frames.

One robot model serves planner, emulator and pictures. Pure: it draws nothing.
"""

import math
from dataclasses import replace

import mujoco
import numpy as np

from drivers.robot.model import MOCKUP, compiled, joint_range, quat_of, robot_spec
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.base_solids import base_frames, base_solids, carried_frames
from hil.loop.inside_solids import inside_frames, inside_solids
from hil.loop.mockup_shape import shape_of
from hil.loop.port_solids import port_solids
from hil.loop.solid import WORLD, Solid, frame_name, multiplied, solids_of, turned
from sim.world.scene.bodies import other_bodies

OBJECT = "object"  # the simulated object's frame lies at its centre of mass
OTHER = "scene_"  # begins the names of the frames of bodies that are simulated only
GHOST = 0.35  # opacity of the simulated object,
WALL = 0.25  # and of walls: they must not hide the arm


class ArmPicture:
    """The arm with the mock-up: its solids, and where their frames are."""

    def __init__(self, configuration: Configuration) -> None:
        """Read the robot model.

        Raises:
            RobotModelError: the physics engine refuses it.
            ConfigurationError: the mock-up's own shape cannot be drawn, see `hil.loop.mockup_shape`.
        """
        frames = Frames.from_configuration(configuration)
        self._model = compiled(robot_spec(configuration, frames), configuration.robot.model)
        self._data = mujoco.MjData(self._model)
        self._frames = frames
        self.names = [self._model.body(i).name for i in range(1, self._model.nbody)]
        self.solids = solids_of(self._model, range(self._model.ngeom))
        shape = shape_of(configuration)
        if shape is not None:
            self.solids = [solid for solid in self.solids if solid.frame != MOCKUP] + shape
        self.joint_range = joint_range(self._model)
        self._deck = base_frames(configuration)
        self.names += self._deck
        self.solids = self.solids + base_solids(configuration)

    def poses(self, q: Array, base: Array | None = None) -> tuple[Array, Array]:
        """Return position [m] (n, 3) and attitude w x y z (n, 4) in the world of the frames `names`.

        Args:
            q: joint positions [rad], shape (7,).
            base: pose of what carries the arm, x, y [m] and heading [rad], shape (3,); None: the origin.
        """
        self._data.qpos[:] = q
        mujoco.mj_kinematics(self._model, self._data)
        p, quat = self._data.xpos[1:].copy(), self._data.xquat[1:].copy()
        if self._deck:
            p, quat = np.vstack((p, np.zeros(3))), np.vstack((quat, np.eye(4)[0]))
        return (p, quat) if base is None else carried_frames(p, quat, base)

    def held_object(self, q: Array, base: Array | None = None) -> tuple[Array, Array]:
        """Return position [m] (3,) and attitude w x y z (4,) of the object where the arm holds it."""
        p, quat = (of[self.names.index(MOCKUP)] for of in self.poses(q, base))
        T_tcp_object = self._frames.T_tcp_object
        return p + turned(quat, T_tcp_object[:3, 3]), multiplied(quat, quat_of(T_tcp_object))

    def ghost(self) -> list[Solid]:
        """Return the mock-up's solids again, transparent, on the frame of the simulated object."""
        T_object_tcp: Array = np.asarray(np.linalg.inv(self._frames.T_tcp_object), np.float64)
        p, turn = T_object_tcp[:3, 3], quat_of(T_object_tcp)
        return [
            replace(solid.moved(p, turn).on(OBJECT), rgba=np.array([*solid.rgba[:3], GHOST]))
            for solid in self.solids
            if solid.frame == MOCKUP
        ]


def surroundings_of(configuration: Configuration) -> list[Solid]:
    """Return what the scene has besides the object, on the frames of `other_frames` or still in the world.

    What stands still is transparent. An emulated port belongs to it, see `hil.loop.port_solids`.
    """
    scene = _scene_of(configuration)
    if scene is None:
        return inside_solids(configuration) + port_solids(configuration)
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
    return placed + port_solids(configuration)


def other_frames(configuration: Configuration) -> list[str]:
    """Return the names of the frames of other moving bodies, in `SimState.other_poses`' order.

    They are the scene's, or those inside the object.
    """
    scene = _scene_of(configuration)
    if scene is None:
        return inside_frames(configuration)
    model, own = scene
    return [f"{OTHER}{frame_name(model, i)}" for i in other_bodies(model, own)]


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


def angle_between(a: Array, b: Array) -> float:
    """Return by how much two attitudes w x y z differ [rad]."""
    turn = multiplied(a * [1.0, -1.0, -1.0, -1.0], b)
    return 2.0 * math.atan2(float(np.linalg.norm(turn[1:])), abs(float(turn[0])))
