"""An assembly as plain shapes on moving frames, for recordings and pictures: one frame a link unit."""

import math

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import quat_from_matrix
from hil.loop.solid import Solid
from sim.assembly.chain import pose_of
from sim.assembly.component_schema import Shape
from sim.assembly.manipulator import Manipulator
from sim.chain.kinematics import body_poses

PIECES = 4  # of a bend


def unit_names(manipulator: Manipulator) -> list[str]:
    """Return the names of the link units' frames, base first: each by the joint before it."""
    return ["base", *(axis.name for axis in manipulator.axes)]


def unit_frames(manipulator: Manipulator, q: Array, T_world_base: Array) -> tuple[list[str], Array, Array]:
    """Return names, positions [m] (n + 1, 3) and attitudes w x y z (n + 1, 4) of the units in the world."""
    poses = T_world_base @ body_poses(manipulator.chain, q)[:-1]
    quats = np.array([quat_from_matrix(np.ascontiguousarray(T[:3, :3])) for T in poses])
    return unit_names(manipulator), poses[:, :3, 3].copy(), quats


def arm_solids(manipulator: Manipulator) -> list[Solid]:
    """Return the shapes of all bodies on their units' frames."""
    made = []
    for name, unit in zip(unit_names(manipulator), manipulator.units, strict=True):
        for placed in unit:
            for shape in placed.body.shapes:
                T_unit_shape = placed.T_unit_body @ pose_of(shape.position, shape.rotvec)
                for kind, size, T_shape in _parts(shape):
                    T = T_unit_shape @ T_shape
                    quat = quat_from_matrix(np.ascontiguousarray(T[:3, :3]))
                    colour = np.array([*shape.colour, 1.0])
                    made.append(Solid(name, kind, size, T[:3, 3].copy(), quat, colour))
    return made


def _parts(shape: Shape) -> list[tuple[str, Array, Array]]:
    """Return kind, full lengths and place of what stands for a shape: flat capsules, bends with corners."""
    a, b, c = shape.size.tolist()
    if shape.solid == "box":
        return [("box", np.array([a, b, c]), np.eye(4))]
    if shape.solid == "sphere":
        return [("sphere", np.full(3, 2.0 * a), np.eye(4))]
    if shape.solid == "bend":
        return _bend(a, b)
    length = b + (2.0 * a if shape.solid == "capsule" else 0.0)
    return [("cylinder", np.array([2.0 * a, 2.0 * a, length]), np.eye(4))]


def _bend(radius: float, along: float) -> list[tuple[str, Array, Array]]:
    """Return a quarter bend of a bar in straight pieces: from the origin along +z, at last along +x."""
    made, step = [], 0.5 * math.pi / PIECES
    for k in range(PIECES):
        angle = (k + 0.5) * step
        centre = along * np.array([1.0 - math.cos(angle), 0.0, math.sin(angle)])
        size = np.array([2.0 * radius, 2.0 * radius, 2.0 * (along + radius) * math.tan(0.5 * step)])
        made.append(("cylinder", size, pose_of(centre, np.array([0.0, angle, 0.0]))))
    return made
