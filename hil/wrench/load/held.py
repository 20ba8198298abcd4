"""The load that hangs at a force sensor: what the mock-up weighs and what it shows when it moves. Pure.

The robot's estimate has the load taken out by the controller; a sensor feels all of it.
"""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import cross
from hil.configuration import Configuration
from hil.configuration.frames import Frames, pose_of
from hil.wrench.load.inertial import COLUMNS, PARAMETERS, ROWS

GRAVITY = 9.81  # [m/s2]


def held_parameters(c: Configuration, p_tcp_mockup: Array) -> Array:
    """Return the mock-up's ten inertial parameters about the object's centre, in its axes, shape (10,).

    As in `hil.wrench.load.inertial`: mass, first moment, inertia. What was found beside the load data
    (`mockup.found`) is not part of it.

    Args:
        c: the run's.
        p_tcp_mockup: the mock-up's centre of mass in tcp axes [m], shape (3,).
    """
    T = Frames.from_configuration(c).T_tcp_object
    R, m = T[:3, :3], c.mockup.mass
    d = R.T @ (p_tcp_mockup - T[:3, 3])
    L = R.T @ np.diag(c.mockup.inertia) @ R + m * (d @ d * np.eye(3) - np.outer(d, d))
    return np.concatenate(([m], m * d, L[ROWS, COLUMNS]))


def all_held(c: Configuration, p_tcp_mockup: Array) -> Array:
    """Return the same, what was found beside the load data included."""
    found = c.mockup.found
    return held_parameters(c, p_tcp_mockup) + (np.zeros(PARAMETERS) if found is None else found.parameters)


@dataclass(frozen=True)
class HeldWeight:
    """Says what the load's weight reads at the sensor.

    Attributes:
        mass: that hangs at the sensor [kg].
        moment: its first moment about the sensor's origin, sensor axes [kg m], shape (3,).
        R_flange_sensor: the sensor's axes in the flange, shape (3, 3).
        down: gravity's acceleration in base axes [m/s2], shape (3,).
    """

    mass: float
    moment: Array
    R_flange_sensor: Array
    down: Array

    @classmethod
    def of(cls, c: Configuration, p_tcp_mockup: Array) -> "HeldWeight":
        """Return the weight of a configuration's load; for `p_tcp_mockup` see `held_parameters`."""
        frames, T_flange_sensor = Frames.from_configuration(c), pose_of(c.sensor.rotvec, c.sensor.position)
        held = all_held(c, p_tcp_mockup)
        R, p = T_flange_sensor[:3, :3], T_flange_sensor[:3, 3]
        T = frames.T_flange_object
        from_sensor = held[0] * (T[:3, 3] - p) + T[:3, :3] @ held[1:4]
        down = frames.T_world_base[:3, :3].T @ np.array([0.0, 0.0, -GRAVITY])
        return cls(float(held[0]), R.T @ from_sensor, R, down)

    def read(self, R_base_flange: Array) -> Array:
        """Return what the weight reads about the sensor's origin, sensor axes [N, N m], shape (6,)."""
        g = self.R_flange_sensor.T @ (R_base_flange.T @ self.down)
        return np.concatenate((self.mass * g, cross(self.moment, g)))
