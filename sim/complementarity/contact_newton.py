"""Semismooth Newton for all contacts at once. Compiled.

theory: Alart and Curnier (1991). With x = lam - s u, s one over the size of a contact's own block,

    lam_N - max(0, x_N) = 0,   lam_T - P(x_T) = 0,

P the projection onto the disc of radius mu max(0, x_N). The slope is taken piece by piece; redundant contacts
make it singular, so the diagonal of G counts a little more in it. Steps are halved until the equations' size
falls; where that does not help, the method ends and the sweeps go on.
"""

import numpy as np
from numba import njit

from hil.common.arrays import Array
from sim.complementarity.cone import natural_map, tangent_length, velocities_into
from sim.complementarity.contact_work import ContactWork
from sim.complementarity.elimination import factor, solve_in_place

SOFT = 1e-9  # share of the diagonal of G by which the slope is made regular
HALVINGS = 12
FALLS = 1e-4  # share of the size by which a whole step must lessen it


@njit(cache=True)
def contact_newton(
    G: Array, b: Array, mu: Array, dim: int, work: ContactWork, steps: int, enough: float
) -> float:
    """Improve `lam` from where it stands; arguments and result as of `contact_sweeps`."""
    m = b.shape[0]
    best = natural_map(G, b, mu, work.lam, dim, work.scale, True, work.u, work.step)
    for i in range(m):
        work.trial[i] = work.lam[i]
    size = _equations_into(work.step, G, b, mu, dim, work)
    for _ in range(steps):
        if best <= enough:
            break
        _slope_into(work.slope, G, mu, dim, work)
        if not factor(work.slope, work.order, m, 0.0):
            break
        solve_in_place(work.slope, work.order, work.step, m)
        shorter, share = False, 1.0
        for i in range(m):
            work.slope[0, i], work.slope[1, i] = work.step[i], work.trial[i]
        for _ in range(HALVINGS):
            for i in range(m):
                work.trial[i] = work.slope[1, i] - share * work.slope[0, i]
            fresh = _equations_into(work.step, G, b, mu, dim, work)
            if fresh <= (1.0 - FALLS * share) * size:
                shorter, size = True, fresh
                break
            share *= 0.5
        value = natural_map(G, b, mu, work.trial, dim, work.scale, True, work.u, work.slope[0])
        if value < best:
            best = value
            for i in range(m):
                work.lam[i] = work.trial[i]
        if not shorter:
            break
    return best


@njit(cache=True)
def _equations_into(out: Array, G: Array, b: Array, mu: Array, dim: int, work: ContactWork) -> float:
    """Write what the trial leaves of the equations, as impulses; return its size as velocities."""
    lam, u, total = work.trial, work.u, 0.0
    velocities_into(u, G, b, lam)
    for i in range(mu.shape[0]):
        at, s = i * dim, work.scale[i]
        normal = max(0.0, lam[at] - s * u[at])
        out[at] = lam[at] - normal
        length = 0.0
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
def _slope_into(J: Array, G: Array, mu: Array, dim: int, work: ContactWork) -> None:
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
        for j in range(m):
            J[at, j] = s * G[at, j]
        J[at, at] += SOFT * s * G[at, at]
        if length <= mu[i] * x:
            for k in range(1, dim):
                for j in range(m):
                    J[at + k, j] = s * G[at + k, j]
                J[at + k, at + k] += SOFT * s * G[at + k, at + k]
        else:
            _sliding_rows(J, G, mu[i], dim, at, s, x, length, work)


@njit(cache=True)
def _sliding_rows(
    J: Array, G: Array, mu: float, dim: int, at: int, s: float, x: float, length: float, work: ContactWork
) -> None:
    """Write the rows of the tangential equations of a contact on the border of its disc."""
    m, lam, u = work.trial.shape[0], work.trial, work.u
    for k in range(1, dim):
        way = (lam[at + k] - s * u[at + k]) / length
        for j in range(m):
            J[at + k, j] = mu * way * s * G[at, j]
        J[at + k, at] -= mu * way
        for other in range(1, dim):
            along = (lam[at + other] - s * u[at + other]) / length
            turn = -way * along * mu * x / length
            if other == k:
                turn += mu * x / length
            for j in range(m):
                J[at + k, j] += turn * s * G[at + other, j]
            J[at + k, at + other] -= turn
        J[at + k, at + k] += 1.0
