"""Coulomb's law as a cone: projection, De Saxcé's form, its residual. Compiled.

theory: impulses lie in K = {|lam_T| <= mu lam_N}. For u = G lam + b, contact with Coulomb's law is

    K contains lam,  K* contains u + mu |u_T| n,  and the two are orthogonal

(De Saxcé 1992; Acary and Cadoux 2013), for one tangent (planar) and for two. Its natural map is
lam - P_K(lam - (u + mu |u_T| n)).
"""

import numpy as np
from numba import njit

from hil.common.arrays import Array


@njit(cache=True)
def tangent_length(x: Array, at: int, dim: int) -> float:
    """Return the length of the tangential part of the contact whose normal entry is x[at]."""
    if dim == 2:
        return abs(float(x[at + 1]))
    return float(np.sqrt(x[at + 1] * x[at + 1] + x[at + 2] * x[at + 2]))


@njit(cache=True)
def project_in_place(x: Array, at: int, dim: int, mu: float) -> None:
    """Replace the contact's entries of x by the nearest point of its cone."""
    length = tangent_length(x, at, dim)
    if length <= mu * x[at]:
        return
    if mu * length <= -x[at]:
        for k in range(dim):
            x[at + k] = 0.0
        return
    normal = (x[at] + mu * length) / (1.0 + mu * mu)
    for k in range(1, dim):
        x[at + k] *= mu * normal / length
    x[at] = normal


@njit(cache=True)
def velocities_into(
    u: Array, G: Array, b: Array, lam: Array, dim: int, scale: Array, soft: float, anchor: Array
) -> None:
    """Write u = G lam + b, and of softened contacts also soft / scale (lam - anchor)."""
    m = b.shape[0]
    for i in range(m):
        total = b[i]
        for j in range(m):
            total += G[i, j] * lam[j]
        if soft > 0.0:
            total += soft / scale[i // dim] * (lam[i] - anchor[i])
        u[i] = total


@njit(cache=True)
def natural_map(
    u: Array, b: Array, mu: Array, lam: Array, dim: int, scale: Array, scaled: bool, moved: Array
) -> float:
    """Return the size of the natural map.

    Args:
        u: velocities with these impulses, shape (n dim,).
        b: without, shape (n dim,).
        mu: shape (n,).
        lam: shape (n dim,).
        dim: 2 or 3.
        scale: impulse for a velocity of each contact, shape (n,).
        scaled: whether velocities count times the scale before they meet impulses, and what comes out as a
            velocity over |b|; else as they are, over max(1, |b|).
        moved: room, shape (n dim,).
    """
    total, size = 0.0, 0.0
    for i in range(mu.shape[0]):
        at, rho = i * dim, 1.0
        if scaled:
            rho = scale[i]
        slip = tangent_length(u, at, dim)
        for k in range(dim):
            moved[at + k] = lam[at + k] - rho * u[at + k]
        moved[at] -= rho * mu[i] * slip
        project_in_place(moved, at, dim, mu[i])
        for k in range(dim):
            away = (lam[at + k] - moved[at + k]) / rho
            total += away * away
            size += b[at + k] * b[at + k]
    if scaled:
        return float(np.sqrt(total / size)) if size > 0.0 else float(np.sqrt(total))
    return float(np.sqrt(total) / max(1.0, np.sqrt(size)))


@njit(cache=True)
def scales_into(scale: Array, G: Array, dim: int) -> bool:
    """Write one over the mean diagonal of each contact's block; False if a normal entry is not positive."""
    for i in range(scale.shape[0]):
        at, total = i * dim, 0.0
        for k in range(dim):
            total += G[at + k, at + k]
        if not G[at, at] > 0.0 or not total > 0.0:
            return False
        scale[i] = dim / total
    return True
