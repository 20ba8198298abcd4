"""The fixed frames of a run, from its configuration."""

from dataclasses import dataclass

from hil.arrays import Array
from hil.configuration.schema import Configuration
from hil.geometry import matrix_from_quat, quat_from_rotvec, transform_from


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
        T_flange_tcp = _pose(robot.tcp_rotvec, robot.tcp_position)
        T_tcp_object = _pose(body.rotvec, body.position)
        return cls(
            T_world_base=_pose(robot.mount_rotvec, robot.mount_position),
            T_flange_tcp=T_flange_tcp,
            T_tcp_object=T_tcp_object,
            T_flange_object=T_flange_tcp @ T_tcp_object,
        )


def _pose(rotvec: Array, position: Array) -> Array:
    return transform_from(matrix_from_quat(quat_from_rotvec(rotvec)), position)
