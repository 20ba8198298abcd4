"""The object's motion from measured joints, before anything is smoothed."""

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.wrench.load.inertial import Acceleration
from planner.kinematics.arm_geometry import Geometry
from planner.kinematics.forward import flange_pose


def held_poses(arm: Geometry, q: Array, T_flange_object: Array) -> tuple[Array, Array]:
    """Return attitude (n, 3, 3) and centre [m], (n, 3), of the object in base, for joints (n, 7) [rad]."""
    poses = _poses(arm, np.ascontiguousarray(q), np.ascontiguousarray(T_flange_object))
    return poses[:, :3, :3], poses[:, :3, 3]


def raw_motion(R: Array, p: Array, step: float) -> Acceleration:
    """Return the motion at all instants but the first and the last, by differences: as rough as the encoders.

    Whoever smooths the wrench smooths what comes of this alike, and both are then late alike.

    Args:
        R: attitudes, shape (n, 3, 3), evenly apart.
        p: centres [m], shape (n, 3).
        step: between two of them [s].
    """
    a = np.einsum("nji,nj->ni", R[1:-1], np.diff(p, 2, axis=0)) / step**2
    before, after = _turns(R[1:-1], R[:-2]) / step, _turns(R[1:-1], R[2:]) / step
    return Acceleration(a, 0.5 * (after - before), (after + before) / step)


def _turns(R_from: Array, R_to: Array) -> Array:
    """Return rotation vectors of small turns, in the axes of the first, shape (n, 3)."""
    D = np.einsum("nji,njk->nik", R_from, R_to)
    twice = np.stack([D[:, 2, 1] - D[:, 1, 2], D[:, 0, 2] - D[:, 2, 0], D[:, 1, 0] - D[:, 0, 1]], axis=1)
    sine: Array = 0.5 * twice
    return sine


@njit(cache=True)
def _poses(arm: Geometry, q: Array, T_flange_object: Array) -> Array:
    found = np.empty((q.shape[0], 4, 4))
    for k in range(q.shape[0]):
        found[k] = flange_pose(arm, q[k]) @ T_flange_object
    return found
