"""The emulated controller as a real-time process: paced by absolute deadlines, speaking UDP.

What happens in a cycle `[t_k, t_k + T]`: the sample is sent at its start, answers are taken as they
arrive, and at its end the arm is advanced over it with what came. Whole periods that were missed are
made up without sending (the robot's clock does not stop) and counted. A patient emulation misses none: it
holds a cycle at its end until nobody owes it anything (`drivers.emulation.pace`).
"""

import logging
import os
import struct
from dataclasses import dataclass

import numpy as np

from drivers.emulation.controller.controller import EmulatedController, warm
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
from hil.common.waiting import Waiter
from hil.configuration.schema import Configuration
from hil.configuration.spin import granted_spin
from hil.messaging.messages import EmulatorInputs

log = logging.getLogger("zerog.emulator")
BUFFER_SIZE = 2048
LONGEST_FREEZE = 0.1  # [s]; a controller that was late for longer does not go on as if nothing had been
ANY_ADDRESS = "0.0.0.0"
LOOPBACK = "127.0.0.1"
HELD_S = 0.0005  # between two looks while a cycle is held
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


class _Shell:
    """Socket, links and deadlines around the controller."""

    def __init__(
        self,
        configuration: Configuration,
        replay: ReplayedWrench | None,
        around: Surroundings,
        log: EmulationLog,
        pace: Pace,
        port: int,
        port_of: PortMaker = EmulatedPort,
        second_of: SecondMaker | None = None,
    ) -> None:
        fri, emulator, seed = configuration.fri, configuration.emulator, configuration.run.seed
        self.controller = EmulatedController(configuration, replay, port_of)
        self.report = EmulationReport()
        self._T = fri.sample_time
        self._client = (LOOPBACK if fri.bind_address == ANY_ADDRESS else fri.bind_address, fri.port)
        self._socket = bound_socket(fri.controller_address, port, "fri.controller_address", "--port")
        look_for_way(self._socket, self._client)
        self._waiter = Waiter(self._socket, granted_spin(configuration)[0], pace.now)
        sensor = self.controller.sensor
        self._sensor = None if sensor is None else SensorServer(sensor, configuration.sensor)
        second = None if second_of is None else second_of(configuration, self.controller)
        self._second = None if second is None else SecondServer(second, configuration, self._client[0])
        wrong = self.controller.disturbances
        self._to_client = EmulatedLink(emulator.loss, emulator.jitter, seed, TO_DRIVER, wrong)
        self._from_client = EmulatedLink(emulator.loss, emulator.jitter, seed, FROM_DRIVER, wrong)
        self._t_0 = self._end = 0.0
        self._around, self._log, self._pace = around, log, pace
        self._answered_ns = 0
        self._no_way = ""  # why packets did not leave, when that was first so
        self._asked = self._heard = 0  # counters of the newest packet that left, and of the newest answered

    def close(self) -> None:
        """Release the port, and time."""
        self._socket.close()
        if self._sensor is not None:
            self._sensor.close()
        if self._second is not None:
            self._second.close()
        self._pace.end()

    def begin(self) -> None:
        """Let the first cycle start now."""
        self._t_0 = self._pace.now()

    def over(self, asked: bool, outlive: float) -> bool:
        """Return whether to end now, if `asked` to: when nobody commands the arm and it stands, or later.

        Args:
            asked: to end.
            outlive: how much later than asked for the first time, at most [s].
        """
        if not asked:
            return False
        now = self._pace.now()
        self._end = self._end or now + outlive
        return self.controller.left_alone or now >= self._end

    def cycle(self) -> None:
        """Send the sample, take answers until the cycle is over, and advance."""
        start = self._t_0 + self.controller.cycle * self._T
        end = start + self._T
        self._pace.release(end)
        now = self._pace.now()
        self.report.lateness_max = max(self.report.lateness_max, now - start)
        if self._sensor is not None:  # what was measured up to now is there with the packet
            self._sensor.take_requests()
            self._sensor.send(self.controller.sense())
        data = self.controller.send()
        sent_ns, self._answered_ns = self._pace.now_ns(), 0
        self._to_client.submit(data, now)
        if self._second is not None:  # behind the first arm's packet
            self._exchange(now, start)
            self._second.send()
        while True:
            self._exchange(now, start)
            now = self._pace.now()
            if now < end:
                wake = min(end, self._to_client.next_arrival, self._from_client.next_arrival)
                self._waiter.wait(wake, wake)
            elif self._pace.holds(self._unanswered) and not self._around.over():
                self._waiter.look(HELD_S)
            else:
                break
            now = self._pace.now()
        self._around.cycle(self.controller, sent_ns, self._answered_ns)
        self._advance(sent=True)

    def make_up(self) -> None:
        """Advance over whole periods that have passed already."""
        first = self.controller.cycle
        while self._pace.now() >= self._t_0 + (self.controller.cycle + 1) * self._T + self._pace.slack:
            self._advance(sent=False)
            self.report.skipped += 1
            if (self.controller.cycle - first) * self._T >= LONGEST_FREEZE:
                self.controller.stood_still(LONGEST_FREEZE)
                self._log.stood_still()

    def tell_of_second(self, rest: bool = False) -> None:
        """Tell what a second controller has consumed, if a block of it is complete; with `rest` all of it."""
        block = None if self._second is None else self._second.log.block(self._pace.now_ns(), rest)
        if block is not None:
            self._around.second_consumed(block)

    def _advance(self, sent: bool) -> None:
        commanded = self.controller.state == SessionState.COMMAND
        self._log.cycle(sent, self.controller.operator_waits)
        if self._second is not None:
            self._second.advance()
        self.controller.advance()
        self.report.cycles += 1
        left = commanded and self.controller.state != SessionState.COMMAND
        # once told to end, nobody commanding any more is what it waits for
        if left and not self._end and not self._around.tells_why:
            log.warning("the controller falls back to monitor mode: %s", self.controller.fall_back_reason)

    def _exchange(self, now: float, start: float) -> None:
        for _, data in self._to_client.due(now):
            self._send(data)
        while True:
            try:
                data, sender = self._socket.recvfrom(BUFFER_SIZE)
            except OSError:  # nothing there, or of something that was sent before: what lies behind it waits
                break
            if sender == self._client:
                self._note_answer(data)
                self._from_client.submit(data, now)
            else:
                self._refuse(
                    f"datagrams come from {sender[0]} port {sender[1]}, the client is "
                    f"{self._client[0]} port {self._client[1]} (fri.bind_address, fri.port): dropped"
                )
        for _, data in self._from_client.due(now):
            try:
                latency = float(np.float32(max(0.0, now - start)))  # as it is logged
                command = self.controller.receive(data, latency)
                self._log.answer(self.controller.cycle, command, latency)
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
            self._socket.sendto(data, self._client)
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
            self._no_way = no_way(self._client, error)
            log.warning("%s", self._no_way)

    @property
    def _unanswered(self) -> bool:
        """Whether a packet has really left, and no answer to it or to a later one has come back."""
        return self._heard != self._asked or (self._second is not None and self._second.owed)

    def _note_answer(self, data: bytes) -> None:
        """Take note of an answer as it leaves the client: what the emulated link then does is no stall."""
        if len(data) >= COUNTS.size:
            self._heard = min(COUNTS.unpack_from(data)[1], self._heard, key=self._age)

    def _age(self, count: int) -> int:
        """Return by how many packets a counter lies behind the newest that left."""
        return (self._asked - count) % SEQUENCE_MODULUS


