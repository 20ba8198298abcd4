"""What a base's motion adds to the joint torques of an arm that it carries, and which wrench that looks like.

A controller that knows of no base takes these torques for those of a force at its tool. theory: against a
base that stands, a body of mass m at c with the velocity v, turning with w_r, lacks the force
`m (a_B + alpha x c + omega x (omega x c) + 2 omega x v)` and the torque
`I (alpha + omega x w_r) + omega x I (omega + w_r) + w_r x I omega`; the torques that it takes are
`-sum J_i^T` of these, and the wrench is the one whose `J^T w` comes nearest to them. Compiled.
"""

from typing import NamedTuple

import mujoco
import numpy as np
from numba import njit

from drivers.robot.chain import chain_of
from drivers.robot.model import arm_spec, compiled
from drivers.robot.urdf_for_physics import BASE
from hil.common.arrays import Array
from hil.common.triples import axis_rotation_into, product_into, triple
from hil.configuration import Configuration
from hil.configuration.frames import Frames, mockup_centre

JOINTS = 7


class CarriedLinks(NamedTuple):
    """The arm's links with the mock-up on the last one, each in its joint's frame."""

    origins: Array  # of the joints and the flange, as in `Chain`, shape (8, 3)
    rotations: Array  # shape (8, 3, 3)
    axes: Array  # shape (7, 3)
    masses: Array  # [kg], shape (7,)
    centres: Array  # [m], shape (7, 3)
    inertias: Array  # about the centres [kg m2], shape (7, 3, 3)
    p_flange_tcp: Array  # [m], shape (3,)


def carried_links(c: Configuration, mass_error: float = 0.0) -> CarriedLinks:
    """Return the links of a configuration's arm, `mass_error` (a share) heavier than the model says.

    Raises:
        RobotModelError: the robot model cannot be used.
    """
    frames = Frames.from_configuration(c)
    model = compiled(arm_spec(c.robot.model, np.eye(4)), c.robot.model)
    chain = chain_of(model)
    bodies: list[list[tuple[float, Array, Array]]] = [[] for _ in range(JOINTS)]
    for body in range(model.nbody):
        joint, T = _joint_of(model, body)
        if joint >= 0 and model.body_mass[body] > 0.0:
            own = _pose(model.body_iquat[body], model.body_ipos[body])
            heavier = 1.0 + mass_error
            inertia = heavier * np.diag(model.body_inertia[body])
            bodies[joint].append((heavier * float(model.body_mass[body]), T @ own, inertia))
    flange = np.eye(4)
    flange[:3, :3], flange[:3, 3] = chain.rotations[7], chain.origins[7]
    held = flange @ frames.T_flange_tcp @ _pose(np.array([1.0, 0, 0, 0]), mockup_centre(c))
    bodies[-1].append((c.mockup.mass, held, np.diag(c.mockup.inertia)))
    parts = [_together(links) for links in bodies]
    masses, centres, inertias = (np.array(column) for column in zip(*parts, strict=True))
    return CarriedLinks(
        np.array(chain.origins), np.array(chain.rotations), np.array(chain.axes), masses, centres, inertias,
        np.array(frames.T_flange_tcp[:3, 3]),
    )  # fmt: skip


def _joint_of(model: mujoco.MjModel, body: int) -> tuple[int, Array]:
    """Return the joint that moves a body, -1 for none, and the body in that joint's frame (4, 4)."""
    T = np.eye(4)
    base = model.body(BASE).id
    while body not in (0, base):
        if model.body_jntnum[body] > 0:
            return int(model.body_jntadr[body]), T
        T = _pose(model.body_quat[body], model.body_pos[body]) @ T
        body = int(model.body_parentid[body])
    return -1, T


def _pose(quat: Array, p: Array) -> Array:
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, quat)
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = matrix.reshape(3, 3), p
    return T


def _together(links: list[tuple[float, Array, Array]]) -> tuple[float, Array, Array]:
    """Return mass, centre and inertia about it of bodies (mass, pose of the centre, inertia there)."""
    mass = sum(m for m, _, _ in links)
    if mass == 0.0:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    centre = np.sum([m * T[:3, 3] for m, T, _ in links], axis=0) / mass
    inertia = np.zeros((3, 3))
    for m, T, own in links:
        d = T[:3, 3] - centre
        inertia += T[:3, :3] @ own @ T[:3, :3].T + m * (d @ d * np.eye(3) - np.outer(d, d))
    return mass, centre, inertia


@njit(cache=True)
def carried_wrench(links: CarriedLinks, q: Array, dq: Array, motion: Array) -> tuple[Array, Array]:
    """Return the joint torques (7,) that a base's motion adds [N m], and the wrench (6,) they look like.

    The wrench is about the tcp, base axes [N, N m], as if the environment exerted it.

    Args:
        links: of the arm.
        q: joint positions [rad], shape (7,).
        dq: joint speeds [rad/s], shape (7,).
        motion: of the arm's base in its own axes: acceleration, angular velocity and acceleration, (9,).
    """
    R, after, about = np.eye(3), np.empty((3, 3)), np.empty((3, 3))
    p, v, w = np.zeros(3), np.zeros(3), np.zeros(3)
    axes, origins, forces = np.empty((7, 3)), np.empty((7, 3)), np.empty((7, 9))
    a, omega, alpha = motion[:3], motion[3:6], motion[6:]
    for i in range(8):
        r = R @ links.origins[i]
        p, v = p + r, v + np.cross(w, r)
        product_into(after, R, links.rotations[i])
        if i == 7:
            break
        axes[i], origins[i] = after @ links.axes[i], p
        w = w + axes[i] * dq[i]
        axis_rotation_into(about, triple(links.axes[i]), q[i])
        product_into(R, after, about)
        c = R @ links.centres[i]
        inertia = R @ links.inertias[i] @ R.T
        at = p + c
        accelerated = a + np.cross(alpha, at) + np.cross(omega, np.cross(omega, at))
        accelerated += 2.0 * np.cross(omega, v + np.cross(w, c))
        turned = inertia @ (alpha + np.cross(omega, w)) + np.cross(w, inertia @ omega)
        turned += np.cross(omega, inertia @ (omega + w))
        forces[i, :3], forces[i, 3:6], forces[i, 6:] = -links.masses[i] * accelerated, -turned, at
    point = p + after @ links.p_flange_tcp
    tau, J = np.zeros(7), np.empty((6, 7))
    for i in range(7):
        J[:3, i], J[3:, i] = np.cross(axes[i], point - origins[i]), axes[i]
        for j in range(i, 7):
            moment = np.cross(forces[j, 6:] - origins[i], forces[j, :3]) + forces[j, 3:6]
            for k in range(3):
                tau[i] += axes[i, k] * moment[k]
    M = J @ J.T
    for i in range(6):
        M[i, i] += 1e-9
    wrench = np.zeros(6)
    wrench[:] = np.linalg.solve(M, J @ tau)
    return tau, wrench
