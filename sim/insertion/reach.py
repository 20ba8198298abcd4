"""Joint positions at which a robot's tip is where it must be, and along a straight path."""

from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.errors import InsertionError
from sim.chain.dynamics import bias
from sim.chain.kinematics import body_poses, jacobian_at
from sim.chain.serial_chain import SerialChain
from sim.insertion.elastic_dynamics import (
    elastic_mass,
    gear_and_servo,
    gravity_stiffness,
    sag_into,
    viscous_friction,
)
from sim.insertion.elastic_robot import ElasticRobot

TURNS, SEEDS = 200, 60
CLOSE = 1e-10  # [m, rad]
DAMPING = 1e-2  # of a step far away
LONGEST = 0.3  # [rad, m] of a step


class Nominal(NamedTuple):
    """A straight path, with the robot linearised at nodes along it.

    Attributes:
        T_begin: pose of the tip where it begins, in the base, shape (4, 4).
        direction: unit vector in the base, shape (3,).
        spacing: of the nodes [m].
        q: coordinates at rest at the nodes: motors, gears sagged by the weight, and joints, shape (k, dof).
        slope: how they change along the path [rad/m], shape (k, dof).
        M, Q: of the linear model, shape (k, dof, dof).
        J: of the tip, shape (k, 6, dof).
        P: damping, shape (dof, dof).
        servo: stiffness without that of gravity, shape (dof, dof).
        held: torques of the joints that hold the weight at the nodes, shape (k, n).
        viscous: friction, which damps the rates themselves, shape (dof,).
    """

    T_begin: Array
    direction: Array
    spacing: float
    q: Array
    slope: Array
    M: Array
    Q: Array
    J: Array
    P: Array
    servo: Array
    held: Array
    viscous: Array


@njit(cache=True)
def _error(chain: SerialChain, q: Array, target: Array) -> tuple[Array, Array]:
    """Return what is left to a target, base axes, and the Jacobian there; the turn by its sine."""
    poses, e = body_poses(chain, q), np.zeros(6)
    T = poses[q.shape[0] + 1]
    for k in range(3):
        e[k] = target[k, 3] - T[k, 3]
    for c in range(3):
        for k in range(3):
            a, b = (k + 1) % 3, (k + 2) % 3
            e[3 + k] += 0.5 * (T[a, c] * target[b, c] - T[b, c] * target[a, c])
    trace = 0.0
    for c in range(3):
        for k in range(3):
            trace += T[k, c] * target[k, c]
    if trace < 1.0:  # more than a quarter turn: the sine falls again
        size = np.sqrt(e[3] ** 2 + e[4] ** 2 + e[5] ** 2)
        for k in range(3):
            e[3 + k] = e[3 + k] / size if size > 1e-9 else (1.0 if k == 0 else 0.0)
    return e, jacobian_at(chain, poses)


def reached(chain: SerialChain, target: Array, begin: Array) -> tuple[Array, float]:
    """Return joint positions whose tip comes nearest to a target pose (4, 4), and how near [m or rad]."""
    q, damping = begin.copy(), 0.0
    e, J = _error(chain, q, target)
    for _ in range(TURNS):
        size = float(np.linalg.norm(e))
        if size < CLOSE:
            break
        step = J.T @ np.linalg.solve(J @ J.T + (damping + 1e-14) * np.eye(6), e)
        step *= min(1.0, LONGEST / max(float(np.abs(step).max()), 1e-300))
        there, slope = _error(chain, q + step, target)
        if float(np.linalg.norm(there)) < size:
            q, e, J, damping = q + step, there, slope, 0.1 * damping
        elif damping > 1e3:
            break
        else:
            damping = max(10.0 * damping, 1e-2 * DAMPING)
    return q, float(np.linalg.norm(e))


