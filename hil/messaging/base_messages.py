"""What planner, driver and a vehicle say of the base that carries the arm.

A base's motion is x, y [m] and heading [rad] in world, then their rates, then their accelerations.
"""

from hil.common.arrays import Array, IntArray
from hil.messaging.codec import Message, array_field, message, scalar_field


@message
class BasePlan(Message):
    """Where the base is to be, at the nodes of the plan with the same number: by object time, as the plan."""

    epoch: int = scalar_field("int")
    number: int = scalar_field("int")  # the prediction's and the plan's
    object_time_0: float = scalar_field("float", "s")
    step: float = scalar_field("float", "s")
    time_map: Array = array_field((4,), "s, s, 1, 1")
    motion: Array = array_field((-1, 9), "m, rad, and their rates and accelerations per s of object time")


@message
class BaseState(Message):
    """Where the vehicle is; `t_ns` is when its pose was measured."""

    pose: Array = array_field((3,), "m, m, rad")
    rate: Array = array_field((3,), "m/s, m/s, rad/s")  # as its wheels have it
    valid: bool = scalar_field("bool")  # the vehicle drives and knows where it is


@message
class BaseCommand(Message):
    """What the vehicle is told; one that is older than 100 ms is no longer obeyed: it brakes."""

    velocity: Array = array_field((3,), "m/s, m/s, rad/s")  # x, y, heading, world axes


@message
class BaseTruth(Message):
    """How an emulated vehicle really moves at `t_ns`: it carries an emulated arm, and no loop hears of it."""

    motion: Array = array_field((3, 3), "m, rad, and their rates and accelerations per s")


@message
class BaseReport(Message):
    """What the driver knows of the base, for planner, simulation, daemon and page; `t_ns` is its state's."""

    pose: Array = array_field((3,), "m, m, rad")  # the last that was believed; its heading is not wrapped
    error: Array = array_field((3,), "m, m, rad")  # measured less planned; zeros while nothing floats
    velocity: Array = array_field((3,), "m/s, m/s, rad/s")  # the last command
    trouble: str = scalar_field("str")  # why the base cannot be relied on; empty if it can


@message
class BaseInputs(Message):
    """What the driver consumed of its base, in order: to run it again."""

    process: int = scalar_field("int")  # whose core
    start: int = scalar_field("int")  # rows of this core before this block
    # of each: place among the samples (2 n behind the turn that ends with sample n, 2 n - 1 within it), kind,
    # instant, and of a command the order's instant, 0 for none; kinds: 0 a state, 1 a command
    rows: IntArray = array_field((-1, 4), "1, 1, ns, ns", "i8")
    # of a state pose, rate and whether it is valid; of a command speeds and the time since the one before
    values: Array = array_field((-1, 7), "m, rad, s, 1")


@message
class BaseSeen(Message):
    """What a core knew of the base in its turn of `t_ns`: to run it again."""

    pose: Array = array_field((3,), "m, m, rad")
    trouble: str = scalar_field("str")  # why it cannot be relied on; empty if it can


@message
class BaseRide(Message):
    """How the base moved that carried an emulated arm, cycle by cycle: to run it again."""

    cycles: IntArray = array_field((-1,), "1", "i8")  # of the controller
    motion: Array = array_field((-1, 9), "m, rad, and their rates and accelerations per s")  # from their end
