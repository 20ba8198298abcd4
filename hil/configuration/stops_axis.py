"""The nominal orientation of the stops: where swing and twist are both zero."""

import math

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat, quat_multiply
from hil.configuration.schema import Stops


def nominal_quat(stops: Stops) -> Array:
    """Return the object's orientation in world at zero swing and zero twist, w x y z.

    Object z points along `(cos pitch cos yaw, cos pitch sin yaw, sin pitch)`, object y is horizontal and
    object x points below the horizon: `R = R_z(yaw) R_y(pi/2 - pitch)`.
    """
    half_yaw, half_tilt = 0.5 * stops.axis_yaw, 0.25 * math.pi - 0.5 * stops.axis_pitch
    about_z = np.array([math.cos(half_yaw), 0.0, 0.0, math.sin(half_yaw)])
    about_y = np.array([math.cos(half_tilt), 0.0, math.sin(half_tilt), 0.0])
    return quat_multiply(about_z, about_y)


def nominal_pose(stops: Stops) -> Array:
    """Return the object's pose in world in the middle of the stops, shape (4, 4)."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = matrix_from_quat(nominal_quat(stops)), stops.centre
    return T