def run(
    configuration: Configuration,
    around: Surroundings,
    replay: ReplayedWrench | None = None,
    outlive: float = 0.0,
    pace: Pace | None = None,
    port: int = 0,
    port_of: PortMaker = EmulatedPort,
    second_of: SecondMaker | None = None,
) -> EmulationReport:
    """Emulate in real time until `around` ends it and nobody commands the arm any longer.

    Args:
        configuration: the run's.
        around: who pushes, disturbs, looks on and ends it.
        replay: a recorded wrench for the operator to apply.
        outlive: for how long to go on at most, when it is to end, while a client commands the arm or the arm
            moves [s]: no client that brakes shall find its robot gone.
        pace: what the cycles are paced by; None: the monotonic clock.
        port: from which to send; 0: any that is free.
        port_of: makes the port in the arm's way, where the configuration has one.
        second_of: makes the controller of a second arm, where the configuration has one.

    Raises:
        RobotModelError: the robot model cannot be used.
        ConfigurationError: random pushes that cannot be drawn.
        LinkError: `fri.controller_address` is not this machine's, the port is busy, or no way leads to the
            client.
    """
    warm(configuration, port_of)
    log = EmulationLog(configuration.fri.sample_time, os.getpid())
    pace = pace or Pace()
    shell = _Shell(configuration, replay, around, log, pace, port, port_of, second_of)
    controller, report = shell.controller, shell.report
    try:
        around.ready(controller)
        controller.operator_waits = around.operator_rests
        shell.begin()
        while not shell.over(around.over(), outlive):
            _take_what_comes(controller, around, log)
            shell.cycle()
            shell.make_up()
            _tell(around, pace, log.block(pace.now_ns()))
            shell.tell_of_second()
    finally:
        shell.close()
    shell.tell_of_second(rest=True)
    _tell(around, pace, log.block(pace.now_ns(), rest=True))
    report.missed = controller.statistics.missed
    report.fall_back_reason = controller.fall_back_reason
    return report


def _take_what_comes(controller: EmulatedController, around: Surroundings, log: EmulationLog) -> None:
    """Let pushes and disturbances act from this cycle on."""
    if around.operator_rests:
        controller.operator_waits = not around.floats()
    for push in around.pushes():
        controller.operator.push(push, controller.t)
        log.event(controller.cycle, PUSH, push.t_ns)
    for disturbance in around.disturbances():
        controller.disturbances.begin(disturbance, controller.t)
        log.event(controller.cycle, DISTURBANCE, disturbance.t_ns)


def _tell(around: Surroundings, pace: Pace, block: EmulatorInputs | None) -> None:
    """Tell what was consumed and waited for."""
    if block is not None:
        around.consumed(block)
    for wait in pace.waits():
        around.waited(wait)
