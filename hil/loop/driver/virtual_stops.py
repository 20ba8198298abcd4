"""The world's stops, which push the simulated body during a real contact as well.

The driver flies the body itself then, so it must feel what the world lets it feel besides.
"""

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.configuration import Configuration
from sim.world.stops import RATE, pack_stops, stop_torque


class VirtualStops:
    """The stops of a configuration, as a wrench on the body.

    Attributes:
        wrench: at the place looked at last, world axes about the centre [N, N m], shape (6,).
    """

    def __init__(self, c: Configuration) -> None:
        self._packed = pack_stops(c.stops, c.object.inertia)
        self._mass, self._half = c.object.mass, 0.5 * c.fri.sample_time
        self._inertia = c.object.inertia
        self.wrench = np.zeros(6)

    def acceleration(self, R: Array, pace: float) -> Array:
        """Return what it does to the body as it is seen, object time at a pace [m/s2, rad/s2].

        `R` (3, 3) is the body's attitude; world axes, (6,).
        """
        turning = R @ (self.wrench[3:] @ R / self._inertia)
        return pace * pace * np.concatenate((self.wrench[:3] / self._mass, turning))

    def at(self, p: Array, quat: Array, twist: Array) -> Array:
        """Return the wrench in the middle of the cycle that begins there.

        Args:
            p: the body's centre of mass, world [m], shape (3,).
            quat: its orientation, w x y z, shape (4,).
            twist: its twist, world axes [m/s, rad/s], shape (6,).
        """
        wrench_into(self.wrench, p, quat, twist, self._packed, self._mass, self._half)
        return self.wrench


@njit(cache=True, error_model="numpy")
def wrench_into(
    out: Array, p: Array, quat: Array, twist: Array, stops: Array, mass: float, ahead: float
) -> None:
    """Write the stops' wrench (6,) on a body `ahead` [s] of a state (docs/theory.md, Stops).

    Args:
        out: world axes about the centre [N, N m].
        p: the body's centre, world [m].
        quat: its orientation, w x y z.
        twist: its twist, world axes [m/s, rad/s].
        stops: as packed.
        mass: of the body [kg].
        ahead: by how much the place is later than the state [s].
    """
    for i in range(3):
        depth = p[i] + ahead * twist[i] - stops[i]
        side = 1.0 if depth >= 0.0 else -1.0
        beyond = side * depth - stops[3 + i]
        out[i] = -side * mass * stops[RATE] ** 2 * beyond if beyond > 0.0 else 0.0
    out[3], out[4], out[5] = stop_torque(quat[0], quat[1], quat[2], quat[3], stops)
