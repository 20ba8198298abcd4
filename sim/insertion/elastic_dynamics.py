"""Mass, stiffness and damping of a robot with elastic gears. Compiled.

theory: Meitinger & Pfeiffer, equation 7: M = blkdiag(rotors of elastic axes, links and the other rotors);
Q holds gears, the controller's stiffness and that of gravity, P gears and the controller's rates.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array, BoolArray, IntArray
from sim.chain.derivatives import dynamics_with_derivatives
from sim.chain.dynamics import mass_matrix
from sim.chain.serial_chain import SerialChain
from sim.drives.drive import Drives
from sim.drives.spring import torque_of, twist_of


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
        ki: its torque by the integral of the motor's angle [N m/(rad s)], shape (n,).
        limits: greatest torques of the motors [N m]; infinite: none, shape (n,).
        motor_viscous: friction of the motors [N m s/rad], shape (n,).
        joint_viscous: of the joints [N m s/rad], shape (n,).
        bends: gears whose springs are no straight lines; the stiffness is that under the weight, shape (n,).
        drives: their records, for those springs, shape (n,).
    """

    chain: SerialChain
    gravity: Array
    motors: IntArray
    stiffness: Array
    damping: Array
    rotors: Array
    kp: Array
    kd: Array
    ki: Array
    limits: Array
    motor_viscous: Array
    joint_viscous: Array
    bends: BoolArray
    drives: Drives


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
    """Return damping and stiffness of gears, friction and controller, each of shape (dof, dof)."""
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
        P[link, link] += robot.joint_viscous[i]
        P[at, at] += robot.motor_viscous[i]
        P[at, at] += robot.kd[i]
        Q[at, at] += robot.kp[i]
    return P, Q


@njit(cache=True)
def viscous_friction(robot: RobotNumbers) -> Array:
    """Return what damps the coordinates' own rates and not their deviations, shape (dof,)."""
    n, m = robot.motors.shape[0], motor_count(robot)
    out = np.zeros(n + m)
    for i in range(n):
        out[m + i] += robot.joint_viscous[i]
        out[robot.motors[i] if robot.motors[i] >= 0 else m + i] += robot.motor_viscous[i]
    return out


@njit(cache=True)
def sag_into(out: Array, robot: RobotNumbers, torques: Array) -> None:
    """Write how far motors are ahead of their joints, with elastic gears that hold torques (n,)."""
    for i in range(torques.shape[0]):
        if robot.motors[i] >= 0:
            straight = torques[i] / robot.stiffness[i]
            out[robot.motors[i]] = twist_of(robot.drives[i], torques[i]) if robot.bends[i] else straight


@njit(cache=True)
def bend_springs(robot: RobotNumbers, P: Array, Q: Array, force: Array, q_nominal: Array, q: Array) -> None:
    """Put springs that are no straight lines in their places: their slopes here, and what is left as forces.

    Args:
        robot: see there.
        P: damping, of which that of flanks that do not touch is taken away, shape (dof, dof).
        Q: stiffness, in which the springs are straight, shape (dof, dof).
        force: shape (dof,).
        q_nominal: coordinates at rest, shape (dof,).
        q: deviation from those, shape (dof,).
    """
    m = q.shape[0] - robot.motors.shape[0]
    for i in range(robot.motors.shape[0]):
        at, link = robot.motors[i], m + i
        if at < 0 or not robot.bends[i]:
            continue
        rest, away = q_nominal[at] - q_nominal[link], q[at] - q[link]
        torque, _, slope, line = torque_of(robot.drives[i], rest + away)
        more = slope - robot.stiffness[i]
        loose = robot.damping[i] if line == 0 else 0.0
        for a, b, sign in ((at, at, 1.0), (link, link, 1.0), (at, link, -1.0), (link, at, -1.0)):
            Q[a, b] += sign * more
            P[a, b] -= sign * loose
        left = slope * away - (torque - torque_of(robot.drives[i], rest)[0])
        force[at] += left
        force[link] -= left


@njit(cache=True)
def gravity_stiffness(robot: RobotNumbers, position: Array) -> Array:
    """Return how the torques that hold the weight change with joint positions, shape (n, n)."""
    n = position.shape[0]
    still = np.zeros(n)
    return dynamics_with_derivatives(robot.chain, position, still, still, robot.gravity)[1][:n].copy()
