"""The normal law of every contact, written into MuJoCo's constraint rows.

theory: (section 17) MuJoCo finds forces f and accelerations `a = a0 + A f` of its rows with
`a - reference + R f = 0` for a contact that is closed and sticks. Both numbers of a row are ours:

- restitution and contact time: `reference = -k r - b v`, `R = HARD A_nn`: the acceleration itself is given,
  whatever mass, inertia and number of contacts; below the speed that the pressing load gives in one step,
  `b = 1 / dt`: a body at rest does not chatter;
- stiffness K and damping B: `R = 1 / c`, `reference = -(K r + B v) / c`, so `f = -K r - B v - c a`. With
  `c = K dt^2 / 4 + B dt / 2` this is the average of the spring's force over the two ends of the step and
  of the damper's before and after it: stable at any step, and free of numerical damping.

The tangential rows ask for rest after one step, `reference = -v_t / dt`; the cone limits them.
"""

import math

import numpy as np
from numba import carray, njit

from hil.arrays import Array, IntArray
from sim.contact.mujoco_calls import addresses_at, doubles_at, integers_at
from sim.contact.struct_layout import (
    CONTACT_BYTES,
    CONTACT_DOUBLES,
    CONTACTS,
    DIM,
    EFC_ADDRESS,
    EXCLUDE,
    FRICTION,
    GEOM,
    MU,
    N_CONTACTS,
    N_ROWS,
    ROW_D,
    ROW_DIAGONAL,
    ROW_MARGIN,
    ROW_POS,
    ROW_R,
    ROW_REFERENCE,
    ROW_VELOCITY,
)

HARD = 1e-4  # R of a row over its inverse effective mass: what of an acceleration is not met
RESTING = 1.0  # a normal speed below what the load gives in so many steps is rest, not a bounce
SMOOTHEST = 1e-5  # friction coefficient below which MuJoCo's cone is too thin
# a law: its kind, stiffness, damping, friction coefficient
KIND, STIFFNESS, DAMPING, COEFFICIENT, LAW_SIZE = 0, 1, 2, 3, 4
RATE_LAW, FORCE_LAW = 0.0, 1.0  # k [1/s2], b [1/s]; K [N/m], B [N s/m]


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def count_at(data: int, layout: IntArray, entry: int) -> int:
    """Return a counter of `mjData`."""
    return carray(integers_at(data + 4 * layout[entry]), (1,))[0]


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def address_of(data: int, layout: IntArray, entry: int) -> int:
    """Return the address of an array of `mjData`."""
    return carray(addresses_at(data + 8 * layout[entry]), (1,))[0]


@njit(cache=True, nogil=True, error_model="numpy")
def label_contacts(
    data: int,
    layout: IntArray,
    geom_material: IntArray,
    pairs: IntArray,
    laws: Array,
    shut: IntArray,
    law_of: IntArray,
) -> int:
    """Give every contact that MuJoCo found its law and its friction; return their number.

    Args:
        data: address of `mjData`.
        layout: see `struct_layout`.
        geom_material: material of each geom.
        pairs: law of two materials, shape (materials, materials).
        laws: shape (laws, LAW_SIZE).
        shut: see `shut_geoms`, shape (geoms, 2).
        law_of: where the law of each contact goes.
    """
    number = count_at(data, layout, N_CONTACTS)
    if number > law_of.shape[0]:
        return number
    contacts = address_of(data, layout, CONTACTS)
    for i in range(number):
        values = carray(doubles_at(contacts + CONTACT_BYTES * i), (CONTACT_DOUBLES,))
        entries = carray(integers_at(contacts + CONTACT_BYTES * i), (2 * CONTACT_DOUBLES,))
        first, second = entries[GEOM], entries[GEOM + 1]
        law_of[i] = pairs[geom_material[max(first, 0)], geom_material[max(second, 0)]]
        coefficient = max(laws[law_of[i], COEFFICIENT], SMOOTHEST)
        values[FRICTION] = coefficient
        values[FRICTION + 1] = coefficient
        if first < 0 or second < 0:
            continue
        if (shut[first, 0] & shut[second, 1]) | (shut[second, 0] & shut[first, 1]):
            entries[EXCLUDE] = 1
    return number


