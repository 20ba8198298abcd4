"""The emulator process: the controller's side of the wire, the arm, and the operator who pushes.

A robot does not end with the program that commands it: neither does this one, before the driver has
brought the arm to rest and left, or has had the time to.
"""

import sys

from drivers.emulation.controller.controller import EmulatedController, warm
from drivers.emulation.pace import Pace, PatientPace
from drivers.emulation.process import run
from drivers.emulation.truth_log import TruthLog
from hil.common.run_clock import RunClock, SharedClock
from hil.configuration import Configuration
from hil.loop.driver.leaving import outlives_by
from hil.loop.judging.state_machine import State
from hil.messaging.messages import Disturbance, Mode, Push
from hil.processes.context import ProcessContext, run_process
from hil.processes.replayed import replayed_wrench


def body(context: ProcessContext) -> None:
    """Wire the emulated controller to the bus."""
    pushes = context.bus.subscriber("push", Push)
    disturbances = context.bus.subscriber("disturbance", Disturbance)
    modes = context.bus.subscriber("mode", Mode)
    inputs = context.bus.publisher("emulator_inputs")
    waits = context.bus.publisher("wait")
    truth, log = context.bus.publisher("truth"), TruthLog(context.configuration.fri.sample_time)

    robot: list[EmulatedController] = []

    def stop() -> bool:
        context.beat()
        return context.stopping

    def ready(controller: EmulatedController) -> None:
        robot.append(controller)
        context.ready()

    def tap(controller: EmulatedController, sent_ns: int, answered_ns: int) -> None:
        block = log.add(controller, sent_ns, answered_ns)
        if block is not None:
            truth.send(block)

    newest: list[Mode] = []

    def floats() -> bool:
        if (mode := modes.newest()) is not None:
            newest[:] = [mode]
        return bool(newest) and newest[0].state == State.FLOATING

    replay = None if context.replay is None else replayed_wrench(context.replay)
    context.warmed("loading the emulated arm", lambda: warm_core(context.configuration))
    c = context.configuration
    run(
        c, pushes.drain, stop, replay, ready, disturbances.drain, tap, floats, inputs.send,
        outlives_by(c.limits), pace_of(context.clock), waits.send,
    )  # fmt: skip
    for controller in robot:
        block = log.rest(controller)
        if block is not None:
            truth.send(block)


def pace_of(clock: RunClock) -> Pace:
    """Return what paces the emulation: where the processes share a clock, it releases the time on it."""
    return PatientPace(clock) if isinstance(clock, SharedClock) else Pace()


def warm_core(c: Configuration) -> None:
    """Compile or load all that the emulated arm needs."""
    warm(c)


if __name__ == "__main__":
    sys.exit(run_process("emulator", body))
