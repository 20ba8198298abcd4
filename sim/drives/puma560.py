"""The PUMA 560 by its standard Denavit-Hartenberg numbers, with motors and the friction of its gears.

Source: Corke and Armstrong-Helouvry 1994, as in the Robotics Toolbox for Python (MIT). The currents' circuits
are not published; those here are assumed.
"""

import math

import numpy as np

from hil.common.arrays import Array
from sim.chain.serial_chain import SerialChain, serial_chain
from sim.drives.drive import DriveParameters
from sim.drives.friction import Friction
from sim.drives.gear import Gear
from sim.drives.motor import CurrentLoop, Motor

GRAVITY = np.array([0.0, 0.0, -9.81])
QUARTER = math.pi / 2

# d [m], a [m], alpha [rad], mass [kg], centre [m] and moments [kg m2] in the link's frame
_LINKS = (
    (0.0, 0.0, QUARTER, 0.0, (0.0, 0.0, 0.0), (0.0, 0.35, 0.0)),
    (0.0, 0.4318, 0.0, 17.4, (-0.3638, 0.006, 0.2275), (0.13, 0.524, 0.539)),
    (0.15005, 0.0203, -QUARTER, 4.8, (-0.0203, -0.0141, 0.070), (0.066, 0.086, 0.0125)),
    (0.4318, 0.0, QUARTER, 0.82, (0.0, 0.019, 0.0), (1.8e-3, 1.3e-3, 1.8e-3)),
    (0.0, 0.0, -QUARTER, 0.34, (0.0, 0.0, 0.0), (0.3e-3, 0.4e-3, 0.3e-3)),
    (0.0, 0.0, 0.0, 0.09, (0.0, 0.0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3)),
)
# rotor [kg m2], ratio, viscous [N m s/rad], dry friction of the motor, joint forwards and backwards [N m]
_DRIVES = (
    (200e-6, -62.6111, 1.48e-3, 0.395, 0.435),
    (200e-6, 107.815, 0.817e-3, 0.126, 0.071),
    (200e-6, -53.7063, 1.38e-3, 0.132, 0.105),
    (33e-6, 76.0364, 71.2e-6, 11.2e-3, 16.9e-3),
    (33e-6, 71.923, 82.6e-6, 9.26e-3, 14.5e-3),
    (33e-6, 76.686, 36.7e-6, 3.96e-3, 10.5e-3),
)


def chain() -> SerialChain:
    """Return its bodies, armatures those of its rotors; the base weighs nothing."""
    ends = [_from_joint_to_end(d, a, alpha) for d, a, alpha, *_ in _LINKS]
    centres, inertias = [np.zeros(3)], [np.zeros((3, 3))]
    for T, (*_, centre, moments) in zip(ends, _LINKS, strict=True):
        centres.append(T[:3, :3] @ np.array(centre) + T[:3, 3])
        inertias.append(T[:3, :3] @ np.diag(moments) @ T[:3, :3].T)
    return serial_chain(
        [False] * 6,
        [np.eye(4), *ends[:5]],
        [np.array([0.0, 0.0, 1.0])] * 6,
        ends[5],
        [0.0, *(link[3] for link in _LINKS)],
        centres,
        inertias,
        [rotor * ratio**2 for rotor, ratio, *_ in _DRIVES],
    )


def drives() -> list[DriveParameters]:
    """Return its six drives, rigid gears and no controllers; a motor of an assumed circuit."""
    made = []
    for rotor, ratio, viscous, forwards, backwards in _DRIVES:
        if ratio < 0.0:  # friction is known by the joint's direction
            forwards, backwards = backwards, forwards
        motor = Motor(
            0.2, 1.0, 1e-3, rotor, CurrentLoop(1.0, 1000.0), Friction(forwards, viscous, backwards=backwards)
        )
        made.append(DriveParameters(motor, Gear(ratio), assumed=("motor circuit",)))
    return made


def _from_joint_to_end(d: float, a: float, alpha: float) -> Array:
    """Return the pose of a link's frame in that of its joint: along z, along x, about x."""
    c, s = math.cos(alpha), math.sin(alpha)
    return np.array([[1.0, 0.0, 0.0, a], [0.0, c, -s, 0.0], [0.0, s, c, d], [0.0, 0.0, 0.0, 1.0]])
