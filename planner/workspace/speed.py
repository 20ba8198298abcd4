"""How fast the object may move at each pose of a certified set, arm angle at rest, worst direction."""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from planner.kinematics.inverse import solve_into
from planner.workspace.flood import coordinates
from planner.workspace.set_geometry import SetGeometry, object_pose_at, speed_shares
from planner.workspace.slack import ArmBounds

DIFFERENCE = 1e-6  # [m, rad] of the central differences
STANDING = 1e3  # factor where the object does not move


@njit(cache=True, error_model="numpy")
def joint_rates(
    arm: ArmBounds, geometry: SetGeometry, T_base_object: Array, arm_angle: float, branch: int
) -> Array:
    """Return the derivative of the joints by the object's twist at constant arm angle, shape (7, 6).

    Twist is linear, then angular velocity of the object's centre, base axes.
    """
    rates = np.empty((7, 6))
    plus, minus, near = np.empty(7), np.empty(7), np.zeros(7)
    T_flange = T_base_object @ geometry.T_object_flange
    lever = T_flange[:3, 3] - T_base_object[:3, 3]
    T = T_flange.copy()
    for axis in range(6):
        for side in (1.0, -1.0):
            T[:] = T_flange
            if axis < 3:
                T[axis, 3] += side * DIFFERENCE
            else:
                after, last = (axis + 1) % 3, (axis + 2) % 3
                for column in range(4):  # to first order; the second cancels in the difference
                    x, y = T_flange[after, column], T_flange[last, column]
                    if column == 3:
                        x, y = lever[after], lever[last]
                    T[after, column] -= side * DIFFERENCE * y
                    T[last, column] += side * DIFFERENCE * x
            q = plus if side > 0.0 else minus
            solve_into(q, arm.lengths, arm.signs, T, arm_angle, branch, near)
        for j in range(7):
            rates[j, axis] = (plus[j] - minus[j]) / (2.0 * DIFFERENCE)
    return rates


@njit(cache=True, error_model="numpy")
def speed_factor(rates: Array, speed: float, spin: float, velocity: Array) -> tuple[float, int]:
    """Return the factor on speed and spin, both at once, that a joint's limit allows, and that joint.

    Args:
        rates: derivative of the joints by the twist, shape (7, 6).
        speed: largest speed of the object's centre, any direction [m/s].
        spin: largest angular speed, any direction [rad/s].
        velocity: joint speeds allowed [rad/s], shape (7,).
    """
    factor, joint = STANDING, 0
    for j in range(7):
        linear = math.sqrt(rates[j, 0] ** 2 + rates[j, 1] ** 2 + rates[j, 2] ** 2)
        angular = math.sqrt(rates[j, 3] ** 2 + rates[j, 4] ** 2 + rates[j, 5] ** 2)
        needed = speed * linear + spin * angular
        if needed * factor > velocity[j]:
            factor, joint = velocity[j] / needed, j
    return factor, joint


@njit(cache=True, error_model="numpy")
def speeds_into(
    factor: Array,
    best: IntArray,
    joint: IntArray,
    first: int,
    last: int,
    arm: ArmBounds,
    geometry: SetGeometry,
    shape: IntArray,
    arm_angles: Array,
    branch: int,
    low: IntArray,
    high: IntArray,
    speed: float,
    spin: float,
    velocity: Array,
) -> None:
    """Write for poses `first` to `last - 1` the factor at the best arm angle of the interval.

    Args:
        factor: receives the factor on speed and spin, shape (n,).
        best: receives the step of the arm angle that allows it, shape (n,).
        joint: receives the joint that bounds it, shape (n,).
        first: pose to begin with.
        last: pose to end before.
        arm: the arm.
        geometry: the set.
        shape: points of the grid along each axis, shape (6,).
        arm_angles: all round the circle [rad], shape (m,).
        branch: 0 to 7.
        low: first step of every pose's interval, shape (n,).
        high: last step of every pose's interval, shape (n,).
        speed: of the object's centre [m/s].
        spin: of the object [rad/s].
        velocity: joint speeds allowed [rad/s], shape (7,).
    """
    m = arm_angles.shape[0]
    for i in range(first, last):
        u = coordinates(i, shape, geometry.inner)
        T = object_pose_at(geometry, u)
        share, spin_share = speed_shares(geometry, u)
        factor[i] = -1.0
        for step in range(low[i], high[i] + 1):
            rates = joint_rates(arm, geometry, T, arm_angles[step % m], branch)
            allowed, by = speed_factor(rates, share * speed, spin_share * spin, velocity)
            if allowed > factor[i]:
                factor[i], best[i], joint[i] = allowed, step, by
