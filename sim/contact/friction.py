"""Coulomb friction with an undisturbed normal law: MuJoCo's convex problem, solved a few times.

theory: (section 17) MuJoCo minimises a convex cost, whose solution has, at a sliding contact, the normal
residual `mu |r_t|` where Coulomb's law wants 0: it lifts the body off the surface it slides on. De Saxce's
change of variable mends that: with `s = mu |r_t|` taken off the normal row's reference, a solution of the
convex problem whose own tangential residual gives the same s is exactly Coulomb's (Cadoux 2009). So the
problem is solved, s renewed from the solution, and solved again, until s stands. For one contact the error
shrinks by `mu^2 A_tt / (A_nn + 1 / c + mu^2 A_tt)` a round; among many, Aitken's factor of all changes
together shortens what would alternate or creep. The first s comes from the acceleration of the step
before, which MuJoCo keeps with the state: nothing else is remembered between steps.
"""

import math

from numba import carray, njit

from hil.common.arrays import Array, IntArray
from sim.contact.contact_laws import CHANGE, NORMAL, SLIP, address_of, count_at
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
    ROW_DIAGONAL,
    ROW_FORCE,
    ROW_R,
    ROW_REFERENCE,
)

MOST_ROUNDS = 12
STANDS = 1e-3  # default of `stands`
SHORTEST, LONGEST = 0.1, 5.0  # bounds of Aitken's factor


@njit(cache=True, nogil=True, error_model="numpy")
def solve_contacts(
    model: int,
    data: int,
    layout: IntArray,
    numbers: Array,
    rows: Array,
    qacc: Array,
    warm: Array,
    stands: float,
) -> int:
    """Find the forces and accelerations of this step; return the rounds that were needed.

    Args:
        model: address of `mjModel`.
        data: address of `mjData`, ready for `mj_fwdConstraint`.
        layout: see `struct_layout`.
        numbers: of each contact, see `sim.contact.contact_laws`; its slip s is written.
        rows: room for one number for each row.
        qacc: acceleration, shape (nv,).
        warm: where the solver starts, shape (nv,).
        stands: s stands when its change moves no normal force by more, relative to the largest.
    """
    mj_mulJacVec(model, data, rows.ctypes.data, warm.ctypes.data)
    _renew_slip(data, layout, rows, 0, 1.0, numbers)
    factor = 1.0
    for rounds in range(1, MOST_ROUNDS + 1):
        _lower_references(data, layout, numbers)
        mj_fwdConstraint(model, data)
        mj_mulJacVec(model, data, rows.ctypes.data, qacc.ctypes.data)
        change, largest, factor = _renew_slip(data, layout, rows, rounds, factor, numbers)
        if change <= stands * largest:
            return rounds
        warm[:] = qacc
    return MOST_ROUNDS + 1


@njit(cache=True, nogil=True, error_model="numpy")
def _lower_references(data: int, layout: IntArray, numbers: Array) -> None:
    contacts = address_of(data, layout, CONTACTS)
    reference = carray(doubles_at(address_of(data, layout, ROW_REFERENCE)), (count_at(data, layout, N_ROWS),))
    for i in range(count_at(data, layout, N_CONTACTS)):
        row = carray(integers_at(contacts + CONTACT_BYTES * i), (2 * CONTACT_DOUBLES,))[EFC_ADDRESS]
        if row >= 0:
            reference[row] = numbers[i, NORMAL] - numbers[i, SLIP]


@njit(cache=True, nogil=True, error_model="numpy")
def _renew_slip(
    data: int, layout: IntArray, acceleration: Array, rounds: int, factor: float, numbers: Array
) -> tuple[float, float, float]:
    """Renew s of each contact from these row accelerations; before the first round, from none but them.

    Returns:
        What the largest change does to a normal force, the largest normal force, and Aitken's factor.
    """
    contacts = address_of(data, layout, CONTACTS)
    rows = count_at(data, layout, N_ROWS)
    reference = carray(doubles_at(address_of(data, layout, ROW_REFERENCE)), (rows,))
    force = carray(doubles_at(address_of(data, layout, ROW_FORCE)), (rows,))
    R = carray(doubles_at(address_of(data, layout, ROW_R)), (rows,))
    diagonal = carray(doubles_at(address_of(data, layout, ROW_DIAGONAL)), (rows,))
    number = count_at(data, layout, N_CONTACTS)
    change, largest, along, squares = 0.0, 0.0, 0.0, 0.0
    for i in range(number):
        entries = carray(integers_at(contacts + CONTACT_BYTES * i), (2 * CONTACT_DOUBLES,))
        row = entries[EFC_ADDRESS]
        found = 0.0
        if row >= 0 and entries[DIM] >= 3:
            mu = carray(doubles_at(contacts + CONTACT_BYTES * i), (CONTACT_DOUBLES,))[FRICTION]
            t1 = acceleration[row + 1] - reference[row + 1]
            t2 = acceleration[row + 2] - reference[row + 2]
            if rounds > 0:
                t1 += R[row + 1] * force[row + 1]
                t2 += R[row + 2] * force[row + 2]
            found = mu * math.sqrt(t1 * t1 + t2 * t2)
        last, now = numbers[i, CHANGE], found - numbers[i, SLIP]
        along += last * (now - last)
        squares += (now - last) ** 2
        if row >= 0:
            change = max(change, abs(now) / (diagonal[row] + R[row]))
            largest = max(largest, force[row])
        if rounds == 0:
            numbers[i, SLIP] = found
        else:
            numbers[i, CHANGE] = now
    if rounds > 1 and squares > 0.0:
        factor = min(max(-factor * along / squares, SHORTEST), LONGEST)
    if rounds > 0:
        for i in range(number):
            numbers[i, SLIP] = max(0.0, numbers[i, SLIP] + factor * numbers[i, CHANGE])
    return change, largest, factor
