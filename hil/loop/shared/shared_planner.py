"""A planner's turn in a live run of one of two arms that share a motion. Pure.

The first arm's planner leads: it hears both bodies' predictions, lays the observer's path and tells it. The
second one takes the newest path that it has, and never waits. Both bodies' object times set off at one
instant; by what one is ahead all the same, as both simulations' time maps say, is taken into account, so
that both arms see one observer at one moment. Whatever makes him stop, or a path that is older than what of
it is committed, holds the own arm; the runs' stop line holds the other one with it.
"""

from dataclasses import replace

import numpy as np

from hil.common.arrays import Array, frozen_array
from hil.common.poses import pose_from
from hil.common.time_map import object_time_at
from hil.configuration import Configuration
from hil.configuration.shared import ARMS
from hil.configuration.shared_pair import begun_off, pair_of
from hil.configuration.stops_axis import nominal_pose, nominal_quat
from hil.loop.shared.shared_observer import SharedObserver
from hil.messaging.messages import Plan, Prediction
from hil.messaging.observer_messages import ObserverKnots
from planner.base.observer_path import Course, Knots
from planner.branches.path_planner import PathPlanner
from planner.branches.policy import HOLD
from planner.kinematics.arm_model import ArmModel

STANDING = frozen_array([0.0, 0.0, 0.0, 0.0])  # a time map before there is one
NOBODY = "nothing is known of the observer"


