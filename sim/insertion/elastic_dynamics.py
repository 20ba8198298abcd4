"""Mass, stiffness and damping of a robot with elastic gears. Compiled.

theory: Meitinger & Pfeiffer, equation 7: M = blkdiag(rotors of elastic axes, links and the other rotors);
Q holds gears, the controller's stiffness and that of gravity, P gears and the controller's rates.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from sim.chain.derivatives import dynamics_with_derivatives
from sim.chain.dynamics import mass_matrix
from sim.chain.serial_chain import SerialChain


class RobotNumbers(NamedTuple):
    """The constants of a robot of n joints; inertia, stiffness and damping as the joints see them.

    Attributes:
        chain: its bodies, without rotors.
        gravity: in base axes [m/s2], shape (3,).
        motors: coordinate of each joint's motor; -1: its gear is rigid, shape (n,).
        stiffness: of gears [N m/rad], 0 where rigid, shape (n,).
        damping: of gears [N m s/rad], shape (n,).
        rotors: [kg m2], shape (n,).
        kp: the controller's stiffness [N m/rad], shape (n,).
        kd: the controller's damping [N m s/rad], shape (n,).
    """

    chain: SerialChain
    gravity: Array
    motors: IntArray
    stiffness: Array
    damping: Array
    rotors: Array
    kp: Array
    kd: Array


@njit(cache=True)
def motor_count(robot: RobotNumbers) -> int:
    """Return how many joints have a motor of their own coordinate."""
    count = 0
    for k in range(robot.motors.shape[0]):
        if robot.motors[k] >= 0:
            count += 1
    return count


@njit(cache=True)
def elastic_mass(robot: RobotNumbers, position: Array) -> Array:
    """Return the mass matrix at joint positions (n,), shape (dof, dof)."""
    n, m = position.shape[0], motor_count(robot)
    links, M = mass_matrix(robot.chain, position), np.zeros((n + m, n + m))
    for i in range(n):
        for j in range(n):
            M[m + i, m + j] = links[i, j]
        at = robot.motors[i] if robot.motors[i] >= 0 else m + i
        M[at, at] += robot.rotors[i]
    return M


@njit(cache=True)
def gear_and_servo(robot: RobotNumbers) -> tuple[Array, Array]:
    """Return damping and stiffness of gears and controller, each of shape (dof, dof)."""
    n, m = robot.motors.shape[0], motor_count(robot)
    P, Q = np.zeros((n + m, n + m)), np.zeros((n + m, n + m))
    for i in range(n):
        at, link = robot.motors[i], m + i
        if at < 0:
            at = link
        else:
            for A, value in ((P, robot.damping[i]), (Q, robot.stiffness[i])):
                A[at, at] += value
                A[link, link] += value
                A[at, link] -= value
                A[link, at] -= value
        P[at, at] += robot.kd[i]
        Q[at, at] += robot.kp[i]
    return P, Q


@njit(cache=True)
def gravity_stiffness(robot: RobotNumbers, position: Array) -> Array:
    """Return how the torques that hold the weight change with joint positions, shape (n, n)."""
    n = position.shape[0]
    still = np.zeros(n)
    return dynamics_with_derivatives(robot.chain, position, still, still, robot.gravity)[1][:n].copy()
