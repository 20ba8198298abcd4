"""The MuJoCo model of the arm with the held mock-up, from the URDF; world axes, gravity on.

The mock-up is a box of the configured edge, screwed to the tcp with the middle of a face, so that its
centre lies half an edge along the tcp's z axis.
"""

from pathlib import Path

import mujoco
import numpy as np

from drivers.robot.urdf_for_physics import BASE, FLANGE, JOINTS, urdf_for_physics
from hil.common.arm_files import read_arm
from hil.common.arrays import Array, frozen_array
from hil.common.engine import hear_warnings
from hil.common.errors import RobotModelError
from hil.configuration.frames import Frames, mockup_centre
from hil.configuration.schema import Configuration

MOCKUP = "mockup"
# the drives' inertia on the joint side and the joints' elasticity: assumptions for an arm of this size
ROTOR_INERTIA = frozen_array([0.3, 0.3, 0.15, 0.15, 0.06, 0.04, 0.04])  # kg m2
JOINT_STIFFNESS = frozen_array([1e4, 1e4, 1e4, 8e3, 5e3, 5e3, 3e3])  # N m/rad
JOINT_DAMPING = frozen_array([30.0, 30.0, 20.0, 15.0, 8.0, 6.0, 4.0])  # N m s/rad
HELD = 1e6  # kg m2; inertia of a rotor whose motion is prescribed


def robot_spec(configuration: Configuration, frames: Frames) -> mujoco.MjSpec:
    """Return the editable model: the arm on its mount, with the mock-up at the tcp.

    Raises:
        RobotModelError: the file is no URDF that MuJoCo takes, or lacks the named bodies and joints.
    """
    spec = arm_spec(configuration.robot.model, frames.T_world_base)
    _attach_mockup(spec, configuration, frames)
    return spec


def arm_spec(path: Path, T_world_base: Array) -> mujoco.MjSpec:
    """Return the editable model of the bare arm on its mount.

    Args:
        path: of the URDF or the assembly.
        T_world_base: the mount, shape (4, 4).

    Raises:
        RobotModelError: the file is no URDF that MuJoCo takes, or lacks the named bodies and joints.
    """
    hear_warnings()
    try:
        spec = mujoco.MjSpec.from_string(urdf_for_physics(read_arm(path).urdf, path)[0])
    except (ValueError, OSError) as error:
        raise RobotModelError(f"{path}: the physics engine refuses it: {_in_a_line(error)}") from error
    for name in (BASE, FLANGE):
        if spec.body(name) is None:
            raise RobotModelError(f"{path}: there is no link {name!r}")
    spec.body(BASE).pos = T_world_base[:3, 3]
    spec.body(BASE).quat = quat_of(T_world_base)
    spec.option.timestep = 1e-3
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    return spec


def compiled(spec: mujoco.MjSpec, path: Path) -> mujoco.MjModel:
    """Return the model of an arm.

    Args:
        spec: of the arm, and of what was added to it.
        path: of the arm's file.

    Raises:
        RobotModelError: the physics engine refuses it.
    """
    try:
        return spec.compile()
    except (ValueError, mujoco.FatalError) as error:
        raise RobotModelError(f"{path}: the physics engine refuses it: {_in_a_line(error)}") from error


def _in_a_line(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else " ".join(str(error).split())


def _attach_mockup(spec: mujoco.MjSpec, configuration: Configuration, frames: Frames) -> None:
    mockup, tcp = configuration.mockup, frames.T_flange_tcp
    body = spec.body(FLANGE).add_body(name=MOCKUP, pos=tcp[:3, 3], quat=quat_of(tcp))
    centre = mockup_centre(configuration)
    body.explicitinertial = True
    body.mass, body.ipos, body.inertia = mockup.mass, centre, mockup.inertia
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=np.full(3, 0.5 * mockup.edge),
        pos=centre,
        contype=0,
        conaffinity=0,
        rgba=[0.85, 0.7, 0.3, 1.0],
    )


def add_rotors(spec: mujoco.MjSpec, prescribed: bool) -> None:
    """Give each joint a rotor behind a spring: coordinates R1..R7 after A1..A7, in joint angles.

    Args:
        spec: the model to extend.
        prescribed: the rotors' motion is set from outside, nothing pushes them back.
    """
    for i, name in enumerate(JOINTS):
        rotor = spec.worldbody.add_body(name=f"rotor_{i + 1}")
        rotor.explicitinertial = True
        rotor.mass, rotor.inertia = 1e-3, np.full(3, 1e-6)
        joint = rotor.add_joint(name=f"R{i + 1}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0.0, 0.0, 1.0])
        joint.armature = HELD if prescribed else ROTOR_INERTIA[i]
        spring = spec.add_tendon(name=f"spring_{i + 1}", springlength=[0.0, 0.0])
        # polynomials in the deflection; only the linear term is used
        spring.stiffness, spring.damping = [JOINT_STIFFNESS[i], 0.0, 0.0], [JOINT_DAMPING[i], 0.0, 0.0]
        spring.wrap_joint(name, 1.0)
        spring.wrap_joint(f"R{i + 1}", -1.0)


def joint_range(model: mujoco.MjModel) -> Array:
    """Return the arm's least and greatest joint positions [rad], shape (7, 2); infinite without limits."""
    joints = [model.joint(name) for name in JOINTS]
    limited = [bool(model.jnt_limited[joint.id]) for joint in joints]
    return frozen_array(
        [joint.range if on else (-np.inf, np.inf) for joint, on in zip(joints, limited, strict=True)]
    )


def quat_of(T: Array) -> Array:
    """Return the attitude w x y z of a pose (4, 4), by the physics engine: drawing needs no kernels."""
    quat = np.empty(4)
    mujoco.mju_mat2Quat(quat, T[:3, :3].ravel())
    return quat
