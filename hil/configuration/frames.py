"""The fixed frames of a run, from its configuration."""

import math
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.configuration.schema import Configuration


@dataclass(frozen=True)
class Frames:
    """Poses (4, 4) that never change while a run lasts; names read `T_reference_subject`."""

    T_world_base: Array
    T_flange_tcp: Array
    T_tcp_object: Array
    T_flange_object: Array

    @classmethod
    def from_configuration(cls, configuration: Configuration) -> "Frames":
        """Return the frames that `configuration` describes."""
        robot, body = configuration.robot, configuration.object
        T_flange_tcp = pose_of(robot.tcp_rotvec, robot.tcp_position)
        T_tcp_object = pose_of(body.rotvec, body.position)
        return cls(
            T_world_base=pose_of(robot.mount_rotvec, robot.mount_position),
            T_flange_tcp=T_flange_tcp,
            T_tcp_object=T_tcp_object,
            T_flange_object=T_flange_tcp @ T_tcp_object,
        )


def mockup_centre(configuration: Configuration) -> Array:
    """Return the mock-up's centre of mass in tcp axes, from the tcp [m], shape (3,)."""
    return np.array([0.0, 0.0, 0.5 * configuration.mockup.edge])


def pose_of(rotvec: Array, position: Array) -> Array:
    """Return a pose (4, 4) by Rodrigues' formula; without kernels, for processes that only look on."""
    angle = math.hypot(*rotvec)
    x, y, z = rotvec / angle if angle else rotvec
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    T = np.eye(4)
    T[:3, :3] += math.sin(angle) * K + (1.0 - math.cos(angle)) * K @ K
    T[:3, 3] = position
    return T
