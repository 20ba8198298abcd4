"""The client's side of a controller under Cartesian impedance: poses of the tip go there, not joints.

Gripper and pads travel in KRL variables, by the program of the arm's controller (docs/use/own/partner.md).
"""

import math
from typing import NamedTuple

import numpy as np

from drivers.fri.clock import Order
from drivers.fri.codec import NO_INTS, CommandDatagram, MonitorDatagram, encode_command
from drivers.fri.layout import (
    KRL_PRESENT,
    KRL_START,
    KRL_STOP,
    SEQUENCE_MODULUS,
    CommandFlags,
    ControlStrategy,
    Quality,
)
from drivers.fri.session import FriSample, FriSession
from hil.common.arrays import Array
from hil.common.errors import LinkError
from hil.configuration.schema import Fri

GRIP_SLOT = 1  # KRL integer of the client that closes the gripper with 1 and opens it with 0
OPENING_SLOT, PAD_SLOTS = (
    0,
    (1, 2),
)  # KRL reals of the controller: way of a finger [mm], forces of the pads [N]
FARTHEST = 100.0  # [m]; beyond it a number is no place


class Tip(NamedTuple):
    """What a packet says of the tip.

    Attributes:
        T_base_tip: as measured, in the arm's base (4, 4).
        T_base_commanded: what the controller commands in total, (4, 4).
        q: joints [rad], (7,).
        opening: of each finger from the middle [m].
        pads: what each pad presses with [N], (2,).
    """

    T_base_tip: Array
    T_base_commanded: Array
    q: Array
    opening: float
    pads: Array


class TipSession(FriSession):
    """A session whose answers are poses of the tip.

    Attributes:
        stiffness: told with every pose, along and about the axes [N/m, N m/rad], (6,).
    """

    ADDRESS_KEY = "partner.controller_address"

    def __init__(self, fri: Fri, stiffness: Array) -> None:
        """Prepare a session with the interface that `fri` describes, under this stiffness."""
        super().__init__(fri)
        self.stiffness = np.array(stiffness)
        self._newest = MonitorDatagram()

    @property
    def tip(self) -> Tip:
        """What the newest packet in order says."""
        d = self._newest
        return Tip(
            pose_of_rows(d.part("pose_measured")),
            pose_of_rows(d.part("pose_commanded")),
            d.q_measured,
            1e-3 * d.krl_real[OPENING_SLOT],
            np.array([d.krl_real[slot] for slot in PAD_SLOTS]),
        )

    @property
    def trouble(self) -> str:
        """Why the newest packet does not let the tip be led; empty if it does."""
        d = self._newest
        if d.control != ControlStrategy.CARTESIAN_IMPEDANCE:
            return (
                "the second arm's controller is not under Cartesian impedance: set $STIFFNESS.STRATEGY in "
                "its program to 20 before friStart"
            )
        numbers = (*d.part("pose_measured"), *d.part("pose_commanded"), *d.krl_real[:3])
        if not all(math.isfinite(x) for x in numbers) or max(map(abs, numbers[:24])) > FARTHEST:
            return "the second arm's controller tells a place of its tip that is none"
        return ""

    def answer_tip(
        self, sample: FriSample, T_base_tip: Array | None, closed: bool, stops: bool = False
    ) -> bytes:
        """Return the one answer to a sample's datagram.

        Args:
            sample: not answered so far.
            T_base_tip: where the tip is to be, (4, 4); None: where the controller has it.
            closed: whether the gripper is to be closed.
            stops: the controller is to leave command state: nobody leads it any more.

        Raises:
            LinkError: the datagram has been answered already.
        """
        if sample.answered:
            raise LinkError(f"FRI: datagram {sample.sequence} has been answered; each is answered once")
        sample.answered = True
        self._sequence = (self._sequence + 1) % SEQUENCE_MODULUS
        reply = CommandDatagram(self._sequence, sample.sequence)
        reply.flags = int(CommandFlags.CARTESIAN_POSE | CommandFlags.CARTESIAN_STIFFNESS)
        asking = 0
        if self._fri.handshake == "krl_int":
            asking = KRL_START if sample.quality >= Quality.OK else KRL_PRESENT
        asking = KRL_STOP if stops else asking
        reply.krl_int = (asking, int(closed), *NO_INTS[2:])
        led = T_base_tip is not None and sample.commanding and not sample.new_session
        T = T_base_tip if led and T_base_tip is not None else self.tip.T_base_commanded
        reply.part("pose")[:] = T[:3].ravel()
        reply.part("cartesian_stiffness")[:] = self.stiffness
        return encode_command(reply)

    def _sample(self, datagram: MonitorDatagram, q_commanded: Array, t_ns: int, order: Order) -> FriSample:
        if order is not Order.LATE:
            self._newest = datagram
        return super()._sample(datagram, q_commanded, t_ns, order)


def pose_of_rows(rows: Array) -> Array:
    """Return a pose (4, 4) by the rows of its 3x4 frame, (12,)."""
    T = np.eye(4)
    T[:3] = rows.reshape(3, 4)
    return T
