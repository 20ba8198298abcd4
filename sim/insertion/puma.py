"""The PUMA 560 by modified Denavit-Hartenberg numbers, with a tool and what it carries.

Source: Armstrong, Khatib and Burdick 1986, as in the Robotics Toolbox for Python (MIT): geometry, masses,
rotors, ratios. By these numbers both of the paper's positions hold the tool upright, which by other published
sets they do not. Published by them too: the joints' greatest torques, which are the motors' here at their
greatest current. Not published, and assumed: the gears' stiffness and damping, the motors' circuits, the
controller's gains, the tool and what hangs on it.
"""

import math

import numpy as np

from hil.common.arrays import Array
from sim.chain.serial_chain import SerialChain, serial_chain
from sim.drives.drive import DriveParameters
from sim.drives.gear import Gear
from sim.drives.motor import CurrentLoop, Motor

GRAVITY = np.array([0.0, 0.0, -9.81])
QUARTER = math.pi / 2
ROUND_POSITION = np.radians([-8.4, -152.8, 17.9, 0.0, -44.9, -8.4])  # section 6.1
RECTANGULAR_POSITION = np.radians([4.6, -157.2, 27.5, 0.0, -50.3, 4.6])  # section 6.2

# before each joint: alpha [rad], a [m], d [m]; then mass [kg], centre [m] and moments [kg m2] in its frame
_LINKS = (
    (0.0, 0.0, 0.0, 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.35)),
    (-QUARTER, 0.0, 0.2435, 17.4, (0.068, 0.006, -0.016), (0.13, 0.524, 0.539)),
    (0.0, 0.4318, -0.0934, 4.8, (0.0, -0.070, 0.014), (0.066, 0.0125, 0.066)),
    (QUARTER, -0.0203, 0.4331, 0.82, (0.0, 0.0, -0.019), (1.8e-3, 1.8e-3, 1.3e-3)),
    (-QUARTER, 0.0, 0.0, 0.34, (0.0, 0.0, 0.0), (0.3e-3, 0.3e-3, 0.4e-3)),
    (QUARTER, 0.0, 0.0, 0.09, (0.0, 0.0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3)),
)
ROTORS = np.array([291e-6, 409e-6, 299e-6, 35e-6, 35e-6, 35e-6])  # [kg m2]
RATIOS = np.array([62.6111, 107.815, 53.7063, 76.0364, 71.923, 76.686])
TORQUES = np.array([97.6, 186.4, 89.4, 24.2, 20.1, 21.3])  # greatest, of the joints [N m]
TORQUE_CONSTANT, RESISTANCE, INDUCTANCE, BANDWIDTH = 0.2, 1.0, 1e-3, 3000.0  # assumed
SPEEDS = np.array([1.92, 1.51, 2.40, 5.34, 5.09, 5.74])  # greatest, of the joints [rad/s]


def puma(tool: float, payload: float, payload_height: float) -> SerialChain:
    """Return its bodies without their rotors, the tip at the end of a straight tool.

    Args:
        tool: from the wrist's centre to the tip, along the last axis [m].
        payload: mass of gripper and part, a point on the last axis [kg].
        payload_height: of that point above the tip [m].
    """
    last, tip = _LINKS[5], np.eye(4)
    tip[2, 3] = tool
    mass, away = last[3] + payload, tool - payload_height
    centre = np.array([0.0, 0.0, (last[3] * last[4][2] + payload * away) / mass])
    spread = last[3] * (last[4][2] - centre[2]) ** 2 + payload * (away - centre[2]) ** 2
    inertia = np.diag(last[5]) + spread * np.diag([1.0, 1.0, 0.0])
    return serial_chain(
        [False] * 6,
        [_before_joint(alpha, a, d) for alpha, a, d, *_ in _LINKS],
        [np.array([0.0, 0.0, 1.0])] * 6,
        tip,
        [0.0, *(link[3] for link in _LINKS[:5]), mass],
        [np.zeros(3), *(np.array(link[4]) for link in _LINKS[:5]), centre],
        [np.zeros((3, 3)), *(np.diag(link[5]) for link in _LINKS[:5]), inertia],
    )


def puma_drives(stiffness: Array, damping: Array) -> tuple[DriveParameters, ...]:
    """Return its six drives without controllers: published rotors, ratios and torques, no friction.

    Args:
        stiffness: of the gears 1 to 3, on the joint's side [N m/rad], shape (3,); the others are rigid.
        damping: of those [N m s/rad], shape (3,).
    """
    said = ("gears' stiffness and damping", "motors' circuits", "no friction in motors and joints")
    loop, made = CurrentLoop.of_bandwidth(RESISTANCE, INDUCTANCE, BANDWIDTH), []
    for k in range(6):
        ratio = float(RATIOS[k])
        gear = Gear(ratio)
        if k < 3:
            spring = float(stiffness[k])
            gear = Gear(ratio, (spring, spring, spring), damping=float(damping[k]))
        most = float(TORQUES[k]) / (ratio * TORQUE_CONSTANT)
        motor = Motor(
            TORQUE_CONSTANT, RESISTANCE, INDUCTANCE, float(ROTORS[k]),
            CurrentLoop(loop.proportional, loop.integral, current_max=most, current_continuous=most),
        )  # fmt: skip
        made.append(DriveParameters(motor, gear, assumed=said))
    return tuple(made)


def _before_joint(alpha: float, a: float, d: float) -> Array:
    """Return where a joint's frame is in the one before it: about x, along x, along z."""
    c, s = math.cos(alpha), math.sin(alpha)
    return np.array([[1.0, 0.0, 0.0, a], [0.0, c, -s, -s * d], [0.0, s, c, c * d], [0.0, 0.0, 0.0, 1.0]])
