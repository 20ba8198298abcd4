"""Where the observer of two shared bodies is to be, over object time: a path whose begin never changes. Pure.

As a base's path it follows what is wanted in knots on a grid of object time, with bounded acceleration, and a
new prediction changes it only behind what is committed: two arms that are planned one after the other, and
follow for a while, follow one observer. Unlike a base it has six axes, no bound of speed, and does exactly
what is planned: the way of the middle between both sets, about which he turns, so that a turn asks least of
the way. Turns are quadratic between knots in a chart (a rotation vector from where a plan began), so
that pose, twist and acceleration belong together to rounding; the bound of the angular acceleration holds in
the chart.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from hil.common.arrays import Array
from planner.base.axis_program import KNOT, KNOTS, axis_program, solve_axis_into
from planner.base.moving_observer import Motion, continuous, rotation_of
from planner.base.split import Split, wanted_place, wanted_turn
from planner.base.turning import turning

OFF_PLACE, OFF_TURN = 0.03, 0.05  # deviations from what is wanted that weigh alike [m], [rad]
ANY_SPEED = 10.0  # [m/s], [rad/s]: the observer is nobody's vehicle
ROUNDING = 1e-9  # of an object time in knots


class Course(NamedTuple):
    """A body's predicted path; beyond its ends it goes on as it does there.

    Attributes:
        s_0: object time of its first node [s].
        step: between nodes [s].
        p: centres, inertial axes [m], shape (n, 3).
        quat: orientations w x y z, shape (n, 4).
        twist: inertial axes [m/s, rad/s], shape (n, 6).
    """

    s_0: float
    step: float
    p: Array
    quat: Array
    twist: Array

    def at(self, times: Array) -> tuple[Array, Array, Array]:
        """Return places, orientations and twists at object times [s], shape (n,)."""
        node = np.clip(np.round((times - self.s_0) / self.step), 0, len(self.p) - 1).astype(int)
        dt, twist = (times - self.s_0 - self.step * node)[:, None], self.twist[node]
        turned = Rotation.from_rotvec(dt * twist[:, 3:]) * rotation_of(self.quat[node])
        quat = continuous(turned.as_quat(scalar_first=True), self.quat[node[0]])
        return self.p[node] + dt * twist[:, :3], quat, twist


class Knots(NamedTuple):
    """A path as it is told to others, who only follow it.

    Attributes:
        first: number of the first knot on the grid of object time.
        axes: place and rotation vector, rates, accelerations behind each knot, shape (3, n, 6).
        charts: from which each knot's rotation vector turns, w x y z, shape (n, 4).
    """

    first: int
    axes: Array
    charts: Array


class ObserverPath:
    """The path in force; each plan goes on from the one before.

    Attributes:
        first: number of the first knot on the grid of object time.
    """

    def __init__(self, split: Split, acceleration: float, turning: float, committed: float) -> None:
        """Stand at the origin.

        Args:
            split: which part either arm does.
            acceleration: of the observer at most, along each axis [m/s2].
            turning: of his rotation vector [rad/s2].
            committed: object time that no plan changes any more [s].
        """
        self._split, self._committed = split, committed
        self._programs = (
            axis_program(ANY_SPEED, acceleration, OFF_PLACE), axis_program(ANY_SPEED, turning, OFF_TURN)
        )  # fmt: skip
        self._ahead = math.ceil(committed / KNOT + ROUNDING) + 1
        n = self._ahead + KNOTS + 1
        self._middle = split.centres.mean(axis=0)  # of both sets, his axes: what the knots' places are of
        self.first = 0
        self._axes = np.zeros((3, n, 6))  # place and rotation vector, rates, accelerations behind each knot
        self._charts = np.tile([1.0, 0.0, 0.0, 0.0], (n, 1))  # from which each knot's rotation vector turns
        self._duals = np.zeros((6, 2, KNOTS))

    @property
    def knots(self) -> Knots:
        """The path as it is; what is returned does not change."""
        return Knots(self.first, self._axes.copy(), self._charts.copy())

    def take(self, knots: Knots) -> None:
        """Follow a path that another planner has laid."""
        self.first, self._axes, self._charts = knots

    def begin(self, first: Course, second: Course) -> None:
        """Set off at object time 0 from the origin as the bodies then move: with their common motion."""
        times, ahead = np.zeros(1), np.array([KNOT])
        self.first = 0
        self._charts[:] = 1.0, 0.0, 0.0, 0.0
        self._axes[:] = 0.0
        at = [self._wanted(first, second, t, self._charts[0]) for t in (times, ahead)]
        turned = [rotation_of(quat) for _, quat in at]
        rate = (turned[0].inv() * turned[1]).as_rotvec()[0] / KNOT
        self._axes[0, 0, :3] = self._middle
        self._axes[1, 0] = [*(at[1][0] - at[0][0])[0] / KNOT, *rate]
        self._run_on(0, np.zeros((6, 0)))

    def plan(self, s: float, first: Course, second: Course) -> None:
        """Lay the path for two bodies' predictions from object time `s` [s] on, behind what is committed."""
        self._shift(max(_knot(s) - self.first, 0))
        kept = math.ceil((s + self._committed) / KNOT - ROUNDING) - self.first
        kept = min(max(kept, 0), self._ahead)
        times: Array = KNOT * (self.first + kept + np.arange(KNOTS + 1, dtype=np.float64))
        now = self.at(times[:1])
        R, before = rotation_of(now.quat), np.zeros(6)
        if kept:
            before[:] = self._axes[2, kept - 1]
            before[3:] = R.apply(self.at(times[:1] - 0.5 * KNOT).acceleration[:, 3:], inverse=True)[0]
        self._charts[kept:] = now.quat[0]
        self._axes[0, kept, 3:] = 0.0
        self._axes[1, kept, 3:] = R.apply(now.twist[:, 3:], inverse=True)[0]
        a = np.empty((6, KNOTS))
        quat = wanted_turn(self._split, first.at(times[1:])[1], second.at(times[1:])[1], now.quat[0])
        wanted = np.empty((6, KNOTS))
        wanted[3:] = (R.inv() * rotation_of(quat)).as_rotvec().T
        self._lay(a, wanted, before, kept, range(3, 6))
        turned = self.at(times[1:]).quat
        wanted[:3] = self._wanted_middle(first, second, times[1:], turned).T
        self._lay(a, wanted, before, kept, range(3))

    def at(self, times: Array) -> Motion:
        """Return how the observer moves at object times [s], shape (n,); beyond the last knot he coasts."""
        x = times / KNOT - self.first
        k = np.clip(np.floor(x + ROUNDING), 0, self._axes.shape[1] - 1).astype(int)
        u = ((x - k) * KNOT)[:, None]
        place, rate, second = self._axes[:, k]
        place, rate = place + u * (rate + 0.5 * u * second), rate + u * second
        w, alpha = turning(place[:, 3:], rate[:, 3:], second[:, 3:])
        R = rotation_of(self._charts[k]) * Rotation.from_rotvec(place[:, 3:])
        quat = continuous(R.as_quat(scalar_first=True), self._charts[k[0]])
        w, alpha, lever = R.apply(w), R.apply(alpha), R.apply(np.tile(self._middle, (len(times), 1)))
        about = np.cross(w, lever)
        v, a = rate[:, :3] - about, second[:, :3] - np.cross(alpha, lever) - np.cross(w, about)
        return Motion(place[:, :3] - lever, quat, np.hstack((v, w)), np.hstack((a, alpha)))

    def _wanted(self, first: Course, second: Course, times: Array, near: Array) -> tuple[Array, Array]:
        """Return places and orientations that are wanted at object times [s]."""
        quat = wanted_turn(self._split, first.at(times)[1], second.at(times)[1], near)
        return self._wanted_middle(first, second, times, quat), quat

    def _wanted_middle(self, first: Course, second: Course, times: Array, quat: Array) -> Array:
        """Return where the middle of the sets is to be at object times [s], turned by `quat` (n, 4)."""
        place = wanted_place(self._split, first.at(times)[0], second.at(times)[0], quat)
        middle: Array = place + rotation_of(quat).apply(self._middle)
        return middle

    def _lay(self, a: Array, wanted: Array, before: Array, kept: int, axes: range) -> None:
        """Solve some axes behind the kept knots and write them."""
        for axis in axes:
            solve_axis_into(
                a[axis], self._duals[axis], self._programs[axis >= 3], self._axes[0, kept, axis],
                self._axes[1, kept, axis], before[axis], wanted[axis], math.inf,
            )  # fmt: skip
        self._run_on(kept, a[axes.start : axes.stop], axes)

    def _run_on(self, kept: int, a: Array, axes: range = range(6)) -> None:
        """Write some axes' knots behind the kept ones; behind the last acceleration the rates hold."""
        place, rate, second = self._axes[:, :, axes.start : axes.stop]
        for k in range(kept, place.shape[0]):
            second[k] = a[:, k - kept] if k - kept < a.shape[1] else 0.0
            if k + 1 < place.shape[0]:
                place[k + 1] = place[k] + KNOT * (rate[k] + 0.5 * KNOT * second[k])
                rate[k + 1] = rate[k] + KNOT * second[k]

    def _shift(self, by: int) -> None:
        """Forget the first knots; at the far end he goes on as he does there."""
        if not by:
            return
        n = self._axes.shape[1]
        by, last = min(by, n - 1), self._axes[:, -1].copy()
        self._axes[:, : n - by] = self._axes[:, by:].copy()
        self._charts[: n - by] = self._charts[by:].copy()
        self._charts[n - by :] = self._charts[-1]
        for k in range(by):
            self._axes[0, n - by + k] = last[0] + (k + 1) * KNOT * last[1]
            self._axes[1, n - by + k], self._axes[2, n - by + k] = last[1], 0.0
        self.first += by


def _knot(s: float) -> int:
    return math.floor(s / KNOT + ROUNDING)
