"""The emulated second controller's socket: its own UDP port, in the first one's cycle."""

import logging
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.grasp.second_log import SecondLog
from drivers.fri.bound_socket import bound_socket
from hil.common.errors import BadMessage
from hil.configuration.schema import Configuration

if TYPE_CHECKING:  # a run without a second arm loads nothing of it
    from drivers.emulation.grasp.second_controller import SecondController

log = logging.getLogger("zerog.emulator")
SecondMaker = Callable[[Configuration, EmulatedController], "SecondController | None"]
BUFFER_SIZE = 2048
TAKEN = 64  # datagrams at one go


class SecondServer:
    """Speaks the wire for an emulated second controller.

    Attributes:
        controller: the second arm's.
        refused: datagrams that were no answer.
        log: what the controller consumed.
    """

    def __init__(self, controller: "SecondController", configuration: Configuration, client: str) -> None:
        """Bind a port of its controller's address; `client` is the address of whoever leads the arm.

        Raises:
            LinkError: the address is not this machine's.
        """
        partner, fri = configuration.partner, configuration.fri
        assert partner is not None
        self.controller, self.refused = controller, 0
        self.log = SecondLog(fri.sample_time, os.getpid())
        self._client = client, partner.port
        own, key = partner.controller_address, "partner.controller_address"
        at, named = (own, key) if own else (fri.controller_address, "fri.controller_address")
        self._socket = bound_socket(at, 0, named, "partner.port")
        self._there = False  # the newest packet has left
        self._told = ""

    @property
    def owed(self) -> bool:
        """Whether a client is there that owes an answer."""
        return self._there and self.controller.owed

    def send(self) -> None:
        """Send the cycle's packet."""
        try:
            self._socket.sendto(self.controller.send(), self._client)
            self._there = True
        except OSError:  # nobody there yet, or no longer: an unanswered packet like any other
            self._there = False

    def take(self, latency: float) -> None:
        """Take what has come up to so long [s] after the cycle's packet was sent."""
        latency = float(np.float32(latency))  # as it is logged
        for _ in range(TAKEN):
            try:
                data, sender = self._socket.recvfrom(BUFFER_SIZE)
            except BlockingIOError:
                return
            except OSError:  # of something that was sent before
                self._there = False
                continue
            try:
                if sender != self._client:
                    raise BadMessage(f"datagrams come from {sender[0]} port {sender[1]}: dropped")
                self.controller.receive(data, latency)
                self.log.answer(data, latency)
            except BadMessage as error:
                self.refused += 1
                if self.refused == 1:
                    log.warning("second arm: %s", error)

    def advance(self) -> None:
        """Go on to the next cycle; tell when command state was left."""
        self.controller.advance()
        self.log.cycle()
        reason = self.controller.fall_back_reason
        if reason != self._told:
            log.warning("the second arm's controller falls back to monitor mode: %s", reason)
            self._told = reason

    def close(self) -> None:
        """Release the port."""
        self._socket.close()
