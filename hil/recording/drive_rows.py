"""What a recording of a driven arm has: rows of the tip, of the base and of each joint, changes and words."""

from hil.common.arrays import Array
from hil.messaging.codec import Message, array_field, message, scalar_field


@message
class DriveTip(Message):
    """Command and tip after a command, base axes unless said."""

    command: Array = array_field((7,), "m, w x y z")
    command_twist: Array = array_field((6,), "m/s, rad/s")
    tip: Array = array_field((7,), "m, w x y z")
    position_error: float = scalar_field("float", "m")  # of the tip from the command,
    orientation_error: float = scalar_field("float", "rad")
    inverse_position_error: float = scalar_field("float", "m")  # and of the inverse kinematics alone
    inverse_orientation_error: float = scalar_field("float", "rad")
    reachable: bool = scalar_field("bool")
    wrench: Array = array_field((6,), "N, N m")  # of the environment on the tip, about it


@message
class DriveBase(Message):
    """The arm's base: what it takes, and where it is."""

    wrench: Array = array_field(
        (6,), "N, N m"
    )  # of the ground on the arm, about the base's origin, base axes
    power: float = scalar_field("float", "W")  # electrical, of all drives
    pose: Array = array_field((7,), "m, w x y z")  # in the world
    twist: Array = array_field((6,), "m/s, rad/s")  # in the world
    momentum: Array = array_field((6,), "kg m/s, kg m2/s")  # of all that floats, about the world's origin


@message
class DriveJoint(Message):
    """One joint after a command; of joints that slide m, m/s and N stand for rad, rad/s and N m."""

    joint: int = scalar_field("int")  # from 1 on, along the chain
    q_reference: float = scalar_field("float", "rad")
    dq_reference: float = scalar_field("float", "rad/s")
    q: float = scalar_field("float", "rad")
    dq: float = scalar_field("float", "rad/s")
    torque: float = scalar_field("float", "N m")
    current: float = scalar_field("float", "A")
    winding: float = scalar_field("float", "K")  # above ambient
    housing: float = scalar_field("float", "K")  # above ambient


@message
class DriveVariable(Message):
    """A variable of what is around the tip."""

    name: str = scalar_field("str")
    value: float = scalar_field("float")


@message
class DriveNews(Message):
    """Something to be told: a target out of reach, a source that has gone, a parameter that was changed."""

    text: str = scalar_field("str")


DRIVE_CHANNELS: dict[str, type[Message]] = {
    "/drive_tip": DriveTip,
    "/drive_base": DriveBase,
    "/drive_joint": DriveJoint,
    "/drive_variable": DriveVariable,
    "/drive_news": DriveNews,
}
