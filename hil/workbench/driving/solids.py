"""An assembly as plain shapes on moving frames, for recordings and pictures: one frame a link unit."""

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import quat_from_matrix
from hil.loop.solids import Solid
from sim.assembly.chain import pose_of
from sim.assembly.component_schema import Shape
from sim.assembly.manipulator import Manipulator
from sim.chain.kinematics import body_poses


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
                T = placed.T_unit_body @ pose_of(shape.position, shape.rotvec)
                kind, size = _solid(shape)
                quat = quat_from_matrix(np.ascontiguousarray(T[:3, :3]))
                made.append(Solid(name, kind, size, T[:3, 3].copy(), quat, np.array([*shape.colour, 1.0])))
    return made


def _solid(shape: Shape) -> tuple[str, Array]:
    """Return kind and full lengths of what stands for a shape: a capsule is drawn flat, a bend as its box."""
    a, b, c = shape.size
    if shape.solid == "sphere":
        return "sphere", np.full(3, 2.0 * a)
    if shape.solid in ("cylinder", "capsule"):
        return "cylinder", np.array([2.0 * a, 2.0 * a, b + (2.0 * a if shape.solid == "capsule" else 0.0)])
    return "box", np.array([a, b, c])
