"""The wire of one emulated controller: its socket, links and sensor; who surrounds it, and what it logs."""

import logging
import os
import struct
from dataclasses import dataclass

import numpy as np

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.disturbances import FROM_DRIVER, TO_DRIVER
from drivers.emulation.emulation_log import DISTURBANCE, PUSH, EmulationLog
from drivers.emulation.grasp.server import SecondMaker, SecondServer
from drivers.emulation.link import EmulatedLink
from drivers.emulation.operator.replayed_wrench import ReplayedWrench
from drivers.emulation.pace import Pace
from drivers.emulation.port.emulated_port import EmulatedPort
from drivers.emulation.port.holed_port import PortMaker
from drivers.emulation.sensor.server import SensorServer
from drivers.emulation.surroundings import Surroundings
from drivers.fri.bound_socket import bound_socket, look_for_way, no_way
from drivers.fri.layout import SEQUENCE_MODULUS, SessionState
from hil.common.errors import BadMessage
from hil.configuration.schema import Configuration

log = logging.getLogger("zerog.emulator")
BUFFER_SIZE = 2048
ANY_ADDRESS = "0.0.0.0"
LOOPBACK = "127.0.0.1"
COUNTS = struct.Struct("<2H")  # a datagram begins with its own counter and the one that it answers


@dataclass(slots=True)
class EmulationReport:
    """What became of an emulation.

    Attributes:
        cycles: sample times emulated.
        skipped: of these, made up without a packet because the process was late.
        lateness_max: longest delay of a packet behind its deadline [s].
        refused: datagrams that were no answer.
        missed: packets without an answer in time.
        fall_back_reason: why command state was left last.
    """

    cycles: int = 0
    skipped: int = 0
    lateness_max: float = 0.0
    refused: int = 0
    missed: int = 0
    fall_back_reason: str = ""


