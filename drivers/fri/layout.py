"""The two datagrams of KUKA's Fast Research Interface 1.0: sizes, identifiers, enumerations, order.

Little endian, naturally aligned without padding. Each datagram is a block of mixed header fields and
then a block of 32-bit floats only; the tables below name the pieces of the float blocks. On the wire
the rotational part of every six-vector, and the rotational rows of the Jacobian, stand in the order
z, y, x; `MONITOR_ORDER` and `COMMAND_ORDER` turn the whole float block to x, y, z and back (each
permutation is its own inverse).
"""

import struct
from enum import IntEnum, IntFlag

import numpy as np

from hil.common.arrays import IntArray

JOINTS = 7
MONITOR_SIZE = 916
COMMAND_SIZE = 376
MONITOR_ID = 0x2006
COMMAND_ID = 0x1005
SEQUENCE_MODULUS = 65536
# first KRL integer of a client that is there, of one that is ready, and of one that wants to stop
KRL_PRESENT, KRL_START, KRL_STOP = 1, 10, 20
ALL_DRIVES = 0x7F  # one bit a drive
# joint speeds that the controller takes in a cycle, as quoted from the files of one [deg/s]
CONTROLLER_SPEEDS = (120.0, 120.0, 160.0, 160.0, 250.0, 220.0, 220.0)

# sequence counts, size, id; 16 real, 16 int, bool bits and fill of the KRL block; then what is below
MONITOR_HEADER = struct.Struct("<4H16f16i2Hf2H3f4fI4H")  # interface state, statistics, robot state
COMMAND_HEADER = struct.Struct("<4H16f16i2HI")  # command flags


class SessionState(IntEnum):
    """State of the controller's interface."""

    OFF = 0
    MONITOR = 1
    COMMAND = 2


class Quality(IntEnum):
    """The controller's verdict on the link; commanding is allowed above UNACCEPTABLE."""

    UNACCEPTABLE = 0
    BAD = 1
    OK = 2
    PERFECT = 3


class ControlStrategy(IntEnum):
    """The controller's control law."""

    OTHER = 0
    POSITION = 1
    CARTESIAN_IMPEDANCE = 2
    JOINT_IMPEDANCE = 3


class CommandFlags(IntFlag):
    """Which fields of a command are valid."""

    JOINT_POSITION = 0x0001
    JOINT_TORQUE = 0x0004
    JOINT_STIFFNESS = 0x0010
    JOINT_DAMPING = 0x0020
    CARTESIAN_POSE = 0x0100
    TCP_WRENCH = 0x0400
    CARTESIAN_STIFFNESS = 0x1000
    CARTESIAN_DAMPING = 0x2000


def _slices(fields: dict[str, int]) -> dict[str, slice]:
    """Return the place of each named piece in a float block, from the number of floats of each."""
    places, start = {}, 0
    for name, count in fields.items():
        places[name] = slice(start, start + count)
        start += count
    return places


MONITOR_FLOATS = _slices(
    {
        "temperature": 7,  # deg C
        "q_measured": 7,  # rad
        "pose_measured": 12,  # rows of the 3x4 frame, m
        "q_commanded": 7,  # rad, without the share of this interface
        "q_offset": 7,  # rad, the share of this interface; the total command is the sum
        "pose_commanded": 12,
        "pose_offset": 12,
        "torque_measured": 7,  # N m
        "torque_external": 7,  # N m, estimated
        "wrench_external": 6,  # N, N m, estimated
        "jacobian": 42,  # 6x7
        "mass_matrix": 49,  # 7x7, kg m2
        "gravity": 7,  # N m
    }
)
COMMAND_FLOATS = _slices(
    {
        "q": 7,  # rad
        "pose": 12,  # rows of the 3x4 frame, m
        "torque": 7,  # N m
        "wrench": 6,  # N, N m
        "joint_stiffness": 7,  # N m/rad
        "joint_damping": 7,  # 1
        "cartesian_stiffness": 6,  # N/m, N m/rad
        "cartesian_damping": 6,  # 1
    }
)
MONITOR_FLOAT_COUNT = MONITOR_FLOATS["gravity"].stop
COMMAND_FLOAT_COUNT = COMMAND_FLOATS["cartesian_damping"].stop


def _rotations_swapped(count: int, vectors: list[slice], jacobian: slice | None) -> IntArray:
    order = np.arange(count)
    for place in vectors:
        order[place] = order[place][[0, 1, 2, 5, 4, 3]]
    if jacobian is not None:
        order[jacobian] = order[jacobian].reshape(6, JOINTS)[[0, 1, 2, 5, 4, 3]].ravel()
    order.setflags(write=False)
    return order


MONITOR_ORDER = _rotations_swapped(
    MONITOR_FLOAT_COUNT, [MONITOR_FLOATS["wrench_external"]], MONITOR_FLOATS["jacobian"]
)
COMMAND_ORDER = _rotations_swapped(
    COMMAND_FLOAT_COUNT,
    [COMMAND_FLOATS[name] for name in ("wrench", "cartesian_stiffness", "cartesian_damping")],
    None,
)
