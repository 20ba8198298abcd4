"""Where the flange is, how fast it moves and accelerates, from the joints' motion: forward recursion.

For a chain of revolute joints, base to flange, in base axes: with each joint's axis `z` and origin `p`,
`omega += z dq`, `alpha += z ddq + omega x z dq`, and along a rigid lever `r`
`v += omega x r`, `a += alpha x r + omega x (omega x r)`. Gravity is not part of it.
"""

from dataclasses import dataclass, field

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.triples import (
    added,
    axis_rotation_into,
    column,
    crossed,
    product_into,
    scaled,
    triple,
    turned,
)


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
    R, turned_R, about_joint = np.eye(3), np.empty((3, 3)), np.empty((3, 3))
    rest = (0.0, 0.0, 0.0)
    p, w, v_p, w_rate, a_p = rest, rest, rest, rest, rest
    for i in range(8):
        r = turned(R, triple(origins[i]))
        turning = crossed(w, r)
        p = added(p, r)
        v_p = added(v_p, turning)
        a_p = added(a_p, added(crossed(w_rate, r), crossed(w, turning)))
        product_into(turned_R, R, rotations[i])
        if i == 7:
            break
        z = turned(turned_R, triple(axes[i]))
        for k in range(3):
            joint_origins[i, k], joint_axes[i, k] = p[k], z[k]
        w_rate = added(w_rate, added(scaled(z, ddq[i]), scaled(crossed(w, z), dq[i])))
        w = added(w, scaled(z, dq[i]))
        axis_rotation_into(about_joint, triple(axes[i]), q[i])
        product_into(R, turned_R, about_joint)
    for k in range(3):
        T[k, 3] = p[k]
        for j in range(3):
            T[k, j] = turned_R[k, j]
        omega[k], v[k], alpha[k], a[k] = w[k], v_p[k], w_rate[k], a_p[k]


@njit(cache=True)
def _jacobian(p_flange_point: Array, T: Array, joint_origins: Array, joint_axes: Array) -> Array:
    J = np.empty((6, 7))
    point = added(column(T, 3), turned(T, triple(p_flange_point)))
    for i in range(7):
        x, y, z = triple(joint_axes[i])
        origin = joint_origins[i]
        a, b, c = point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]
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
    R_world_flange = np.empty((3, 3))
    product_into(R_world_flange, T_world_base, T_base_flange)
    product_into(T, R_world_flange, T_flange_body)
    lever = turned(T_base_flange, column(T_flange_body, 3))
    p = added(column(T_world_base, 3), turned(T_world_base, added(column(T_base_flange, 3), lever)))
    w = triple(omega)
    linear = turned(T_world_base, added(triple(v), crossed(w, lever)))
    angular = turned(T_world_base, w)
    for k in range(3):
        T[k, 3] = p[k]
        twist[k], twist[3 + k] = linear[k], angular[k]
