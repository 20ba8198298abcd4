"""Coulomb friction with an undisturbed normal law: MuJoCo's convex problem, solved a few times.

theory: (section 17) MuJoCo minimises a convex cost, whose solution has, at a sliding contact, the normal
residual `mu |r_t|` where Coulomb's law wants 0: it lifts the body off the surface it slides on. De Saxce's
change of variable mends that: with `s = mu |r_t|` taken off the normal row's reference, a solution of the
convex problem whose own tangential residual gives the same s is exactly Coulomb's (Cadoux 2009). So the
problem is solved, s renewed from the solution, and solved again, until s stands. For one contact the error
shrinks by `mu^2 A_tt / (A_nn + mu^2 A_tt)` a round. The first s comes from the acceleration of the step
before, which MuJoCo keeps with the state: nothing else is remembered between steps.
"""

import math

from numba import carray, njit

from hil.arrays import Array, IntArray
from sim.contact.contact_laws import address_of, count_at
from sim.contact.mujoco_calls import doubles_at, integers_at, mj_fwdConstraint, mj_mulJacVec
from sim.contact.struct_layout import (
    CONTACT_BYTES,
    CONTACT_DOUBLES,
    CONTACTS,
    DIM,
    EFC_ADDRESS,
    FRICTION,
    N_CONTACTS,
    N_ROWS,
    ROW_FORCE,
    ROW_R,
    ROW_REFERENCE,
)

MOST_ROUNDS = 12
STANDS = 1e-5  # s stands when no contact's changes by more, relative to the largest of normal references
STANDS_ABSOLUTE = 1e-4  # [m/s2]


@njit(cache=True, nogil=True, error_model="numpy")
def solve_contacts(
    model: int,
    data: int,
    layout: IntArray,
    normal: Array,
    slip: Array,
    rows_buffer: Array,
    qacc: Array,
    warm: Array,
) -> int:
    """Find the forces and accelerations of this step; return the rounds that were needed.

    Args:
        model: address of `mjModel`.
        data: address of `mjData`, ready for `mj_fwdConstraint`.
        layout: see `struct_layout`.
        normal: reference of each contact's normal row.
        slip: room for s of each contact [m/s2].
        rows_buffer: room for one number for each row.
        qacc: acceleration, shape (nv,).
        warm: where the solver starts, shape (nv,).
    """
    mj_mulJacVec(model, data, rows_buffer.ctypes.data, warm.ctypes.data)
    _renew_slip(data, layout, rows_buffer, False, slip)
    for rounds in range(1, MOST_ROUNDS + 1):
        _lower_references(data, layout, normal, slip)
        mj_fwdConstraint(model, data)
        mj_mulJacVec(model, data, rows_buffer.ctypes.data, qacc.ctypes.data)
        change, largest = _renew_slip(data, layout, rows_buffer, True, slip)
        if change <= STANDS_ABSOLUTE + STANDS * largest:
            return rounds
        warm[:] = qacc
    return MOST_ROUNDS + 1


@njit(cache=True, nogil=True, error_model="numpy")
def _lower_references(data: int, layout: IntArray, normal: Array, slip: Array) -> None:
    contacts = address_of(data, layout, CONTACTS)
    reference = carray(doubles_at(address_of(data, layout, ROW_REFERENCE)), (count_at(data, layout, N_ROWS),))
    for i in range(count_at(data, layout, N_CONTACTS)):
        row = carray(integers_at(contacts + CONTACT_BYTES * i), (2 * CONTACT_DOUBLES,))[EFC_ADDRESS]
        if row >= 0:
            reference[row] = normal[i] - slip[i]


@njit(cache=True, nogil=True, error_model="numpy")
def _renew_slip(
    data: int, layout: IntArray, acceleration: Array, solved: bool, slip: Array
) -> tuple[float, float]:
    """Write s of each contact for these row accelerations; return the largest change and the largest s."""
    contacts = address_of(data, layout, CONTACTS)
    rows = count_at(data, layout, N_ROWS)
    reference = carray(doubles_at(address_of(data, layout, ROW_REFERENCE)), (rows,))
    force = carray(doubles_at(address_of(data, layout, ROW_FORCE)), (rows,))
    R = carray(doubles_at(address_of(data, layout, ROW_R)), (rows,))
    change, largest = 0.0, 0.0
    for i in range(count_at(data, layout, N_CONTACTS)):
        entries = carray(integers_at(contacts + CONTACT_BYTES * i), (2 * CONTACT_DOUBLES,))
        row = entries[EFC_ADDRESS]
        renewed = 0.0
        if row >= 0 and entries[DIM] >= 3:
            mu = carray(doubles_at(contacts + CONTACT_BYTES * i), (CONTACT_DOUBLES,))[FRICTION]
            t1 = acceleration[row + 1] - reference[row + 1]
            t2 = acceleration[row + 2] - reference[row + 2]
            if solved:
                t1 += R[row + 1] * force[row + 1]
                t2 += R[row + 2] * force[row + 2]
            renewed = mu * math.sqrt(t1 * t1 + t2 * t2)
        change = max(change, abs(renewed - slip[i]))
        largest = max(largest, renewed)
        slip[i] = renewed
    return change, largest
