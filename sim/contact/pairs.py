"""Pins and plates of all interfaces as arrays, and their contacts in world from the poses of the bodies."""

from collections.abc import Sequence
from typing import NamedTuple

import mujoco
import numpy as np
from numba import njit

from hil.arrays import Array, IntArray
from sim.contact.interface import Interface, check_bodies
from sim.contact.rows import CONTACT_SIZE, MAX_CONTACTS
from sim.contact.solid import solid_manifold_into

PLATE, PIN = 0, 1  # columns of what a contact belongs to
Triple = tuple[float, float, float]


class PinPairs(NamedTuple):
    """All interfaces of a scene as tables: K plates, one for each interface, P pins, H holes."""

    plate_pose: Array  # axes and origin of each plate in its body, shape (K, 3, 4)
    plate_size: Array  # half widths and height [m], shape (K, 3)
    plate_body: IntArray  # shape (K,)
    holes: Array  # x, y, R, h of all plates, one plate after the other [m], shape (H, 4)
    hole_range: IntArray  # first and last but one of each plate's, shape (K, 2)
    pin_ends: Array  # foot and tip of the axis in the pin's body [m], shape (P, 2, 3)
    pin_radius: Array  # [m], shape (P,)
    pin_body: IntArray  # shape (P,)
    pin_range: IntArray  # first and last but one of each plate's pins, shape (K, 2)

    @property
    def room(self) -> tuple[Array, IntArray]:
        """New arrays for the contacts that there can be at most: see `contacts_into`."""
        most = MAX_CONTACTS * len(self.pin_radius)
        return np.empty((most, CONTACT_SIZE)), np.empty((most, 2), dtype=np.int64)


def pack_pairs(interfaces: Sequence[Interface], model: mujoco.MjModel) -> PinPairs:
    """Return the tables of some interfaces: each pin may meet the plate of its own interface.

    Raises:
        InterfaceError: the scene lacks a body.
    """
    check_bodies(interfaces, model)
    plates, pins = [each.plate for each in interfaces], [each.pins for each in interfaces]
    return PinPairs(
        np.reshape([np.column_stack([p.R_body_plate, p.p_body_plate]) for p in plates], (-1, 3, 4)),
        np.reshape([p.size for p in plates], (-1, 3)).astype(float),
        np.array([model.body(p.body).id for p in plates], np.int64),
        np.concatenate([np.empty((0, 4)), *(p.holes for p in plates)]),
        _ranges([len(p.holes) for p in plates]),
        np.concatenate([np.empty((0, 2, 3)), *(np.stack([p.places, p.tips], axis=1) for p in pins)]),
        np.array([p.radius for p in pins for _ in p.places], float),
        np.array([model.body(p.body).id for p in pins for _ in p.places], np.int64),
        _ranges([len(p.places) for p in pins]),
    )


def _ranges(counts: list[int]) -> IntArray:
    ends = np.cumsum([0, *counts])
    return np.column_stack([ends[:-1], ends[1:]]).astype(np.int64)


@njit(cache=True, nogil=True, error_model="numpy")
def contacts_into(
    out: Array, which: IntArray, pairs: PinPairs, p_world_body: Array, R_world_body: Array
) -> int:
    """Write the contacts of all pins in world and return their number.

    Args:
        out: rows as in `sim.contact.rows`, but in world, shape (>= 8 P, 9).
        which: plate and pin that each row belongs to, shape (>= 8 P, 2).
        pairs: the tables.
        p_world_body: origins of all bodies (MuJoCo's `xpos`) [m], shape (nbody, 3).
        R_world_body: their axes, row by row (MuJoCo's `xmat`), shape (nbody, 9).
    """
    n = 0
    for k in range(pairs.plate_body.shape[0]):
        base, pose, size = pairs.plate_body[k], pairs.plate_pose[k], pairs.plate_size[k]
        holes = pairs.holes[pairs.hole_range[k, 0] : pairs.hole_range[k, 1]]
        for pin in range(pairs.pin_range[k, 0], pairs.pin_range[k, 1]):
            body, ends = pairs.pin_body[pin], pairs.pin_ends[pin]
            x, y, z = _into_plate(p_world_body, R_world_body, body, ends[0], base, pose)
            X, Y, Z = _into_plate(p_world_body, R_world_body, body, ends[1], base, pose)
            rows = out[n : n + MAX_CONTACTS]
            r = pairs.pin_radius[pin]
            count = solid_manifold_into(rows, x, y, z, X, Y, Z, r, size[0], size[1], size[2], holes)
            for i in range(n, n + count):
                _into_world(out[i], p_world_body[base], R_world_body[base], pose)
                which[i, PLATE], which[i, PIN] = k, pin
            n += count
    return n


@njit(cache=True, nogil=True, error_model="numpy")
def _into_plate(p: Array, R: Array, body: int, point: Array, base: int, pose: Array) -> Triple:
    """Return a point of one body in the frame of a plate on another."""
    x = p[body, 0] + R[body, 0] * point[0] + R[body, 1] * point[1] + R[body, 2] * point[2] - p[base, 0]
    y = p[body, 1] + R[body, 3] * point[0] + R[body, 4] * point[1] + R[body, 5] * point[2] - p[base, 1]
    z = p[body, 2] + R[body, 6] * point[0] + R[body, 7] * point[1] + R[body, 8] * point[2] - p[base, 2]
    a = R[base, 0] * x + R[base, 3] * y + R[base, 6] * z - pose[0, 3]
    b = R[base, 1] * x + R[base, 4] * y + R[base, 7] * z - pose[1, 3]
    c = R[base, 2] * x + R[base, 5] * y + R[base, 8] * z - pose[2, 3]
    return (
        pose[0, 0] * a + pose[1, 0] * b + pose[2, 0] * c,
        pose[0, 1] * a + pose[1, 1] * b + pose[2, 1] * c,
        pose[0, 2] * a + pose[1, 2] * b + pose[2, 2] * c,
    )


@njit(cache=True, nogil=True, error_model="numpy")
def _into_world(row: Array, p: Array, R: Array, pose: Array) -> None:
    """Turn point and normal of a row from a plate's frame to world."""
    for first in (1, 4):  # point, normal
        x, y, z = row[first], row[first + 1], row[first + 2]
        a = pose[0, 0] * x + pose[0, 1] * y + pose[0, 2] * z
        b = pose[1, 0] * x + pose[1, 1] * y + pose[1, 2] * z
        c = pose[2, 0] * x + pose[2, 1] * y + pose[2, 2] * z
        if first == 1:
            a, b, c = a + pose[0, 3], b + pose[1, 3], c + pose[2, 3]
        row[first] = R[0] * a + R[1] * b + R[2] * c
        row[first + 1] = R[3] * a + R[4] * b + R[5] * c
        row[first + 2] = R[6] * a + R[7] * b + R[8] * c
    row[1], row[2], row[3] = row[1] + p[0], row[2] + p[1], row[3] + p[2]
