"""An assembled manipulator as MuJoCo's model, alone or in a scene.

Bodies' frames are those of the chain. Its shapes touch the scene's, never one another: that an arm
meets itself is not seen. A bend touches as a capsule along its chord.
"""

import math
from pathlib import Path

import mujoco
import numpy as np

from hil.common.arrays import Array
from hil.common.engine import hear_warnings
from hil.common.errors import SceneError
from hil.common.geometry import quat_from_matrix
from sim.assembly.chain import pose_of
from sim.assembly.component_schema import Shape
from sim.assembly.manipulator import Manipulator, PlacedBody
from sim.chain.serial_chain import SerialChain

SATELLITE, BODY, JOINT = "arm_satellite", "arm_body_", "arm_joint_"
LEAST = 1e-13  # [kg, kg m2] MuJoCo moves nothing lighter


def model_of(
    manipulator: Manipulator,
    chain: SerialChain | None = None,
    scene: Path | None = None,
    T_world_base: Array | None = None,
    satellite: tuple[float, Array] | None = None,
    dt: float = 0.001,
) -> mujoco.MjModel:
    """Return the model of a manipulator, its joints `arm_joint_1` and so on.

    Args:
        manipulator: an assembly as a mechanism.
        chain: instead of its chain (other armatures).
        scene: MuJoCo's file with what is around it; None: nothing.
        T_world_base: pose of the base, shape (4, 4).
        satellite: mass [kg] and inertia (3, 3) [kg m2] of a free body that the base stands on.
        dt: step [s].

    Raises:
        SceneError: MuJoCo refuses the scene or the whole.
    """
    hear_warnings()
    try:
        spec = mujoco.MjSpec() if scene is None else mujoco.MjSpec.from_file(str(scene))
        if scene is None:
            spec.option.gravity = manipulator.gravity
        spec.option.timestep = dt
        _add_arm(spec, manipulator, chain or manipulator.chain, T_world_base, satellite)
        return spec.compile()
    except (ValueError, mujoco.FatalError) as error:
        where = manipulator.name if scene is None else str(scene)
        raise SceneError(f"{where}: {str(error).splitlines()[0]}") from None


def _add_arm(
    spec: mujoco.MjSpec,
    manipulator: Manipulator,
    chain: SerialChain,
    T_world_base: Array | None,
    satellite: tuple[float, Array] | None,
) -> None:
    T, parent = np.eye(4) if T_world_base is None else T_world_base, spec.worldbody
    if satellite is not None:
        parent = _add_body(parent, SATELLITE, T, satellite[0], np.zeros(3), satellite[1])
        parent.add_freejoint()
        T = np.eye(4)
    for i in range(len(chain.linear) + 1):
        if i > 0:
            T = chain.placements[i - 1]
        parent = _add_body(parent, f"{BODY}{i}", T, chain.masses[i], chain.centres[i], chain.inertias[i])
        if i > 0:
            kind = mujoco.mjtJoint.mjJNT_SLIDE if chain.linear[i - 1] else mujoco.mjtJoint.mjJNT_HINGE
            parent.add_joint(
                name=f"{JOINT}{i}", type=kind, axis=chain.axes[i - 1], armature=chain.armatures[i - 1]
            )
        for placed in manipulator.units[i]:
            _add_shapes(parent, placed)


def _add_body(
    parent: mujoco.MjsBody, name: str, T: Array, mass: float, centre: Array, inertia: Array
) -> mujoco.MjsBody:
    """Add a body with its inertia said outright."""
    return parent.add_body(
        name=name,
        pos=T[:3, 3],
        quat=quat_from_matrix(T[:3, :3]),
        explicitinertial=True,
        mass=max(mass, LEAST),
        ipos=centre,
        fullinertia=inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]] + [LEAST, LEAST, LEAST, 0.0, 0.0, 0.0],
    )


def _add_shapes(body: mujoco.MjsBody, placed: PlacedBody) -> None:
    for shape in placed.body.shapes:
        kind, size, own = _solid(shape)
        T = placed.T_unit_body @ pose_of(shape.position, shape.rotvec) @ own
        body.add_geom(
            type=kind, size=size, pos=T[:3, 3], quat=quat_from_matrix(T[:3, :3]), mass=0.0, contype=1,
            conaffinity=0, rgba=[*shape.colour, 1.0],
        )  # fmt: skip


def _solid(shape: Shape) -> tuple[mujoco.mjtGeom, list[float], Array]:
    """Return type, size and own place of the geometry that stands for a solid."""
    first, second, third = shape.size.tolist()
    geom = mujoco.mjtGeom
    if shape.solid == "box":
        return geom.mjGEOM_BOX, [first / 2, second / 2, third / 2], np.eye(4)
    if shape.solid == "sphere":
        return geom.mjGEOM_SPHERE, [first, 0.0, 0.0], np.eye(4)
    if shape.solid == "bend":  # from the origin along z to (second, 0, second): its chord
        chord = pose_of(np.array([second / 2, 0.0, second / 2]), np.array([0.0, math.pi / 4, 0.0]))
        return geom.mjGEOM_CAPSULE, [first, second / math.sqrt(2.0), 0.0], chord
    kind = geom.mjGEOM_CYLINDER if shape.solid == "cylinder" else geom.mjGEOM_CAPSULE
    return kind, [first, second / 2, 0.0], np.eye(4)
