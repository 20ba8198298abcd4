"""What a second arm's client says of itself, and what the driver answers it, daemon and page."""

from hil.common.arrays import Array, IntArray, SingleArray
from hil.messaging.codec import Message, array_field, message, scalar_field


@message
class PartnerWords(Message):
    """Where the second arm is and what its gripper does; `t_ns` is the instant of its controller's packet."""

    p_world_tip: Array = array_field((3,), "m")  # middle between its pads, as measured
    quat_world_tip: Array = array_field((4,), "1")
    q: Array = array_field((7,), "rad")  # its joints, as measured
    opening: float = scalar_field("float", "m")  # of each pad from the middle
    pads: Array = array_field((2,), "N")  # what each presses with
    closed: bool = scalar_field("bool")  # its gripper is told to close, and does not stand open
    phase: str = scalar_field("str")  # what it does
    trouble: str = scalar_field("str")  # why it cannot go on; empty if it can


@message
class GraspReport(Message):
    """How a grasp is; `t_ns` is the instant at which the mock-up was where it says."""

    p_world_object: Array = array_field((3,), "m")  # the mock-up as measured: the object's centre
    quat_world_object: Array = array_field((4,), "1")
    twist_world_object: Array = array_field((6,), "m/s, rad/s")  # of it, world axes
    floating: bool = scalar_field("bool")  # by the order that the driver obeys; else the second arm stands
    open: bool = scalar_field("bool")  # the gripper is to be opened, whatever the plan says
    state: str = scalar_field("str")  # FREE, NEAR, TOUCH, GRASPED, RELEASING
    law: str = scalar_field("str")  # by which a late force acts; empty before the first grasp
    why: str = scalar_field("str")  # why all must be held; empty if nothing speaks against floating
    gap: float = scalar_field("float", "m")  # between bar and pad; negative within it
    force: float = scalar_field("float", "N")  # that the mock-up feels beyond the baseline
    torque: float = scalar_field("float", "N m")  # the same about the bar's middle
    peak: float = scalar_field("float", "N")  # greatest such force so far
    gain: float = scalar_field("float", "J")  # greatest energy that the grasp has created

    @property
    def held(self) -> bool:
        """Whether the second arm's plan stands."""
        return not self.floating or bool(self.why)


@message
class GraspInputs(Message):
    """What the driver consumed of a second arm, in order: to run it again."""

    process: int = scalar_field("int")  # whose core
    start: int = scalar_field("int")  # rows of this core before this block
    # of each: samples that the core had taken, kind, now; then of words (kind 0) 0 and whether they say
    # closed, of a judgement (kind 1) the newest sample's instant, 0 for none, and flags: 1 by the order the
    # object floats, 2 it was reported
    rows: IntArray = array_field((-1, 5), "1, 1, ns, ns, 1", "i8")
    words: Array = array_field((-1, 17), "m, 1, rad, m, N")  # place, attitude, joints, opening, pads
    said: str = scalar_field("str")  # JSON: number among the block's words, phase, trouble, where they change


@message
class SecondInputs(Message):
    """What an emulated second controller consumed in the cycles of the first one: to run it again."""

    process: int = scalar_field("int")  # whose core
    start: int = scalar_field("int")  # the first cycle
    cycles: int = scalar_field("int")  # how many
    rows: IntArray = array_field((-1,), "1", "i8")  # cycle in which each answer was taken
    latencies: SingleArray = array_field((-1,), "s", "f4")  # of each, since the cycle's packet was sent
    answers: IntArray = array_field((-1, 47), "1", "i8")  # the datagrams, as words of eight bytes
