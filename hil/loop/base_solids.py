"""What there is to see of a base that carries the arm: its deck, and where all that it carries is."""

import math

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.loop.solid import Solid, multiplied

BASE = "base"  # frame of the vehicle's origin
COLOUR = np.array([0.3, 0.33, 0.38, 1.0])
THICK = 0.12  # [m] of the deck
PLATE = 0.4  # [m] edge, where nobody says how large the deck is


def base_frames(configuration: Configuration) -> list[str]:
    """Return the base's frame, if there is a base."""
    return [] if configuration.base.kind == "none" else [BASE]


def base_solids(configuration: Configuration) -> list[Solid]:
    """Return the deck, on the base's frame; nothing where the arm stands."""
    base = configuration.base
    if base.kind == "none":
        return []
    mount = configuration.robot.mount_position
    low, high = mount[:2] - 0.5 * PLATE, mount[:2] + 0.5 * PLATE
    top = float(mount[2])
    if base.deck is not None:
        (low, high), top = base.deck, base.deck_height
    size = np.array([*(high - low), THICK])
    p = np.array([*(0.5 * (low + high)), top - 0.5 * THICK])
    return [Solid(BASE, "box", size, p, np.array([1.0, 0.0, 0.0, 0.0]), COLOUR)]


def carried_frames(p: Array, quat: Array, pose: Array) -> tuple[Array, Array]:
    """Return places (n, 3) and attitudes w x y z (n, 4) in the world of what stands so on a base.

    `pose` is the base's: x, y [m] and heading [rad], shape (3,).
    """
    c, s = math.cos(pose[2]), math.sin(pose[2])
    out = p @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    out[:, :2] += pose[:2]
    turn = np.array([math.cos(0.5 * pose[2]), 0.0, 0.0, math.sin(0.5 * pose[2])])
    return out, np.array([multiplied(turn, one) for one in quat])
