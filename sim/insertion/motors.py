"""What a robot's motors give in a step: weight, controller, and no more than they can. Compiled.

A motor gives `w - kp e - kd e' - ki s`: w holds the weight on the nominal path, e is how far the motor is off
it, s the integral of e; all at the end of the step, so stiff controllers do not ask for short steps. Where
that is more than the motor's greatest torque it gives this one, and s stands. Which motors are at their
limits is found by trial: the step is solved again until those that are held ask for more and all others for
less.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from sim.insertion.elastic_dynamics import RobotNumbers
from sim.insertion.instant import Instant

MOST = 16  # trials in a step


class Motors(NamedTuple):
    """What a run remembers of its motors.

    Attributes:
        integral: of how far each is off its nominal angle [rad s], shape (n,).
        held: in this step: 1, -1 at its greatest torque forwards, backwards; 0: below it; shape (n,).
        asked: by its controller in this step [N m], shape (n,).
    """

    integral: Array
    held: IntArray
    asked: Array


@njit(cache=True)
def motors_at_rest(n: int) -> Motors:
    """Return the motors of a robot of n joints where its path begins."""
    return Motors(np.zeros(n), np.zeros(n, np.int64), np.zeros(n))


@njit(cache=True)
def _coordinate(robot: RobotNumbers, joint: int, dof: int) -> int:
    """Return where a joint's motor is among the coordinates."""
    at = robot.motors[joint]
    return at if at >= 0 else dof - robot.motors.shape[0] + joint


@njit(cache=True)
def begin_motors(robot: RobotNumbers, motors: Motors, now: Instant, advanced: Array, h: float) -> None:
    """Take all motors as below their limits, and add what their integrals give to the instant's matrices."""
    for k in range(motors.held.shape[0]):
        motors.held[k] = 0
        if robot.ki[k] > 0.0:
            at = _coordinate(robot, k, advanced.shape[0])
            now.Q[at, at] += h * robot.ki[k]
            now.force[at] += h * robot.ki[k] * advanced[at] - robot.ki[k] * motors.integral[k]


@njit(cache=True)
def limits_hold(
    robot: RobotNumbers, motors: Motors, now: Instant, advanced: Array, q: Array, v: Array, h: float
) -> bool:
    """Tell whether a step's solution fits its motors' limits; if not, put the others into the instant.

    Args:
        robot: see there.
        motors: what they ask for is written.
        now: the instant that was solved.
        advanced: how far the nominal coordinates go in the step, shape (dof,).
        q: the solution's coordinates, nominal ones of the step's beginning taken off, shape (dof,).
        v: its velocity, shape (dof,).
        h: step [s].
    """
    fits = True
    for k in range(motors.held.shape[0]):
        at = _coordinate(robot, k, v.shape[0])
        off, rate = q[at] - advanced[at], v[at] - advanced[at] / h
        sum_off = motors.integral[k] + h * off
        asked = now.held[k] - robot.kp[k] * off - robot.kd[k] * rate - robot.ki[k] * sum_off
        motors.asked[k] = asked
        side = 0
        if abs(asked) > robot.limits[k]:
            side = 1 if asked > 0.0 else -1
        if side != motors.held[k]:
            fits = False
            _put(robot, motors, now, advanced, k, at, -1.0, h)
            motors.held[k] = side
            _put(robot, motors, now, advanced, k, at, 1.0, h)
    return fits


@njit(cache=True)
def _put(
    robot: RobotNumbers, motors: Motors, now: Instant, advanced: Array, k: int, at: int, sign: float, h: float
) -> None:
    """Add what a motor gives beside the weight's torque to the instant; or, by the sign -1, take it away."""
    if motors.held[k]:
        now.force[at] += sign * (motors.held[k] * robot.limits[k] - now.held[k])
        return
    spring = robot.kp[k] + h * robot.ki[k]
    now.Q[at, at] += sign * spring
    now.P[at, at] += sign * robot.kd[k]
    ahead = (robot.kd[k] / h + spring) * advanced[at]
    now.force[at] += sign * (ahead - robot.ki[k] * motors.integral[k])


@njit(cache=True)
def end_motors(torques: Array, robot: RobotNumbers, motors: Motors, q: Array, h: float) -> None:
    """Write the torques that the motors gave (n,); integrals go on, of those below their limits.

    Args:
        torques: receives them [N m], shape (n,).
        robot: see there.
        motors: see there.
        q: deviation at the step's end, shape (dof,).
        h: step [s].
    """
    for k in range(torques.shape[0]):
        if motors.held[k]:
            torques[k] = motors.held[k] * robot.limits[k]
        else:
            torques[k] = motors.asked[k]
            motors.integral[k] += h * q[_coordinate(robot, k, q.shape[0])]
