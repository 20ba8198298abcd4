"""A robot some of whose axes have elastic gears: motors and joints are degrees of freedom of their own.

theory: Meitinger & Pfeiffer, equations 1 to 9, with stiffness and damping in their places (equation 2 has
them exchanged): the torque on an arm is `d (motor's rate - arm's rate) + k (motor - arm)`, motor angles as
the joint sees them, by the gear's ratio. The coordinates are first the motors of the elastic axes, then all
joints. A position controller acts on the motors, and on the joints whose gears are rigid. Motors, gears and
controllers are those of `sim.drives`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hil.common.arrays import Array, frozen_array
from hil.common.errors import InsertionError
from sim.chain.dynamics import mass_matrix
from sim.chain.kinematics import jacobian
from sim.chain.serial_chain import SerialChain
from sim.drives.drive import DriveParameters
from sim.insertion.elastic_dynamics import RobotNumbers, elastic_mass, gear_and_servo, gravity_stiffness
from sim.insertion.joint_drives import Servo, greatest_torque, numbers_of, reflected, retuned, with_servo
from sim.insertion.puma import GRAVITY, RATIOS, ROTORS, SPEEDS, puma, puma_drives


@dataclass(frozen=True, eq=False)
class ElasticRobot:
    """A robot for mating.

    Attributes:
        name: of the arm.
        numbers: its constants, for kernels; made of the drives.
        drives: of its joints, with their controllers.
        position: where it is tuned, and near which it is looked at [rad, m], shape (n,).
        lower, upper: its joints' range [rad, m], shape (n,).
        torques: greatest ones of its motors, on the joints' side [N m, N], shape (n,).
        speeds: greatest ones of its joints [rad/s, m/s], shape (n,).
        limited: whether its motors give no more than that.
        assumed: what of it is an assumption, in words.
    """

    name: str
    numbers: RobotNumbers
    drives: tuple[DriveParameters, ...]
    position: Array
    lower: Array
    upper: Array
    torques: Array
    speeds: Array
    limited: bool
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


def elastic_robot(
    name: str, chain: SerialChain, gravity: Array, position: Array, drives: Sequence[DriveParameters],
    servo: Servo, limits: tuple[Array, Array, Array], assumed: tuple[str, ...], limited: bool = False,
) -> ElasticRobot:  # fmt: skip
    """Return a robot whose gains follow from frequencies and the inertia about each joint at a position.

    Args:
        name: of the arm.
        chain: its bodies, without rotors.
        gravity: in base axes [m/s2], shape (3,).
        position: of the joints, shape (n,).
        drives: of the joints; their controllers are made anew.
        servo: see there.
        limits: least and greatest positions, greatest speeds.
        assumed: see there.
        limited: whether its motors give no more than they can.

    Raises:
        DriveError: a value that no drive has.
        InsertionError: numbers that no robot has.
    """
    n = len(position)
    frequencies = np.asarray(servo.frequencies, dtype=float)
    if frequencies.shape != (n,) or not (frequencies > 0.0).all():
        raise InsertionError(
            f"frequency_hz = {frequencies.tolist()}: {n} frequencies above 0 are asked, one a joint"
        )
    if servo.integral_time > 0.0 and not servo.damping > 0.0:
        raise InsertionError(f"damping = {servo.damping:g} must be above 0 for a controller with an integral")
    for joint, drive in enumerate(drives):
        springs = drive.gear.stiffness or ()
        bad = [k for k in springs if not k > 0.0]
        if bad:
            raise InsertionError(f"joint {joint + 1}: stiffness = {bad[0]:g} must be above 0")
        if not reflected(drive) > 0.0:
            raise InsertionError(f"joint {joint + 1}: rotor inertia = {reflected(drive):g} must be above 0")
    inertia = np.diag(mass_matrix(chain, position)) + [reflected(drive) for drive in drives]
    driven = with_servo(drives, inertia, servo)
    lower, upper, speeds = (frozen_array(limit) for limit in limits)
    return ElasticRobot(
        name, numbers_of(chain, gravity, position, driven, limited), driven, frozen_array(position), lower,
        upper, frozen_array([greatest_torque(drive) for drive in driven]), speeds, limited, assumed,
    )  # fmt: skip


def gear_damping(chain: SerialChain, position: Array, rotors: Array, stiffness: Array, ratio: float) -> Array:
    """Return the damping of gears by a share of the critical one of rotor against link, shape (n,)."""
    links = np.diag(mass_matrix(chain, position))
    return np.asarray(2.0 * ratio * np.sqrt(np.maximum(stiffness, 0.0) * links * rotors / (links + rotors)))


def puma_robot(
    position: Array, tool: float, payload: float, payload_height: float, stiffness: Array, gear_ratio: float,
    servo: Servo, limited: bool = False,
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
        limited: whether its motors give no more than they can.
    """
    chain = puma(tool, payload, payload_height)
    whole = np.concatenate([stiffness, np.zeros(3)])
    damping = gear_damping(chain, position, ROTORS * RATIOS**2, whole, gear_ratio)
    drives = puma_drives(stiffness, damping[:3])
    said = ("the controller's frequencies", "tool and payload", *drives[0].assumed)
    limits = np.full(6, -2.0 * np.pi), np.full(6, 2.0 * np.pi), SPEEDS
    return elastic_robot("puma560", chain, GRAVITY, position, drives, servo, limits, said, limited)


def tuned_at(robot: ElasticRobot, position: Array) -> ElasticRobot:
    """Return the robot with its frequencies kept at another position: its gains follow the inertia there."""
    rotors = robot.numbers.rotors
    there = np.diag(mass_matrix(robot.chain, position)) + rotors
    ratio = there / (np.diag(mass_matrix(robot.chain, robot.position)) + rotors)
    drives = tuple(retuned(drive, times) for drive, times in zip(robot.drives, ratio.tolist(), strict=True))
    numbers = numbers_of(robot.chain, robot.numbers.gravity, position, drives, robot.limited)
    return replace(robot, numbers=numbers, drives=drives, position=frozen_array(position))


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
