"""How a pattern of pins sits in a pattern of holes: the seated pose, which pin has which hole, how deep."""

from dataclasses import dataclass

import numpy as np

from hil.arrays import Array, IntArray
from hil.errors import SceneError
from hil.geometry import matrix_from_quat, quat_from_rotvec

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


def mated(
    feet: Array, axis: Array, length: float, radius: float, holes: Array, hole_radius: float, height: float
) -> Mating:
    """Return how pins sit in holes; of several ways the one with the least turn from x along x.

    Args:
        feet: of the pins, effector's frame [m], shape (P, 3).
        axis: unit, from foot to tip, effector's frame, shape (3,).
        length: from foot to centre of the half sphere [m].
        radius: of the pins [m].
        holes: centres of the openings, plate's frame [m], shape (H, 2).
        hole_radius: m.
        height: of a hole's cylinder [m].

    Raises:
        SceneError: the patterns differ, or the pins are too short for the holes.
    """
    if len(feet) != len(holes):
        raise SceneError(f"{len(feet)} pins meet {len(holes)} holes: the patterns must have the same size")
    depth = height + hole_radius - radius  # of the half sphere's centre
    if length < depth:
        raise SceneError(
            f"pins of length_mm = {1e3 * length:.4g} are too short: the holes take {1e3 * depth:.4g} mm, and "
            "the effector has no contact of its own"
        )
    tips = feet + length * axis
    R, order = _turned(tips, axis, holes)
    places = holes[order]
    shift = np.append(places.mean(axis=0), -depth) - R @ tips.mean(axis=0)
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, shift
    middle = tips.mean(axis=0) + radius * axis
    return Mating(T, tips, places, axis, middle, radius, hole_radius, height + hole_radius)


def _turned(tips: Array, axis: Array, holes: Array) -> tuple[Array, IntArray]:
    """Return attitude of the effector in the plate's frame, and the hole of each pin.

    Raises:
        SceneError: no turn brings the pins over the holes.
    """
    base = _facing(axis)
    flat = ((tips - tips.mean(axis=0)) @ base.T)[:, :2]
    goal = holes - holes.mean(axis=0)
    far = int(np.argmax(np.linalg.norm(flat, axis=1)))
    angles = np.arctan2(goal[:, 1], goal[:, 0]) - np.arctan2(flat[far, 1], flat[far, 0])
    angles = np.append(0.0, (angles + np.pi) % (2.0 * np.pi) - np.pi)
    for angle in angles[np.argsort(np.abs(angles), kind="stable")]:
        c, s = np.cos(angle), np.sin(angle)
        turned = flat @ np.array([[c, s], [-s, c]])
        apart = np.linalg.norm(turned[:, None] - goal[None], axis=2)
        order = apart.argmin(axis=1)
        if apart.min(axis=1).max() < AGREES and len(set(order.tolist())) == len(goal):
            return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ base, order
    raise SceneError(
        "the pattern of the pins is not that of the holes: no turn about the axis brings every pin over a hole"
    )


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
