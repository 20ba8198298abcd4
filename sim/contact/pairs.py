"""Pins and plates of all interfaces as arrays, and their contacts in world from the poses of the bodies."""

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from numba import njit

from hil.arrays import Array, IntArray
from sim.contact.interface import Interface
from sim.contact.rows import CONTACT_SIZE, MAX_CONTACTS
from sim.contact.solid import solid_manifold_into

# columns of a pair
PIN, PIN_BODY, PLATE, PLATE_BODY, FIRST_HOLE, LAST_HOLE, INTERFACE = range(7)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Every pin with every plate that it may meet: each pin of an interface with that interface's plate.

    Attributes:
        pins: axis ends `p0` (foot), `p1` (tip) in the body's frame, radius [m], shape (N, 7).
        plates: origin, axes (row by row) in the body's frame, half widths and height [m], shape (M, 15).
        holes: x, y, R, h [m] of all plates, one plate after the other, shape (K, 4).
        pairs: pin, its body, plate, its body, first hole, one past the last hole, interface, shape (P, 7).
    """

    pins: Array
    plates: Array
    holes: Array
    pairs: IntArray

    @property
    def capacity(self) -> int:
        """Rows that their contacts can need at most."""
        return MAX_CONTACTS * len(self.pairs)

    def contacts(self, p_world_body: Array, R_world_body: Array) -> tuple[Array, IntArray]:
        """Return the contacts in world and the pair of each, shapes (C, 9) and (C,); see `contacts_into`."""
        out, which = np.empty((self.capacity, CONTACT_SIZE)), np.empty(self.capacity, dtype=np.int64)
        n = contacts_into(
            out, which, p_world_body, R_world_body, self.pins, self.plates, self.holes, self.pairs
        )
        return out[:n], which[:n]


def pack_pairs(interfaces: Sequence[Interface], model: mujoco.MjModel) -> Pairs:
    """Return the arrays of some interfaces in a scene that has their bodies."""
    pins: list[list[float]] = []
    plates: list[list[float]] = []
    holes: list[Array] = []
    pairs: list[list[int]] = []
    first = 0
    for number, interface in enumerate(interfaces):
        own, plate = interface.pins, interface.plate
        last = first + len(plate.holes)
        for foot, tip in zip(own.places, own.tips, strict=True):
            bodies = model.body(own.body).id, model.body(plate.body).id
            pairs.append([len(pins), bodies[0], len(plates), bodies[1], first, last, number])
            pins.append([*foot, *tip, own.radius])
        plates.append([*plate.p_body_plate, *plate.R_body_plate.ravel(), *plate.size])
        holes.append(plate.holes)
        first = last
    return Pairs(np.array(pins), np.array(plates), np.concatenate(holes), np.array(pairs, dtype=np.int64))


@njit(cache=True, error_model="numpy")
def contacts_into(
    out: Array,
    which: IntArray,
    p_world_body: Array,
    R_world_body: Array,
    pins: Array,
    plates: Array,
    holes: Array,
    pairs: IntArray,
) -> int:
    """Write the contacts of all pairs in world and return their number.

    Args:
        out: rows as in `sim.contact.rows`, but in world, shape (>= 8 P, 9).
        which: the pair that each row belongs to, shape (>= 8 P,).
        p_world_body: origins of all bodies (MuJoCo's `xpos`) [m], shape (nbody, 3).
        R_world_body: their axes, row by row (MuJoCo's `xmat`), shape (nbody, 9).
        pins: see `Pairs`.
        plates: see `Pairs`.
        holes: see `Pairs`.
        pairs: see `Pairs`.
    """
    n = 0
    for i in range(pairs.shape[0]):
        pair = pairs[i]
        pin, plate = pins[pair[PIN]], plates[pair[PLATE]]
        p_pin, R_pin = p_world_body[pair[PIN_BODY]], R_world_body[pair[PIN_BODY]]
        p_base, R_base = p_world_body[pair[PLATE_BODY]], R_world_body[pair[PLATE_BODY]]
        # ends of the pin in the frame of the plate's body
        dx, dy, dz = p_pin[0] - p_base[0], p_pin[1] - p_base[1], p_pin[2] - p_base[2]
        x, y, z = _turned(R_pin, pin[0], pin[1], pin[2])
        X, Y, Z = _turned(R_pin, pin[3], pin[4], pin[5])
        x, y, z = _turned_back(R_base, x + dx, y + dy, z + dz)
        X, Y, Z = _turned_back(R_base, X + dx, Y + dy, Z + dz)
        # and in the plate's own
        R_plate = plate[3:12]
        x, y, z = _turned_back(R_plate, x - plate[0], y - plate[1], z - plate[2])
        X, Y, Z = _turned_back(R_plate, X - plate[0], Y - plate[1], Z - plate[2])
        rows = out[n : n + MAX_CONTACTS]
        own = holes[pair[FIRST_HOLE] : pair[LAST_HOLE]]
        count = solid_manifold_into(rows, x, y, z, X, Y, Z, pin[6], plate[12], plate[13], plate[14], own)
        for k in range(count):
            row = rows[k]
            a, b, c = _turned(R_plate, row[1], row[2], row[3])
            a, b, c = _turned(R_base, a + plate[0], b + plate[1], c + plate[2])
            row[1], row[2], row[3] = a + p_base[0], b + p_base[1], c + p_base[2]
            a, b, c = _turned(R_plate, row[4], row[5], row[6])
            row[4], row[5], row[6] = _turned(R_base, a, b, c)
            which[n + k] = i
        n += count
    return n


@njit(cache=True, error_model="numpy")
def _turned(R: Array, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return R (x, y, z); R row by row, shape (9,)."""
    return (
        R[0] * x + R[1] * y + R[2] * z,
        R[3] * x + R[4] * y + R[5] * z,
        R[6] * x + R[7] * y + R[8] * z,
    )


@njit(cache=True, error_model="numpy")
def _turned_back(R: Array, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return the transpose of R times (x, y, z)."""
    return (
        R[0] * x + R[3] * y + R[6] * z,
        R[1] * x + R[4] * y + R[7] * z,
        R[2] * x + R[5] * y + R[8] * z,
    )
