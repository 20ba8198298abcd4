"""Projected Gauss-Seidel over contacts, each solved exactly in its turn. Compiled.

theory: Jourdan, Alart and Jean (1998), "non-smooth Gauss-Seidel". Where a contact by itself has no solution,
it takes a step of the natural map instead.
"""

from numba import njit

from hil.common.arrays import YES, ZERO, Array
from sim.complementarity.cone import natural_map, project_in_place, tangent_length, velocities_into
from sim.complementarity.contact_work import ContactWork
from sim.complementarity.one_contact import one_contact

LOOK = 10  # sweeps between looks at the residual
EARLY = 3  # first sweeps, of which each is looked at
SLACK = 1e3  # times what is enough: sweeps that are on their way to more than that are given up


@njit(cache=True)
def contact_sweeps(
    G: Array, b: Array, mu: Array, dim: int, work: ContactWork, soft: float, sweeps: int, enough: float,
    patient: bool,
) -> float:  # fmt: skip
    """Improve `lam` from where it stands, sweep by sweep.

    Args:
        G: shape (n dim, n dim), of each contact the normal first.
        b: shape (n dim,).
        mu: shape (n,).
        dim: 2 or 3.
        work: see there; `lam` is where it begins and receives the best found, `scale` is set.
        soft: how much contacts give way about `anchor`, as a share of their own block; 0 for hard ones.
        sweeps: after which it stops.
        enough: scaled natural map at which it stops.
        patient: whether all sweeps are made, if they fall as slowly as they may.

    Returns:
        The scaled natural map of `lam`.
    """
    for i in range(b.shape[0]):
        work.trial[i] = work.lam[i]
    best = trial_value(G, b, mu, dim, work, soft)
    early = best
    for sweep in range(sweeps):
        if best <= enough:
            break
        for i in range(mu.shape[0]):
            _turn(G, b, mu[i], i, dim, work, soft)
        if sweep < EARLY or sweep % LOOK == 0 or sweep == sweeps - 1:
            value = trial_value(G, b, mu, dim, work, soft)
            if not value < 1e300:
                break
            if sweep < EARLY:
                early = value
            hopeless = not patient and sweep == LOOK and _hopeless(early, value, sweeps - 1 - sweep, enough)
            if value < best:
                best = value
                for i in range(b.shape[0]):
                    work.lam[i] = work.trial[i]
            if hopeless:
                break
    return best


@njit(cache=True)
def _hopeless(early: float, value: float, left: int, enough: float) -> bool:
    """Tell whether sweeps that go on falling as they have since the early ones end far above enough."""
    if value >= early:
        return True
    return bool(value * (value / early) ** (left / (LOOK + 1.0 - EARLY)) > SLACK * enough)


@njit(cache=True)
def trial_value(G: Array, b: Array, mu: Array, dim: int, work: ContactWork, soft: float) -> float:
    """Return the scaled natural map of the trial, whose velocities it leaves in `u`."""
    velocities_into(work.u, G, b, work.trial, dim, work.scale, soft, work.anchor)
    return float(natural_map(work.u, b, mu, work.trial, dim, work.scale, YES, work.moved))


@njit(cache=True)
def _turn(G: Array, b: Array, mu: float, i: int, dim: int, work: ContactWork, soft: float) -> None:
    """Give contact i the impulse that is right while those of the others stay."""
    at, m, lam, give = i * dim, b.shape[0], work.trial, soft / work.scale[i]
    for k in range(dim):
        total = b[at + k] - give * work.anchor[at + k]
        for j in range(m):
            total += G[at + k, j] * lam[j]
        for j in range(dim):
            work.block[k, j] = G[at + k, at + j]
            total -= G[at + k, at + j] * lam[at + j]
        work.block[k, k] += give
        work.free[k], work.own[k] = total, lam[at + k]
    if one_contact(work.block, work.free, mu, work.own):
        for k in range(dim):
            lam[at + k] = work.own[k]
        return
    for k in range(dim):
        work.own[k] = work.free[k]
        for j in range(dim):
            work.own[k] += work.block[k, j] * lam[at + j]
    slip = tangent_length(work.own, ZERO, dim)
    lam[at] -= work.scale[i] * (work.own[0] + mu * slip)
    for k in range(1, dim):
        lam[at + k] -= work.scale[i] * work.own[k]
    project_in_place(lam, at, dim, mu)
