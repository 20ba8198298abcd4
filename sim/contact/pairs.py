"""Pins and plates of all interfaces as arrays, and their contacts in world from the poses of the bodies."""

from collections.abc import Sequence
from typing import NamedTuple

import mujoco
import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from sim.contact.interface import Interface, check_bodies
from sim.contact.rows import CONTACT_SIZE, MAX_CONTACTS
from sim.contact.solid import solid_manifold_into

PLATE, PIN = 0, 1  # columns of what a contact belongs to
Triple = tuple[float, float, float]
Pose = tuple[Triple, Triple, Triple, Triple]  # the three axes, then the origin


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
    holes, ends = pairs.holes, pairs.pin_ends
    for k in range(pairs.plate_body.shape[0]):
        T = _plate_in_world(p_world_body, R_world_body, pairs.plate_body[k], pairs.plate_pose, k)
        ax, ay, c = pairs.plate_size[k, 0], pairs.plate_size[k, 1], pairs.plate_size[k, 2]
        own = holes[pairs.hole_range[k, 0] : pairs.hole_range[k, 1]]
        for pin in range(pairs.pin_range[k, 0], pairs.pin_range[k, 1]):
            body = pairs.pin_body[pin]
            x, y, z = _into_plate(T, p_world_body, R_world_body, body, ends, pin, 0)
            X, Y, Z = _into_plate(T, p_world_body, R_world_body, body, ends, pin, 1)
            rows = out[n : n + MAX_CONTACTS]
            count = solid_manifold_into(rows, x, y, z, X, Y, Z, pairs.pin_radius[pin], ax, ay, c, own)
            for i in range(n, n + count):
                _into_world(T, out, i)
                which[i, PLATE], which[i, PIN] = k, pin
            n += count
    return n


@njit(cache=True, nogil=True, error_model="numpy")
def _plate_in_world(p: Array, R: Array, body: int, pose: Array, k: int) -> Pose:
    """Return the axes and the origin of a plate in world."""
    axes = (
        _turned(R, body, pose[k, 0, 0], pose[k, 1, 0], pose[k, 2, 0]),
        _turned(R, body, pose[k, 0, 1], pose[k, 1, 1], pose[k, 2, 1]),
        _turned(R, body, pose[k, 0, 2], pose[k, 1, 2], pose[k, 2, 2]),
    )
    x, y, z = _turned(R, body, pose[k, 0, 3], pose[k, 1, 3], pose[k, 2, 3])
    return axes[0], axes[1], axes[2], (x + p[body, 0], y + p[body, 1], z + p[body, 2])


@njit(cache=True, nogil=True, error_model="numpy")
def _turned(R: Array, body: int, x: float, y: float, z: float) -> Triple:
    """Return a vector of a body's frame in world axes."""
    return (
        R[body, 0] * x + R[body, 1] * y + R[body, 2] * z,
        R[body, 3] * x + R[body, 4] * y + R[body, 5] * z,
        R[body, 6] * x + R[body, 7] * y + R[body, 8] * z,
    )


@njit(cache=True, nogil=True, error_model="numpy")
def _into_plate(T: Pose, p: Array, R: Array, body: int, ends: Array, pin: int, end: int) -> Triple:
    """Return one end of a pin on a body in the frame of the plate at T."""
    u, v, w, o = T
    x, y, z = _turned(R, body, ends[pin, end, 0], ends[pin, end, 1], ends[pin, end, 2])
    x, y, z = x + p[body, 0] - o[0], y + p[body, 1] - o[1], z + p[body, 2] - o[2]
    return (
        u[0] * x + u[1] * y + u[2] * z,
        v[0] * x + v[1] * y + v[2] * z,
        w[0] * x + w[1] * y + w[2] * z,
    )


@njit(cache=True, nogil=True, error_model="numpy")
def _into_world(T: Pose, out: Array, i: int) -> None:
    """Turn point and normal of a row from the frame of the plate at T to world."""
    u, v, w, o = T
    x, y, z = out[i, 1], out[i, 2], out[i, 3]
    out[i, 1] = o[0] + u[0] * x + v[0] * y + w[0] * z
    out[i, 2] = o[1] + u[1] * x + v[1] * y + w[1] * z
    out[i, 3] = o[2] + u[2] * x + v[2] * y + w[2] * z
    x, y, z = out[i, 4], out[i, 5], out[i, 6]
    out[i, 4] = u[0] * x + v[0] * y + w[0] * z
    out[i, 5] = u[1] * x + v[1] * y + w[1] * z
    out[i, 6] = u[2] * x + v[2] * y + w[2] * z
