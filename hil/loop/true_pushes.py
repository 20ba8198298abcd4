"""What really pushed the mock-up in a run in lock-step: the operator, a port, a second arm."""

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.operator.virtual_operator import NEVER
from hil.common.clock import nanoseconds
from hil.loop.trace.recorder import TraceRecorder


def tell_true_pushes(recorder: TraceRecorder, controller: EmulatedController, start_ns: int) -> None:
    """Tell a trace of all pushes and touches; the emulation's clock began at `start_ns`."""
    port, operator = controller.port, controller.operator
    for push in [*operator.records, *([] if port is None else port.touches.records)]:
        begin_ns, end_ns = start_ns + nanoseconds(push.t_start), start_ns + nanoseconds(push.t_end)
        recorder.push(begin_ns, end_ns, push.impulse_world)
    under_way = min(operator.under_way, NEVER if port is None else port.touches.under_way)
    recorder.under_way(1e-9 * start_ns + under_way)
