"""The normal law of every contact, written into MuJoCo's constraint rows: a spring and a damper that push.

theory: (section 17) MuJoCo finds forces f and accelerations `a = a0 + A f` of its rows; an active row has
`a + R f = reference`. Both numbers of a contact's normal row are ours: with `R = 1 / c` and
`reference = -(K r' + B s v) / c` its force is `f = -K r' - B s v - c a`, whatever MuJoCo's own mapping (which
normalises contacts by mass) would make of it. `c = gamma K dt^2 + B s dt / 2` averages the spring's force
over the step and the damper's over its velocities before and after; gamma, r' and s are those of
`sim.contact.restitution`. The force is a state's alone, so kinetic and spring energy are conserved but for
what dampers and friction take.

K and B [N/m, N s/m] are the material's; or, of restitution and contact time, `K = k m` with m the reduced
mass of the two bodies and `B = 2 zeta sqrt(K / lambda)` with lambda the inverse effective mass of all
contacts of the two bodies along their present motion: K does not change, and restitution does not depend
on where and at how many points they touch.

The tangential rows ask for rest after one step, `reference = -v_t / dt`; the cone limits them.
"""

import math

import numpy as np
from numba import carray, njit

from hil.common.arrays import Array, IntArray
from sim.contact.mujoco_calls import addresses_at, doubles_at, integers_at, mj_solveM
from sim.contact.restitution import GRID_RATIO, GRID_SIZE, GRID_START, averaging, engaged
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
    ROW_JACOBIAN,
    ROW_MARGIN,
    ROW_POS,
    ROW_R,
    ROW_REFERENCE,
    ROW_VELOCITY,
)

HARD = 1e-4  # R of a tangential row over its inverse effective mass: what of an acceleration is not met
SMOOTHEST = 1e-5  # friction coefficient below which MuJoCo's cone is too thin
# a law: friction coefficient; K [N/m] and B [N s/m], or K / m [1/s2] and the damping ratios of the grid
COEFFICIENT, STIFFNESS, DAMPING, RATE, RATIOS = 0, 1, 2, 3, 4
LAW_SIZE = RATIOS + GRID_SIZE
# numbers of a contact in this step: spring, damper (with its share), implicitness c, normal reference, slip
# and its last change, depth [m]
K, B, C, NORMAL, SLIP, CHANGE, DEPTH, CONTACT_NUMBERS = 0, 1, 2, 3, 4, 5, 6, 7


def spring_law(friction: float, stiffness: float, damping: float) -> Array:
    """Return the law of a material of stiffness [N/m] and damping [N s/m]."""
    law = np.zeros(LAW_SIZE)
    law[[COEFFICIENT, STIFFNESS, DAMPING]] = friction, stiffness, damping
    return law


def restitution_law(friction: float, rate: float, ratios: Array) -> Array:
    """Return the law of a material of restitution, by `spring_rate` and `damping_ratios`."""
    law = np.zeros(LAW_SIZE)
    law[[COEFFICIENT, RATE]] = friction, rate
    law[RATIOS:] = ratios
    return law


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
def write_rows(
    model: int,
    data: int,
    layout: IntArray,
    laws: Array,
    law_of: IntArray,
    bodies: IntArray,
    mobility: Array,
    dt: float,
    velocity: Array,
    work: Array,
    out: Array,
) -> None:
    """Write R, D and the cone of every contact; after `mj_projectConstraint`, before `mj_island`.

    Args:
        model: address of `mjModel`.
        data: address of `mjData`.
        layout: see `struct_layout`.
        laws: shape (laws, LAW_SIZE).
        law_of: the law of each contact.
        bodies: body of each geom.
        mobility: inverse mass of each body [1/kg].
        dt: the step [s].
        velocity: of all rows, `J qvel`.
        work: room, shape (2, nv).
        out: where the numbers of each contact go, shape (most, CONTACT_NUMBERS).
    """
    number, rows = count_at(data, layout, N_CONTACTS), count_at(data, layout, N_ROWS)
    if number == 0 or rows == 0:
        return
    contacts = address_of(data, layout, CONTACTS)
    pos = carray(doubles_at(address_of(data, layout, ROW_POS)), (rows,))
    first = 0
    while first < number:
        end = _same_bodies(contacts, number, first, bodies)
        moving = _inverse_mass(model, data, layout, contacts, first, end, velocity, work)
        pressed = _inverse_mass(model, data, layout, contacts, first, end, pos, work)
        for i in range(first, end):
            _write_contact(
                data,
                layout,
                contacts,
                i,
                laws[law_of[i]],
                bodies,
                mobility,
                moving,
                pressed,
                dt,
                velocity,
                out[i],
            )
        first = end


@njit(cache=True, nogil=True, error_model="numpy")
def refer_rows(data: int, layout: IntArray, number: int, dt: float, numbers: Array) -> int:
    """Write the reference of every contact's rows; return how many contacts have friction.

    Args:
        data: address of `mjData`, after `mj_fwdVelocity`.
        layout: see `struct_layout`.
        number: of contacts.
        dt: the step [s].
        numbers: of each contact, from `write_rows`.
    """
    rows = count_at(data, layout, N_ROWS)
    if number == 0 or rows == 0:
        return 0
    contacts = address_of(data, layout, CONTACTS)
    reference = carray(doubles_at(address_of(data, layout, ROW_REFERENCE)), (rows,))
    velocity = carray(doubles_at(address_of(data, layout, ROW_VELOCITY)), (rows,))
    rubbing = 0
    for i in range(number):
        entries = carray(integers_at(contacts + CONTACT_BYTES * i), (2 * CONTACT_DOUBLES,))
        row = entries[EFC_ADDRESS]
        if row < 0:
            continue
        reference[row] = numbers[i, NORMAL]
        if entries[DIM] >= 3:
            rubbing += 1
            reference[row + 1] = -velocity[row + 1] / dt
            reference[row + 2] = -velocity[row + 2] / dt
    return rubbing


