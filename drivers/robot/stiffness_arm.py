"""The arm in joint stiffness mode: its joints as springs and dampers, with friction in them.

The controller's law is that of the LWR's joint stiffness mode,

    tau = K (q_d - q) - D dq + g(q)

with g the gravity torques by the controller's own load data. The joint's torque loop is taken to reach
`tau`, which is therefore also what the joint's torque sensor reads; Coulomb and viscous friction of the
joint act behind it.
"""

from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

from drivers.robot.model import ROTOR_INERTIA, arm_spec
from drivers.robot.urdf_for_physics import FLANGE, JOINTS
from hil.common.arrays import Array

N = len(JOINTS)
TOOL = "tool"
STICKING = (0.9999, 0.9999, 0.001, 0.5, 2.0)  # impedance of dry friction: by default a joint at rest creeps


@dataclass(frozen=True, eq=False)
class JointControl:
    """How each joint is held and how it rubs; each shape (7,).

    Attributes:
        stiffness: K [N m/rad].
        damping: D [N m s/rad].
        coulomb: dry friction of the joint [N m].
        viscous: friction in proportion to the speed [N m s/rad].
    """

    stiffness: Array
    damping: Array
    coulomb: Array
    viscous: Array


@dataclass(frozen=True)
class Tool:
    """A cylinder on the flange, along its z axis, that the arm carries.

    Attributes:
        mass: that it really has [kg].
        load: that the controller believes it to have [kg].
        begin: where it begins, from the flange [m].
        end: where it ends [m].
        radius: [m].
    """

    mass: float
    load: float
    begin: float
    end: float
    radius: float


def stiffness_arm(path: Path, T_world_base: Array, control: JointControl, tool: Tool) -> mujoco.MjSpec:
    """Return the editable model: the arm on its mount with the tool, controls are the joints wanted [rad].

    Args:
        path: of the URDF.
        T_world_base: the mount, shape (4, 4).
        control: of the joints.
        tool: on the flange, body `TOOL`, with the flange's frame.

    Raises:
        RobotModelError: the file is no URDF that MuJoCo takes, or lacks the named bodies and joints.
    """
    spec = arm_spec(path, T_world_base)
    for body in spec.bodies[1:]:
        body.gravcomp = 1.0
    _attach(spec, tool)
    for i, name in enumerate(JOINTS):
        joint = spec.joint(name)
        joint.armature = ROTOR_INERTIA[i]
        joint.frictionloss = control.coulomb[i]
        joint.solimp_friction[:] = STICKING
        joint.damping = [control.viscous[i], 0.0, 0.0]  # a polynomial in the speed
        joint.limited = mujoco.mjtLimited.mjLIMITED_FALSE  # the sequence is checked against the limits
        motor = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        motor.set_to_position(kp=control.stiffness[i], kv=control.damping[i])
    return spec


def _attach(spec: mujoco.MjSpec, tool: Tool) -> None:
    body = spec.body(FLANGE).add_body(name=TOOL)
    body.gravcomp = tool.load / tool.mass
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CYLINDER,
        fromto=[0.0, 0.0, tool.begin, 0.0, 0.0, tool.end],
        size=[tool.radius, 0.0, 0.0],
        mass=tool.mass,
        contype=0,
        conaffinity=0,
    )


def damping_at(model: mujoco.MjModel, q: Array, stiffness: Array, ratio: float) -> Array:
    """Return the damping `2 z sqrt(K M_ii)` at joints `q` [N m s/rad], shape (7,).

    Args:
        model: the arm's; its first seven coordinates are the joints.
        q: joint positions [rad], shape (7,).
        stiffness: K [N m/rad], shape (7,).
        ratio: z.
    """
    data = mujoco.MjData(model)
    data.qpos[:N] = q
    mujoco.mj_forward(model, data)
    mass = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, mass)
    return np.asarray(2.0 * ratio * np.sqrt(stiffness * np.diag(mass)[:N]))
