"""What is said of bodies that move inside the object: the user's orders, and what they make of it."""

from hil.common.arrays import Array, IntArray
from hil.messaging.codec import Message, array_field, message, scalar_field


@message
class InsideJoints(Message):
    """A user's order: where the joints inside shall be and how fast.

    From `t_ns` on (docs/understand/inside.md).
    """

    q: Array = array_field((-1,), "rad")
    dq: Array = array_field((-1,), "rad/s")


@message
class InsideTurn(Message):
    """The orders that the simulation's core took in its turn at `t_ns`: to run it again."""

    process: int = scalar_field("int")  # whose core
    # of each order: instant, number of its joints and of its speeds
    orders: IntArray = array_field((-1, 3), "ns, 1, 1", "i8")
    q: Array = array_field((-1,), "rad")  # of all orders, end to end
    dq: Array = array_field((-1,), "rad/s")


@message
class InsideState(Message):
    """How an object with bodies inside answers a push at `t_ns`, and what all its bodies have together."""

    epoch: int = scalar_field("int")
    object_time: float = scalar_field("float", "s")
    # twist of the object's frame per impulse on it, object axes, for a push that is answered early
    mobility: Array = array_field((6, 6), "m/s, rad/s per N s, N m s")
    p_world_centre: Array = array_field((3,), "m")  # centre of mass of all bodies
    momentum_world: Array = array_field((6,), "N s, N m s")  # of all bodies, angular about that centre
    energy: float = scalar_field("float", "J")  # of all bodies, and of all springs
    work: float = scalar_field("float", "J")  # what bodies that move by themselves have done so far
    coordinates: Array = array_field((-1,), "rad")  # joints, or modal deflections in the root of kg times m
    refused: int = scalar_field("int")  # orders that no joint can follow
    reason: str = scalar_field("str")  # why the last of them was refused


@message
class InsideTaken(Message):
    """The driver's core took a state of the bodies inside: to run it again."""

    process: int = scalar_field("int")  # whose core
    taken: int = scalar_field("int")  # samples that it had taken before it was given the state
    state_ns: int = scalar_field("int", "ns")  # instant of the state
