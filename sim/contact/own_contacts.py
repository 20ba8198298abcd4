"""The contacts of pins and plates, found by our manifold and added to MuJoCo's list in compiled code."""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.arrays import Array, IntArray
from sim.contact.contact_laws import SMOOTHEST
from sim.contact.mujoco_calls import mj_addContact
from sim.contact.plate import plate_manifold_into
from sim.contact.rows import CONTACT_SIZE, MAX_CONTACTS
from sim.contact.struct_layout import (
    CONTACT_DOUBLES,
    DIM,
    DIST,
    EFC_ADDRESS,
    ELEM,
    FLEX,
    FRAME,
    FRICTION,
    GEOM,
    GEOM1,
    GEOM2,
    POS,
    SOLIMP,
    SOLREF,
    VERT,
)

INTERFACE, PIN, LABEL_KIND, LABEL_SIZE = 0, 1, 2, 3


class OwnPairs(NamedTuple):
    """All interfaces of a scene as tables: K plates, P pins, H holes."""

    plate_pose: Array  # pose of each plate in its body, shape (K, 3, 4)
    plate_size: Array  # half widths and height [m], shape (K, 3)
    plate_body: IntArray  # shape (K,)
    plate_geom: IntArray  # a geom of that body: by it MuJoCo knows the body, shape (K,)
    holes: Array  # see `plate_manifold_into`, shape (H, 4)
    hole_range: IntArray  # first and last but one of each plate's, shape (K, 2)
    pin_ends: Array  # both ends of the axis in the pin's body [m], shape (P, 2, 3)
    pin_radius: Array  # [m], shape (P,)
    pin_body: IntArray  # shape (P,)
    pin_geom: IntArray  # shape (P,)
    pin_range: IntArray  # first and last but one of each plate's pins, shape (K, 2)
    law: IntArray  # the law of each interface, shape (K,)
    friction: Array  # its coefficient, shape (K,)


@njit(cache=True, nogil=True, error_model="numpy")
def add_contacts(
    model: int,
    data: int,
    pairs: OwnPairs,
    xpos: Array,
    xmat: Array,
    law_of: IntArray,
    first: int,
    labels: IntArray,
    buffer: Array,
) -> int:
    """Add the contacts of all pins; return how many contacts there are then, -1 where the list is full.

    Args:
        model: address of `mjModel`.
        data: address of `mjData`, after `mj_collision`.
        pairs: the interfaces.
        xpos: positions of the bodies, shape (nbody, 3).
        xmat: their orientations, shape (nbody, 9).
        law_of: where the law of each contact goes, from `first` on.
        first: number of contacts in the list so far.
        labels: where interface, pin and kind of each contact go, shape (most, LABEL_SIZE).
        buffer: a contact, filled by `blank_contact`.
    """
    entries = buffer.view(np.int32)
    rows = np.empty((MAX_CONTACTS, CONTACT_SIZE))
    R = np.empty((3, 3))
    o, p0, p1 = np.empty(3), np.empty(3), np.empty(3)
    n = first
    for k in range(pairs.plate_body.shape[0]):
        body = pairs.plate_body[k]
        _compose(R, o, xmat[body], xpos[body], pairs.plate_pose[k])
        holes = pairs.holes[pairs.hole_range[k, 0] : pairs.hole_range[k, 1]]
        mu = pairs.friction[k]
        for pin in range(pairs.pin_range[k, 0], pairs.pin_range[k, 1]):
            other = pairs.pin_body[pin]
            _into_plate(p0, pairs.pin_ends[pin, 0], xmat[other], xpos[other], R, o)
            _into_plate(p1, pairs.pin_ends[pin, 1], xmat[other], xpos[other], R, o)
            found = plate_manifold_into(rows, p0, p1, pairs.pin_radius[pin], pairs.plate_size[k], holes)
            if n + found > law_of.shape[0]:
                return -1
            for j in range(found):
                _fill(buffer, rows[j], R, o)
                buffer[FRICTION] = max(mu, SMOOTHEST)
                buffer[FRICTION + 1] = buffer[FRICTION]
                entries[DIM] = 3 if mu > 0.0 else 1
                entries[GEOM1] = entries[GEOM] = pairs.plate_geom[k]
                entries[GEOM2] = entries[GEOM + 1] = pairs.pin_geom[pin]
                if mj_addContact(model, data, buffer.ctypes.data) != 0:
                    return -1
                law_of[n] = pairs.law[k]
                labels[n, INTERFACE] = k
                labels[n, PIN] = pin - pairs.pin_range[k, 0]
                labels[n, LABEL_KIND] = int(rows[j, 7])
                n += 1
    return n


