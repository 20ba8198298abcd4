"""The contacts of pins and plates, found by our manifold and added to MuJoCo's list in compiled code."""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from sim.contact.contact_laws import SMOOTHEST
from sim.contact.mujoco_calls import mj_addContact
from sim.contact.pairs import PIN as PIN_OF_ALL
from sim.contact.pairs import PLATE, PinPairs, contacts_into
from sim.contact.rows import CONTACT_SIZE, KIND, MAX_CONTACTS
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
    """All interfaces of a scene as tables: K plates, P pins."""

    pins: PinPairs  # their geometry
    plate_geom: IntArray  # a geom of each plate's body: by it MuJoCo knows the body, shape (K,)
    pin_geom: IntArray  # shape (P,)
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
    most = MAX_CONTACTS * pairs.pin_geom.shape[0]
    rows, which = np.empty((most, CONTACT_SIZE)), np.empty((most, 2), np.int64)
    found = contacts_into(rows, which, pairs.pins, xpos, xmat)
    if first + found > law_of.shape[0]:
        return -1
    for i in range(found):
        k, pin = which[i, PLATE], which[i, PIN_OF_ALL]
        mu = pairs.friction[k]
        _fill(buffer, rows[i])
        buffer[FRICTION] = max(mu, SMOOTHEST)
        buffer[FRICTION + 1] = buffer[FRICTION]
        entries[DIM] = 3 if mu > 0.0 else 1
        entries[GEOM1] = entries[GEOM] = pairs.plate_geom[k]
        entries[GEOM2] = entries[GEOM + 1] = pairs.pin_geom[pin]
        if mj_addContact(model, data, buffer.ctypes.data) != 0:
            return -1
        law_of[first + i] = pairs.law[k]
        labels[first + i, INTERFACE] = k
        labels[first + i, PIN] = pin - pairs.pins.pin_range[k, 0]
        labels[first + i, LABEL_KIND] = int(rows[i, KIND])
    return first + found


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
def _fill(buffer: Array, row: Array) -> None:
    """Write distance, point and frame of a row into the contact."""
    buffer[DIST] = row[0]
    for i in range(3):
        buffer[POS + i], buffer[FRAME + i] = row[1 + i], row[4 + i]
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
