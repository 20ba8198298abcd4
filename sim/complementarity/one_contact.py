"""Coulomb's law at one contact, solved exactly: open, sticking or sliding. Compiled.

theory: W is its own block, f the velocity that it has without its own impulse. Open if f_N >= 0. Sticking if
-W^-1 f lies in the cone. Else it slides, u_N = 0 and lam_T = -u_T / s, s > 0; without lam_N that is

    (S + s) lam_T = -c,   S = W_TT - W_TN W_NT / W_NN,   c = f_T - W_TN f_N / W_NN,

and |lam_T| = mu lam_N is one equation in s, of degree four once squared (Bonnefon and Daviet 2011). Not
squared it is negative at s = 0, where sticking is out of the cone, and grows beyond bound: a root lies
between, and is found by Newton's method kept in its bracket. In the plane there are two ways to slide.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array

MOST = 100  # halvings or steps of Newton's method; eight do, as a rule
FINE = 1e-15


class Sliding(NamedTuple):
    """The numbers of the equation in s, see above.

    Attributes:
        w: W_NN.
        n0, n1: W_NT.
        c0, c1: c.
        a0, a1: the adjugate of S times c.
        trace, det: of S.
        normal: f_N.
    """

    w: float
    n0: float
    n1: float
    c0: float
    c1: float
    a0: float
    a1: float
    trace: float
    det: float
    normal: float


@njit(cache=True)
def one_contact(W: Array, f: Array, mu: float, lam: Array) -> bool:
    """Write the impulse of a contact.

    Args:
        W: its own block, shape (dim, dim), W[0, 0] > 0.
        f: shape (dim,).
        mu: its coefficient of friction.
        lam: receives the impulse, shape (dim,).

    Returns:
        Whether there is one; without, lam is what it was.
    """
    if f[0] >= 0.0:
        for k in range(lam.shape[0]):
            lam[k] = 0.0
        return True
    if lam.shape[0] == 2:
        return _planar(W, f, mu, lam)
    return _spatial(W, f, mu, lam)


@njit(cache=True)
def _planar(W: Array, f: Array, mu: float, lam: Array) -> bool:
    det = W[0, 0] * W[1, 1] - W[0, 1] * W[1, 0]
    if det > FINE * W[0, 0] * W[1, 1]:
        normal = -(W[1, 1] * f[0] - W[0, 1] * f[1]) / det
        tangent = -(W[0, 0] * f[1] - W[1, 0] * f[0]) / det
        if abs(tangent) <= mu * normal:
            lam[0], lam[1] = normal, tangent
            return True
    for sign in (-1.0, 1.0):
        stiffness = W[0, 0] + sign * mu * W[0, 1]
        if stiffness > 0.0:
            normal = -f[0] / stiffness
            slip = f[1] + (W[1, 0] + sign * mu * W[1, 1]) * normal
            if sign * slip <= 0.0:
                lam[0], lam[1] = normal, sign * mu * normal
                return True
    return False


@njit(cache=True)
def _spatial(W: Array, f: Array, mu: float, lam: Array) -> bool:
    w = W[0, 0]
    S00 = W[1, 1] - W[1, 0] * W[0, 1] / w
    S01 = W[1, 2] - W[1, 0] * W[0, 2] / w
    S10 = W[2, 1] - W[2, 0] * W[0, 1] / w
    S11 = W[2, 2] - W[2, 0] * W[0, 2] / w
    c0, c1 = f[1] - W[1, 0] * f[0] / w, f[2] - W[2, 0] * f[0] / w
    # (S + s)^-1 c = (s c + a) / (s^2 + trace s + det), with a the adjugate of S times c
    a0, a1 = S11 * c0 - S01 * c1, S00 * c1 - S10 * c0
    trace, det = S00 + S11, max(0.0, S00 * S11 - S01 * S10)
    if det > FINE * trace * trace:
        tangent0, tangent1 = -a0 / det, -a1 / det
        normal = -(f[0] + W[0, 1] * tangent0 + W[0, 2] * tangent1) / w
        if tangent0 * tangent0 + tangent1 * tangent1 <= mu * mu * normal * normal and normal >= 0.0:
            lam[0], lam[1], lam[2] = normal, tangent0, tangent1
            return True
    s = _slip(Sliding(w, W[0, 1], W[0, 2], c0, c1, a0, a1, trace, det, f[0]), mu)
    whole = det + trace * s + s * s
    if not s >= 0.0 or not whole > 0.0:
        return False
    tangent0, tangent1 = -(s * c0 + a0) / whole, -(s * c1 + a1) / whole
    length = np.sqrt(tangent0 * tangent0 + tangent1 * tangent1)
    normal = -(f[0] + W[0, 1] * tangent0 + W[0, 2] * tangent1) / w
    if mu > 0.0 and length > mu * normal:
        tangent0, tangent1 = tangent0 * mu * normal / length, tangent1 * mu * normal / length
    lam[0], lam[1], lam[2] = normal, tangent0, tangent1
    return bool(normal >= 0.0)


@njit(cache=True)
def _slip(e: Sliding, mu: float) -> float:
    """Return the s at which |lam_T| = mu lam_N; negative if the bracket is not found."""
    if mu == 0.0:
        return 1e30 * max(e.trace, e.w)  # no tangential impulse
    low, high = 0.0, max(e.trace, e.w)
    for _ in range(MOST):
        if _beyond(high, e, mu) > 0.0:
            break
        low, high = high, 4.0 * high
    else:
        return -1.0
    s = 0.5 * (low + high)
    for _ in range(MOST):
        value = _beyond(s, e, mu)
        if value > 0.0:
            high = s
        else:
            low = s
        x0, x1 = s * e.c0 + e.a0, s * e.c1 + e.a1
        length = np.sqrt(x0 * x0 + x1 * x1)
        slope = mu * (e.n0 * e.c0 + e.n1 * e.c1 - e.normal * (e.trace + 2.0 * s))
        if length > 0.0:
            slope -= e.w * (x0 * e.c0 + x1 * e.c1) / length
        fresh = s - value / slope if slope != 0.0 else low
        if not low < fresh < high:
            fresh = 0.5 * (low + high)
        if abs(fresh - s) <= FINE * high:
            return fresh
        s = fresh
    return s


@njit(cache=True)
def _beyond(s: float, e: Sliding, mu: float) -> float:
    """Return mu lam_N - |lam_T|, times w and the determinant of S + s."""
    x0, x1 = s * e.c0 + e.a0, s * e.c1 + e.a1
    whole = e.det + e.trace * s + s * s
    return float(mu * (e.n0 * x0 + e.n1 * x1 - e.normal * whole) - e.w * np.sqrt(x0 * x0 + x1 * x1))