def position_at(robot: ElasticRobot, target: Array) -> Array:
    """Return joint positions within their range whose tip is at a target pose (4, 4), shape (n,).

    Raises:
        InsertionError: it cannot be reached.
    """
    rng, nearest = np.random.default_rng(0), np.inf
    begin = robot.position
    for _ in range(SEEDS):
        q, left = reached(robot.chain, target, begin)
        q = np.where(robot.chain.linear, q, (q + np.pi) % (2.0 * np.pi) - np.pi)
        if left < 1e-8 and (q >= robot.lower).all() and (q <= robot.upper).all():
            return np.asarray(q)
        nearest = min(nearest, left)
        begin = robot.lower + rng.random(len(robot.lower)) * (robot.upper - robot.lower)
    x, y, z = 1e3 * target[:3, 3]
    why = (
        "only beyond its joints' range"
        if nearest < 1e-8
        else f"it stays {1e3 * nearest:.3g} mm (or mrad) away"
    )
    raise InsertionError(
        f"{robot.name} cannot reach ({x:.0f}, {y:.0f}, {z:.0f}) mm with its tool along the path: {why}; move "
        "the hole"
    )


def tip_of(robot: ElasticRobot) -> Array:
    """Return the pose of a robot's tip at its position, in the base, shape (4, 4)."""
    return body_poses(robot.chain, robot.position)[len(robot.position) + 1].copy()


def nominal_path(robot: ElasticRobot, direction: Array, distance: float, spacing: float = 1e-3) -> Nominal:
    """Return the straight path of the tip from the robot's position, its orientation kept.

    Raises:
        InsertionError: the robot cannot follow it.
    """
    n, m = len(robot.position), robot.dof - len(robot.position)
    count = max(2, int(np.ceil(distance / spacing - 1e-9)) + 2)
    T_begin = tip_of(robot)
    along = np.concatenate([direction, np.zeros(3)])
    joints, rates, torques = np.empty((count, n)), np.empty((count, n)), np.empty((count, n))
    q, target, numbers = robot.position, T_begin.copy(), robot.numbers
    for k in range(count):
        target[:3, 3] = T_begin[:3, 3] + k * spacing * direction
        q, left = reached(robot.chain, target, q)
        inside = (q >= robot.lower - 1e-9).all() and (q <= robot.upper + 1e-9).all()
        if (left > 1e-8 or not inside) and k * spacing <= distance:
            why = (
                f"{1e3 * left:.3g} mm (or mrad) are left"
                if left > 1e-8
                else "a joint is at the end of its range"
            )
            raise InsertionError(
                f"{robot.name} cannot follow its path of {1e3 * distance:g} mm beyond "
                f"{1e3 * k * spacing:g} mm: {why}; move the hole, or make the path shorter"
            )
        joints[k], rates[k] = q, np.linalg.pinv(_error(robot.chain, q, target)[1]) @ along
        torques[k] = bias(robot.chain, q, np.zeros(n), robot.numbers.gravity)
    elastic, sag = numbers.motors >= 0, np.zeros((count, m))
    for k in range(count):
        sag_into(sag[k], numbers, torques[k])
    q_all = np.hstack([joints[:, elastic] + sag, joints])
    slope = np.hstack([rates[:, elastic] + np.gradient(sag, spacing, axis=0), rates])
    P, servo = gear_and_servo(numbers)
    Q, J = np.repeat(servo[None], count, axis=0), np.zeros((count, 6, robot.dof))
    for k in range(count):
        Q[k, m:, m:] += gravity_stiffness(numbers, joints[k])
        J[k, :, m:] = jacobian_at(robot.chain, body_poses(robot.chain, joints[k]))
    M = np.array([elastic_mass(numbers, q) for q in joints])
    return Nominal(
        T_begin,
        direction.copy(),
        spacing,
        q_all,
        slope,
        M,
        Q,
        J,
        P,
        servo,
        torques,
        viscous_friction(numbers),
    )


def coordinates_at(nominal: Nominal, way: Array) -> Array:
    """Return the coordinates at rest at distances (k,) along the path, smooth between its nodes, (k, dof)."""
    node = np.clip((way / nominal.spacing).astype(int), 0, len(nominal.q) - 2)
    x = (way / nominal.spacing - node)[:, None]
    q, slope = nominal.q, nominal.slope * nominal.spacing
    return np.asarray(
        (1.0 + 2.0 * x) * (1.0 - x) ** 2 * q[node]
        + x * (1.0 - x) ** 2 * slope[node]
        + x**2 * (3.0 - 2.0 * x) * q[node + 1]
        - x**2 * (1.0 - x) * slope[node + 1]
    )
