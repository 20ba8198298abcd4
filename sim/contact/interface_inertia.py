"""Mass and inertia of an interface's pins and plates in the frames of their bodies, for these bodies."""

import mujoco
import numpy as np

from hil.common.arrays import Array
from sim.contact.interface import Pins, Plate
from sim.contact.mass import Inertia, joined
from sim.contact.shapes import CylSphere, box_inertia, hole_inertia


def pins_inertia(pins: Pins, density: float) -> Inertia:
    """Return all pins of a pattern as one solid in their body's frame, at a density [kg/m3].

    Each is a whole capsule: the half sphere at its foot counts as well.
    """
    one = CylSphere(pins.radius, pins.length).inertia(density)
    R = _axes_along(pins.axis)
    return joined(one.moved(0.5 * (foot + tip), R) for foot, tip in zip(pins.places, pins.tips, strict=True))


def plate_inertia(plate: Plate, density: float) -> Inertia:
    """Return a plate with its holes as one solid in its body's frame, at a density [kg/m3]."""
    ax, ay, c = plate.size.tolist()
    mass = density * 4.0 * ax * ay * c
    solid = Inertia.principal(mass, [0.0, 0.0, -0.5 * c], box_inertia(mass, 2.0 * ax, 2.0 * ay, c))
    for x, y, radius, height in plate.holes.tolist():
        solid -= hole_inertia(density, radius, height).moved(np.array([x, y, 0.0]), np.eye(3))
    return solid.moved(plate.p_body_plate, plate.R_body_plate)


def set_inertia(body: mujoco.MjsBody, inertia: Inertia) -> None:
    """Give a body of a MuJoCo specification this mass, centre of mass and inertia instead of its geoms'."""
    about = inertia.about_com
    body.explicitinertial = True
    body.mass = inertia.mass
    body.ipos = inertia.com
    body.fullinertia = [*about.diagonal(), about[0, 1], about[0, 2], about[1, 2]]


def _axes_along(axis: Array) -> Array:
    """Return a right-handed set of axes, columns, whose z is the unit vector `axis`, shape (3, 3)."""
    other = np.eye(3)[int(np.argmin(np.abs(axis)))]
    x = np.cross(other, axis)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(axis, x), axis])
