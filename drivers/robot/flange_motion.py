"""Where the flange is, how fast it moves and accelerates, from the joints' motion: forward recursion.

For a chain of revolute joints, base to flange, in base axes: with each joint's axis `z` and origin `p`,
`omega += z dq`, `alpha += z ddq + omega x z dq`, and along a rigid lever `r`
`v += omega x r`, `a += alpha x r + omega x (omega x r)`. Gravity is not part of it.
"""

from dataclasses import dataclass, field

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.geometry import cross


@dataclass(frozen=True, eq=False)
class Chain:
    """The fixed geometry of an arm: each joint's frame in the one before, and the flange in the last."""

    origins: Array  # (8, 3): joints 1..7, then the flange [m]
    rotations: Array  # (8, 3, 3)
    axes: Array  # (7, 3), in the joint's frame


@dataclass(slots=True, eq=False)
class FlangeMotion:
    """Motion of the flange frame in base axes; arrays are updated in place."""

    T_base_flange: Array = field(default_factory=lambda: np.eye(4))
    omega: Array = field(default_factory=lambda: np.zeros(3))  # rad/s
    v: Array = field(default_factory=lambda: np.zeros(3))  # m/s, of the flange's origin
    alpha: Array = field(default_factory=lambda: np.zeros(3))  # rad/s2
    a: Array = field(default_factory=lambda: np.zeros(3))  # m/s2, of the flange's origin
    joint_origins: Array = field(default_factory=lambda: np.zeros((7, 3)))  # m
    joint_axes: Array = field(default_factory=lambda: np.zeros((7, 3)))

    def update(self, chain: Chain, q: Array, dq: Array, ddq: Array) -> None:
        """Take the joints' positions [rad], speeds [rad/s] and accelerations [rad/s2], each (7,)."""
        _recursion_into(
            *(
                self.T_base_flange,
                self.omega,
                self.v,
                self.alpha,
                self.a,
                self.joint_origins,
                self.joint_axes,
            ),
            *(chain.origins, chain.rotations, chain.axes, q, dq, ddq),
        )

    def jacobian(self, p_flange_point: Array) -> Array:
        """Return the Jacobian (6, 7) of a point fixed in the flange [m], base axes, linear then angular."""
        return _jacobian(p_flange_point, self.T_base_flange, self.joint_origins, self.joint_axes)


@njit(cache=True)
def _axis_rotation(axis: Array, angle: float) -> Array:
    """Return the rotation (3, 3) about a unit axis (Rodrigues)."""
    c, s = np.cos(angle), np.sin(angle)
    x, y, z = axis[0], axis[1], axis[2]
    d = 1.0 - c
    return np.array(
        [
            [c + x * x * d, x * y * d - z * s, x * z * d + y * s],
            [x * y * d + z * s, c + y * y * d, y * z * d - x * s],
            [x * z * d - y * s, y * z * d + x * s, c + z * z * d],
        ]
    )


@njit(cache=True)
def rotated(R: Array, v: Array) -> Array:
    """Return the product of a matrix (3, 3) and a vector (3,)."""
    out = np.empty(3)
    for i in range(3):
        out[i] = R[i, 0] * v[0] + R[i, 1] * v[1] + R[i, 2] * v[2]
    return out


@njit(cache=True)
def _product(A: Array, B: Array) -> Array:
    out = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            out[i, j] = A[i, 0] * B[0, j] + A[i, 1] * B[1, j] + A[i, 2] * B[2, j]
    return out


@njit(cache=True)
def _recursion_into(
    T: Array,
    omega: Array,
    v: Array,
    alpha: Array,
    a: Array,
    joint_origins: Array,
    joint_axes: Array,
    origins: Array,
    rotations: Array,
    axes: Array,
    q: Array,
    dq: Array,
    ddq: Array,
) -> None:
    R, p = np.eye(3), np.zeros(3)
    for i in range(3):
        omega[i] = v[i] = alpha[i] = a[i] = 0.0
    for i in range(8):
        r = rotated(R, origins[i])
        turning = cross(omega, r)
        p += r
        v += turning
        a += cross(alpha, r) + cross(omega, turning)
        R = _product(R, rotations[i])
        if i == 7:
            break
        z = rotated(R, axes[i])
        for j in range(3):
            joint_origins[i, j], joint_axes[i, j] = p[j], z[j]
        alpha += z * ddq[i] + cross(omega, z) * dq[i]
        omega += z * dq[i]
        R = _product(R, _axis_rotation(axes[i], q[i]))
    for i in range(3):
        T[i, 3] = p[i]
        for j in range(3):
            T[i, j] = R[i, j]


@njit(cache=True)
def _jacobian(p_flange_point: Array, T: Array, joint_origins: Array, joint_axes: Array) -> Array:
    J = np.empty((6, 7))
    point = T[:3, 3] + rotated(T[:3, :3], p_flange_point)
    for i in range(7):
        x, y, z = joint_axes[i]
        a, b, c = point - joint_origins[i]
        J[0, i], J[1, i], J[2, i] = y * c - z * b, z * a - x * c, x * b - y * a
        J[3, i], J[4, i], J[5, i] = x, y, z
    return J


@njit(cache=True)
def held_body_into(
    T: Array,
    twist: Array,
    T_world_base: Array,
    T_base_flange: Array,
    T_flange_body: Array,
    omega: Array,
    v: Array,
) -> None:
    """Compute pose (4, 4) and twist (6,) in world of a body fixed in the flange.

    Args:
        T: the body's pose in world, written.
        twist: its twist in world axes [m/s, rad/s], written.
        T_world_base: the arm's mount.
        T_base_flange: the flange.
        T_flange_body: where the body is held.
        omega: angular velocity of the flange, base axes [rad/s].
        v: velocity of the flange's origin, base axes [m/s].
    """
    R_world_base, R_base_flange = T_world_base[:3, :3], T_base_flange[:3, :3]
    R_world_flange = _product(R_world_base, R_base_flange)
    lever = rotated(R_base_flange, T_flange_body[:3, 3])
    R = _product(R_world_flange, T_flange_body[:3, :3])
    p = rotated(R_world_base, T_base_flange[:3, 3] + lever)
    linear, angular = rotated(R_world_base, v + cross(omega, lever)), rotated(R_world_base, omega)
    for i in range(3):
        T[i, 3] = T_world_base[i, 3] + p[i]
        twist[i], twist[3 + i] = linear[i], angular[i]
        for j in range(3):
            T[i, j] = R[i, j]
