"""The arm angle over object time: a uniform cubic B-spline with control points at the knots.

theory: on the interval [k h, (k + 1) h] the spline depends on the control points k - 1 to k + 2 only,
and value, rate and acceleration are continuous whatever they are. So a new plan that keeps the control
points up to k + 2 continues the old one smoothly from within that interval, and leaves its path
unchanged up to the interval's end.
"""

import numpy as np
from numba import njit

from hil.common.arrays import Array

STIFFNESS = 4.0  # weight of squared second differences against squared distances from the data


@njit(cache=True)
def arm_angle_at(control: Array, first: int, knot: float, s: float) -> float:
    """Return the arm angle [rad] at object time `s`; constant beyond the control points.

    Args:
        control: control points [rad], shape (n,).
        first: number of the first one: it stands at object time `first * knot`.
        knot: spacing [s].
        s: object time [s].
    """
    x = s / knot - first
    k = int(np.floor(x))
    u = x - k
    last = control.shape[0] - 1
    a = control[min(max(k - 1, 0), last)]
    b = control[min(max(k, 0), last)]
    c = control[min(max(k + 1, 0), last)]
    d = control[min(max(k + 2, 0), last)]
    v = 1.0 - u
    return (
        v * v * v * a
        + (4.0 - 6.0 * u * u + 3.0 * u * u * u) * b
        + (4.0 - 6.0 * v * v + 3.0 * v * v * v) * c
        + u * u * u * d
    ) / 6.0


@njit(cache=True)
def smoothed(control: Array, fixed: int) -> Array:
    """Return control points bent less, the first `fixed` of them (at least 2) as they were.

    Minimises the squared distances from `control` plus STIFFNESS times the squared second differences.
    The program's arm angles lie on a grid; this takes the steps of the grid out of the path.

    Args:
        control: control points [rad], shape (n,).
        fixed: how many at the beginning stay.
    """
    n = control.shape[0]
    free = n - fixed
    result = control.copy()
    if free <= 0:
        return result
    A = np.eye(free)
    right = control[fixed:].copy()
    weights = (1.0, -2.0, 1.0)
    for k in range(fixed - 1, n - 1):  # second difference at k: points k - 1, k, k + 1
        for i in range(3):
            row = k - 1 + i - fixed
            if row < 0:
                continue
            for j in range(3):
                column = k - 1 + j - fixed
                product = STIFFNESS * weights[i] * weights[j]
                if column < 0:
                    right[row] -= product * control[column + fixed]
                else:
                    A[row, column] += product
    bent = np.linalg.solve(A, right)
    for i in range(free):
        result[fixed + i] = bent[i]
    return result