class Shell:
    """Socket and links around one controller.

    Attributes:
        controller: the emulated one.
        report: what became of the emulation.
        around: who pushes, disturbs and looks on.
        log: what the controller consumes.
        client: address and port of whoever commands it.
        socket: it sends from here.
    """

    def __init__(
        self,
        configuration: Configuration,
        replay: ReplayedWrench | None,
        around: Surroundings,
        pace: Pace,
        port: int = 0,
        port_of: PortMaker = EmulatedPort,
        second_of: SecondMaker | None = None,
    ) -> None:
        """Bind a socket, with the arm at its start; for arguments and errors see `process.run`."""
        fri, emulator, seed = configuration.fri, configuration.emulator, configuration.run.seed
        self.controller = EmulatedController(configuration, replay, port_of)
        self.report = EmulationReport()
        self.client = (LOOPBACK if fri.bind_address == ANY_ADDRESS else fri.bind_address, fri.port)
        self.socket = bound_socket(fri.controller_address, port, "fri.controller_address", "--port")
        look_for_way(self.socket, self.client)
        sensor = self.controller.sensor
        self._sensor = None if sensor is None else SensorServer(sensor, configuration.sensor)
        second = None if second_of is None else second_of(configuration, self.controller)
        self._second = None if second is None else SecondServer(second, configuration, self.client[0])
        wrong = self.controller.disturbances
        self._to_client = EmulatedLink(emulator.loss, emulator.jitter, seed, TO_DRIVER, wrong)
        self._from_client = EmulatedLink(emulator.loss, emulator.jitter, seed, FROM_DRIVER, wrong)
        self.around, self._pace = around, pace
        self.log = EmulationLog(fri.sample_time, os.getpid())
        self._sent_ns = self._answered_ns = 0
        self._no_way = ""  # why packets did not leave, when that was first so
        self._asked = self._heard = 0  # counters of the newest packet that left, and of the newest answered

    def close(self) -> None:
        """Release the port."""
        self.socket.close()
        if self._sensor is not None:
            self._sensor.close()
        if self._second is not None:
            self._second.close()

    @property
    def next_arrival(self) -> float:
        """When the next datagram leaves one of the emulated links [s]."""
        return min(self._to_client.next_arrival, self._from_client.next_arrival)

    def send(self, now: float, start: float) -> None:
        """Send the sample of the cycle that begins at `start`; `now` [s]."""
        self.report.lateness_max = max(self.report.lateness_max, now - start)
        if self._sensor is not None:  # what was measured up to now is there with the packet
            self._sensor.take_requests()
            self._sensor.send(self.controller.sense())
        data = self.controller.send()
        self._sent_ns, self._answered_ns = self._pace.now_ns(), 0
        self._to_client.submit(data, now)
        if self._second is not None:  # behind the first arm's packet
            self.exchange(now, start)
            self._second.send()

    def over(self) -> None:
        """The cycle is over: let who looks on see it."""
        self.around.cycle(self.controller, self._sent_ns, self._answered_ns)

    def take_what_comes(self) -> None:
        """Let pushes and disturbances act from this cycle on."""
        controller, around = self.controller, self.around
        if around.operator_rests:
            controller.operator_waits = not around.floats()
        for push in around.pushes():
            controller.operator.push(push, controller.t)
            self.log.event(controller.cycle, PUSH, push.t_ns)
        for disturbance in around.disturbances():
            controller.disturbances.begin(disturbance, controller.t)
            self.log.event(controller.cycle, DISTURBANCE, disturbance.t_ns)

    def tell(self, rest: bool = False) -> None:
        """Tell what was consumed, if a block of it is complete; with `rest` all of it."""
        block = self.log.block(self._pace.now_ns(), rest)
        if block is not None:
            self.around.consumed(block)

    def tell_of_second(self, rest: bool = False) -> None:
        """Tell the same of a second controller."""
        block = None if self._second is None else self._second.log.block(self._pace.now_ns(), rest)
        if block is not None:
            self.around.second_consumed(block)

    def advance(self, sent: bool, ending: bool) -> None:
        """Move the arm to the end of the cycle.

        Args:
            sent: the cycle's packet has left.
            ending: the emulation was told to end.
        """
        commanded = self.controller.state == SessionState.COMMAND
        self.log.cycle(sent, self.controller.operator_waits)
        if self._second is not None:
            self._second.advance()
        self.controller.advance()
        self.report.cycles += 1
        left = commanded and self.controller.state != SessionState.COMMAND
        # once told to end, nobody commanding any more is what it waits for
        if left and not ending and not self.around.tells_why:
            log.warning("the controller falls back to monitor mode: %s", self.controller.fall_back_reason)

    def exchange(self, now: float, start: float) -> None:
        """Let what is due leave the emulated links, and take what has come; see `send`."""
        for _, data in self._to_client.due(now):
            self._send(data)
        while True:
            try:
                data, sender = self.socket.recvfrom(BUFFER_SIZE)
            except OSError:  # nothing there, or of something that was sent before: what lies behind it waits
                break
            if sender == self.client:
                self._note_answer(data)
                self._from_client.submit(data, now)
            else:
                self._refuse(
                    f"datagrams come from {sender[0]} port {sender[1]}, the client is "
                    f"{self.client[0]} port {self.client[1]} (fri.bind_address, fri.port): dropped"
                )
        for _, data in self._from_client.due(now):
            try:
                latency = float(np.float32(max(0.0, now - start)))  # as it is logged
                command = self.controller.receive(data, latency)
                self.log.answer(self.controller.cycle, command, latency)
                if self.controller.answered and not self._answered_ns:
                    self._answered_ns = self._pace.now_ns()
            except BadMessage as error:
                self._refuse(str(error))
        if self._second is not None:
            self._second.take(max(0.0, now - start))

    def _refuse(self, why: str) -> None:
        """Count a datagram that is no answer; the first is told."""
        if not self.report.refused:
            log.warning("%s", why)
        self.report.refused += 1

    def _send(self, data: bytes) -> None:
        try:
            self.socket.sendto(data, self.client)
        except (BlockingIOError, ConnectionRefusedError):
            return  # nobody there yet: an unanswered packet like any other
        except OSError as error:  # the network has gone: one as well, but whoever looks on should know
            self._tell_no_way(error)
            return
        count = COUNTS.unpack_from(data)[0]
        if self._age(count) >= SEQUENCE_MODULUS // 2:  # else it was overtaken, and nobody answers it
            self._asked = count

    def _tell_no_way(self, error: OSError) -> None:
        if not self._no_way:
            self._no_way = no_way(self.client, error)
            log.warning("%s", self._no_way)

    @property
    def unanswered(self) -> bool:
        """Whether a packet has really left, and no answer to it or to a later one has come back."""
        return self._heard != self._asked or (self._second is not None and self._second.owed)

    def _note_answer(self, data: bytes) -> None:
        """Take note of an answer as it leaves the client: what the emulated link then does is no stall."""
        if len(data) >= COUNTS.size:
            self._heard = min(COUNTS.unpack_from(data)[1], self._heard, key=self._age)

    def _age(self, count: int) -> int:
        """Return by how many packets a counter lies behind the newest that left."""
        return (self._asked - count) % SEQUENCE_MODULUS
