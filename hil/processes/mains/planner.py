"""The planner process: the newest prediction in, a plan out."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Union

import numpy as np
import zmq

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.loop.carried.planning import CarriedPlanner
from hil.loop.input_log import PlannerTurnLog
from hil.loop.planner_core import core_of
from hil.messaging.base_messages import BaseReport, BaseSeen
from hil.messaging.bus import Bus
from hil.messaging.messages import Plan, PlannerTimes, Prediction, RobotState
from hil.messaging.observer_messages import ObserverKnots
from hil.processes.context import ProcessContext, run_process
from planner.branches.path_planner import PathPlanner

if TYPE_CHECKING:  # a run that shares nothing loads nothing of it
    from hil.loop.shared.shared_planner import SharedPlanner

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


class InAPair:
    """A planner of one of two arms that share a motion: it hears the other arm's run as well.

    The one that leads hears that body's predictions and tells the observer's path, the other one takes it.
    """

    def __init__(self, bus: Bus, other: Path, core: "SharedPlanner") -> None:
        self._core, self._bus = core, Bus(other)
        self._taken = bus.publisher("observer_taken")
        self._paths = bus.publisher("observer_path")
        self._predictions = self._bus.subscriber("prediction", Prediction)
        self._heard = self._bus.subscriber("observer_path", ObserverKnots)

    def watch_with(self, poller: zmq.Poller) -> None:
        """Let a poller wait for what is heard."""
        if self._core.leads:
            self._predictions.watch_with(poller)

    def hear(self) -> None:
        """Hear the other arm's run."""
        if self._core.leads:
            self._lay(1, self._predictions.newest())
        elif (path := self._heard.newest()) is not None:
            self._core.take(path)

    def step(self, prediction: Prediction, q_command: Array) -> Plan:
        """Return the arm's plan for a prediction; what of the observer it was made by has been told."""
        if self._core.leads:
            self._lay(0, prediction)
        plan, path = self._core.step(prediction, q_command)
        self._taken.send(path)
        return plan

    def close(self) -> None:
        """Hear the other run no longer."""
        self._bus.close()

    def _lay(self, index: int, prediction: Prediction | None) -> None:
        path = None if prediction is None else self._core.hear(index, prediction)
        if path is not None:
            self._paths.send(path)


def body(context: ProcessContext) -> None:
    """Wire the planner's core to its sockets."""
    c = context.configuration
    text = "loading inverse kinematics and dynamic programming"
    bus = context.bus
    turns = bus.publisher("planner_turn")  # before anything is consumed: a reader must not miss the first
    warm = context.warmed(text, lambda: warm_core(c))
    core: PathPlanner | OnABase | InAPair
    pair = None
    if isinstance(warm, CarriedPlanner):
        core = OnABase(bus, warm)
    elif isinstance(warm, PathPlanner):
        core = warm
    else:
        assert c.shared is not None
        core = pair = InAPair(bus, Path(c.shared.other), warm)
    predictions, robots, plans = (
        bus.subscriber("prediction", Prediction),
        bus.subscriber("robot_state", RobotState),
        bus.publisher("plan"),
    )
    times = bus.publisher("times_planner")
    poller = zmq.Poller()
    predictions.watch_with(poller)
    if pair is not None:
        pair.watch_with(poller)
    robot: RobotState | None = None
    consumed = PlannerTurnLog(os.getpid())
    context.ready()
    while not context.stopping:
        poller.poll(WAIT_MS)
        if pair is not None:
            pair.hear()
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
    if pair is not None:
        pair.close()


def warm_core(c: Configuration) -> Union[PathPlanner, CarriedPlanner, "SharedPlanner"]:
    """Return the planner's core, with everything compiled or loaded that it needs."""
    core = core_of(c)
    core.warm()
    return core


if __name__ == "__main__":
    sys.exit(run_process("planner", body))
