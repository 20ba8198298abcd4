"""What the dashboard hears of the run."""

from dataclasses import dataclass
from typing import Protocol

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.messaging.base_messages import BaseReport
from hil.messaging.bus import Bus
from hil.messaging.codec import Message
from hil.messaging.grasp_messages import PartnerWords
from hil.messaging.messages import Contact, Mode, PortBlock, Prediction, RobotState, SimState

EVERY = ("cycles", "impulse", "slice_times", "times_sim", "times_planner", "sim_state")
NEWEST = ("mode", "robot_state", "prediction")


class Way(Protocol):
    """Where the object goes."""

    @property
    def p_world_object(self) -> Array:
        """Its centre, world [m], shape (n, 3)."""


@dataclass
class Last:
    """The newest of what is shown as it is now."""

    mode: Mode | None = None
    robot: RobotState | None = None
    sim: SimState | None = None
    path: Way | None = None
    contact: Contact | None = None  # of a recording; live the daemon tells of it
    base: BaseReport | None = None  # of what carries the arm
    partner: PartnerWords | None = None  # the second arm
    port: Array | None = None  # point of an emulated port's face, world [m], shape (3,)

    def take(self, msg: Message) -> None:
        """Take a message if it is one of these."""
        if isinstance(msg, Mode):
            self.mode = msg
        elif isinstance(msg, RobotState):
            self.robot = msg
        elif isinstance(msg, SimState):
            self.sim = msg
        elif isinstance(msg, Prediction):
            self.path = msg
        elif isinstance(msg, BaseReport):
            self.base = msg
        elif isinstance(msg, PartnerWords):
            self.partner = msg
        elif isinstance(msg, PortBlock) and len(msg.p_world_port):
            self.port = msg.p_world_port[-1].astype(float)


class Hearing:
    """The topics that the dashboard reads."""

    def __init__(self, bus: Bus, configuration: Configuration) -> None:
        emulated = configuration.robot.kind == "emulated"
        every = (*EVERY, "truth") if emulated else EVERY
        newest = NEWEST if configuration.base.kind == "none" else (*NEWEST, "base_report")
        if configuration.grasp is not None:
            newest = (*newest, "partner_words")
        if emulated and configuration.port is not None:
            every = (*every, "port")
        self._readers = [bus.subscriber(name, Message, every=name in every) for name in (*every, *newest)]
        self.last = Last()

    def turn(self) -> list[Message]:
        """Return what has come since the last turn, each topic's in its order."""
        found = [msg for reader in self._readers for msg in reader.drain()]
        for msg in found:
            self.last.take(msg)
        return found
