"""Moreau's time step: implicit linear damping and stiffness, contacts as a complementarity problem. Compiled.

theory: Moreau (1988); Acary and Brogliato (2008), section 10.1. Of M v' + P v + Q q = f + W lam, a step of
length h keeps, with theta between a half and one,

    A = M + h theta P + (h theta)^2 Q
    A (v+ - v_free) = W p,   A v_free = M v + h f - h (1 - theta) P v - h Q (q + h theta (1 - theta) v)
    q+ = q + h (theta v+ + (1 - theta) v)

and impulses p. A contact without restitution has u_N+ + g / h >= 0, orthogonal to p_N: it is met at the end
of the step in which the gap closes, not passed. One with restitution e counts if its gap closes within half a
step, and has u_N+ + e u_N >= 0 (Newton). The tangential impulses obey Coulomb's law with u_T+.

Newton's restitution with friction can put energy in (Kane and Levinson 1985). The work of the impulses,
p . (u+ + u_free) / 2, is watched: while it is positive, restitution is halved, at last dropped; without
restitution it never is positive.
"""

from numba import njit

from hil.common.arrays import Array
from sim.complementarity.contact_chain import NONE, contact_chain, residual_of
from sim.complementarity.elimination import factor, solve_in_place
from sim.complementarity.step_work import StepWork

SINGULAR_MASS = -1  # in place of a solver
HALVINGS = 6
GAIN = 1e-12  # share of the impulses' work that counts as none
SINGULAR = 1e-14


@njit(cache=True)
def moreau_step(
    M: Array,
    P: Array,
    Q: Array,
    v: Array,
    q: Array,
    force: Array,
    W: Array,
    gaps: Array,
    mu: Array,
    restitution: Array,
    h: float,
    theta: float,
    recovery: float,
    work: StepWork,
) -> int:
    """Leave velocity, position and impulses after a step in `work`.

    Args:
        M: mass, shape (m, m).
        P: damping, shape (m, m).
        Q: stiffness, which pulls towards q = 0, shape (m, m).
        v: velocity, shape (m,).
        q: position, shape (m,).
        force: all other forces, shape (m,).
        W: directions of the contacts' forces, shape (m, n dim): of each contact the normal one, which opens
            the gap, then the tangential ones.
        gaps: negative where bodies are inside one another, shape (n,) [m].
        mu: shape (n,).
        restitution: shape (n,), 0 to 1.
        h: step [s].
        theta: 1/2 (second order between events) to 1 (stiff systems).
        recovery: share of a penetration that a step takes back, where there is no restitution.
        work: see there; impulses that it holds are where the sweeps begin.

    Returns:
        The solver that had the last word; its NONE; or SINGULAR_MASS. The contact problem's residual is that
        of `step_residual`.
    """
    m, n = v.shape[0], mu.shape[0]
    if not _free_motion(M, P, Q, v, q, force, h, theta, work):
        return SINGULAR_MASS
    solver, dim = 0, 0
    if n:
        dim = W.shape[1] // n
        _contact_problem(W, v, gaps, mu, restitution, h, recovery, dim, work)
        solver = _impulses(restitution, dim, work)
        if solver == NONE:
            return NONE
    for i in range(m):
        total = work.free[i]
        for a in range(n * dim):
            total += work.given[a, i] * work.p[a]
        work.v[i] = total
        work.q[i] = q[i] + h * (theta * total + (1.0 - theta) * v[i])
    return solver


@njit(cache=True)
def step_residual(work: StepWork, dim: int) -> float:
    """Return the residual of the last step's contact problem, as of a `ContactAnswer`."""
    return residual_of(work.G, work.b, work.mu, dim, work.contacts)


