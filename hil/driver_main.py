"""The driver process: paced by the robot's own packets, every one of which is answered."""

import sys
import time

from drivers.fri_client import FriClient
from hil.configuration import Configuration
from hil.driver_core import DriverCore
from hil.driver_statistics import DriverStatistics
from hil.messages import Mode, Plan
from hil.process import ProcessContext, run_process
from planner.arm_model import load_arm_model

STATE_PERIOD_NS = 10_000_000  # of RobotState; the ring does not wait for it


def body(context: ProcessContext) -> None:
    """Wire the driver's core to the robot and the bus."""
    c = context.configuration
    client = FriClient(c.fri)
    core = context.warmed("compiling the driver's cycle", lambda: _warm_core(c))
    bus = context.bus
    modes, plans = bus.subscriber("mode", Mode), bus.subscriber("plan", Plan)
    impulses, states = bus.publisher("impulse"), bus.publisher("robot_state")
    statistics = DriverStatistics()
    mode: Mode | None = None
    next_state_ns = 0
    context.ready()
    while not context.stopping:
        samples = client.receive(c.fri.timeout)
        if not samples:
            core.silence()
            context.beat()
            continue
        begin_ns = time.monotonic_ns()
        mode = modes.newest() or mode
        plan = plans.newest()
        for sample in samples[:-1]:
            core.observe(sample)
        newest = samples[-1]
        # whatever goes wrong in a cycle is a fault and a stop; from here on a command has been chosen
        try:
            cycle = core.cycle(newest, mode, plan)
        except Exception as error:
            cycle = core.emergency(newest, error)
        client.reply(newest, cycle.q_command)
        end_ns = time.monotonic_ns()
        for item in cycle.slices:
            impulses.send(item)
        statistics.ring(cycle.ring)
        statistics.add(begin_ns, newest.t_ns, end_ns, newest.missed_answers, len(samples) - 1)
        if end_ns >= next_state_ns:
            next_state_ns = end_ns + STATE_PERIOD_NS
            states.send(core.state(newest.t_ns, statistics.counters(end_ns)))
        context.beat()
    client.close()


def _warm_core(c: Configuration) -> DriverCore:
    core = DriverCore(c, load_arm_model(c.robot.model))
    core.warm()
    return core


if __name__ == "__main__":
    sys.exit(run_process("driver", body))
