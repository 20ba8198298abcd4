"""The emulator process: the controller's side of the wire, the arm, and the operator who pushes."""

import sys

from drivers.emulated_controller import EmulatedController, warm
from drivers.emulator_process import run
from hil.messages import Disturbance, Push
from hil.process import ProcessContext, run_process
from hil.replay import replayed_wrench


def body(context: ProcessContext) -> None:
    """Wire the emulated controller to the bus."""
    pushes = context.bus.subscriber("push", Push)
    disturbances = context.bus.subscriber("disturbance", Disturbance)

    def stop() -> bool:
        context.beat()
        return context.stopping

    def ready(_: EmulatedController) -> None:
        context.ready()

    replay = None if context.replay is None else replayed_wrench(context.replay)
    context.warmed("compiling the emulated arm", lambda: warm(context.configuration))
    run(context.configuration, pushes.drain, stop, replay, ready, disturbances.drain)


if __name__ == "__main__":
    sys.exit(run_process("emulator", body))
