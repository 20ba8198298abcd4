"""Drives of `sim.drives` in a robot for mating: what its equations take of motors, gears and controllers.

Of a motor its rotor, its viscous friction, and the torque at its greatest current, losses of the gear taken
off; of a gear its spring and damping; of a controller what it makes of angle and speed of the motor. Currents
follow their references at once, and windings stay cold; dry friction is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hil.common.arrays import Array, frozen_array
from hil.common.errors import InsertionError
from sim.chain.dynamics import bias
from sim.chain.serial_chain import SerialChain
from sim.drives.controllers import Cascade, Impedance
from sim.drives.drive import DriveParameters, packed
from sim.insertion.elastic_dynamics import RobotNumbers


@dataclass(frozen=True)
class Servo:
    """What a position controller makes of a joint: a frequency and a damping.

    Attributes:
        frequencies: of the joints, each on its own [Hz], shape (n,).
        damping: share of the critical one.
        integral_time: of a cascade's speed controller [s]; 0: without integral, a spring and a damper.
    """

    frequencies: Sequence[float]
    damping: float
    integral_time: float = 0.0


def reflected(drive: DriveParameters) -> float:
    """Return the rotor's inertia on the joint's side [kg m2, kg]."""
    return drive.motor.rotor_inertia * drive.gear.ratio**2


def greatest_torque(drive: DriveParameters) -> float:
    """Return what the motor gives at its greatest current, the gear's losses taken off [N m, N]."""
    through = abs(drive.gear.ratio) * drive.motor.torque_constant * drive.gear.efficiency
    return through * drive.motor.loop.current_max


def spring_at(drive: DriveParameters, torque: float) -> float:
    """Return the stiffness of gear and sensor where they hold a torque [N m/rad, N/m]; 0: both are rigid."""
    gear, sensor = drive.gear, drive.sensor
    if gear.stiffness is None:
        return 0.0 if sensor is None else sensor.stiffness
    line = int(np.searchsorted(gear.torque_limits, abs(torque), side="right"))
    stiffness = gear.stiffness[line]
    return stiffness if sensor is None else 1.0 / (1.0 / stiffness + 1.0 / sensor.stiffness)


def with_servo(
    drives: Sequence[DriveParameters], inertia: Array, servo: Servo
) -> tuple[DriveParameters, ...]:
    """Return drives with controllers by frequencies and the inertia about each joint, shape (n,).

    Both kinds know the weight. A cascade has the impedance's spring and damper, and its integral beside them.
    """
    rates = 2.0 * np.pi * np.asarray(servo.frequencies, dtype=float)
    kp, kd = inertia * rates**2, 2.0 * servo.damping * inertia * rates
    made = []
    for drive, spring, damper in zip(drives, kp.tolist(), kd.tolist(), strict=True):
        control: Cascade | Impedance = Impedance(spring, damper)
        if servo.integral_time > 0.0:
            through = drive.motor.torque_constant * drive.gear.ratio**2
            control = Cascade(spring / damper, damper / through, servo.integral_time, True)
        made.append(replace(drive, controller=control))
    return tuple(made)


def retuned(drive: DriveParameters, times: float) -> DriveParameters:
    """Return a drive whose controller gives so many times the torque for the same error."""
    control = drive.controller
    if isinstance(control, Impedance):
        control = replace(control, stiffness=control.stiffness * times, damping=control.damping * times)
    elif isinstance(control, Cascade):
        control = replace(control, velocity_gain=control.velocity_gain * times)
    return replace(drive, controller=control)


def gains_of(drive: DriveParameters, joint: int) -> tuple[float, float, float]:
    """Return torque of the controller by angle, rate and integral of the angle, on the joint's side.

    Raises:
        InsertionError: there is none, or one that a robot for mating has not.
    """
    control = drive.controller
    if isinstance(control, Impedance) and control.gravity_model and control.torque_gain == 0.0:
        return control.stiffness, control.damping, 0.0
    if isinstance(control, Cascade) and control.gravity_model:
        damper = drive.motor.torque_constant * drive.gear.ratio**2 * control.velocity_gain
        again = damper / control.integral_time
        return damper * control.position_gain + again, damper, again * control.position_gain
    raise InsertionError(
        f"joint {joint + 1}: controller = {control}: an impedance without torque_gain or a cascade is asked, "
        "with gravity_model = true"
    )


def numbers_of(
    chain: SerialChain, gravity: Array, position: Array, drives: Sequence[DriveParameters], limited: bool
) -> RobotNumbers:
    """Return a robot's constants, its springs taken where they hold the weight at a position, shape (n,).

    Args:
        chain: its bodies, without rotors.
        gravity: in base axes [m/s2], shape (3,).
        position: of the joints, shape (n,).
        drives: of the joints, with controllers.
        limited: whether motors have their greatest torques; else they give what they are asked for.

    Raises:
        DriveError: a value that no drive has.
        InsertionError: a controller that a robot for mating has not.
    """
    n = len(drives)
    weight = bias(chain, position, np.zeros(n), gravity)
    springs = np.array([spring_at(drive, torque) for drive, torque in zip(drives, weight, strict=True)])
    motors = np.full(n, -1, dtype=np.int64)
    motors[springs > 0.0] = np.arange(int((springs > 0.0).sum()))
    gains = np.array([gains_of(drive, joint) for joint, drive in enumerate(drives)]).reshape(n, 3)
    most = [greatest_torque(drive) if limited else np.inf for drive in drives]
    return RobotNumbers(
        chain,
        frozen_array(gravity),
        frozen_array(motors, np.int64),
        frozen_array(springs),
        frozen_array(np.where(springs > 0.0, [drive.gear.damping for drive in drives], 0.0)),
        frozen_array([reflected(drive) for drive in drives]),
        frozen_array(gains[:, 0]),
        frozen_array(gains[:, 1]),
        frozen_array(gains[:, 2]),
        frozen_array(most),
        frozen_array([drive.motor.friction.viscous * drive.gear.ratio**2 for drive in drives]),
        frozen_array([drive.joint_friction.viscous for drive in drives]),
        frozen_array([_bends(drive) for drive in drives], np.bool_),
        packed(drives),
    )


def _bends(drive: DriveParameters) -> bool:
    """Tell whether a gear's spring is no straight line."""
    gear = drive.gear
    return gear.stiffness is not None and (gear.backlash > 0.0 or len(set(gear.stiffness)) > 1)
