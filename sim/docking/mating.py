"""How a pattern of pins sits in its holes: the seated pose, the depth, where an approach begins."""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import SceneError
from hil.common.geometry import matrix_from_quat, quat_from_rotvec
from sim.contact.interface import Interface

AGREES = 1e-5  # [m] by which places of pins and holes may differ


@dataclass(frozen=True)
class Mating:
    """A pattern of pins seated in its holes. Plate's frame: middle of the face, z out of it."""

    T_plate_effector: Array  # (4, 4) all tips on the bottoms of their holes
    tips: Array  # (P, 3) centres of the pins' half spheres, effector's frame [m]
    holes: Array  # (P, 2) of the same pins, plate's frame [m]
    axis: Array  # (3,) from foot to tip, effector's frame
    middle: Array  # (3,) of the very tips, effector's frame [m]
    radius: float  # of the pins [m]
    hole_radius: float  # m
    full_depth: float  # of the very tip below the face [m]


def mated(interface: Interface) -> Mating:
    """Return how the pins of an interface sit in their holes, pin i in hole i.

    Raises:
        SceneError: the patterns cannot be brought over one another, or the pins are too short for the holes.
    """
    pins, plate = interface.pins, interface.plate
    places, hole_radius, height = plate.holes[:, :2], float(plate.holes[0, 2]), float(plate.holes[0, 3])
    depth = height + hole_radius - pins.radius  # of the half sphere's centre
    if pins.length < depth:
        raise SceneError(
            f"interface {interface.name!r}: pins of length_mm = {1e3 * pins.length:.4g} are too short: the "
            f"holes take {1e3 * depth:.4g} mm, and the effector has no contact of its own"
        )
    tips = pins.tips
    R = _turned(tips, pins.axis, places, interface.name)
    T = np.eye(4)
    T[:3, :3] = R
    T[:3, 3] = np.append(places.mean(axis=0), -depth) - R @ tips.mean(axis=0)
    middle = tips.mean(axis=0) + pins.radius * pins.axis
    return Mating(T, tips, places, pins.axis, middle, pins.radius, hole_radius, height + hole_radius)


def _turned(tips: Array, axis: Array, places: Array, name: str) -> Array:
    """Return the attitude of the effector in the plate's frame in which the pins stand over their holes.

    Raises:
        SceneError: there is none.
    """
    base = _facing(axis)
    flat = ((tips - tips.mean(axis=0)) @ base.T)[:, :2]
    goal = places - places.mean(axis=0)
    sine = float(np.sum(flat[:, 0] * goal[:, 1] - flat[:, 1] * goal[:, 0]))
    angle = np.arctan2(sine, float(np.sum(flat * goal)))
    c, s = np.cos(angle), np.sin(angle)
    apart = np.linalg.norm(flat @ np.array([[c, s], [-s, c]]) - goal, axis=1)
    if apart.max() > AGREES:
        raise SceneError(
            f"interface {name!r}: the pattern of the pins is not that of the holes: at best pin "
            f"{int(apart.argmax())} is {1e3 * apart.max():.3g} mm beside its hole; seen from above the pins "
            "the holes are mirrored"
        )
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ base


def _facing(axis: Array) -> Array:
    """Return the attitude in which `axis` points into the plate (-z); x stays along x if it can."""
    helper = np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    x = helper - (helper @ axis) * axis
    x /= np.linalg.norm(x)
    return np.stack((x, np.cross(-axis, x), -axis))


def started(mating: Mating, distance: float, lateral: Array, tilt: Array, roll: float) -> Array:
    """Return the effector's pose in the plate's frame at the beginning of an approach, shape (4, 4).

    Args:
        mating: the seated pattern.
        distance: of the middle of the tips from the face [m].
        lateral: its offset along the plate's x and y [m], shape (2,).
        tilt: about the plate's x and y, through the middle of the tips [rad], shape (2,).
        roll: about the plate's z [rad].
    """
    seat = mating.T_plate_effector
    over = seat[:3, :3] @ mating.middle + seat[:3, 3]
    T = np.eye(4)
    lean = matrix_from_quat(quat_from_rotvec(np.array([tilt[0], tilt[1], 0.0])))
    turn = matrix_from_quat(quat_from_rotvec(np.array([0.0, 0.0, roll])))
    T[:3, :3] = lean @ turn @ seat[:3, :3]
    T[:3, 3] = [over[0] + lateral[0], over[1] + lateral[1], distance]
    T[:3, 3] -= T[:3, :3] @ mating.middle
    return T