@njit(cache=True, nogil=True, error_model="numpy")
def _write_contact(
    data: int,
    layout: IntArray,
    contacts: int,
    i: int,
    law: Array,
    bodies: IntArray,
    mobility: Array,
    moving: float,
    pressed: float,
    dt: float,
    velocity: Array,
    out: Array,
) -> None:
    entries = carray(integers_at(contacts + CONTACT_BYTES * i), (2 * CONTACT_DOUBLES,))
    row, dim = entries[EFC_ADDRESS], entries[DIM]
    out[DEPTH] = 0.0
    if row < 0:
        return
    rows = count_at(data, layout, N_ROWS)
    R = carray(doubles_at(address_of(data, layout, ROW_R)), (rows,))
    D = carray(doubles_at(address_of(data, layout, ROW_D)), (rows,))
    hard = HARD * carray(doubles_at(address_of(data, layout, ROW_DIAGONAL)), (rows,))[row]
    pos = carray(doubles_at(address_of(data, layout, ROW_POS)), (rows,))
    margin = carray(doubles_at(address_of(data, layout, ROW_MARGIN)), (rows,))
    lightness = mobility[bodies[entries[GEOM]]] + mobility[bodies[entries[GEOM + 1]]]
    _spring_into(out, law, lightness, moving, dt)
    out[DEPTH] = margin[row] - pos[row]
    x2 = out[K] * max(moving, pressed) * dt * dt
    gamma = averaging(x2)
    gap, share = engaged(-out[DEPTH] / dt, velocity[row], x2 / (1.0 + gamma * x2))
    out[B] *= share
    out[C] = gamma * out[K] * dt * dt + 0.5 * out[B] * dt
    out[NORMAL] = -(out[K] * gap * dt + out[B] * velocity[row]) / out[C]
    R[row], D[row] = 1.0 / out[C], out[C]
    if dim >= 3:
        values = carray(doubles_at(contacts + CONTACT_BYTES * i), (CONTACT_DOUBLES,))
        mu = values[FRICTION]
        values[MU] = mu * math.sqrt(hard / R[row])
        for j in range(1, dim):
            R[row + j] = hard * (mu / values[FRICTION + j - 1]) ** 2
            D[row + j] = 1.0 / R[row + j]


@njit(cache=True, nogil=True, error_model="numpy")
def _spring_into(out: Array, law: Array, lightness: float, inverse_mass: float, dt: float) -> None:
    """Write spring and damper of a contact."""
    out[K], out[B] = law[STIFFNESS], law[DAMPING]
    if law[RATE] > 0.0:
        out[K] = law[RATE] / lightness
        x = math.sqrt(out[K] * inverse_mass) * dt
        place = min(max(math.log(x / GRID_START) / math.log(GRID_RATIO), 0.0), GRID_SIZE - 1.000001)
        i = int(place)
        ratio = law[RATIOS + i] + (place - i) * (law[RATIOS + i + 1] - law[RATIOS + i])
        largest = GRID_START * GRID_RATIO ** (GRID_SIZE - 1)
        out[B] = 2.0 * ratio * max(1.0, x / largest) * math.sqrt(out[K] / inverse_mass)


@njit(cache=True, nogil=True, error_model="numpy")
def _same_bodies(contacts: int, number: int, first: int, bodies: IntArray) -> int:
    """Return the end of the run of contacts, from `first` on, of the same two bodies."""
    entries = carray(integers_at(contacts + CONTACT_BYTES * first), (2 * CONTACT_DOUBLES,))
    one, other = bodies[entries[GEOM]], bodies[entries[GEOM + 1]]
    end = first + 1
    while end < number:
        entries = carray(integers_at(contacts + CONTACT_BYTES * end), (2 * CONTACT_DOUBLES,))
        if bodies[entries[GEOM]] != one or bodies[entries[GEOM + 1]] != other:
            break
        end += 1
    return end


@njit(cache=True, nogil=True, error_model="numpy")
def _inverse_mass(
    model: int, data: int, layout: IntArray, contacts: int, first: int, end: int, weights: Array, work: Array
) -> float:
    """Return `w A w / w w` of the normal rows of some contacts, w weights of all rows [1/kg]."""
    rows = count_at(data, layout, N_ROWS)
    nv = work.shape[1]
    J = carray(doubles_at(address_of(data, layout, ROW_JACOBIAN)), (rows, nv))
    diagonal = carray(doubles_at(address_of(data, layout, ROW_DIAGONAL)), (rows,))
    y, x = work[0], work[1]
    y[:] = 0.0
    squares, mean, closed = 0.0, 0.0, 0
    for i in range(first, end):
        row = carray(integers_at(contacts + CONTACT_BYTES * i), (2 * CONTACT_DOUBLES,))[EFC_ADDRESS]
        if row < 0:
            continue
        closed += 1
        mean += diagonal[row]
        squares += weights[row] ** 2
        for j in range(nv):
            y[j] += weights[row] * J[row, j]
    if closed == 0:
        return 1.0
    if closed == 1 or squares < 1e-24:
        return mean / closed
    mj_solveM(model, data, x.ctypes.data, y.ctypes.data, 1)
    quotient = 0.0
    for j in range(nv):
        quotient += x[j] * y[j]
    return max(quotient / squares, 1e-3 * mean / closed)
