"""The link between controller and driver in lock-step: packets and answers are lost and late by seed.

What the live emulation does to packets (`emulator.loss`, `emulator.jitter_ms`, and disturbances of the link)
happens here by the same draws. The driver turns once a cycle, when all has come that comes within it.
"""

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.disturbances import FROM_DRIVER, TO_DRIVER
from drivers.emulation.link import EmulatedLink
from drivers.fri.codec import CommandDatagram
from drivers.fri.session import FriSample, FriSession, joined
from hil.common.clock import nanoseconds
from hil.configuration import Configuration


class LockStepLink:
    """Both directions."""

    def __init__(self, c: Configuration, controller: EmulatedController, session: FriSession) -> None:
        """Join a controller and a driver's session."""
        self._controller, self._session, self._address = controller, session, c.fri.controller_address
        loss, jitter, seed = c.emulator.loss, c.emulator.jitter, c.run.seed
        self._to_driver = EmulatedLink(loss, jitter, seed, TO_DRIVER, controller.disturbances)
        self._from_driver = EmulatedLink(loss, jitter, seed, FROM_DRIVER, controller.disturbances)
        self._T, self._turned = c.fri.sample_time, 0.0
        self._timeout_ns = nanoseconds(c.fri.timeout)
        self._heard_ns = 0

    def received(self, t_ns: int) -> list[FriSample]:
        """Let the controller send this cycle's packet; return the samples that have come, oldest first."""
        t = self._controller.t
        self._to_driver.submit(self._controller.send(), t)
        came = self._to_driver.due(t + self._T)
        self._turned = max(t, came[-1][0]) if came else t
        if came:
            self._heard_ns = t_ns
        samples = [self._session.receive(data, self._address, t_ns) for _, data in came]
        return joined([sample for sample in samples if sample is not None])

    def silent(self, t_ns: int) -> bool:
        """Return whether no packet has come for too long."""
        return t_ns - self._heard_ns >= self._timeout_ns

    def answer(self, data: bytes | None) -> CommandDatagram | None:
        """Send an answer, if there is one, and return what reaches the controller in this cycle."""
        if data is not None:
            self._from_driver.submit(data, self._turned)
        command, t = None, self._controller.t
        for arrival, came in self._from_driver.due(t + self._T):
            command = self._controller.receive(came, max(0.0, arrival - t))
        return command
