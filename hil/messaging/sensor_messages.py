"""What the driver tells of a force sensor of its own clock."""

from hil.common.arrays import Array, IntArray
from hil.messaging.codec import Message, array_field, message, scalar_field


@message
class SensorState(Message):
    """How a force sensor's stream is, and its clock."""

    offset_ns: int = scalar_field("int", "ns")  # host time of the stream's first record, as it is known now
    drift: float = scalar_field("float")  # by how much the sensor's second is longer than the host's
    jitter: float = scalar_field("float", "s")  # greatest lateness of a record within the last second
    lost: int = scalar_field("int")  # records that never came,
    duplicates: int = scalar_field("int")  # that came twice,
    late: int = scalar_field("int")  # and that newer ones had overtaken
    restarts: int = scalar_field("int")  # times that its numbers began anew
    status: int = scalar_field("int")  # its status word
    tared: bool = scalar_field("bool")
    bias: Array = array_field((6,), "N, N m")  # in force, sensor axes
    trouble: str = scalar_field("str")  # why no motion may begin, in words; empty if one may


@message
class SensorInputs(Message):
    """The sensor's records that the driver's core consumed since the block before: to run it again."""

    process: int = scalar_field("int")  # whose core; another one began anew
    start: int = scalar_field("int")  # records that its core had taken before this block
    # samples that the core had taken before it was given the record; arrival by the host's clock; number in
    # the stream, number of the measurement, status; force and torque in counts
    rows: IntArray = array_field((-1, 11), "1", "i8")
