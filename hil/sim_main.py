"""The simulation process: impulses, orders and plans in; states and predictions out."""

import sys
import time

import zmq

from hil.clock import Ticker, nanoseconds
from hil.configuration import Configuration
from hil.messages import ImpulseSlice, Mode, Plan, RobotState
from hil.process import ProcessContext, run_process
from hil.sim_core import SimCore
from planner.arm_model import load_arm_model


def body(context: ProcessContext) -> None:
    """Wire the simulation's core to its sockets."""
    c = context.configuration
    core = context.warmed("compiling the world", lambda: _warm_core(c))
    bus = context.bus
    impulses, modes = bus.subscriber("impulse", ImpulseSlice), bus.subscriber("mode", Mode)
    robots, plans = bus.subscriber("robot_state", RobotState), bus.subscriber("plan", Plan)
    states, predictions = bus.publisher("sim_state"), bus.publisher("prediction")
    poller = zmq.Poller()
    poller.register(impulses.socket, zmq.POLLIN)
    mode: Mode | None = None
    robot: RobotState | None = None
    plan: Plan | None = None
    ticker = Ticker(nanoseconds(c.simulation.period))
    context.ready()
    while not context.stopping:
        # an impulse wakes the simulation at once, otherwise it turns at its period
        woken = poller.poll(ticker.remaining_ns() // 1_000_000)
        if not woken:
            ticker.wait()
        mode, robot, plan = modes.newest() or mode, robots.newest() or robot, plans.newest() or plan
        state, prediction = core.step(time.monotonic_ns(), mode, robot, impulses.drain(), plan)
        if prediction is not None:
            predictions.send(prediction)
        if state is not None:
            states.send(state)
        context.beat()


def _warm_core(c: Configuration) -> SimCore:
    core = SimCore(c, load_arm_model(c.robot.model))
    core.warm()
    return core


if __name__ == "__main__":
    sys.exit(run_process("sim", body))
