"""What an estimate reads at rest beside a hand's force: its offset at each place, and the missed weight.

Only of the controller's estimate: of a force sensor, tare and weight are taken out where it is read
(`hil.loop.driver.external_wrench`).
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.configuration.sensor import has_own_sensor
from hil.wrench.load.held import GRAVITY
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import flange_pose


class StandingRead(NamedTuple):
    """As the configuration has found it; base axes.

    Attributes:
        p_object_tcp: the tcp as seen from the object's centre, object axes [m], shape (3,).
        origin: place of the tcp from which on the slope counts [m], shape (3,).
        bias: what is read there beyond the missed weight [N, N m], shape (6,).
        slope: of the bias over the place [N/m, N m/m], shape (6, 3).
        gravity: acceleration; zeros where weight is not missed [m/s2], shape (3,).
    """

    p_object_tcp: Array
    origin: Array
    bias: Array
    slope: Array
    gravity: Array

    @classmethod
    def of(cls, c: Configuration, model: ArmModel) -> "StandingRead | None":
        """Return what was found of it; None: nothing, or a force sensor is read."""
        found = c.mockup.found
        if found is None or found.bias is None or has_own_sensor(c):
            return None
        frames = Frames.from_configuration(c)
        T_base_flange = flange_pose(model.geometry, np.array(c.robot.start))
        weighs = GRAVITY if found.weighs else 0.0
        gravity = frames.T_world_base[:3, :3].T @ np.array([0.0, 0.0, -weighs])
        bias = np.concatenate([found.bias, found.bias_torque])
        bias[:3] -= found.mass * gravity  # which does not turn either, and was told as part of the bias
        return cls(
            np.ascontiguousarray(np.linalg.inv(frames.T_tcp_object)[:3, 3]),
            (T_base_flange @ frames.T_flange_tcp)[:3, 3].copy(),
            bias,
            np.vstack([np.reshape(part, (3, 3)) for part in (found.slope, found.slope_torque)]),
            gravity,
        )


@njit(cache=True)
def add_standing(
    out: Array,
    T: Array,
    missed: Array,
    lever: Array,
    origin: Array,
    bias: Array,
    slope: Array,
    gravity: Array,
) -> None:
    """Take weight and offset out of a wrench about the object's centre, object axes, in place.

    Args:
        out: the wrench [N, N m], shape (6,).
        T: pose of the object in base, shape (4, 4).
        missed: ten parameters of what load data misses, shape (10,).
        lever: these, and what follows, as in `StandingRead`.
        origin: see there.
        bias: see there.
        slope: see there.
        gravity: see there.
    """
    arm, down, read = np.empty(3), np.empty(3), np.empty(6)
    for i in range(3):
        arm[i] = T[i, 0] * lever[0] + T[i, 1] * lever[1] + T[i, 2] * lever[2]
        down[i] = T[0, i] * gravity[0] + T[1, i] * gravity[1] + T[2, i] * gravity[2]
    for i in range(6):
        read[i] = bias[i]
        for k in range(3):
            read[i] += slope[i, k] * (T[k, 3] + arm[k] - origin[k])
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        read[3 + i] += arm[j] * read[k] - arm[k] * read[j]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        out[i] -= T[0, i] * read[0] + T[1, i] * read[1] + T[2, i] * read[2] + missed[0] * down[i]
        out[3 + i] -= T[0, i] * read[3] + T[1, i] * read[4] + T[2, i] * read[5]
        out[3 + i] -= missed[1 + j] * down[k] - missed[1 + k] * down[j]
