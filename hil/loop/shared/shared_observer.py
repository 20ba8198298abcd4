"""The observer before whom two arms show two bodies, as both planners need him. Pure.

Either body's prediction, as it comes, plans his path on. What is committed of it stays, so both arms follow
one observer. Where a body is about to leave the set of its arm, or an arm has no path, both are to be held.
"""

import math
from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.schema import Stops
from hil.configuration.shared import ARMS
from hil.configuration.shared_pair import Pair
from hil.configuration.stops_axis import nominal_quat
from hil.messaging.messages import Plan, Prediction
from planner.base.moving_observer import Seen, rotation_of, seen
from planner.base.observer_path import Course, ObserverPath
from planner.base.split import split_of
from planner.branches.policy import DEPTH_OF_RUN, HOLD, RUN


class SharedObserver:
    """Sees both bodies; each prediction goes on from the ones before.

    Attributes:
        path: his.
        stop: why both arms must be held; empty if they need not.
    """

    def __init__(self, pair: Pair) -> None:
        """Set up for a pair before anything floats."""
        first, second = pair.arms
        setting = pair.shared.observer
        self.path = ObserverPath(
            split_of(first, second, setting.sharing), setting.max_acceleration,
            setting.max_turn_acceleration, setting.committed,
        )  # fmt: skip
        self._stops = first.stops, second.stops
        self._courses: list[Course] = []
        self.stop = ""

    def begin(self, first: Course, second: Course) -> None:
        """Set off with both bodies as they begin to move, at object time 0."""
        self._courses, self.stop = [first, second], ""
        self.path.begin(first, second)

    def shown(self, index: int, prediction: Prediction) -> Prediction:
        """Hear one body's prediction, which is in inertial axes, and return it as the observer sees it."""
        self.hear(index, prediction)
        return self.show(index, prediction)

    def hear(self, index: int, prediction: Prediction, ahead: float = 0.0) -> None:
        """Lay the path on by one body's prediction.

        Args:
            index: of the body's arm.
            prediction: in inertial axes.
            ahead: of the observer's object time over the prediction's [s].
        """
        s_0 = prediction.object_time_0 + ahead
        # copies, since messages are read-only and compiled code takes writable arrays as another type
        p, quat = np.array(prediction.p_world_object), np.array(prediction.quat_world_object)
        twist = np.array(prediction.twist_world_object)
        self._courses[index] = Course(s_0, prediction.step, p, quat, twist)
        self.path.plan(s_0, *self._courses)

    def show(self, index: int, prediction: Prediction, ahead: float = 0.0) -> Prediction:
        """Return one body's prediction as the observer sees it, by the path as it is; see `hear`."""
        step, p, quat = prediction.step, prediction.p_world_object, prediction.quat_world_object
        times: Array = prediction.object_time_0 + ahead + step * np.arange(len(p), dtype=np.float64)
        now = seen(p, quat, prediction.twist_world_object, self.path.at(times))
        near = times <= times[0] + DEPTH_OF_RUN
        beyond = _beyond(self._stops[index], Seen(*(part[near] for part in now)))
        if beyond and not self.stop:
            self.stop = f"the {ARMS[index]} arm's body leaves its set: {beyond}"
        return replace(
            prediction, p_world_object=now.p, quat_world_object=now.quat, twist_world_object=now.twist
        )

    def going(self, index: int, plan: Plan) -> Plan:
        """Return an arm's plan at full pace as long as it can be followed: one object time holds for both."""
        if plan.policy == RUN:
            return plan
        self.stop = self.stop or f"the {ARMS[index]} arm: {plan.reason}"
        return plan if plan.policy == HOLD else replace(plan, policy=RUN, time_rate=1.0)


def setting_off(c: Configuration, T_world_object: Array) -> Course:
    """Return what is known of a body before its first prediction: where it is held, and how it sets off."""
    twist = np.array([*c.object.initial_velocity, *c.object.initial_spin])
    quat = Rotation.from_matrix(T_world_object[:3, :3]).as_quat(scalar_first=True)
    return Course(0.0, 1.0, T_world_object[:3, 3][None], quat[None], twist[None])


def swing_and_twist(stops: Stops, quat: Array) -> tuple[Array, Array]:
    """Return the angles of orientations (n, 4) from a set's middle [rad], shape (n,) each."""
    x, y, z, w = (rotation_of(nominal_quat(stops)[None]).inv() * rotation_of(quat)).as_quat().T
    return 2.0 * np.arctan2(np.hypot(x, y), np.hypot(w, z)), 2.0 * np.arctan2(np.abs(z), np.abs(w))


def _beyond(stops: Stops, path: Seen) -> str:
    """Return in words by what a path leaves a set; empty if it does not."""
    off = path.p - stops.centre
    k, axis = np.unravel_index(int(np.argmax(np.abs(off) - stops.half_extent)), off.shape)
    if abs(off[k, axis]) > stops.half_extent[axis]:
        return f"{1e3 * off[k, axis]:.0f} mm along {'xyz'[axis]}"
    swing, twist = swing_and_twist(stops, path.quat)
    if swing.max() > stops.swing:
        return f"swing {math.degrees(swing.max()):.1f} deg"
    return f"twist {math.degrees(twist.max()):.1f} deg" if twist.max() > stops.twist else ""
