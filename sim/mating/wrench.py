"""What every law of mating parts gives back, and its derivative where no closed form is worth its lines."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array

SHIFT, TURN, SPEED = 1e-8, 1e-7, 1e-6  # steps of the differences [m], [rad], [m/s, rad/s]


@dataclass(frozen=True)
class Wrench:
    """Load on the moving part about its origin, in the counterpart's frame.

    Attributes:
        load: force and moment, shape (6,) [N, N m].
        phase: which surfaces touch, by the part's own names; empty when none do.
    """

    load: Array
    phase: str


@dataclass(frozen=True)
class Derivative:
    """Of a load by a small displacement and turn (both in the counterpart's frame), and by the twist.

    Attributes:
        by_pose: shape (6, 6) [N/m, N/rad, N m/m, N m/rad].
        by_twist: shape (6, 6), per m/s and rad/s.
    """

    by_pose: Array
    by_twist: Array


def moved(T: Array, step: Array) -> Array:
    """Return a pose (4, 4) displaced and turned by a small step (6,) in the outer frame."""
    out = T.copy()
    out[:3, 3] += step[:3]
    x, y, z = step[3:]
    turn = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    angle = float(np.linalg.norm(step[3:]))
    s, c = (1.0, 0.5) if angle < 1e-9 else (np.sin(angle) / angle, (1.0 - np.cos(angle)) / angle**2)
    out[:3, :3] = (np.eye(3) + s * turn + c * turn @ turn) @ T[:3, :3]
    return out


def derivative(load: Callable[[Array, Array], Array], T: Array, twist: Array) -> Derivative:
    """Return the central differences of a law `load(T, twist)`."""
    by_pose, by_twist = np.empty((6, 6)), np.empty((6, 6))
    for k in range(6):
        unit = np.eye(6)[k]
        h = SHIFT if k < 3 else TURN
        by_pose[:, k] = (load(moved(T, h * unit), twist) - load(moved(T, -h * unit), twist)) / (2.0 * h)
        by_twist[:, k] = (load(T, twist + SPEED * unit) - load(T, twist - SPEED * unit)) / (2.0 * SPEED)
    return Derivative(by_pose, by_twist)
