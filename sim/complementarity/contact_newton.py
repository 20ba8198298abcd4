"""Semismooth Newton for all contacts at once. Compiled.

theory: Alart and Curnier (1991). With x = lam - s u, s one over the size of a contact's own block,

    lam_N - max(0, x_N) = 0,   lam_T - P(x_T) = 0,

P the projection onto the disc of radius mu max(0, x_N). The slope is taken piece by piece, and steps are
halved until the equations' size falls. Redundant contacts make the slope singular: a soft contact gives way,
u + soft / s (lam - anchor), which makes it regular and holds what is not determined near the anchor.
"""

import numpy as np
from numba import njit

from hil.common.arrays import Array
from sim.complementarity.cone import tangent_length, velocities_into
from sim.complementarity.contact_sweeps import trial_value
from sim.complementarity.contact_work import ContactWork
from sim.complementarity.elimination import factor, solve_in_place

HALVINGS = 12
FALLS = 1e-4  # share of the size by which a whole step must lessen it


@njit(cache=True)
def contact_newton(
    G: Array, b: Array, mu: Array, dim: int, work: ContactWork, soft: float, steps: int, enough: float
) -> float:
    """Improve `lam` from where it stands; arguments and result as of `contact_sweeps`."""
    m = b.shape[0]
    for i in range(m):
        work.trial[i] = work.lam[i]
    best = trial_value(G, b, mu, dim, work, soft)
    size = _equations_into(work.step, G, b, mu, dim, work, soft)
    for _ in range(steps):
        if best <= enough:
            break
        _slope_into(work.slope, G, mu, dim, work, soft)
        if not factor(work.slope, work.order, m, 0.0):
            break
        solve_in_place(work.slope, work.order, work.step, m)
        fresh = _searched(G, b, mu, dim, work, soft, size)
        value = trial_value(G, b, mu, dim, work, soft)
        if value < best:
            best = value
            for i in range(m):
                work.lam[i] = work.trial[i]
        if not fresh < size:
            break
        size = fresh
    return best


@njit(cache=True)
def _searched(
    G: Array, b: Array, mu: Array, dim: int, work: ContactWork, soft: float, size: float
) -> float:
    """Go along the step, halved while the equations' size does not fall; return the size."""
    m, share, fresh = b.shape[0], 1.0, np.inf
    direction = work.moved
    for i in range(m):
        direction[i], work.held[i] = work.step[i], work.trial[i]
    for _ in range(HALVINGS):
        for i in range(m):
            work.trial[i] = work.held[i] - share * direction[i]
        fresh = _equations_into(work.step, G, b, mu, dim, work, soft)
        if fresh <= (1.0 - FALLS * share) * size:
            return fresh
        share *= 0.5
    return np.inf


@njit(cache=True)
def _equations_into(
    out: Array, G: Array, b: Array, mu: Array, dim: int, work: ContactWork, soft: float
) -> float:
    """Write what the trial leaves of the equations, as impulses; return its size as velocities."""
    lam, u, total = work.trial, work.u, 0.0
    velocities_into(u, G, b, lam, dim, work.scale, soft, work.anchor)
    for i in range(mu.shape[0]):
        at, s = i * dim, work.scale[i]
        normal = max(0.0, lam[at] - s * u[at])
        out[at] = lam[at] - normal
        for k in range(1, dim):
            out[at + k] = lam[at + k] - s * u[at + k]
        length = tangent_length(out, at, dim)
        share = 1.0 if length <= mu[i] * normal else mu[i] * normal / length
        for k in range(1, dim):
            out[at + k] = lam[at + k] - share * out[at + k]
        for k in range(dim):
            total += (out[at + k] / s) ** 2
    return float(np.sqrt(total))


@njit(cache=True)
def _slope_into(J: Array, G: Array, mu: Array, dim: int, work: ContactWork, soft: float) -> None:
    """Write the slope of the equations at the trial, whose velocities stand in `u`."""
    m, lam, u = work.trial.shape[0], work.trial, work.u
    for i in range(mu.shape[0]):
        at, s = i * dim, work.scale[i]
        x = lam[at] - s * u[at]
        if not x > 0.0:
            for k in range(dim):
                for j in range(m):
                    J[at + k, j] = 0.0
                J[at + k, at + k] = 1.0
            continue
        length = 0.0
        for k in range(1, dim):
            length += (lam[at + k] - s * u[at + k]) ** 2
        length = np.sqrt(length)
        rows = dim if length <= mu[i] * x else 1
        for k in range(rows):
            for j in range(m):
                J[at + k, j] = s * G[at + k, j]
            J[at + k, at + k] += soft
        if rows < dim:
            _sliding_rows(J, G, mu[i], dim, at, s, x, length, work, soft)


@njit(cache=True)
def _sliding_rows(
    J: Array,
    G: Array,
    mu: float,
    dim: int,
    at: int,
    s: float,
    x: float,
    length: float,
    work: ContactWork,
    soft: float,
) -> None:
    """Write the rows of the tangential equations of a contact on the border of its disc."""
    m, lam, u = work.trial.shape[0], work.trial, work.u
    for k in range(1, dim):
        way = (lam[at + k] - s * u[at + k]) / length
        for j in range(m):
            J[at + k, j] = mu * way * s * G[at, j]
        J[at + k, at] -= mu * way * (1.0 - soft)
        for other in range(1, dim):
            along = (lam[at + other] - s * u[at + other]) / length
            turn = -way * along * mu * x / length
            if other == k:
                turn += mu * x / length
            for j in range(m):
                J[at + k, j] += turn * s * G[at + other, j]
            J[at + k, at + other] -= turn * (1.0 - soft)
        J[at + k, at + k] += 1.0
