"""An insertion from Python: robot, path and parts go in, courses over time come out."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import InsertionError
from sim.complementarity.step_work import step_work
from sim.insertion.elastic_robot import ElasticRobot
from sim.insertion.instant import linear_instant, whole_instant
from sim.insertion.motors import motors_at_rest
from sim.insertion.pegs import ROWS, Pair
from sim.insertion.pushing import Course, Rows, pushed, rows_for, write_motion, write_touch
from sim.insertion.reach import Nominal, coordinates_at
from sim.insertion.robot_step import DIVERGED, GOING, UNSETTLED, UNSOLVED, Law, advance, no_law
from sim.mating.wrench import Derivative, Wrench

Model = Literal["linear", "nonlinear"]
Told = Callable[[float], None]  # is called with the share that is done, 0 to 1
TOLD = 100  # steps from one telling to the next
SWING, BOUNCE = 1.0, 3.0  # [rad] of the tip's swing, and of one on a contact, in the longest step
WHY = {
    DIVERGED: "the motion has diverged: take a shorter step, or softer contacts",
    UNSOLVED: "the contacts cannot be met by any forces: the parts are inside one another",
    UNSETTLED: "no choice of motors at their limits fits the motion: take a shorter step",
}


class CompliantPart(Protocol):
    """A part whose load follows from pose and speed; one with a memory keeps it in its state."""

    def load(self, T: Array, twist: Array) -> tuple[Wrench, Derivative]:
        """Return its load and derivative at a pose in its counterpart, and go on from there."""
        ...


@dataclass(frozen=True, eq=False)
class HeldPart:
    """A compliant part on the robot's tip.

    Attributes:
        part: its law.
        T_tip_part: shape (4, 4).
        T_base_counterpart: shape (4, 4).
    """

    part: CompliantPart
    T_tip_part: Array
    T_base_counterpart: Array


@dataclass(frozen=True, eq=False)
class InsertionRun:
    """What came of an insertion.

    Attributes:
        t: beginnings of the steps, shape (n,) [s].
        way: nominal, along the path, shape (n,) [m].
        rows: of stiff parts and robot, n rows.
        loads: of each compliant part, about its origin in its counterpart, shape (n, p, 6) [N, N m].
        places: of each, where its origin is in its counterpart, shape (n, p, 3) [m].
        phases: of each, n lists of p names.
        stopped: why it ended early; empty: it did not. The last row is then the last good state.
    """

    t: Array
    way: Array
    rows: Rows
    loads: Array
    places: Array
    phases: Sequence[Sequence[str]]
    stopped: str


def longest_step(nominal: Nominal, pair: Pair) -> float:
    """Return the longest step that shows the tip's fastest swing, and contacts that give way [s].

    One radian of the swing of the tip on the robot's stiffness with its inertia there; three of that on a
    contact, whose force the step takes at its end.
    """
    swing, bounce = 0.0, 0.0
    for M, Q, J in zip(nominal.M[::20], nominal.Q[::20], nominal.J[::20], strict=True):
        light, soft = (J[:3] @ np.linalg.solve(A, J[:3].T) for A in (M, Q))
        stiff = np.linalg.pinv(soft, rcond=1e-9)  # a plane has no motion across it
        swing = max(swing, float(np.abs(np.linalg.eigvals(stiff @ light)).max()))
        bounce = max(bounce, pair.stiffness * float(np.linalg.eigvalsh(light).max()))
    return min(SWING / math.sqrt(swing), BOUNCE / math.sqrt(bounce) if bounce > 0.0 else math.inf)


def checked_step(nominal: Nominal, pair: Pair, h: float) -> None:
    """Refuse a step that is too long for robot and contacts.

    Raises:
        InsertionError: see there.
    """
    longest = longest_step(nominal, pair)
    if not 0.0 < h <= longest:
        what = "the robot and its contacts" if pair.stiffness > 0.0 else "the robot"
        softer = ", or make the contacts softer" if pair.stiffness > 0.0 else ""
        raise InsertionError(
            f"step_ms = {1e3 * h:g} is too long for the stiffness of {what}: at most {1e3 * longest:.3g}; "
            f"take a shorter step{softer}"
        )


def simulate(
    robot: ElasticRobot, nominal: Nominal, way: Array, h: float, pair: Pair,
    held: Sequence[HeldPart] = (), model: Model = "linear", told: Told = lambda share: None,
) -> InsertionRun:  # fmt: skip
    """Push parts into each other.

    Args:
        robot: that holds them.
        nominal: its straight path.
        way: along it at every step, shape (n + 1,) [m].
        h: step [s].
        pair: stiff parts; of the kind NONE if there are none.
        held: compliant parts.
        model: the robot linearised along the path, or whole.
        told: hears how far it is.

    Raises:
        InsertionError: the step is too long for the stiffness.
    """
    checked_step(nominal, pair, h)
    course = Course(float(h), way, coordinates_at(nominal, way))
    n, whole = len(way) - 1, model == "nonlinear"
    rows = rows_for(n, robot.dof, len(robot.position), ROWS[pair.kind])
    loads, places = np.zeros((n, len(held), 6)), np.zeros((n, len(held), 3))
    phases: list[list[str]] = [[] for _ in range(n)]
    if held:
        done, status = _with_laws(
            robot, nominal, course, pair, held, whole, rows, loads, places, phases, told
        )
    else:
        done, status = _alone(robot, nominal, course, pair, whole, rows, told)
    kept = Rows(*(part[:done] for part in rows))
    t = np.asarray(h * np.arange(done), dtype=float)
    return InsertionRun(t, way[:done], kept, loads[:done], places[:done], phases[:done], WHY.get(status, ""))


def _alone(
    robot: ElasticRobot, nominal: Nominal, course: Course, pair: Pair, whole: bool, rows: Rows, told: Told
) -> tuple[int, int]:
    """Run an insertion with stiff parts alone, some steps at a time."""
    n, q, V = len(rows.speeds), np.zeros(robot.dof), np.zeros(robot.dof)
    room, motors = step_work(robot.dof, 0, 3), motors_at_rest(len(robot.position))
    for first in range(0, n, TOLD):
        told(first / n)
        last = min(first + TOLD, n)
        done, status, room = pushed(
            robot.numbers, nominal, course, pair, whole, rows, first, last, q, V, motors, room
        )
        if status != GOING:
            return done, status
    return n, GOING


def _with_laws(
    robot: ElasticRobot, nominal: Nominal, course: Course, pair: Pair, held: Sequence[HeldPart], whole: bool,
    rows: Rows, loads: Array, places: Array, phases: list[list[str]], told: Told,
) -> tuple[int, int]:  # fmt: skip
    q, V, h = np.zeros(robot.dof), np.zeros(robot.dof), course.h
    room, motors = step_work(robot.dof, 0, 3), motors_at_rest(len(robot.position))
    for k in range(len(phases)):
        if k % TOLD == 0:
            told(k / len(phases))
        advanced = course.q[k + 1] - course.q[k]
        if whole:
            now = whole_instant(robot.numbers, nominal, course.q[k], advanced / h, q, V, h)
        else:
            now = linear_instant(nominal, course.way[k], advanced / h, q, h)
        write_motion(rows, k, nominal.direction, now.J, now.T, q, V)
        law = no_law(robot.dof)
        for p, part in enumerate(held):
            wrench, places[k, p] = add_law(law, part, now.T, now.J, V)
            loads[k, p] = wrench.load
            phases[k].append(wrench.phase)
        status, touch, room = advance(robot.numbers, motors, now, pair, law, advanced, q, V, h, room)
        if status != GOING:
            return k, status
        write_touch(rows, k, touch)
    return len(phases), GOING


def add_law(law: Law, held: HeldPart, T_tip: Array, J_tip: Array, V: Array) -> tuple[Wrench, Array]:
    """Add a part's load in generalised coordinates; return it, and where the part is in its counterpart."""
    R = held.T_base_counterpart[:3, :3].T
    T_base_part = T_tip @ held.T_tip_part
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R @ T_base_part[:3, :3], R @ (T_base_part[:3, 3] - held.T_base_counterpart[:3, 3])
    x, y, z = T_base_part[:3, 3] - T_tip[:3, 3]
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    J = np.vstack([R @ (J_tip[:3] - across @ J_tip[3:]), R @ J_tip[3:]])
    wrench, slope = held.part.load(T, J @ V)
    if wrench.load.any():
        law.force[:] += J.T @ wrench.load
        law.by_q[:] += J.T @ slope.by_pose @ J
        law.by_v[:] += J.T @ slope.by_twist @ J
    return wrench, T[:3, 3]
