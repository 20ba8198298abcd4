"""Numbers that a body can have: the pseudo-inertia is positive definite (docs/theory.md, section 23).

    P = [[tr(L)/2 1 - L, h], [h^T, m]] > 0

holds for the ten parameters of every distribution of mass, and of no others (Wensing, Kim, Slotine,
arXiv:1701.04395). Where noise has led out of that cone, the nearest point of it is taken in the metric of
what was measured: a convex problem, solved by Newton's method with a logarithmic barrier.
"""

import numpy as np

from hil.common.arrays import Array
from hil.wrench.load.inertial import COLUMNS, PARAMETERS, ROWS

CLIPPED = 1e-3  # of the largest eigenvalue: the search begins with none below
BARRIER, SOFTER, FAINTEST = 1.0, 0.2, 1e-7  # weights; four times the last is what is left of the optimum
NEWTON, SHORT = 50, 1e-10  # steps for a weight at most; the decrement at which they end


def pseudo_inertia(parameters: Array) -> Array:
    """Return the pseudo-inertia (4, 4) of ten parameters as in `inertial`, shape (10,)."""
    P: Array = np.tensordot(parameters, _BASIS, 1)
    return P


def consistent(found: Array, held: Array, information: Array) -> tuple[Array, bool]:
    """Return the parameters that are missed such that all that is held is a body's; whether they moved.

    Args:
        found: that are missed, shape (10,).
        held: that load data has, shape (10,).
        information: of what was found, the metric, shape (10, 10), positive definite.
    """
    values, vectors = np.linalg.eigh(pseudo_inertia(held + found))
    if values[0] > 0.0:
        return found, False
    clipped = (vectors * np.maximum(values, CLIPPED * values[-1])) @ vectors.T
    whole = _parameters_of(clipped)
    weight = BARRIER
    while weight > FAINTEST:
        weight *= SOFTER
        whole = _at_barrier(whole, held + found, information, weight)
    return whole - held, True


def _at_barrier(whole: Array, wanted: Array, information: Array, weight: float) -> Array:
    """Return the least of `|whole - wanted|^2 / 2 - weight log det P`, from parameters within the cone."""
    for _ in range(NEWTON):
        inverse = np.linalg.inv(pseudo_inertia(whole))
        turned = inverse @ _BASIS
        gradient = information @ (whole - wanted) - weight * np.trace(turned, axis1=1, axis2=2)
        hessian = information + weight * np.einsum("kij,lji->kl", turned, turned)
        step = -np.linalg.solve(hessian, gradient)
        decrement = -float(gradient @ step)
        if decrement < SHORT * weight:
            break
        # a damped step stays within the cone: the barrier is self-concordant
        whole = whole + step / (1.0 + np.sqrt(max(decrement, 0.0) / weight))
    return whole


def _basis() -> Array:
    """Return the pseudo-inertia of each parameter being one, shape (10, 4, 4)."""
    basis = np.zeros((PARAMETERS, 4, 4))
    basis[0, 3, 3] = 1.0
    for k in range(3):
        basis[1 + k, k, 3] = basis[1 + k, 3, k] = 1.0
    for k, (i, j) in enumerate(zip(ROWS, COLUMNS, strict=True)):
        L = np.zeros((3, 3))
        L[i, j] = L[j, i] = 1.0
        basis[4 + k, :3, :3] = 0.5 * np.trace(L) * np.eye(3) - L
    return basis


def _parameters_of(P: Array) -> Array:
    second = P[:3, :3]
    L = np.trace(second) * np.eye(3) - second
    return np.concatenate([[P[3, 3]], P[:3, 3], L[ROWS, COLUMNS]])


_BASIS = _basis()
