"""A weight that hangs at the emulated arm, as a technician hangs one to check the measured wrench.

It pulls straight down at a point of the tool; it has no inertia of its own and does not swing.
"""

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import cross
from hil.configuration.frames import Frames

GRAVITY = 9.81  # [m/s2]


class HungWeight:
    """A weight at a point of the tool."""

    def __init__(self, frames: Frames, mass: float, lever: Array) -> None:
        """Hang it.

        Args:
            frames: of the run.
            mass: [kg].
            lever: where it hangs, from the tcp, tcp axes [m], shape (3,).
        """
        R, p = frames.T_tcp_object[:3, :3], frames.T_tcp_object[:3, 3]
        self._force = np.array([0.0, 0.0, -mass * GRAVITY])
        self._point = np.ascontiguousarray(R.T @ (lever - p))  # from the centre of mass, object axes

    def wrench(self, R_world_object: Array) -> Array:
        """Return what it exerts about the object's centre of mass, world axes [N, N m], shape (6,)."""
        return np.concatenate((self._force, cross(R_world_object @ self._point, self._force)))