@njit(cache=True)
def _free_motion(
    M: Array, P: Array, Q: Array, v: Array, q: Array, force: Array, h: float, theta: float, work: StepWork
) -> bool:
    m, A = v.shape[0], work.A
    for i in range(m):
        total = h * force[i]
        for j in range(m):
            A[i, j] = M[i, j] + h * theta * (P[i, j] + h * theta * Q[i, j])
            total += (M[i, j] - h * (1.0 - theta) * P[i, j]) * v[j]
            total -= h * Q[i, j] * (q[j] + h * theta * (1.0 - theta) * v[j])
        work.free[i] = total
    if not factor(A, work.order, m, SINGULAR):
        return False
    solve_in_place(A, work.order, work.free, m)
    return True


@njit(cache=True)
def _contact_problem(
    W: Array,
    v: Array,
    gaps: Array,
    mu: Array,
    restitution: Array,
    h: float,
    recovery: float,
    dim: int,
    work: StepWork,
) -> None:
    """Write G, and which contacts count and how fast they may approach."""
    m, n = v.shape[0], mu.shape[0]
    for a in range(n * dim):
        for i in range(m):
            work.given[a, i] = W[i, a]
        solve_in_place(work.A, work.order, work.given[a], m)
    for i in range(n):
        before = 0.0
        for j in range(m):
            before += W[j, i * dim] * v[j]
        work.before[i], work.mu[i] = before, mu[i]
        if restitution[i] > 0.0:
            work.counts[i] = 1.0 if gaps[i] + 0.5 * h * before <= 0.0 else 0.0
            work.back[i] = 0.0
        else:
            work.counts[i] = 1.0
            work.back[i] = gaps[i] / h * (1.0 if gaps[i] > 0.0 else recovery)
    for a in range(n * dim):
        for c in range(n * dim):
            total = 0.0
            if work.counts[a // dim] == 1.0 and work.counts[c // dim] == 1.0:
                for j in range(m):
                    total += W[j, a] * work.given[c, j]
            elif a == c:
                total = 1.0
            work.G[a, c] = total
        total = 0.0
        if work.counts[a // dim] == 1.0:
            for j in range(m):
                total += W[j, a] * work.free[j]
        work.bare[a] = total


@njit(cache=True)
def _impulses(restitution: Array, dim: int, work: StepWork) -> int:
    """Solve for the impulses, with less restitution while they would put energy in."""
    share, solver, contacts = 1.0, 0, work.contacts
    for turn in range(HALVINGS + 2):
        elastic = _law_into(restitution, share, dim, work)
        for a in range(work.p.shape[0]):
            contacts.lam[a] = work.p[a] * work.counts[a // dim]
        solver = contact_chain(work.G, work.b, work.mu, dim, contacts)
        if solver == NONE:
            break
        for a in range(work.p.shape[0]):
            work.p[a] = contacts.lam[a]
        if not elastic or not _puts_energy_in(work):
            break
        share = 0.5 * share if turn < HALVINGS else 0.0
    return solver


@njit(cache=True)
def _law_into(restitution: Array, share: float, dim: int, work: StepWork) -> bool:
    """Write b: velocities without impulses, less the normal ones' bounds; tell if any bounces."""
    elastic = False
    for a in range(work.b.shape[0]):
        work.b[a] = work.bare[a]
    for i in range(restitution.shape[0]):
        rebound = share * restitution[i] * min(0.0, work.before[i]) * work.counts[i]
        elastic = elastic or rebound < 0.0
        work.b[i * dim] += work.back[i] + rebound
    return elastic


@njit(cache=True)
def _puts_energy_in(work: StepWork) -> bool:
    """Tell whether the work of the impulses, in the measure of the effective mass, is positive."""
    gain, size = 0.0, 0.0
    for a in range(work.p.shape[0]):
        change = 0.0
        for c in range(work.p.shape[0]):
            change += work.G[a, c] * work.p[c]
        gain += work.p[a] * (work.bare[a] + 0.5 * change)
        size += abs(work.p[a] * work.bare[a])
    return bool(gain > GAIN * size)
