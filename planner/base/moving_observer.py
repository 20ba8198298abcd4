"""Free bodies as a moving observer sees them: poses, twists, accelerations. Pure.

theory: with the observer at `x_O`, turned by `R_O`, moving with `v_O, w_O` and accelerating with `a_O,
alpha_O` (all in inertial axes), `r = p - x_O`,

    p' = R_O^T r,                                    R' = R_O^T R,
    v' = R_O^T (v - v_O - w_O x r),                  w' = R_O^T (w - w_O),
    a' = R_O^T (a - a_O - alpha_O x r - w_O x (w_O x r) - 2 w_O x (v - v_O - w_O x r)),
    alpha' = R_O^T (alpha - alpha_O - w_O x w).

Two bodies that the same observer sees have the relative pose that they have: `T_a'^-1 T_b' = T_a^-1 T_b`.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from hil.common.arrays import Array


class Motion(NamedTuple):
    """How a frame moves, a row an instant, in inertial axes.

    Attributes:
        p: its origin [m], shape (n, 3).
        quat: its orientation w x y z, shape (n, 4); continuous.
        twist: [m/s, rad/s], shape (n, 6).
        acceleration: [m/s2, rad/s2], shape (n, 6).
    """

    p: Array
    quat: Array
    twist: Array
    acceleration: Array


class Seen(NamedTuple):
    """A body's path as an observer sees it: places (n, 3), orientations (n, 4), twists (n, 6)."""

    p: Array
    quat: Array
    twist: Array


def seen(p: Array, quat: Array, twist: Array, observer: Motion) -> Seen:
    """Return a body's path in the observer's axes; orientations are continuous.

    Args:
        p: its centres, inertial axes [m], shape (n, 3).
        quat: its orientations w x y z, shape (n, 4).
        twist: its twists, inertial axes [m/s, rad/s], shape (n, 6).
        observer: at the same instants.
    """
    R = rotation_of(observer.quat)
    r, w = p - observer.p, observer.twist[:, 3:]
    v = twist[:, :3] - observer.twist[:, :3] - np.cross(w, r)
    turned = (R.inv() * rotation_of(quat)).as_quat(scalar_first=True)
    both = np.hstack((R.apply(v, inverse=True), R.apply(twist[:, 3:] - w, inverse=True)))
    return Seen(R.apply(r, inverse=True), continuous(turned, quat[0]), both)


def seen_acceleration(p: Array, twist: Array, acceleration: Array, observer: Motion) -> Array:
    """Return a body's acceleration in the observer's axes [m/s2, rad/s2], shape (n, 6).

    Of a free body, `acceleration` zero, it is what the observer fakes, and an arm before him must do.

    Args:
        p: its centres, inertial axes [m], shape (n, 3).
        twist: its twists, shape (n, 6).
        acceleration: of them, shape (n, 6).
        observer: at the same instants.
    """
    R, r, w = rotation_of(observer.quat), p - observer.p, observer.twist[:, 3:]
    v = twist[:, :3] - observer.twist[:, :3] - np.cross(w, r)
    a_O, alpha_O = observer.acceleration[:, :3], observer.acceleration[:, 3:]
    faked = a_O + np.cross(alpha_O, r) + np.cross(w, np.cross(w, r)) + 2.0 * np.cross(w, v)
    turning = acceleration[:, 3:] - alpha_O - np.cross(w, twist[:, 3:])
    linear = R.apply(acceleration[:, :3] - faked, inverse=True)
    return np.hstack((linear, R.apply(turning, inverse=True)))


def rotation_of(quat: Array) -> Rotation:
    """Return orientations w x y z, shape (n, 4), as rotations."""
    return Rotation.from_quat(quat, scalar_first=True)


def continuous(quat: Array, near: Array) -> Array:
    """Return orientations (n, 4) of which each is nearest to the one before, the first one to `near` (4,)."""
    before = np.vstack((near, quat[:-1]))
    turned: Array = quat * np.cumprod(np.where(np.sum(before * quat, axis=1) < 0.0, -1.0, 1.0))[:, None]
    return turned
