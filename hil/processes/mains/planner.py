"""The planner process: the newest prediction in, a plan out."""

import os
import sys

import numpy as np
import zmq

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.loop.carried.planning import CarriedPlanner
from hil.loop.input_log import PlannerTurnLog
from hil.messaging.base_messages import BaseReport, BaseSeen
from hil.messaging.bus import Bus
from hil.messaging.messages import Plan, PlannerTimes, Prediction, RobotState
from hil.processes.context import ProcessContext, run_process
from planner.branches.path_planner import PathPlanner
from planner.kinematics.arm_model import load_arm_model

WAIT_MS = 50  # without a prediction; only the heartbeat needs it


class OnABase:
    """A planner whose arm is carried: it hears of the base, and tells where that is to be."""

    def __init__(self, bus: Bus, core: CarriedPlanner) -> None:
        self._seen = bus.publisher("base_of_planner")
        self._core, self._plans = core, bus.publisher("base_plan")
        self._reports = bus.subscriber("base_report", BaseReport)
        self._pose, self._trouble = np.zeros(3), "nothing is known of the base yet"

    def step(self, prediction: Prediction, q_command: Array) -> Plan:
        """Return the arm's plan for a prediction; that of the base has been told."""
        report = self._reports.newest()
        if report is not None:
            self._pose, self._trouble = np.array(report.pose), report.trouble
        plan, base_plan = self._core.step(prediction, q_command, self._pose, self._trouble)
        self._plans.send(base_plan)
        self._seen.send(BaseSeen(prediction.t_ns, self._pose, self._trouble))
        return plan


def body(context: ProcessContext) -> None:
    """Wire the planner's core to its sockets."""
    c = context.configuration
    text = "loading inverse kinematics and dynamic programming"
    bus = context.bus
    turns = bus.publisher("planner_turn")  # before anything is consumed: a reader must not miss the first
    warm = context.warmed(text, lambda: warm_core(c))
    core = OnABase(bus, warm) if isinstance(warm, CarriedPlanner) else warm
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


def warm_core(c: Configuration) -> PathPlanner | CarriedPlanner:
    """Return the planner's core, with everything compiled or loaded that it needs."""
    model = load_arm_model(c.robot.model)
    core = PathPlanner(model, c) if c.base.kind == "none" else CarriedPlanner(model, c)
    core.warm()
    return core


if __name__ == "__main__":
    sys.exit(run_process("planner", body))
