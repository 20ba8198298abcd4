"""The driver process: paced by the robot's own packets, every one of which is answered."""

import os
import sys
import time

from drivers.fri.client import FriClient
from hil.configuration import Configuration
from hil.configuration.spin import granted_spin
from hil.loop.driver.core import DriverCore
from hil.loop.driver.cycle_log import CycleLog, slice_times
from hil.loop.driver.statistics import DriverStatistics
from hil.loop.input_log import DriverInputLog
from hil.messaging.messages import Mode, Plan
from hil.processes.context import ProcessContext, run_process
from planner.kinematics.arm_model import load_arm_model

STATE_PERIOD_NS = 10_000_000  # of RobotState; the ring does not wait for it


def body(context: ProcessContext) -> None:
    """Wire the driver's core to the robot and the bus."""
    c = context.configuration
    client = FriClient(c.fri, granted_spin(c)[0])
    bus = context.bus
    inputs = bus.publisher("driver_inputs")  # before anything is consumed: a reader must not miss the first
    core = context.warmed("loading the driver's cycle", lambda: warm_core(c))
    modes, plans = bus.subscriber("mode", Mode), bus.subscriber("plan", Plan)
    impulses, states = bus.publisher("impulse"), bus.publisher("robot_state")
    witnesses = bus.publisher("witness")
    cycles, times = bus.publisher("cycles"), bus.publisher("slice_times")
    log, consumed = CycleLog(c.fri.sample_time), DriverInputLog(c.fri.sample_time, os.getpid())
    statistics = DriverStatistics()
    mode: Mode | None = None
    next_state_ns, patience = 0, c.fri.timeout
    context.ready()
    client.discard()
    while not context.stopping:
        samples = client.receive(patience)
        if not samples:
            now_ns = time.monotonic_ns()
            if core.silence() and now_ns >= next_state_ns:
                next_state_ns = now_ns + STATE_PERIOD_NS
                states.send(core.state(now_ns, statistics.counters(now_ns)))
            patience = min(c.fri.timeout, 1e-9 * STATE_PERIOD_NS)  # from now on it is told that it is silent
            context.beat()
            continue
        patience = c.fri.timeout
        begin_ns = time.monotonic_ns()
        newest = samples[-1]
        if len(samples) > 1:  # we were held up: an order may have come since the last one was read
            mode = modes.newest() or mode
        judged_ns = begin_ns
        # whatever goes wrong in a cycle is a fault and a stop; from here on a command has been chosen
        try:
            for sample in samples:
                core.observe(sample)
            judged_ns = time.monotonic_ns()
            cycle = core.cycle(newest, mode)
        except Exception as error:
            cycle = core.emergency(newest, error)
        decided_ns = time.monotonic_ns()
        client.reply(newest, cycle.q_command)
        end_ns = time.monotonic_ns()
        slices, published_ns = core.slices_of(cycle), []
        for item in slices:
            published_ns.append(time.monotonic_ns())
            impulses.send(item)
        # orders and plans are obeyed from the next answer on: no answer waits until they are read
        order, mode, plan = mode, modes.newest() or mode, plans.newest()
        conclusion = core.conclude(newest, slices, plan)
        for statement in conclusion.witnesses:
            witnesses.send(statement)
        statistics.ring(conclusion.ring)
        statistics.add(begin_ns, newest.t_ns, end_ns, newest.missed_answers, len(samples) - 1)
        stamps = (begin_ns, judged_ns, decided_ns, end_ns)
        block = log.add(newest, stamps, core.q_command, core.wrench_object, core.following)
        if block is not None:
            cycles.send(block)
        told = consumed.add(samples, order, plan)
        if told is not None:
            inputs.send(told)
        news = slice_times(slices, published_ns, cycle.plan, end_ns)
        if news is not None:
            times.send(news)
        if end_ns >= next_state_ns:
            next_state_ns = end_ns + STATE_PERIOD_NS
            states.send(core.state(newest.t_ns, statistics.counters(end_ns)))
        context.beat()
    told = consumed.rest()
    if told is not None:
        inputs.send(told)
    client.close()


def warm_core(c: Configuration) -> DriverCore:
    """Return the driver's core, with everything compiled or loaded that it needs."""
    core = DriverCore(c, load_arm_model(c.robot.model))
    core.warm()
    return core


if __name__ == "__main__":
    sys.exit(run_process("driver", body))
