"""A rigid body of point masses in motion, and what its momentum changes by: an oracle without tensors."""

import numpy as np
from scipy.spatial.transform import Rotation

from hil.common.arrays import Array

MASSES = np.array([0.2, 0.15, 0.1, 0.05, 0.12])  # [kg]
PLACES = np.array(
    [[0.1, 0.02, -0.03], [-0.08, 0.06, 0.04], [0.03, -0.11, 0.07], [0.02, 0.05, -0.12], [-0.05, 0.0, 0.09]]
)  # about the object's centre, object axes [m]


def parameters() -> Array:
    """The body's ten parameters, each a sum over its points."""
    x, y, z = PLACES.T
    m = MASSES
    return np.array(
        [m.sum(), m @ x, m @ y, m @ z, m @ (y * y + z * z), m @ (x * x + z * z), m @ (x * x + y * y),
         -m @ (x * y), -m @ (x * z), -m @ (y * z)]
    )  # fmt: skip


def motion(t: Array) -> tuple[Array, Array]:
    """Attitudes (n, 3, 3) and centres (n, 3) of a smooth motion that turns and shifts about every axis.

    Two rates an axis: with one alone, acceleration goes with the place as an offset does.
    """
    phase = np.array([0.3, 1.1, 2.0])
    p, turn = np.tile([0.7, 0.1, 0.3], (len(t), 1)), np.zeros((len(t), 3))
    for share in (0.4, 1.6):
        p += 0.012 / share * np.sin(2.0 * np.pi * share * np.outer(t, [1.3, 1.9, 2.3]) + phase)
        turn += 0.03 / share * np.sin(2.0 * np.pi * share * np.outer(t, [1.6, 2.2, 1.1]) - phase)
    first = Rotation.from_rotvec([0.4, -0.7, 0.2])
    return (first * Rotation.from_rotvec(turn)).as_matrix(), p


def wrench(t: Array, h: float = 1e-4) -> Array:
    """What moves the body: the rate of its points' momentum about the centre, object axes, (n, 6)."""
    R, p = motion(t)

    def points(at: Array) -> Array:
        R_at, p_at = motion(at)
        return p_at[:, None, :] + np.einsum("nij,kj->nki", R_at, PLACES)

    a = (points(t + h) - 2.0 * points(t) + points(t - h)) / h**2
    force = np.einsum("k,nki->ni", MASSES, a)
    torque = np.einsum("k,nki->ni", MASSES, np.cross(points(t) - p[:, None, :], a))
    return np.concatenate([np.einsum("nji,nj->ni", R, x) for x in (force, torque)], axis=1)
