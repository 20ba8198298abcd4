"""The wrench that the missed part of the load shows, linear in ten parameters (docs/theory.md, equation 106).

    f = m a + alpha x h + omega x (omega x h),   tau = h x a + L alpha + omega x (L omega)

with mass m, first moment h and inertia L about the object's centre of mass, in its axes, and that point's
acceleration a. Gravity is not part of it: over the small turns of one motion it goes with the pose, as an
offset does.
"""

from typing import NamedTuple

import numpy as np

from hil.common.arrays import Array

PARAMETERS = 10  # m [kg]; hx hy hz [kg m]; Lxx Lyy Lzz Lxy Lxz Lyz [kg m2]
ROWS, COLUMNS = np.array([0, 1, 2, 0, 0, 1]), np.array([0, 1, 2, 1, 2, 2])  # of the inertia's six numbers


class Acceleration(NamedTuple):
    """Motion of the object, in its own axes, n instants.

    Attributes:
        a: of the centre of mass [m/s2], shape (n, 3).
        omega: angular velocity [rad/s], shape (n, 3).
        alpha: its derivative [rad/s2], shape (n, 3).
    """

    a: Array
    omega: Array
    alpha: Array


def regressor(motion: Acceleration) -> Array:
    """Return what each parameter's unit is worth in the wrench, shape (n, 6, 10)."""
    a, omega, alpha = motion
    turning, turned = crossing(omega), crossing(alpha)
    Y = np.zeros((len(a), 6, PARAMETERS))
    Y[:, :3, 0] = a
    Y[:, :3, 1:4] = turned + turning @ turning
    Y[:, 3:, 1:4] = -crossing(a)
    Y[:, 3:, 4:] = _unit_torques(alpha) + turning @ _unit_torques(omega)
    return Y


def inertia_matrix(six: Array) -> Array:
    """Return the inertia (3, 3) of its six numbers xx, yy, zz, xy, xz, yz."""
    L = np.zeros((3, 3))
    L[ROWS, COLUMNS] = L[COLUMNS, ROWS] = six
    return L


def crossing(v: Array) -> Array:
    """Return the matrices (n, 3, 3) that cross with vectors (n, 3)."""
    x, y, z = v.T
    zero = np.zeros(len(v))
    return np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]).transpose(2, 0, 1)


def _unit_torques(v: Array) -> Array:
    """Return `L v` for each of the inertia's six numbers being one, shape (n, 3, 6)."""
    found = np.zeros((len(v), 3, 6))
    for k, (i, j) in enumerate(zip(ROWS, COLUMNS, strict=True)):
        found[:, i, k] = v[:, j]
        found[:, j, k] = v[:, i]
    return found
