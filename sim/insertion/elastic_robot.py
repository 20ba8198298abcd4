"""A robot some of whose axes have elastic gears: motors and joints are degrees of freedom of their own.

theory: Meitinger & Pfeiffer, equations 1 to 9, with stiffness and damping in their places (equation 2 has
them exchanged): the torque on an arm is `d (motor's rate - arm's rate) + k (motor - arm)`, motor angles as
the joint sees them, by the gear's ratio. The coordinates are first the motors of the elastic axes, then all
joints. A position controller with gains for angle and rate acts on the motors, and on the joints whose
gears are rigid.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array, BoolArray, frozen_array
from hil.common.errors import InsertionError
from sim.chain.dynamics import mass_matrix
from sim.chain.kinematics import jacobian
from sim.chain.serial_chain import SerialChain
from sim.insertion.elastic_dynamics import RobotNumbers, elastic_mass, gear_and_servo, gravity_stiffness
from sim.insertion.puma import GRAVITY, RATIOS, ROTORS, SPEEDS, TORQUES, puma


@dataclass(frozen=True, eq=False)
class ElasticRobot:
    """A robot for mating.

    Attributes:
        name: of the arm.
        numbers: its constants, for kernels.
        position: where it is tuned, and near which it is looked at [rad, m], shape (n,).
        lower, upper: its joints' range [rad, m], shape (n,).
        torques: greatest ones of its joints [N m, N], shape (n,).
        speeds: greatest ones of its joints [rad/s, m/s], shape (n,).
        assumed: what of it is an assumption, in words.
    """

    name: str
    numbers: RobotNumbers
    position: Array
    lower: Array
    upper: Array
    torques: Array
    speeds: Array
    assumed: tuple[str, ...]

    @property
    def chain(self) -> SerialChain:
        """Its bodies, without the rotors."""
        return self.numbers.chain

    @property
    def dof(self) -> int:
        """Degrees of freedom: motors of elastic axes, and joints."""
        return len(self.position) + int((self.numbers.motors >= 0).sum())


@dataclass(frozen=True, eq=False)
class LinearModel:
    """A robot at a position: M q'' + P q' + Q q = B u + J^T wrench, the controller closed in P and Q.

    Attributes:
        M, P, Q: shape (dof, dof).
        B: where torques act, shape (dof, n).
        J: motion of the tip, base axes, linear then angular, shape (6, dof).
    """

    M: Array
    P: Array
    Q: Array
    B: Array
    J: Array


@dataclass(frozen=True)
class Servo:
    """What a position controller makes of a joint: a frequency and a damping.

    Attributes:
        frequencies: of the joints, each on its own [Hz], shape (n,).
        damping: share of the critical one.
    """

    frequencies: Sequence[float]
    damping: float


def elastic_robot(
    name: str, chain: SerialChain, gravity: Array, position: Array, elastic: BoolArray, stiffness: Array,
    damping: Array, rotors: Array, servo: Servo, limits: tuple[Array, Array, Array, Array],
    assumed: tuple[str, ...],
) -> ElasticRobot:  # fmt: skip
    """Return a robot whose gains follow from frequencies and the inertia about each joint at a position.

    Args:
        name: of the arm.
        chain: its bodies, without rotors.
        gravity: in base axes [m/s2], shape (3,).
        position: of the joints, shape (n,).
        elastic: which gears are, shape (n,).
        stiffness: of the elastic gears, on the joint's side, shape (n,).
        damping: of those, shape (n,).
        rotors: inertia on the joint's side, shape (n,).
        servo: see there.
        limits: least and greatest positions, greatest torques and speeds.
        assumed: see there.

    Raises:
        InsertionError: numbers that no robot has.
    """
    n = len(position)
    frequencies = np.asarray(servo.frequencies, dtype=float)
    if frequencies.shape != (n,) or not (frequencies > 0.0).all():
        raise InsertionError(
            f"frequency_hz = {frequencies.tolist()}: {n} frequencies above 0 are asked, one a joint"
        )
    for what, values in (("stiffness", stiffness), ("rotor inertia", rotors)):
        bad = [k for k in range(n) if (elastic[k] or what != "stiffness") and not values[k] > 0.0]
        if bad:
            raise InsertionError(f"joint {bad[0] + 1}: {what} = {values[bad[0]]:g} must be above 0")
    inertia = np.diag(mass_matrix(chain, position)) + rotors
    rate = 2.0 * math.pi * frequencies
    motors = np.full(n, -1, dtype=np.int64)
    motors[elastic] = np.arange(int(elastic.sum()))
    numbers = RobotNumbers(
        chain,
        frozen_array(gravity),
        frozen_array(motors, np.int64),
        frozen_array(np.where(elastic, stiffness, 0.0)),
        frozen_array(np.where(elastic, damping, 0.0)),
        frozen_array(rotors),
        frozen_array(inertia * rate**2),
        frozen_array(2.0 * servo.damping * inertia * rate),
    )
    lower, upper, torques, speeds = (frozen_array(limit) for limit in limits)
    return ElasticRobot(name, numbers, frozen_array(position), lower, upper, torques, speeds, assumed)


def gear_damping(chain: SerialChain, position: Array, rotors: Array, stiffness: Array, ratio: float) -> Array:
    """Return the damping of gears by a share of the critical one of rotor against link, shape (n,)."""
    links = np.diag(mass_matrix(chain, position))
    return np.asarray(2.0 * ratio * np.sqrt(np.maximum(stiffness, 0.0) * links * rotors / (links + rotors)))


def puma_robot(
    position: Array, tool: float, payload: float, payload_height: float, stiffness: Array, gear_ratio: float,
    servo: Servo,
) -> ElasticRobot:  # fmt: skip
    """Return the PUMA 560 with elastic gears at its first three axes: nine degrees of freedom.

    Args:
        position: of its joints, where it is tuned [rad], shape (6,).
        tool: see `sim.insertion.puma.puma`.
        payload: see there.
        payload_height: see there.
        stiffness: of its first three gears, on the joint's side [N m/rad], shape (3,).
        gear_ratio: their damping, as a share of the critical one.
        servo: see there.
    """
    chain = puma(tool, payload, payload_height)
    elastic = np.arange(6) < 3
    rotors, whole = ROTORS * RATIOS**2, np.concatenate([stiffness, np.zeros(3)])
    damping = gear_damping(chain, position, rotors, whole, gear_ratio)
    said = ("gears' stiffness and damping", "the controller's frequencies", "tool and payload")
    limits = np.full(6, -2.0 * np.pi), np.full(6, 2.0 * np.pi), TORQUES, SPEEDS
    return elastic_robot(
        "puma560", chain, GRAVITY, position, elastic, whole, damping, rotors, servo, limits, said
    )


def tuned_at(robot: ElasticRobot, position: Array) -> ElasticRobot:
    """Return the robot with its frequencies kept at another position: its gains follow the inertia there."""
    numbers, rotors = robot.numbers, robot.numbers.rotors
    there = np.diag(mass_matrix(robot.chain, position)) + rotors
    ratio = there / (np.diag(mass_matrix(robot.chain, robot.position)) + rotors)
    moved = numbers._replace(kp=frozen_array(numbers.kp * ratio), kd=frozen_array(numbers.kd * ratio))
    return ElasticRobot(
        robot.name, moved, frozen_array(position), robot.lower, robot.upper, robot.torques, robot.speeds,
        robot.assumed,
    )  # fmt: skip


def linear_model(robot: ElasticRobot, position: Array) -> LinearModel:
    """Return the robot linearised at rest at a position of its joints, shape (n,)."""
    numbers, n, m = robot.numbers, len(position), robot.dof - len(position)
    P, Q = gear_and_servo(numbers)
    Q[m:, m:] += gravity_stiffness(numbers, position)
    B, J = np.zeros((n + m, n)), np.zeros((6, n + m))
    for k in range(n):
        B[numbers.motors[k] if numbers.motors[k] >= 0 else m + k, k] = 1.0
    J[:, m:] = jacobian(robot.chain, position)
    return LinearModel(elastic_mass(numbers, position), P, Q, B, J)


def compliance(robot: ElasticRobot, position: Array) -> Array:
    """Return how far a force at the tip moves it at rest, base axes, shape (3, 3) [m/N]; gravity left out."""
    model = linear_model(robot, position)
    _, Q = gear_and_servo(robot.numbers)
    return np.asarray(model.J[:3] @ np.linalg.solve(Q, model.J[:3].T))
