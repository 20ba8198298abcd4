"""An object's path as a moving base sees it, so that the arm is planned as if its base stood; compiled.

theory: with the base at `p_B`, turned by `R_B = Rz(psi)`, `p' = R_B^T (p - p_B)`, `R' = R_B^T R`,
`v' = R_B^T (v - v_B - w_B z x (p - p_B))`, `w' = R_B^T (w - w_B z)`.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array


@njit(cache=True)
def seen_from_base(p: Array, quat: Array, twist: Array, base: Array) -> tuple[Array, Array, Array]:
    """Return the path in the base's axes: places (n, 3), orientations (n, 4), twists (n, 6).

    Orientations are as continuous as the object's and the base's heading, which is not wrapped, are.

    Args:
        p: the object's centres, world [m], shape (n, 3).
        quat: its orientations w x y z, shape (n, 4).
        twist: its twists, world axes [m/s, rad/s], shape (n, 6).
        base: pose (x, y [m], heading [rad]), rate, and more that is not needed, shape (n, 3, 3).
    """
    n = p.shape[0]
    p_base, quat_base, twist_base = np.empty((n, 3)), np.empty((n, 4)), np.empty((n, 6))
    for i in range(n):
        x, v = base[i, 0], base[i, 1]
        c, s = math.cos(x[2]), math.sin(x[2])
        dx, dy = p[i, 0] - x[0], p[i, 1] - x[1]
        _turned_into(p_base[i], c, s, dx, dy, p[i, 2])
        vx, vy = twist[i, 0] - v[0] + v[2] * dy, twist[i, 1] - v[1] - v[2] * dx
        _turned_into(twist_base[i, :3], c, s, vx, vy, twist[i, 2])
        _turned_into(twist_base[i, 3:], c, s, twist[i, 3], twist[i, 4], twist[i, 5] - v[2])
        c, s = math.cos(0.5 * x[2]), math.sin(0.5 * x[2])
        w, a, b, z = quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3]
        quat_base[i, 0], quat_base[i, 3] = c * w + s * z, c * z - s * w
        quat_base[i, 1], quat_base[i, 2] = c * a + s * b, c * b - s * a
    return p_base, quat_base, twist_base


@njit(cache=True)
def _turned_into(out: Array, c: float, s: float, x: float, y: float, z: float) -> None:
    """Write a vector of the world in axes that are turned about z, by cosine and sine of the angle."""
    out[0], out[1], out[2] = c * x + s * y, c * y - s * x, z
