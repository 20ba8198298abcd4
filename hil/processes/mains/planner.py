"""The planner process: the newest prediction in, a plan out."""

import os
import sys

import numpy as np
import zmq

from hil.configuration import Configuration
from hil.loop.input_log import PlannerTurnLog
from hil.messaging.messages import PlannerTimes, Prediction, RobotState
from hil.processes.context import ProcessContext, run_process
from planner.branches.path_planner import PathPlanner
from planner.kinematics.arm_model import load_arm_model

WAIT_MS = 50  # without a prediction; only the heartbeat needs it


def body(context: ProcessContext) -> None:
    """Wire the planner's core to its sockets."""
    c = context.configuration
    text = "loading inverse kinematics and dynamic programming"
    bus = context.bus
    turns = bus.publisher("planner_turn")  # before anything is consumed: a reader must not miss the first
    core = context.warmed(text, lambda: warm_core(c))
    predictions, robots, plans = (
        bus.subscriber("prediction", Prediction),
        bus.subscriber("robot_state", RobotState),
        bus.publisher("plan"),
    )
    times = bus.publisher("times_planner")
    poller = zmq.Poller()
    predictions.watch_with(poller)
    robot: RobotState | None = None
    consumed = PlannerTurnLog(os.getpid())
    context.ready()
    while not context.stopping:
        poller.poll(WAIT_MS)
        robot = robots.newest() or robot
        prediction = predictions.newest()
        if prediction is not None and robot is not None and c.run.follow:
            heard_ns = context.clock.now_ns()
            plan = core.step(prediction, robot.q_command)
            stamps = np.array([[heard_ns, context.clock.now_ns()]])
            plans.send(plan)
            turns.send(consumed.add(prediction, robot))
            times.send(PlannerTimes(heard_ns, np.array([prediction.number]), stamps))
        context.beat()


def warm_core(c: Configuration) -> PathPlanner:
    """Return the planner's core, with everything compiled or loaded that it needs."""
    core = PathPlanner(load_arm_model(c.robot.model), c)
    core.warm()
    return core


if __name__ == "__main__":
    sys.exit(run_process("planner", body))
