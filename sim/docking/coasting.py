"""Module and servicer while nothing is near: both drift as rigid bodies, in one large step."""

import mujoco
import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat
from sim.docking.model import DockingModel
from sim.orbit.rigid_drift import drifted_attitude, drifted_centre


def coast(bodies: DockingModel, data: mujoco.MjData, rate: float, time: float) -> None:
    """Let module and servicer drift; the arm keeps its joints, stiff.

    Args:
        bodies: the scene; the servicer's base is free.
        data: its state, changed in place.
        rate: mean motion of the orbit [rad/s].
        time: how long [s].
    """
    mujoco.mj_forward(bodies.model, data)
    _drift(bodies, data, bodies.module, bodies.module_qpos, bodies.module_dof, rate, time)
    _drift(bodies, data, bodies.base, bodies.base_qpos, bodies.base_dof, rate, time)


def _drift(
    bodies: DockingModel, data: mujoco.MjData, root: int, q: int, dof: int, rate: float, time: float
) -> None:
    """Move one tree of bodies as a rigid body; `q` and `dof` are its free joint's addresses."""
    centre = data.subtree_com[root].copy()
    R = data.xmat[root].reshape(3, 3).copy()
    offset = R.T @ (centre - data.xpos[root])  # centre of mass in the root's frame
    omega = R @ data.qvel[dof + 3 : dof + 6]
    v = data.qvel[dof : dof + 3] + np.cross(omega, R @ offset)
    centre, v = drifted_centre(centre, v, rate, time)
    inertia = R.T @ _inertia(bodies, data, root) @ R
    quat, omega = drifted_attitude(data.qpos[q + 3 : q + 7].copy(), omega, inertia, rate, time)
    R = matrix_from_quat(quat)
    data.qpos[q : q + 3] = centre - R @ offset
    data.qpos[q + 3 : q + 7] = quat
    data.qvel[dof : dof + 3] = v - np.cross(omega, R @ offset)
    data.qvel[dof + 3 : dof + 6] = R.T @ omega


def _inertia(bodies: DockingModel, data: mujoco.MjData, root: int) -> Array:
    """Return a tree's inertia about its centre of mass, world axes [kg m2], shape (3, 3)."""
    model, total = bodies.model, np.zeros((3, 3))
    for b in np.flatnonzero(model.body_rootid == root):
        R, r = data.ximat[b].reshape(3, 3), data.xipos[b] - data.subtree_com[root]
        total += R @ np.diag(model.body_inertia[b]) @ R.T
        total += model.body_mass[b] * (r @ r * np.eye(3) - np.outer(r, r))
    return total
