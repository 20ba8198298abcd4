"""The loop of an insertion with stiff parts alone. Compiled."""

from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array
from sim.complementarity.step_work import step_work
from sim.insertion.elastic_dynamics import RobotNumbers
from sim.insertion.instant import linear_instant, whole_instant
from sim.insertion.motors import motors_at_rest
from sim.insertion.pegs import Pair
from sim.insertion.reach import Nominal
from sim.insertion.robot_step import GOING, Touch, advance, no_law


class Course(NamedTuple):
    """The nominal motion at every step.

    Attributes:
        h: step [s].
        way: along the path, shape (n + 1,) [m].
        q: coordinates at rest there, shape (n + 1, dof).
    """

    h: float
    way: Array
    q: Array


class Rows(NamedTuple):
    """What a run leaves, a row a step.

    Attributes:
        poses: of the peg in its hole, shape (n, 4, 4).
        tips: of the tip in the base, shape (n, 4, 4).
        speeds: of the tip along the path, shape (n,) [m/s].
        deviations: coordinates off their nominal ones, shape (n, dof).
        velocities: shape (n, dof).
        normals: of every place of contact, shape (n, r) [N].
        points: shape (n, r, 3), in the hole [m].
        torques: that the motors gave, on the joints' side, shape (n, joints) [N m].
        wrenches: on the peg about its origin, in the hole, shape (n, 6) [N, N m].
        gaps: the smallest, shape (n,) [m].
        residuals: of the contact problems, shape (n,).
    """

    poses: Array
    tips: Array
    speeds: Array
    deviations: Array
    velocities: Array
    normals: Array
    points: Array
    torques: Array
    wrenches: Array
    gaps: Array
    residuals: Array


@njit(cache=True)
def rows_for(n: int, dof: int, joints: int, places: int) -> Rows:
    """Return room for n steps."""
    return Rows(
        np.zeros((n, 4, 4)),
        np.zeros((n, 4, 4)),
        np.zeros(n),
        np.zeros((n, dof)),
        np.zeros((n, dof)),
        np.zeros((n, places)),
        np.zeros((n, places, 3)),
        np.zeros((n, joints)),
        np.zeros((n, 6)),
        np.zeros(n),
        np.zeros(n),
    )


@njit(cache=True)
def pushed(
    robot: RobotNumbers, nominal: Nominal, course: Course, pair: Pair, whole: bool, rows: Rows
) -> tuple[int, int]:
    """Run an insertion with a stiff pair into `rows`.

    Args:
        robot: that holds the peg.
        nominal: its path.
        course: along it.
        pair: peg and hole.
        whole: the nonlinear robot instead of the linear one.
        rows: receives it.

    Returns:
        Steps that were made, and why there are no more: of `sim.insertion.robot_step`.
    """
    n, dof = rows.speeds.shape[0], course.q.shape[1]
    q, V, h = np.zeros(dof), np.zeros(dof), course.h
    law, room, motors = no_law(dof), step_work(dof, 0, 3), motors_at_rest(robot.motors.shape[0])
    for k in range(n):
        advanced = course.q[k + 1] - course.q[k]
        if whole:
            now = whole_instant(robot, nominal, course.q[k], advanced / h, q, V, h)
        else:
            now = linear_instant(nominal, course.way[k], advanced / h, q, h)
        write_motion(rows, k, nominal.direction, now.J, now.T, q, V)
        status, touch, room = advance(robot, motors, now, pair, law, advanced, q, V, h, room)
        if status != GOING:
            return k, status
        write_touch(rows, k, touch)
    return n, GOING


@njit(cache=True)
def write_touch(rows: Rows, k: int, touch: Touch) -> None:
    """Write what a step leaves into its row."""
    rows.poses[k], rows.normals[k], rows.points[k] = touch.T, touch.normal, touch.points
    rows.torques[k], rows.wrenches[k] = touch.torques, touch.wrench
    rows.gaps[k], rows.residuals[k] = touch.least, touch.residual


@njit(cache=True)
def write_motion(rows: Rows, k: int, direction: Array, J: Array, T: Array, q: Array, V: Array) -> None:
    """Write a row's motion, at the beginning of its step."""
    rows.tips[k], rows.deviations[k], rows.velocities[k] = T, q, V
    for i in range(3):
        for j in range(V.shape[0]):
            rows.speeds[k] += direction[i] * J[i, j] * V[j]