@njit(cache=True, nogil=True, error_model="numpy")
def soften_rows(data: int, layout: IntArray, laws: Array, law_of: IntArray, dt: float) -> None:
    """Write R, D and the cone of every contact; after `mj_projectConstraint`, before `mj_island`."""
    number = count_at(data, layout, N_CONTACTS)
    rows = count_at(data, layout, N_ROWS)
    if number == 0 or rows == 0:
        return
    contacts = address_of(data, layout, CONTACTS)
    R = carray(doubles_at(address_of(data, layout, ROW_R)), (rows,))
    D = carray(doubles_at(address_of(data, layout, ROW_D)), (rows,))
    diagonal = carray(doubles_at(address_of(data, layout, ROW_DIAGONAL)), (rows,))
    for i in range(number):
        entries = carray(integers_at(contacts + CONTACT_BYTES * i), (2 * CONTACT_DOUBLES,))
        row = entries[EFC_ADDRESS]
        if row < 0:
            continue
        law = laws[law_of[i]]
        hard = HARD * diagonal[row]
        R[row] = hard
        if law[KIND] == FORCE_LAW:
            R[row] = 1.0 / _implicitness(law, dt)
        D[row] = 1.0 / R[row]
        if entries[DIM] >= 3:
            values = carray(doubles_at(contacts + CONTACT_BYTES * i), (CONTACT_DOUBLES,))
            mu = values[FRICTION]
            values[MU] = mu * math.sqrt(hard / R[row])
            for j in range(1, entries[DIM]):
                R[row + j] = hard * (mu / values[FRICTION + j - 1]) ** 2
                D[row + j] = 1.0 / R[row + j]


@njit(cache=True, nogil=True, error_model="numpy")
def refer_rows(
    data: int, layout: IntArray, laws: Array, law_of: IntArray, dt: float, free: Array, normal: Array
) -> int:
    """Write the reference of every contact's rows, and that of the normal ones also to `normal`.

    Args:
        data: address of `mjData`.
        layout: see `struct_layout`.
        laws: shape (laws, LAW_SIZE).
        law_of: the law of each contact.
        dt: the step [s].
        free: what the rows' accelerations were without contacts.
        normal: where the normal references go.

    Returns:
        How many contacts have friction.
    """
    number = count_at(data, layout, N_CONTACTS)
    rows = count_at(data, layout, N_ROWS)
    if number == 0 or rows == 0:
        return 0
    contacts = address_of(data, layout, CONTACTS)
    reference = carray(doubles_at(address_of(data, layout, ROW_REFERENCE)), (rows,))
    velocity = carray(doubles_at(address_of(data, layout, ROW_VELOCITY)), (rows,))
    pos = carray(doubles_at(address_of(data, layout, ROW_POS)), (rows,))
    margin = carray(doubles_at(address_of(data, layout, ROW_MARGIN)), (rows,))
    rubbing = 0
    for i in range(number):
        entries = carray(integers_at(contacts + CONTACT_BYTES * i), (2 * CONTACT_DOUBLES,))
        row = entries[EFC_ADDRESS]
        if row < 0:
            continue
        law = laws[law_of[i]]
        gap, rate, damping = pos[row] - margin[row], velocity[row], law[DAMPING]
        if law[KIND] == RATE_LAW and abs(rate) < -RESTING * free[row] * dt:
            damping = 1.0 / dt  # pressed together at rest: a bounce within a step or two would be noise
        reference[row] = -law[STIFFNESS] * gap - damping * rate
        if law[KIND] == FORCE_LAW:
            reference[row] /= _implicitness(law, dt)
        normal[i] = reference[row]
        if entries[DIM] >= 3:
            rubbing += 1
            reference[row + 1] = -velocity[row + 1] / dt
            reference[row + 2] = -velocity[row + 2] / dt
    return rubbing


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _implicitness(law: Array, dt: float) -> float:
    """Return c [kg] of a force law."""
    return 0.25 * dt * dt * law[STIFFNESS] + 0.5 * dt * law[DAMPING]


def rate_law(k: float, b: float, friction: float) -> Array:
    """Return the law of a contact whose acceleration is `-k r - b v` [1/s2, 1/s]."""
    return np.array([RATE_LAW, k, b, friction])


def force_law(stiffness: float, damping: float, friction: float) -> Array:
    """Return the law of a contact whose force is `-K r - B v` [N/m, N s/m]."""
    return np.array([FORCE_LAW, stiffness, damping, friction])
