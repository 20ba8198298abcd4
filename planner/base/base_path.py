"""Where the base is to be, over object time: a path behind a predicted object, whose begin never changes.

The heading follows the object's axis; the place follows what is left with the heading that came of it, so
that the object stays in the middle even while the heading lags. Knots lie on a grid of object time: plans
that begin at different instants share them, and what is committed stays as it was to the last digit.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array, BoolArray
from hil.configuration import Configuration
from hil.configuration.base_rules import standoff
from planner.base.axis_program import KNOT, KNOTS, AxisProgram, axis_program, solve_axis_into

CATCHING_UP = 0.6  # of the object's certified speed before the base, at most, for both axes together
OFF_PLACE, OFF_HEADING = 0.06, 0.1  # deviations from the middle that weigh alike [m], [rad]
ROUNDING = 1e-9  # of an object time in knots


class BasePath:
    """The path in force; each plan goes on from the one before.

    Attributes:
        first: number of the first knot on the grid of object time.
        iterations: that the newest plan took, of its worst axis.
    """

    def __init__(self, configuration: Configuration) -> None:
        """Stand at the origin."""
        base = configuration.base
        self._base = base
        straight = axis_program(base.share * base.max_speed, base.share * base.max_acceleration, OFF_PLACE)
        self._programs = straight, axis_program(base.max_turn, base.max_turn_acceleration, OFF_HEADING)
        self._ahead = math.ceil(base.committed / KNOT + ROUNDING) + 1
        stops = configuration.stops
        apart = CATCHING_UP * stops.max_speed / math.sqrt(2.0) if stops.enabled else math.inf
        self._task = np.array([*standoff(configuration), stops.axis_yaw, base.axis_yaw, apart])
        self.restart(0.0, np.zeros(3))

    def restart(self, s: float, pose: Array) -> None:
        """Stand at a pose (x, y [m], heading [rad]), shape (3,), from object time `s` [s] on."""
        n = self._ahead + KNOTS + 1
        self.first, self.iterations = _knot(s), 0
        self._knots = np.zeros((3, n, 3))  # pose, rate, and acceleration behind each knot
        self._knots[0] = pose
        self._duals = np.zeros((3, 2, KNOTS))

    def room(self, s: float) -> tuple[float, str]:
        """Return for how long after object time `s` the base keeps floor and cable [s], and which ends.

        It is infinite, with no word, if nothing of the path leaves them.
        """
        base, pose = self._base, self._knots[0]
        out = np.zeros(len(pose), bool) if base.floor is None else _outside(pose, base.floor, base.kind)
        wound = np.zeros(len(pose), bool) if base.winding is None else np.abs(pose[:, 2]) > base.winding
        for k in range(len(pose)):
            if out[k] or wound[k]:
                ends = max((self.first + k) * KNOT - s, 0.0)
                return ends, "base floor" if out[k] else "base winding"
        return math.inf, ""

    def plan(self, s_0: float, step: float, p: Array, quat: Array, twist: Array) -> None:
        """Lay the path for a prediction, behind what is committed.

        Args:
            s_0: object time of the prediction's first node [s].
            step: between its nodes [s].
            p: the object's centres, world [m], shape (n, 3).
            quat: its orientations w x y z, shape (n, 4).
            twist: its twists, world axes [m/s, rad/s], shape (n, 6).
        """
        _shift_into(self._knots, max(_knot(s_0) - self.first, 0))
        self.first = max(self.first, _knot(s_0))
        kept = math.ceil((s_0 + self._base.committed) / KNOT - ROUNDING) - self.first
        kept = min(max(kept, 0), self._ahead)
        instants = ((self.first + kept + 1 + np.arange(KNOTS)) * KNOT).astype(np.float64)
        wanted = _wanted(instants, s_0, step, p, quat, twist, float(self._knots[0, kept, 2]), self._task)
        self.iterations = _lay_into(
            self._knots, self._duals, kept, wanted, self._task, self._base.kind == "rail", *self._programs
        )

    def at(self, times: Array) -> Array:
        """Return pose, rate and acceleration at object times (n,) [s], shape (n, 3, 3)."""
        out = np.empty((len(times), 3, 3))
        _at_into(out, times, self._knots, self.first)
        return out


def _outside(pose: Array, floor: Array, kind: str) -> BoolArray:
    """Return which poses (n, 3) lie outside the floor; of a rail its line's own end counts."""
    used = np.ptp(pose[:, :2], axis=0) > 0.0 if kind == "rail" else np.ones(2, bool)
    beyond: BoolArray = ((pose[:, :2] < floor[0]) | (pose[:, :2] > floor[1])) & used
    return np.asarray(beyond.any(axis=1), dtype=np.bool_)


def _knot(s: float) -> int:
    return math.floor(s / KNOT + ROUNDING)


@njit(cache=True)
def _shift_into(knots: Array, by: int) -> None:
    """Forget the first knots; at the far end the base goes on as it does there."""
    n = knots.shape[1]
    for k in range(n):
        for i in range(3):
            if k + by < n:
                for row in range(3):
                    knots[row, k, i] = knots[row, k + by, i]
            else:
                knots[0, k, i] = knots[0, k - 1, i] + KNOT * knots[1, k - 1, i]
                knots[1, k, i], knots[2, k, i] = knots[1, k - 1, i], 0.0


