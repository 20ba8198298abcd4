"""The emulator process: the controller's side of the wire, the arm, and the operator who pushes.

A robot does not end with the program that commands it: neither does this one, before the driver has
brought the arm to rest and left, or has had the time to.
"""

import sys
from pathlib import Path

from drivers.emulation.controller.controller import EmulatedController, warm
from drivers.emulation.pace import Pace, PatientPace
from drivers.emulation.port_log import PortLog
from drivers.emulation.process import run, run_pair
from drivers.emulation.ride_log import RideLog
from drivers.emulation.surroundings import Surroundings
from drivers.emulation.truth_log import TruthLog
from hil.common.arrays import Array
from hil.common.run_clock import RunClock, SharedClock
from hil.configuration import Configuration
from hil.configuration.shared_pair import Pair, pair_of
from hil.loop.carried.riding import Riding
from hil.loop.driver.leaving import outlives_by
from hil.loop.judging.state_machine import State
from hil.loop.partner.found import second_of
from hil.loop.real_port import port_of
from hil.messaging.base_messages import BaseRide, BaseState, BaseTruth
from hil.messaging.bus import Bus
from hil.messaging.grasp_messages import SecondInputs
from hil.messaging.messages import Disturbance, EmulatorInputs, Mode, PortBlock, Push, Wait
from hil.processes.context import LAST_WORDS_MS, ProcessContext, run_process
from hil.processes.replayed import replayed_wrench


class RidingOnTheBus:
    """How the vehicle moves that carries the arm, as far as the bus tells."""

    def __init__(self, context: ProcessContext) -> None:
        self._core, self._now_ns = Riding(context.configuration.base), context.clock.now_ns
        self._core.warm()
        self._truths = context.bus.subscriber("base_truth", BaseTruth)
        self._states = context.bus.subscriber("base_state", BaseState)

    def motion(self) -> Array:
        """Return pose, rate and acceleration now, shape (3, 3)."""
        truth = self._truths.newest()
        if truth is not None:
            self._core.hear_truth(truth)
        elif not self._core.true and (state := self._states.newest()) is not None:
            self._core.hear(state)
        return self._core.at(self._now_ns())


class OnTheBus(Surroundings):
    """The run's bus: pushes and disturbances come by it, and what became of them leaves by it."""

    operator_rests = True

    def __init__(self, context: ProcessContext, c: Configuration, bus: Bus) -> None:
        """Listen and speak on a run's bus; `c` is its configuration."""
        self._context = context
        self._pushes = bus.subscriber("push", Push)
        self._disturbances = bus.subscriber("disturbance", Disturbance)
        self._modes = bus.subscriber("mode", Mode)
        self._mode: Mode | None = None
        self._inputs, self._waits = bus.publisher("emulator_inputs"), bus.publisher("wait")
        self._truth, self._log = bus.publisher("truth"), TruthLog(c.fri.sample_time)
        self._controller: EmulatedController | None = None
        carried = c.base.kind != "none"
        self._riding = RidingOnTheBus(context) if carried else None
        self._ride = bus.publisher("base_ride") if carried else None
        self._ride_log = RideLog(c.fri.sample_time)
        self._port_log = PortLog(c.fri.sample_time)
        meets = c.port is not None or c.grasp is not None or c.shared is not None
        self._port = bus.publisher("port") if meets else None
        self._second = None if c.grasp is None else bus.publisher("second_inputs")

    def over(self) -> bool:
        """When the process is to end; tell that it lives."""
        self._context.beat()
        return self._context.stopping

    def ready(self, controller: EmulatedController) -> None:
        """Tell the daemon."""
        self._controller = controller
        self._context.ready()

    def pushes(self) -> list[Push]:
        """As they were asked for."""
        return self._pushes.drain()

    def disturbances(self) -> list[Disturbance]:
        """As they were asked for."""
        return self._disturbances.drain()

    def floats(self) -> bool:
        """By the newest order."""
        self._mode = self._modes.newest() or self._mode
        return self._mode is not None and self._mode.state == State.FLOATING

    def cycle(self, controller: EmulatedController, sent_ns: int, answered_ns: int) -> None:
        """Tell the truth, in blocks."""
        block = self._log.add(controller, sent_ns, answered_ns)
        if block is not None:
            self._truth.send(block)
        self._tell_of_port(self._port_log.add(controller, sent_ns))
        if self._riding is not None:
            motion = self._riding.motion()
            controller.arm.carry(motion)
            self._tell_of_ride(self._ride_log.add(controller, sent_ns, motion))

    def _tell_of_ride(self, block: BaseRide | None) -> None:
        if self._ride is not None and block is not None:
            self._ride.send(block)

    def _tell_of_port(self, block: PortBlock | None) -> None:
        if self._port is not None and block is not None:
            self._port.send(block)

    def consumed(self, block: EmulatorInputs) -> None:
        """Tell."""
        self._inputs.send(block)

    def second_consumed(self, block: SecondInputs) -> None:
        """Tell."""
        if self._second is not None:
            self._second.send(block)

    def waited(self, wait: Wait) -> None:
        """Tell."""
        self._waits.send(wait)

    def close(self) -> None:
        """Tell the rest of the truth."""
        block = None if self._controller is None else self._log.rest(self._controller)
        if block is not None:
            self._truth.send(block)
        self._tell_of_port(self._port_log.rest())
        self._tell_of_ride(self._ride_log.rest())


class OnTheOtherBus(OnTheBus):
    """The bus of the other arm's run, whose robot is emulated here as well; its own run tells of the end."""

    def over(self) -> bool:
        """Never by it."""
        return False

    def ready(self, controller: EmulatedController) -> None:
        """Of its own run no process waits for this one."""
        self._controller = controller


def body(context: ProcessContext) -> None:
    """Wire the emulated controller to the bus."""
    c = context.configuration
    around = OnTheBus(context, c, context.bus)
    replay = None if context.replay is None else replayed_wrench(context.replay)
    context.warmed("loading the emulated arm", lambda: warm_core(c))
    if c.shared is not None:
        both_arms(context, pair_of(c), around)
    else:
        run(c, around, replay, outlives_by(c.limits), pace_of(context.clock), 0, port_of, second_of)
    around.close()


def both_arms(context: ProcessContext, pair: Pair, around: OnTheBus) -> None:
    """Emulate the first arm and, beside it, the second one, each on the bus of its run."""
    shared = context.configuration.shared
    assert shared is not None
    bus = Bus(Path(shared.other))
    beside = OnTheOtherBus(context, pair.arms[1], bus)
    outlive = max(outlives_by(c.limits) for c in pair.arms)
    try:
        run_pair(pair, (around, beside), outlive, pace_of(context.clock))
        beside.close()
    finally:
        bus.close(LAST_WORDS_MS)


def pace_of(clock: RunClock) -> Pace:
    """Return what paces the emulation: where the processes share a clock, it releases the time on it."""
    return PatientPace(clock) if isinstance(clock, SharedClock) else Pace()


def warm_core(c: Configuration) -> None:
    """Compile or load all that the emulated arm needs."""
    warm(c, port_of)
    if c.grasp is not None and (second := second_of(c, EmulatedController(c, None, port_of))) is not None:
        second.send()


if __name__ == "__main__":
    sys.exit(run_process("emulator", body))
