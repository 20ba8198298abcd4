"""What an outside program and a driven arm say to each other (`zerog drive --input bus`)."""

from hil.common.arrays import Array
from hil.messaging.codec import Message, array_field, message, scalar_field


@message
class DriveCommand(Message):
    """What the tip shall do, in base axes: a pose to go to if there is one, else a twist."""

    twist: Array = array_field((6,), "m/s, rad/s")  # of the tip's origin, and angular
    pose: Array = array_field((-1,), "m, w x y z")  # position and quaternion, shape (7,), or empty


@message
class DriveState(Message):
    """How the arm is, once a command."""

    time: float = scalar_field("float", "s")  # simulated
    source_lost: str = scalar_field("str")  # why the arm comes to rest; empty while commands are heard
    reachable: bool = scalar_field("bool")  # the commanded pose; otherwise the arm is at the closest one
    q: Array = array_field((-1,), "rad, m")
    dq: Array = array_field((-1,), "rad/s, m/s")
    torque: Array = array_field((-1,), "N m, N")
    tip: Array = array_field((7,), "m, w x y z")  # in the base
    command: Array = array_field((7,), "m, w x y z")
    wrench_tip: Array = array_field((6,), "N, N m")  # of the environment on the tip, about it, base axes
    base_wrench: Array = array_field((6,), "N, N m")  # of the ground on the arm, about the base's origin
