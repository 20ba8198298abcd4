"""Room for a time step with contacts, made once for all steps. Compiled."""

from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from sim.complementarity.contact_work import ContactWork, contact_work


class StepWork(NamedTuple):
    """Arrays of a step of a system of m degrees of freedom with n contacts in `dim` dimensions.

    Attributes:
        v: receives the velocity after the step, shape (m,).
        q: receives the position after the step, shape (m,).
        p: receives the impulses, of each contact the normal one first, shape (n dim,).
        A: factors of the effective mass, shape (m, m).
        order: its pivots, shape (m,).
        free: velocity after the step without impulses, shape (m,).
        given: A^-1 W, one row a direction of contact, shape (n dim, m).
        G, b: of the contact problem, shapes (n dim, n dim), (n dim,).
        bare: velocities of the contacts without impulses, shape (n dim,).
        mu: friction of the contacts that count, shape (n,).
        before: normal velocity before the step, shape (n,).
        back: least normal velocity after the step without an impulse, shape (n,).
        counts: 1 for a contact that can have an impulse in this step, else 0; shape (n,).
        contacts: room of the solvers.
    """

    v: Array
    q: Array
    p: Array
    A: Array
    order: IntArray
    free: Array
    given: Array
    G: Array
    b: Array
    bare: Array
    mu: Array
    before: Array
    back: Array
    counts: Array
    contacts: ContactWork


@njit(cache=True)
def step_work(m: int, n: int, dim: int) -> StepWork:
    """Return the room for a system's steps."""
    return StepWork(
        np.zeros(m),
        np.zeros(m),
        np.zeros(n * dim),
        np.zeros((m, m)),
        np.zeros(m, np.int64),
        np.zeros(m),
        np.zeros((n * dim, m)),
        np.zeros((n * dim, n * dim)),
        np.zeros(n * dim),
        np.zeros(n * dim),
        np.zeros(n),
        np.zeros(n),
        np.zeros(n),
        np.zeros(n),
        contact_work(n, dim),
    )
