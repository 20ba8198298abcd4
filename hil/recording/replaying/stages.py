"""The three cores of the ring on their recorded inputs; each hands on what the next one consumed.

Predictions and plans are too large to be recorded all. They are made again, and compared by their digests:
so the simulation's replay feeds the planner's, and that the driver's.
"""

from collections.abc import Iterator
from typing import Generic, TypeVar

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.shared_pair import flying_free
from hil.loop.input_log import name_of
from hil.loop.inside_log import orders_of
from hil.loop.planner_core import core_of
from hil.loop.shared.shared_planner import SharedPlanner
from hil.loop.sim_core import SimCore
from hil.messaging.base_messages import BasePlan, BaseSeen
from hil.messaging.codec import Message, over_the_wire
from hil.messaging.digest import digest
from hil.messaging.inside_messages import InsideTurn
from hil.messaging.messages import (
    ImpulseSlice,
    Mode,
    Plan,
    PlannerTurn,
    Prediction,
    RobotState,
    SimState,
    SimTurns,
)
from hil.messaging.observer_messages import ObserverKnots
from hil.recording.replaying.blocks import in_a_row
from hil.recording.replaying.comparison import Expected, Verdict
from hil.recording.replaying.source import Source
from hil.recording.rows import PlanNews, news_of
from planner.branches.path_planner import PathPlanner
from planner.kinematics.arm_model import load_arm_model

Kind = TypeVar("Kind", bound=Message)
SIM_CHANNELS = (
    *(
        "/sim_turns",
        "/mode",
        "/robot_state",
        "/impulse",
        "/plan",
        "/sim_state",
        "/inside_turn",
        "/base_of_sim",
    ),
)
PLANNER_CHANNELS = ("/planner_turn", "/robot_state", "/plan", "/base_of_planner", "/observer_taken")


class Feed(Generic[Kind]):
    """What the core before hands on, by instant."""

    def __init__(self, made: Iterator[Kind]) -> None:
        self._made = made
        self._newest: Kind | None = None

    def at(self, t_ns: int) -> Kind | None:
        """Return what was made for an instant, or None; instants are asked for in order."""
        while self._newest is None or self._newest.t_ns < t_ns:
            following = next(self._made, None)
            if following is None:
                return None
            self._newest = following
        return self._newest if self._newest.t_ns == t_ns else None

    def drain(self) -> None:
        """Let the core before run to its end."""
        for _ in self._made:
            pass


class PlanFeed:
    """Plans of the arm, by instant, with those of its base, if one carries it.

    Attributes:
        base: that of the newest plan; None: the arm stands.
    """

    def __init__(self, made: Iterator[Plan | BasePlan]) -> None:
        """Take them as the planner makes them, that of the base before its arm's."""
        self.base: BasePlan | None = None
        self._made = made
        self._plans = Feed(self._of_arm())

    def at(self, t_ns: int) -> Plan | None:
        """Return the arm's plan of an instant, or None; instants are asked for in order."""
        return self._plans.at(t_ns)

    def drain(self) -> None:
        """Let the planner run to its end."""
        self._plans.drain()

    def _of_arm(self) -> Iterator[Plan]:
        for plan in self._made:
            if isinstance(plan, BasePlan):
                self.base = plan
            else:
                yield plan


class _Planner:
    """A planner's core, with what it knew of the base that carries the arm, or of the observer before it."""

    def __init__(self, source: Source, c: Configuration) -> None:
        self._c = c
        self._seen = source.instants("/base_of_planner", BaseSeen)
        self._paths = source.instants("/observer_taken", ObserverKnots)
        self.begin()

    def begin(self) -> None:
        """Begin anew, as a process that was started again does."""
        self._core = core_of(self._c)

    def step(self, prediction: Prediction, q_command: Array) -> tuple[Plan, BasePlan | None] | None:
        """Return the arm's plan and that of its base; None where it is not known what was known beside."""
        if isinstance(self._core, PathPlanner):
            return self._core.step(prediction, q_command), None
        if isinstance(self._core, SharedPlanner):
            path = self._paths.at(prediction.t_ns)
            return None if path is None else (self._core.planned(prediction, q_command, path), None)
        seen = self._seen.at(prediction.t_ns)
        return None if seen is None else self._core.step(prediction, q_command, seen.pose, seen.trouble)


def simulated(source: Source, c: Configuration, verdict: Verdict) -> Iterator[Prediction]:
    """Run the simulation's core again and yield its predictions as the planner gets them."""
    modes, robots = source.instants("/mode", Mode), source.instants("/robot_state", RobotState)
    plans = source.instants("/plan", PlanNews)
    joints, bases = source.instants("/inside_turn", InsideTurn), source.instants("/base_of_sim", BaseSeen)
    slices = {name_of(item): item for item in source.all_of("/impulse", ImpulseSlice)}
    expected = Expected(verdict, "sim_state", SimState, source.raw("/sim_state"))
    model = load_arm_model(c.robot.model)
    c = c if c.shared is None else flying_free(c)
    core = SimCore(c, model)
    for new, block in in_a_row(source.all_of("/sim_turns", SimTurns), verdict):
        if new and verdict.turns:
            core = SimCore(c, model)
        heard = iter(block.slices.tolist())
        for t_ns, mode_ns, robot_ns, plan_ns, count, number in block.rows.tolist():
            news = [slices.get(tuple(next(heard))) for _ in range(count)]
            mode, robot, plan = modes.at(mode_ns), robots.at(robot_ns), plans.at(plan_ns)
            missing = (mode_ns and not mode) or (robot_ns and not robot) or (plan_ns and not plan)
            if missing or None in news:
                verdict.lacks("messages")
                return
            turn = joints.at(t_ns)
            orders = [] if turn is None else orders_of(turn)
            if (base := bases.at(t_ns)) is not None:
                core.base_pose = base.pose
            state = core.step(t_ns, mode, robot, [item for item in news if item], plan, orders)
            if state is not None:
                expected.hear(state)
            prediction = core.predict(t_ns)
            verdict.turns += 1
            made = -1 if prediction is None else prediction.number
            if made != number:
                verdict.count("prediction", t_ns, f"number {number} then, {made} now (-1: none)")
            if prediction is not None:
                yield over_the_wire(prediction)
        expected.rest(int(block.rows[0, 0]), int(block.rows[-1, 0]))


def planned(
    source: Source, c: Configuration, verdict: Verdict, predictions: Feed[Prediction]
) -> Iterator[Plan | BasePlan]:
    """Run the planner's core again and yield its plans as the driver gets them, that of a base first."""
    robots = source.instants("/robot_state", RobotState)
    expected = Expected(verdict, "plan", PlanNews, source.raw("/plan"))
    core, process, following = _Planner(source, c), None, 0
    for turn in source.all_of("/planner_turn", PlannerTurn):
        if turn.process != process:
            if process is not None:
                core.begin()
            process, following = turn.process, 0
        if turn.turn != following:
            verdict.note(f"inputs are missing from plan {following} on: it is followed no further")
            break
        following = turn.turn + 1
        prediction, robot = predictions.at(turn.t_ns), robots.at(turn.robot_ns)
        made = None if prediction is None or robot is None else core.step(prediction, robot.q_command)
        if prediction is None or made is None:
            verdict.lacks("predictions or states")
            break
        same = digest(prediction) == turn.digest
        verdict.count("prediction", turn.t_ns, "" if same else "the simulation predicts otherwise now")
        plan, base_plan = made
        verdict.turns += 1
        expected.hear(news_of(plan))
        if base_plan is not None:
            yield over_the_wire(base_plan)
        yield over_the_wire(plan)
    predictions.drain()
