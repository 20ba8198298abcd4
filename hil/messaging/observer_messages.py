"""What the planners of two arms that share a motion say of the observer before whom they show it."""

from hil.common.arrays import Array, IntArray
from hil.messaging.codec import Message, array_field, message, scalar_field


@message
class ObserverKnots(Message):
    """The observer's path in force, by the first body's object time.

    As the first arm's planner lays it, `t_ns` is the instant from which it was laid; as either planner took
    it for a plan, that of the prediction.
    """

    epochs: IntArray = array_field((2,), "1", "i8")  # of both bodies' floating; 0: he has not set off yet
    object_time: float = scalar_field("float", "s")  # of the first body, from which the path was laid
    ahead: float = scalar_field("float", "s")  # of the first body's object time over the planned one's
    time_map: Array = array_field((4,), "s, s, 1, 1")  # of the first body's object time, from `t_ns` on
    first: int = scalar_field("int")  # number of the first knot on the grid of object time
    axes: Array = array_field((-1, 3, 6), "m, rad, and their rates and accelerations per s of object time")
    charts: Array = array_field((-1, 4), "w x y z")
    stop: str = scalar_field("str")  # why both arms must be held; empty if they need not
