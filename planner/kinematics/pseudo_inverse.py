"""Joint velocities for a small twist: the damped pseudo-inverse that spares slow joints."""

import numpy as np
from numba import njit

from hil.common.arrays import Array

DAMPING = 1e-6  # mu over the largest diagonal entry: far from singularities nothing of a twist is lost


@njit(cache=True)
def joint_velocity_for(J: Array, twist: Array, velocity: Array) -> Array:
    """Return dq = W J^T (J W J^T + mu I)^-1 twist with W = diag(velocity^2), shape (7,).

    It minimises sum (dq_i / velocity_i)^2; the damping `mu` bounds it near singularities.

    Args:
        J: Jacobian, rows linear then angular, shape (6, 7).
        twist: in the axes of `J` [m/s, rad/s], shape (6,).
        velocity: joint speeds that weight the joints [rad/s], shape (7,).
    """
    n = J.shape[1]
    M = np.zeros((6, 6))
    for i in range(6):
        for j in range(i + 1):
            total = 0.0
            for m in range(n):
                total += J[i, m] * velocity[m] * velocity[m] * J[j, m]
            M[i, j] = total
    mu = 0.0
    for i in range(6):
        mu = max(mu, M[i, i])
    x = twist.copy()
    for i in range(6):  # Cholesky: M becomes its lower factor, x is solved along
        M[i, i] += DAMPING * mu
        for j in range(i + 1):
            total = M[i, j]
            for m in range(j):
                total -= M[i, m] * M[j, m]
            M[i, j] = np.sqrt(total) if i == j else total / M[j, j]
        for m in range(i):
            x[i] -= M[i, m] * x[m]
        x[i] /= M[i, i]
    for i in range(5, -1, -1):
        for m in range(i + 1, 6):
            x[i] -= M[m, i] * x[m]
        x[i] /= M[i, i]
    dq = np.zeros(n)
    for m in range(n):
        for i in range(6):
            dq[m] += J[i, m] * x[i]
        dq[m] *= velocity[m] * velocity[m]
    return dq
