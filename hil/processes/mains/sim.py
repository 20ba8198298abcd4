"""The simulation process: impulses, orders and plans in; states and predictions out."""

import os
import sys

import numpy as np
import zmq

from hil.common.clock import Ticker, nanoseconds
from hil.common.run_clock import Mark
from hil.configuration import Configuration
from hil.configuration.shared_pair import flying_free
from hil.loop.input_log import SimTurnLog
from hil.loop.inside_log import inside_turn
from hil.loop.judging.state_machine import MOVING
from hil.loop.sim_core import SimCore
from hil.messaging.base_messages import BaseReport, BaseSeen
from hil.messaging.inside_messages import InsideJoints
from hil.messaging.messages import ImpulseSlice, Mode, Plan, RobotState, SimTimes
from hil.processes.context import ProcessContext, run_process
from planner.kinematics.arm_model import load_arm_model

UNPREDICTED = 64  # slices remembered until the next prediction; none comes while nothing floats


def body(context: ProcessContext) -> None:
    """Wire the simulation's core to its sockets."""
    c = context.configuration
    bus, clock = context.bus, context.clock
    inside_turns, bases_seen = bus.publisher("inside_turn"), bus.publisher("base_of_sim")
    turns = bus.publisher("sim_turns")  # before anything is consumed: a reader must not miss the first
    core = context.warmed("loading the world", lambda: warm_core(c))
    impulses, modes = bus.subscriber("impulse", ImpulseSlice), bus.subscriber("mode", Mode)
    robots, plans = bus.subscriber("robot_state", RobotState), bus.subscriber("plan", Plan)
    states, predictions = bus.publisher("sim_state"), bus.publisher("prediction")
    times, insides = bus.publisher("times_sim"), bus.publisher("inside_state")
    inside = c.object.inside
    streamed = inside is not None and inside.motion == "stream"
    joints = bus.subscriber("inside_joints", InsideJoints) if streamed else None
    bases = None if c.base.kind == "none" else bus.subscriber("base_report", BaseReport)
    poller, planner_idle = zmq.Poller(), zmq.Poller()
    impulses.watch_with(poller)
    for waiting in (poller, planner_idle):
        plans.watch_with(waiting)
    mode: Mode | None = None
    robot: RobotState | None = None
    plan: Plan | None = None
    consumed = SimTurnLog(os.getpid())
    unpredicted: list[tuple[ImpulseSlice, int, int]] = []
    ticker = Ticker(nanoseconds(c.simulation.period), clock.now_ns)
    context.ready()
    while not context.stopping:
        # an impulse wakes the simulation as soon as the planner is idle, otherwise it turns at its period
        woken = poller.poll(ticker.remaining_ns() // 1_000_000)
        plan = plans.newest() or plan
        if not woken:
            ticker.wait()
        elif (early_ns := core.soonest_ns(plan) - clock.now_ns()) > 0:
            planner_idle.poll(early_ns // 1_000_000)
            plan = plans.newest() or plan
        mode, robot = modes.newest() or mode, robots.newest() or robot
        orders = [] if joints is None else joints.drain()
        slices, t_ns = impulses.drain(), clock.now_ns()
        if bases is not None and (report := bases.newest()) is not None:
            core.base_pose = report.pose
            bases_seen.send(BaseSeen(t_ns, report.pose, report.trouble))
        state = core.step(t_ns, mode, robot, slices, plan, orders)
        corrected_ns = clock.now_ns()
        prediction = core.predict(t_ns)
        unpredicted = [*unpredicted, *((item, t_ns, corrected_ns) for item in slices)][-UNPREDICTED:]
        if prediction is not None:
            predicted_ns = clock.now_ns()
            predictions.send(prediction)
            clock.mark(Mark.PREDICTED, prediction.t_ns if c.run.follow else 0)
            if unpredicted:
                times.send(_sim_times(unpredicted, prediction.number, predicted_ns))
                unpredicted = []
        if state is not None:
            states.send(state)
        bodies = core.inside(t_ns)
        if bodies is not None:
            insides.send(bodies)
        if orders:
            inside_turns.send(inside_turn(t_ns, os.getpid(), orders))
        told = consumed.add(t_ns, mode, robot, slices, 0 if plan is None else plan.t_ns, prediction)
        if told is not None:
            turns.send(told)
        clock.mark(Mark.TURNED, t_ns)
        if mode is None or mode.state not in MOVING:
            clock.mark(Mark.PREDICTED, 0)  # what was predicted of a motion that is over needs no plan
        context.beat()
    told = consumed.rest()
    if told is not None:
        turns.send(told)


def _sim_times(heard: list[tuple[ImpulseSlice, int, int]], number: int, predicted_ns: int) -> SimTimes:
    """Return what became of slices, each with when it was heard and corrected, in a prediction."""
    return SimTimes(
        predicted_ns,
        np.array([(item.impulse_id, item.slice_index, item.revision) for item, _, _ in heard]),
        np.array([(heard_ns, corrected_ns, predicted_ns) for _, heard_ns, corrected_ns in heard]),
        np.array([number] * len(heard)),
    )


def warm_core(c: Configuration) -> SimCore:
    """Return the simulation's core, with everything compiled or loaded that it needs."""
    core = SimCore(c if c.shared is None else flying_free(c), load_arm_model(c.robot.model))
    core.warm()
    return core


if __name__ == "__main__":
    sys.exit(run_process("sim", body))