@njit(cache=True)
def _wanted(
    instants: Array, s_0: float, step: float, p: Array, quat: Array, twist: Array, near: float, task: Array
) -> Array:
    """Return where the object will be and where its axis will point, shape (m, 3); headings are continuous.

    Beyond the prediction its last velocity holds. `near` is the heading that the first one is nearest to.
    """
    out = np.empty((instants.shape[0], 3))
    last, before = p.shape[0] - 1, near
    for k in range(instants.shape[0]):
        x = (instants[k] - s_0) / step
        i = min(max(int(x + 0.5), 0), last)
        dt = (x - i) * step
        for j in range(2):
            out[k, j] = p[i, j] + dt * twist[i, j]
        qw, qx, qy, qz = quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3]
        across, along = 2.0 * (qy * qz - qw * qx), 2.0 * (qx * qz + qw * qy)
        # an axis has no heading where it is vertical, and then none to follow
        heading = math.atan2(across, along) + dt * twist[i, 5] - task[2] if across or along else before
        turns = math.floor((heading - before) / (2.0 * math.pi) + 0.5)
        out[k, 2] = before = heading - 2.0 * math.pi * turns
    return out


@njit(cache=True)
def _lay_into(
    knots: Array,
    duals: Array,
    kept: int,
    wanted: Array,
    task: Array,
    rail: bool,
    straight: AxisProgram,
    turning: AxisProgram,
) -> int:
    """Lay the axes behind the `kept` intervals, the heading first; return the worst axis's iterations."""
    a, r, most = np.empty(KNOTS), np.empty(KNOTS), 0
    if rail:
        return _lay_rail(knots, duals, kept, wanted, task, straight, a, r)
    for axis in (2, 0, 1):
        for k in range(KNOTS):
            r[k] = wanted[k, axis]
            if axis < 2:
                c, s = math.cos(knots[0, kept + 1 + k, 2]), math.sin(knots[0, kept + 1 + k, 2])
                r[k] -= c * task[0] - s * task[1] if axis == 0 else s * task[0] + c * task[1]
        before = knots[2, kept - 1, axis] if kept > 0 else 0.0
        program = turning if axis == 2 else straight
        apart = math.inf if axis == 2 else task[4]
        x, v = knots[0, kept, axis], knots[1, kept, axis]
        used = solve_axis_into(a, duals[axis], program, x, v, before, r, apart)
        most = max(most, used)
        _run_on(knots, kept, axis, a)
    return most


@njit(cache=True)
def _lay_rail(
    knots: Array,
    duals: Array,
    kept: int,
    wanted: Array,
    task: Array,
    straight: AxisProgram,
    a: Array,
    r: Array,
) -> int:
    """Lay the path along a rail through the origin; the heading stays."""
    along = (math.cos(task[3]), math.sin(task[3]))
    for k in range(KNOTS):
        r[k] = along[0] * (wanted[k, 0] - task[0]) + along[1] * (wanted[k, 1] - task[1])
    x = along[0] * knots[0, kept, 0] + along[1] * knots[0, kept, 1]
    v = along[0] * knots[1, kept, 0] + along[1] * knots[1, kept, 1]
    before = along[0] * knots[2, kept - 1, 0] + along[1] * knots[2, kept - 1, 1] if kept > 0 else 0.0
    used = solve_axis_into(a, duals[0], straight, x, v, before, r, task[4])
    for axis in range(2):
        _run_on(knots, kept, axis, along[axis] * a)
    return used


@njit(cache=True)
def _run_on(knots: Array, kept: int, axis: int, a: Array) -> None:
    """Write an axis's knots behind the `kept` intervals; behind the last one the speed holds."""
    n = knots.shape[1]
    for k in range(kept, n):
        knots[2, k, axis] = a[k - kept] if k - kept < a.shape[0] else 0.0
        if k < n - 1:
            v = knots[1, k, axis]
            knots[0, k + 1, axis] = knots[0, k, axis] + KNOT * (v + 0.5 * KNOT * knots[2, k, axis])
            knots[1, k + 1, axis] = v + KNOT * knots[2, k, axis]


@njit(cache=True)
def _at_into(out: Array, times: Array, knots: Array, first: int) -> None:
    """Write pose, rate and acceleration (n, 3, 3) at object times; beyond the ends the speed holds."""
    last = knots.shape[1] - 1
    for i in range(times.shape[0]):
        x = times[i] / KNOT - first
        k = min(max(math.floor(x + ROUNDING), 0), last)
        u = (x - k) * KNOT
        for j in range(3):
            inside = 0.0 if u < -ROUNDING else knots[2, k, j]
            out[i, 0, j] = knots[0, k, j] + u * (knots[1, k, j] + 0.5 * u * inside)
            out[i, 1, j] = knots[1, k, j] + u * inside
            out[i, 2, j] = inside