def blank_contact() -> Array:
    """Return a contact between geoms without its place, parties and friction."""
    buffer = np.zeros(CONTACT_DOUBLES)
    buffer[SOLREF : SOLREF + 2] = -1.0, -1.0  # never used: the laws write the rows; but it must be valid
    buffer[SOLIMP : SOLIMP + 5] = 0.9, 0.95, 0.001, 0.5, 2.0
    entries = buffer.view(np.int32)
    entries[FLEX : FLEX + 2] = entries[ELEM : ELEM + 2] = entries[VERT : VERT + 2] = -1
    entries[EFC_ADDRESS] = -1
    return buffer


@njit(cache=True, nogil=True, error_model="numpy")
def _fill(buffer: Array, row: Array, R: Array, o: Array) -> None:
    """Write distance, point and frame of a row, given in the plate's frame, into the contact, in world."""
    buffer[DIST] = row[0]
    for i in range(3):
        buffer[POS + i] = o[i] + R[i, 0] * row[1] + R[i, 1] * row[2] + R[i, 2] * row[3]
        buffer[FRAME + i] = R[i, 0] * row[4] + R[i, 1] * row[5] + R[i, 2] * row[6]
    nx, ny, nz = buffer[FRAME], buffer[FRAME + 1], buffer[FRAME + 2]
    # the first tangent lies across the normal from y, or from z where the normal is near y
    if abs(ny) < 0.5:
        tx, ty, tz = -ny * nx, 1.0 - ny * ny, -ny * nz
    else:
        tx, ty, tz = -nz * nx, -nz * ny, 1.0 - nz * nz
    scale = 1.0 / math.sqrt(tx * tx + ty * ty + tz * tz)
    tx, ty, tz = tx * scale, ty * scale, tz * scale
    buffer[FRAME + 3], buffer[FRAME + 4], buffer[FRAME + 5] = tx, ty, tz
    buffer[FRAME + 6] = ny * tz - nz * ty
    buffer[FRAME + 7] = nz * tx - nx * tz
    buffer[FRAME + 8] = nx * ty - ny * tx


@njit(cache=True, nogil=True, error_model="numpy")
def _compose(R: Array, o: Array, xmat: Array, xpos: Array, pose: Array) -> None:
    """Write orientation and origin in world of a pose given in a body."""
    for i in range(3):
        a, b, c = xmat[3 * i], xmat[3 * i + 1], xmat[3 * i + 2]
        o[i] = xpos[i] + a * pose[0, 3] + b * pose[1, 3] + c * pose[2, 3]
        for j in range(3):
            R[i, j] = a * pose[0, j] + b * pose[1, j] + c * pose[2, j]


@njit(cache=True, nogil=True, error_model="numpy")
def _into_plate(out: Array, point: Array, xmat: Array, xpos: Array, R: Array, o: Array) -> None:
    """Write a point, given in a body, in the plate's frame."""
    x = xpos[0] + xmat[0] * point[0] + xmat[1] * point[1] + xmat[2] * point[2] - o[0]
    y = xpos[1] + xmat[3] * point[0] + xmat[4] * point[1] + xmat[5] * point[2] - o[1]
    z = xpos[2] + xmat[6] * point[0] + xmat[7] * point[1] + xmat[8] * point[2] - o[2]
    for i in range(3):
        out[i] = R[0, i] * x + R[1, i] * y + R[2, i] * z
