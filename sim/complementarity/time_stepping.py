"""One time step from Python; loops call the compiled `moreau_step` with room of their own."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import ComplementarityError
from sim.complementarity.answers import TOLERANCE, Status
from sim.complementarity.contact_chain import NONE, SOLVERS
from sim.complementarity.moreau_step import SINGULAR_MASS, moreau_step, step_residual
from sim.complementarity.step_work import step_work


@dataclass(frozen=True)
class StepAnswer:
    """A system after a step.

    Attributes:
        v: velocity, shape (m,); that before the step unless there are impulses.
        q: position, shape (m,); likewise.
        lam_n: normal impulses [N s], shape (n,).
        lam_t: tangential ones, shape (n, dim - 1).
        residual, solver, status: as of a `ContactAnswer`.
    """

    v: Array
    q: Array
    lam_n: Array
    lam_t: Array
    residual: float
    solver: str
    status: Status


def time_step(
    M: Any,
    P: Any,
    Q: Any,
    v: Any,
    q: Any,
    force: Any,
    W_N: Any,
    W_T: Any,
    gaps: Any,
    mu: Any,
    restitution: Any,
    dt: float,
    theta: float = 1.0,
    recovery: float = 1.0,
    start: Array | None = None,
) -> StepAnswer:
    """Return a system after one of Moreau's steps.

    Args:
        M: mass, shape (m, m).
        P: damping, shape (m, m).
        Q: stiffness, shape (m, m).
        v: velocity, shape (m,).
        q: position, shape (m,).
        force: all other forces, shape (m,).
        W_N: directions of the normal forces, which open the gaps, shape (m, n).
        W_T: those of the tangential ones, shape (m, n) in the plane, (m, 2 n) in space: two for each contact,
            one after the other.
        gaps: shape (n,) [m].
        mu: shape (n,) or one for all.
        restitution: shape (n,) or one for all, 0 to 1.
        dt: step [s].
        theta: 1/2 to 1.
        recovery: share of a penetration that the step takes back where there is no restitution.
        start: impulses of the step before, shape (n, dim), for the sweeps to begin with.

    Raises:
        ComplementarityError: a number out of its bounds, shapes that do not fit, or an effective mass that is
            singular.
    """
    W = _directions(W_N, W_T)
    m, n, tangents = W.shape[0], W.shape[1], W.shape[2] - 1
    mass, damping, stiffness = _array("M", M, (m, m)), _array("P", P, (m, m)), _array("Q", Q, (m, m))
    velocity, place, other = _array("v", v, (m,)), _array("q", q, (m,)), _array("force", force, (m,))
    friction, elastic = _between("mu", mu, n, np.inf), _between("restitution", restitution, n, 1.0)
    opening = _array("gaps", gaps, (n,))
    if not (dt > 0.0 and np.isfinite(dt) and 0.5 <= theta <= 1.0 and 0.0 <= recovery <= 1.0):
        raise ComplementarityError(
            f"dt = {dt}, theta = {theta}, recovery = {recovery}: above 0, 0.5 to 1, 0 to 1 are asked"
        )
    work = step_work(m, n, 1 + tangents)
    if start is not None:
        work.p[:] = _array("start", start, (n, 1 + tangents)).ravel()
    code = moreau_step(
        mass, damping, stiffness, velocity, place, other,
        _array("W", W.reshape(m, -1), (m, n * (1 + tangents))), opening, friction, elastic,
        float(dt), float(theta), float(recovery), work,
    )  # fmt: skip
    if code == SINGULAR_MASS:
        raise ComplementarityError(
            "M + dt theta P + (dt theta)^2 Q is singular: every coordinate needs a mass"
        )
    parts = work.p.reshape(n, 1 + tangents)
    if code == NONE:
        nothing = np.zeros_like(parts)
        return StepAnswer(velocity, place, nothing[:, 0], nothing[:, 1:], np.inf, SOLVERS[code], "none")
    residual = step_residual(work, 1 + tangents)
    status: Status = "solved" if residual <= TOLERANCE else "unsolved"
    return StepAnswer(work.v, work.q, parts[:, 0], parts[:, 1:], residual, SOLVERS[code], status)


def _directions(W_N: Any, W_T: Any) -> Array:
    """Return the directions contact by contact, normal first, shape (m, n, 2) or (m, n, 3)."""
    normal, tangential = np.atleast_2d(W_N), np.atleast_2d(W_T)
    m, n = normal.shape
    tangents = tangential.shape[1] // n if n else 1
    if n and (tangential.shape != (m, n * tangents) or tangents not in (1, 2)):
        raise ComplementarityError(f"W_T has shape {tangential.shape}: ({m}, {n}) or ({m}, {2 * n}) is asked")
    W = np.empty((m, n, 1 + tangents))
    W[:, :, 0], W[:, :, 1:] = normal, tangential.reshape(m, n, tangents)
    return W


def _array(name: str, value: Any, shape: tuple[int, ...]) -> Array:
    array = np.ascontiguousarray(value, dtype=np.float64)
    if array.shape != shape:
        raise ComplementarityError(f"{name} has shape {array.shape}: {shape} is asked")
    if not np.isfinite(array).all():
        raise ComplementarityError(f"{name} has entries that are not finite")
    return array


def _between(name: str, value: Any, n: int, most: float) -> Array:
    array = np.asarray(value, dtype=np.float64)
    array = _array(name, np.full(n, float(array)) if array.ndim == 0 else array, (n,))
    if not ((array >= 0.0) & (array <= most)).all():
        raise ComplementarityError(
            f"{name} = {value}: 0 <= {name}" + (f" <= {most:g}" if most < np.inf else "")
        )
    return array
