"""The robot RobotR3 of the Modelica Standard Library: six axes with motors, gears, friction and control.

Source: Modelica Standard Library, Mechanics.MultiBody.Examples.Systems.RobotR3 (BSD-3). Its path: all axes in
proportion along one trapezoid, the fastest that keeps each axis' speed and acceleration.
"""

import numpy as np

from hil.common.arrays import Array
from sim.chain.serial_chain import SerialChain, serial_chain
from sim.drives.bodies import joined
from sim.drives.controllers import Cascade
from sim.drives.drive import DriveParameters
from sim.drives.friction import Friction
from sim.drives.gear import Gear
from sim.drives.motor import CurrentLoop, Motor

GRAVITY = np.array([0.0, -9.81, 0.0])
START = np.radians([-60.0, 20.0, 90.0, 0.0, -110.0, 0.0])
END = np.radians([60.0, -70.0, -35.0, 45.0, 110.0, 45.0])
SPEEDS = np.array([3.0, 1.5, 5.0, 3.1, 3.1, 4.1])  # [rad/s]
ACCELERATIONS = np.array([15.0, 15.0, 15.0, 60.0, 60.0, 60.0])  # [rad/s2]
DURATION = 1.85  # [s] of the published trajectory

_PLACES = ((0, 0.351, 0), (0, 0.324, 0.3), (0, 0.65, 0), (0, 0.414, -0.155), (0, 0.186, 0), (0, 0.125, 0))
_AXES = ((0, 1, 0), (1, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0), (0, 1, 0))
_MASSES = (0.0, 56.5, 26.4, 28.7, 5.2, 0.5)
_CENTRES = ((0, 0, 0), (0.172, 0.205, 0), (0.064, -0.034, 0), (0, 0, 0), (0, 0, 0), (0.05, 0.05, 0.05))
_INERTIAS = (  # xx, yy, zz, xy; what the source does not name is 0.001, and 0
    (0.001, 1.16, 0.001, 0), (2.58, 0.64, 2.73, -0.46), (0.279, 0.245, 0.413, -0.07),
    (1.67, 0.081, 1.67, 0), (1.25, 0.81, 1.53, 0), (0.001, 0.001, 0.001, 0),
)  # fmt: skip
_LOAD, _LOAD_AT, _LOAD_INERTIA = 15.0, (0.1, 0.25, 0.1), 0.001

# torque constant [N m/A], bandwidth of the current loop [rad/s], its damping, rotor [kg m2], ratio
_MOTORS = (
    (1.1616, 4590.0, 0.6, 0.0013, -105.0), (1.1616, 5500.0, 0.6, 0.0013, 210.0),
    (1.1616, 5500.0, 0.6, 0.0013, 60.0), (0.2365, 6250.0, 0.55, 1.6e-4, -99.0),
    (0.2608, 6250.0, 0.55, 1.8e-4, 79.2), (0.0842, 7400.0, 0.27, 4.3e-5, -99.0),
)  # fmt: skip
_SPRINGS = ((43.0, 0.005), (8.0, 0.01), (58.0, 0.04))  # on the motor's side [N m/rad, N m s/rad], axes 1 to 3
_MOTOR_FRICTION = ((0.4, 0.13 / 160.0), (0.5, 0.1 / 130.0), (0.7, 0.2 / 130.0))  # axes 1 to 3
_JOINT_FRICTION = ((21.8, 9.8, 26.7), (30.1, 0.03, 39.6), (10.9, 3.92, 16.8))  # axes 4 to 6


def chain() -> SerialChain:
    """Return the robot's bodies, with its load on the last."""
    placements = np.array([np.eye(4)] * 6)
    placements[:, :3, 3] = _PLACES
    inertias = [np.array([[xx, xy, 0.0], [xy, yy, 0.0], [0.0, 0.0, zz]]) for xx, yy, zz, xy in _INERTIAS]
    last = joined(
        _MASSES[5], np.array(_CENTRES[5]), inertias[5], _LOAD, np.array(_LOAD_AT), _LOAD_INERTIA * np.eye(3)
    )
    return serial_chain(
        [False] * 6,
        list(placements),
        [np.array(axis, float) for axis in _AXES],
        np.eye(4),
        [0.0, *_MASSES[:5], last[0]],
        [np.zeros(3), *(np.array(centre, float) for centre in _CENTRES[:5]), last[1]],
        [np.zeros((3, 3)), *inertias[:5], last[2]],
    )


def motor(axis: int) -> Motor:
    """Return an axis' motor: a circuit whose closed loop is `w^2/(s^2 + 2 D w s + w^2)`."""
    k, w, damping, rotor, _ = _MOTORS[axis]
    coulomb, viscous = _MOTOR_FRICTION[axis] if axis < 3 else (0.0, 0.0)
    resistance = 250.0
    loop = CurrentLoop(0.0, 125.0 * w / damping)
    return Motor(k, resistance, resistance / (2.0 * damping * w), rotor, loop, Friction(coulomb, viscous))


def drives() -> list[DriveParameters]:
    """Return the six axes' drives."""
    control = Cascade(5.0, 0.5, 0.05)
    made = []
    for axis in range(6):
        ratio = _MOTORS[axis][4]
        if axis < 3:
            made.append(
                DriveParameters(motor(axis), Gear.on_the_motor(ratio, *_SPRINGS[axis]), controller=control)
            )
        else:
            coulomb, viscous, stick = _JOINT_FRICTION[axis - 3]
            friction = Friction(coulomb, viscous, stick)
            made.append(DriveParameters(motor(axis), Gear(ratio), friction, controller=control))
    return made


def path_end() -> float:
    """Return when the path ends [s]."""
    way = np.abs(END - START)
    speed, acceleration = float((SPEEDS / way).min()), float((ACCELERATIONS / way).min())
    return 1.0 / speed + speed / acceleration


def reference(t: Array) -> tuple[Array, Array]:
    """Return the path's positions [rad] and speeds [rad/s] at times [s] of shape (k,), each (k, 6)."""
    way = END - START
    speed, acceleration = float((SPEEDS / np.abs(way)).min()), float((ACCELERATIONS / np.abs(way)).min())
    ramp, end = speed / acceleration, path_end()
    t = np.clip(t, 0.0, end)
    rising, falling = t < ramp, t > end - ramp
    left = end - t
    s = np.where(rising, 0.5 * acceleration * t**2, speed * (t - 0.5 * ramp))
    s = np.where(falling, 1.0 - 0.5 * acceleration * left**2, s)
    ds = np.where(rising, acceleration * t, np.where(falling, acceleration * left, speed))
    return START + s[:, None] * way, ds[:, None] * way
