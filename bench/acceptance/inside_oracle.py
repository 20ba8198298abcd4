"""MuJoCo as the judge of bodies inside.

The same base, arm and panels in its own model, momenta by its own code.
"""

from pathlib import Path

import mujoco
import numpy as np

from drivers.robot.urdf_for_physics import BASE, urdf_for_physics
from hil.common.arm_files import read_arm
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.tables.inside import Panel


def judge_of(configuration: Configuration, step: float) -> mujoco.MjModel:
    """Return the free object with what is inside, by the classical Runge-Kutta method in steps of `step` [s].

    Coordinates are those of a free joint at the base's frame, then the arm's joints, then the panels'.
    """
    body, inside = configuration.object, configuration.object.inside
    assert inside is not None
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.gravity = step, [0.0, 0.0, 0.0]
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    base = spec.worldbody.add_body(name="object")
    base.add_freejoint()
    base.explicitinertial = True
    base.mass, base.ipos, base.inertia = body.mass, [0.0, 0.0, 0.0], list(body.inertia)
    if inside.arm is not None:
        _attach(spec, base, inside.arm, inside.arm_position, inside.arm_rotvec)
    for panel in inside.panel:
        _hang(base, panel)
    model = spec.compile()
    model.jnt_limited[:] = 0
    model.dof_armature[:] = 0.0
    return model


def _attach(spec: mujoco.MjSpec, base: mujoco.MjsBody, file: Path, place: Array, rotvec: Array) -> None:
    arm = mujoco.MjSpec.from_string(urdf_for_physics(read_arm(file).urdf, file)[0])
    angle = float(np.linalg.norm(rotvec))
    quat = np.array([1.0, 0.0, 0.0, 0.0])
    if angle:
        mujoco.mju_axisAngle2Quat(quat, np.array(rotvec) / angle, angle)
    spec.attach(arm, frame=base.add_frame(pos=place, quat=quat), prefix="arm_")
    assert spec.body(f"arm_{BASE}") is not None


def _hang(base: mujoco.MjsBody, panel: Panel) -> None:
    axis = np.array(panel.axis) / np.linalg.norm(panel.axis)
    arm = np.cross(axis, panel.centre)
    about = float(axis @ (panel.inertia * axis)) + panel.mass * float(arm @ arm)
    omega = 2.0 * np.pi * panel.frequency
    body = base.add_body(pos=panel.hinge)
    body.explicitinertial = True
    body.mass, body.ipos, body.inertia = panel.mass, list(panel.centre), list(panel.inertia)
    joint = body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis)
    joint.stiffness = [omega * omega * about, 0.0, 0.0]
    joint.damping = [2.0 * panel.damping * omega * about, 0.0, 0.0]


def place(
    model: mujoco.MjModel, data: mujoco.MjData, motion: tuple[Array, Array, Array], q: Array, dq: Array
) -> None:
    """Put the judge's object where a base is that moves (place, attitude, twist), with joints and speeds."""
    p, quat, twist = motion
    data.qpos[:3], data.qpos[3:7], data.qpos[7:] = p, quat, q
    R = np.empty(9)
    mujoco.mju_quat2Mat(R, np.array(quat, float))
    data.qvel[:3], data.qvel[3:6], data.qvel[6:] = twist[:3], R.reshape(3, 3).T @ twist[3:], dq
    mujoco.mj_forward(model, data)


def momenta(model: mujoco.MjModel, data: mujoco.MjData) -> tuple[Array, Array]:
    """Return the whole's centre (3,) [m] and its momenta P, L about it (6,), world axes."""
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_comVel(model, data)
    mujoco.mj_subtreeVel(model, data)
    mass = float(model.body_subtreemass[1])
    return data.subtree_com[1].copy(), np.concatenate((mass * data.subtree_linvel[1], data.subtree_angmom[1]))


def mass_matrix(model: mujoco.MjModel, data: mujoco.MjData) -> Array:
    """Return the joints' mass matrix at the pose that was computed last."""
    full = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, full)
    return full


def jacobian_twist(model: mujoco.MjModel, data: mujoco.MjData, momentum: Array) -> Array:
    """Return the base's velocity in the judge's own coordinates (6,), by the generalised Jacobian.

    theory: `v_b = A_b^-1 (h - A_j q')` with A the momenta per coordinate's speed, h the whole's momenta (6,).
    """
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_comVel(model, data)
    A = np.zeros((6, model.nv))
    linear, angular = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    mujoco.mj_jacSubtreeCom(model, data, linear, 1)
    mujoco.mj_angmomMat(model, data, angular, 1)
    A[:3], A[3:] = float(model.body_subtreemass[1]) * linear, angular
    found: Array = np.linalg.solve(A[:, :6], momentum - A[:, 6:] @ data.qvel[6:])
    return found
