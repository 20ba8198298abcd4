"""The normal forces of all contacts at an instant, where they bend what carries the mock-up. Compiled.

With the sum `F` of the normal forces the mock-up gives way by `C F`, and a port of mass `m` gets the share
`-F h / m` of its velocity within the half step `h`; both relieve every contact. So

`F = sum n_i f_i(x_i - n_i (C F + r), x_i' - n_i (C F + r - u) / h - n_i F h / m)`

with `u` what it gave way by before, and `r` what is left of a damped device's deflection. The forces fall
with `F`, so that there is one solution; Newton's method with halved steps finds it. A fixed port without
compliance needs none: `f_i` as it stands. (A damper on a mass, treated so, keeps every step stable.)
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from drivers.emulation.port.law import Law, contact_force, softness
from hil.common.arrays import Array, BoolArray

MOST_STEPS = 60  # of Newton's method
MOST_HALVES = 12
PRECISION = 1e-11  # of F, against its size


class Instant(NamedTuple):
    """The contacts at an instant, as if nothing gave way.

    Attributes:
        x: penetrations [m], shape (feet, planes).
        rate: of them [m/s], shape (feet, planes).
        touching: which contacts count, shape (feet, planes).
        latched: which of them may pull, shape (feet, planes).
    """

    x: Array
    rate: Array
    touching: BoolArray
    latched: BoolArray


@njit(cache=True)
def normal_forces_into(
    f: Array,
    F: Array,
    law: Law,
    planes: Array,
    at: Instant,
    bent: Array,
    sprung: Array,
    bent_step: float,
    mass_step: float,
) -> None:
    """Write all normal forces [N], shape (feet, planes), and their sum (3,).

    Args:
        f: written.
        F: written; comes as a guess.
        law: of the contacts.
        planes: points and normals, shape (planes, 6).
        at: the contacts.
        bent: what the mock-up gave way by before [m], shape (3,).
        sprung: the part of it that is a damped device's [m], shape (3,).
        bent_step: how long before [s].
        mass_step: for how long the port's mass has felt `F` [s].
    """
    yields = softness(law, bent_step)[0] > 0.0 or (law.inverse_mass > 0.0 and mass_step > 0.0)
    if not yields or not at.touching.any():
        F[:] = 0.0
    matrix, residual = np.empty((3, 3)), np.empty(3)
    step, tried = np.empty(3), np.empty(3)
    size = _residual_into(residual, matrix, f, F, law, planes, at, bent, sprung, bent_step, mass_step)
    if not yields:
        F -= residual
        return
    for _ in range(MOST_STEPS):
        if size <= PRECISION * (1.0 + math.sqrt(F[0] ** 2 + F[1] ** 2 + F[2] ** 2)):
            return
        _solve_into(step, matrix, residual)
        share = 1.0
        for _ in range(MOST_HALVES):
            for k in range(3):
                tried[k] = F[k] - share * step[k]
            now = _residual_into(
                residual, matrix, f, tried, law, planes, at, bent, sprung, bent_step, mass_step
            )
            if now < size:
                break
            share *= 0.5
        F[:] = tried
        size = now


@njit(cache=True)
def _solve_into(x: Array, A: Array, b: Array) -> None:
    """Solve three equations whose matrix (3, 3) is symmetric and positive definite, by its minors."""
    u = A[1, 1] * A[2, 2] - A[1, 2] * A[2, 1]
    v = A[1, 2] * A[2, 0] - A[1, 0] * A[2, 2]
    w = A[1, 0] * A[2, 1] - A[1, 1] * A[2, 0]
    size = A[0, 0] * u + A[0, 1] * v + A[0, 2] * w
    x[0] = (u * b[0] + v * b[1] + w * b[2]) / size
    x[1] = (
        v * b[0]
        + (A[0, 0] * A[2, 2] - A[0, 2] * A[2, 0]) * b[1]
        + (A[0, 1] * A[2, 0] - A[0, 0] * A[2, 1]) * b[2]
    ) / size
    x[2] = (
        w * b[0]
        + (A[0, 1] * A[2, 0] - A[0, 0] * A[2, 1]) * b[1]
        + (A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0]) * b[2]
    ) / size


@njit(cache=True)
def _residual_into(
    residual: Array,
    matrix: Array,
    f: Array,
    F: Array,
    law: Law,
    planes: Array,
    at: Instant,
    bent: Array,
    sprung: Array,
    bent_step: float,
    mass_step: float,
) -> float:
    """Write `F - sum n f(F)` (3,), its derivative by `F` (3, 3), and the forces; return the size of it."""
    for i in range(3):
        residual[i] = F[i]
        for j in range(3):
            matrix[i, j] = 1.0 if i == j else 0.0
    by_rate = law.inverse_mass * mass_step
    compliance, left = softness(law, bent_step)
    rates = compliance > 0.0 and law.damping > 0.0
    if rates:
        by_rate += compliance / bent_step
    for j in range(planes.shape[0]):
        n = planes[j, 3:]
        along = n[0] * F[0] + n[1] * F[1] + n[2] * F[2]
        rest = left * (n[0] * sprung[0] + n[1] * sprung[1] + n[2] * sprung[2])
        relief = -by_rate * along
        if rates:
            relief += (n[0] * bent[0] + n[1] * bent[1] + n[2] * bent[2] - rest) / bent_step
        for i in range(f.shape[0]):
            f[i, j] = 0.0
            if not at.touching[i, j]:
                continue
            x = at.x[i, j] - compliance * along - rest
            f[i, j], by_x, by_speed = contact_force(law, x, at.rate[i, j] + relief, at.latched[i, j])
            slope = by_x * compliance + by_speed * by_rate
            for a in range(3):
                residual[a] -= n[a] * f[i, j]
                for b in range(3):
                    matrix[a, b] += slope * n[a] * n[b]
    return math.sqrt(residual[0] ** 2 + residual[1] ** 2 + residual[2] ** 2)
