"""The motion that animated exports show: each joint swings there and back in its turn."""

import numpy as np

from hil.common.arrays import Array
from sim.assembly.manipulator import Manipulator

KEYS = (0.0, 0.25, 0.5, 0.75, 1.0)  # of a joint's turn
TURN = 0.4  # rad
SHARE = 0.1  # of a linear joint's way


def home_of(manipulator: Manipulator) -> Array:
    """Return the middle of each joint's range, where simulations begin too [rad, m], shape (n,)."""
    return np.asarray(0.5 * (manipulator.lower + manipulator.upper))


def swing(manipulator: Manipulator) -> list[Array]:
    """Return for each joint its positions at `KEYS` of its turn [rad, m], each (5,), within its limits."""
    shown = []
    for axis, home in zip(manipulator.axes, home_of(manipulator), strict=True):
        reach = SHARE * (axis.joint.upper - axis.joint.lower) if axis.linear else TURN
        way = np.array([0.0, reach, 0.0, -reach, 0.0])
        shown.append(np.clip(home + way, axis.joint.lower, axis.joint.upper))
    return shown
