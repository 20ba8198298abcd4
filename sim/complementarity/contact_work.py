"""Room for the solvers of contact problems, made once and used at every step. Compiled."""

from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from sim.complementarity.lcp_work import LcpWork, lcp_work

PLANAR_LEMKE = 30  # planar contacts up to which the problem of size 3 n is written down
NEWTON = 1500  # unknowns up to which all contacts are solved at once


class ContactWork(NamedTuple):
    """Arrays of the solvers for n contacts in `dim` dimensions.

    Attributes:
        lam: the answer: of each contact the normal impulse, then the tangential ones; shape (n dim,).
        best: the nearest so far, shape (n dim,).
        anchor: impulses near which a softened problem keeps them, shape (n dim,).
        trial: what a solver works on, shape (n dim,).
        u: relative velocities of a trial, shape (n dim,).
        step: of Newton's method, shape (n dim,).
        held: where a line search began, shape (n dim,).
        moved: room of the natural map, shape (n dim,).
        scale: of each contact, one over the size of its own block of G, shape (n,).
        block: a contact's own block of G, shape (dim, dim).
        free: a contact's velocity without its own impulse, shape (dim,).
        own: a contact's impulse, shape (dim,).
        slope: of Newton's method, shape (n dim, n dim); empty beyond NEWTON.
        order: its pivots, shape (n dim,).
        M, q: the planar problem, shapes (3 n, 3 n), (3 n,); empty where it is not written down.
        lcp: room of its solvers.
        G_NN, b_free: the problem without friction, shapes (n, n), (n,).
        normal: room of its solver.
    """

    lam: Array
    best: Array
    anchor: Array
    trial: Array
    u: Array
    step: Array
    held: Array
    moved: Array
    scale: Array
    block: Array
    free: Array
    own: Array
    slope: Array
    order: IntArray
    M: Array
    q: Array
    lcp: LcpWork
    G_NN: Array
    b_free: Array
    normal: LcpWork


@njit(cache=True)
def contact_work(n: int, dim: int) -> ContactWork:
    """Return the room for n contacts in `dim` dimensions."""
    m, size, at_once = n * dim, 0, 0
    if m <= NEWTON:
        at_once = m
    if dim == 2 and n <= PLANAR_LEMKE:
        size = 3 * n
    return ContactWork(
        np.zeros(m),
        np.zeros(m),
        np.zeros(m),
        np.zeros(m),
        np.zeros(m),
        np.zeros(m),
        np.zeros(m),
        np.zeros(m),
        np.zeros(n),
        np.zeros((dim, dim)),
        np.zeros(dim),
        np.zeros(dim),
        np.zeros((at_once, at_once)),
        np.zeros(m, np.int64),
        np.zeros((size, size)),
        np.zeros(size),
        lcp_work(size),
        np.zeros((n, n)),
        np.zeros(n),
        lcp_work(n),
    )