class SharedPlanner:
    """The planner's core of one arm, before an observer that the first arm's planner leads."""

    def __init__(self, model: ArmModel, c: Configuration) -> None:
        """Set up for an arm and a run.

        Raises:
            ConfigurationError: the pair breaks a rule.
        """
        assert c.shared is not None
        self._pair, self._index = pair_of(c), ARMS.index(c.shared.arm)
        self._committed = self._pair.shared.observer.committed
        self._planner = PathPlanner(model, c)
        self._observer = SharedObserver(self._pair)
        self._newest: dict[int, Prediction] = {}  # of either body, that the leading planner has heard
        self._epochs = 0, 0  # of both bodies' floating, of the path in force
        self._path: ObserverKnots | None = None  # the newest that was told
        self._stopped_in = 0  # own floating that the observer's stop is of
        self._ahead = 0.0  # of the first body's object time over the planned one's, as both ran last [s]

    @property
    def leads(self) -> bool:
        """Whether it lays the observer's path."""
        return self._index == 0

    def warm(self) -> None:
        """Compile all that a turn needs."""
        self._planner.warm()
        object_time_at(np.array(STANDING), 0.0)
        observer = SharedObserver(self._pair)
        places = [nominal_pose(c.stops) for c in self._pair.arms]
        courses = [
            Course(0.0, 1.0, T[:3, 3][None].copy(), nominal_quat(c.stops)[None], np.zeros((1, 6)))
            for T, c in zip(places, self._pair.arms, strict=True)
        ]
        observer.begin(*courses)
        observer.path.plan(0.0, *courses)

    def hear(self, index: int, prediction: Prediction) -> ObserverKnots | None:
        """Let the leading planner lay the path on by a body's prediction; return what to tell, if anything.

        `index`: of the body's arm.
        """
        self._newest[index] = prediction
        first, second = self._newest.get(0), self._newest.get(1)
        if first is None or second is None:
            return None
        epochs = first.epoch, second.epoch
        if epochs[0] != self._epochs[0] and epochs[1] != self._epochs[1]:
            if first.object_time_0 or second.object_time_0:  # of an earlier floating, or too late to begin
                return None
            self._begin(first, second)
            self._epochs = epochs
        elif epochs != self._epochs or held_in(first) or held_in(second):
            return None  # one of the two has not begun anew yet; or both are held, and he goes nowhere
        ahead = 0.0 if index == 0 else object_times_apart(first, second.t_ns, second)
        self._observer.hear(index, prediction, ahead)
        if index != 0:
            self._observer.show(index, prediction, ahead)  # whether it stays in its set
        return self._told(first, prediction, ahead)

    def take(self, path: ObserverKnots) -> None:
        """Let the planner that follows take a path."""
        self._path = path

    def step(self, prediction: Prediction, q_command: Array) -> tuple[Plan, ObserverKnots]:
        """Return the arm's plan for its body's prediction, and the path that it was made by."""
        path = self._known(prediction)
        return self.planned(prediction, q_command, path), path

    def planned(self, prediction: Prediction, q_command: Array, path: ObserverKnots) -> Plan:
        """Return the plan by what is known of the observer, as `step` has told it."""
        observer, index = self._observer, self._index
        if prediction.epoch != self._stopped_in:  # another floating: what was, is over
            self._stopped_in, observer.stop = prediction.epoch, ""
        observer.stop = observer.stop or path.stop
        shown = prediction  # before he has set off nothing moves yet: he stands, at the origin
        if path.epochs[index]:
            axes = np.ascontiguousarray(path.axes.transpose(1, 0, 2))
            observer.path.take(Knots(path.first, axes, np.array(path.charts)))
            shown = observer.show(index, prediction, path.ahead)
        plan = observer.going(index, self._planner.step(shown, q_command))
        return held(plan, observer.stop)

    def _begin(self, first: Prediction, second: Prediction) -> None:
        """Let the observer set off as both bodies do."""
        courses = [
            Course(
                0.0, 1.0, np.array(p.p_world_object[:1]), np.array(p.quat_world_object[:1]),
                np.array(p.twist_world_object[:1]),
            )
            for p in (first, second)
        ]  # fmt: skip
        self._observer.begin(*courses)
        self._stopped_in = first.epoch
        poses = [pose_from(p.p_world_object[0], p.quat_world_object[0]) for p in (first, second)]
        self._observer.stop = begun_off(self._pair, (poses[0], poses[1]))

    def _told(self, first: Prediction, newest: Prediction, ahead: float) -> ObserverKnots:
        knots = self._observer.path.knots
        axes = np.ascontiguousarray(knots.axes.transpose(1, 0, 2))  # knot by knot
        return ObserverKnots(
            first.t_ns, np.array(self._epochs, np.int64), newest.object_time_0 + ahead, 0.0, first.time_map,
            knots.first, axes, knots.charts, self._observer.stop,
        )  # fmt: skip

    def _known(self, prediction: Prediction) -> ObserverKnots:
        """Return what is known of the observer for a prediction, by the planned body's object time."""
        if self.leads:
            current = prediction.epoch == self._epochs[0]
            path = self._told(prediction, prediction, 0.0) if current else None
        else:
            path = self._path
            path = None if path is None or path.epochs[1] != prediction.epoch else path
        if path is None:
            why = NOBODY if prediction.object_time_0 > 0.0 else ""
            return ObserverKnots(
                prediction.t_ns, np.zeros(2, np.int64), 0.0, 0.0, STANDING, 0, np.zeros((0, 3, 6)),
                np.zeros((0, 4)), why,
            )  # fmt: skip
        if not self.leads and not held_in(prediction):  # else the first one's may stand as well, unheard of
            self._ahead = object_times_apart(path, prediction.t_ns, prediction)
        age = prediction.object_time_0 + self._ahead - path.object_time
        stop = path.stop
        if age > self._committed and not stop:
            stop = (
                f"the observer's path is {1e3 * age:.0f} ms old, {1e3 * self._committed:.0f} ms of it are "
                "committed (observer.committed_ms)"
            )
        return replace(path, t_ns=prediction.t_ns, ahead=self._ahead, stop=stop)


def object_times_apart(first: Prediction | ObserverKnots, t_ns: int, second: Prediction) -> float:
    """Return by what the first body's object time is ahead of the second one's at an instant [s].

    Each by its own simulation's time map, whose times count from its instant.
    """
    s, _, _ = object_time_at(np.array(first.time_map), 1e-9 * (t_ns - first.t_ns))
    s_second, _, _ = object_time_at(np.array(second.time_map), 1e-9 * (t_ns - second.t_ns))
    return float(s - s_second)


def held_in(prediction: Prediction) -> bool:
    """Return whether object time comes to a stand, or stands, by a prediction."""
    return bool(prediction.time_map[3] < 1.0)


def held(plan: Plan, why: str) -> Plan:
    """Return a plan by which object time is held, if there is a reason why."""
    return replace(plan, policy=HOLD, time_rate=0.0, reason=why) if why else plan
