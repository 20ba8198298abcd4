"""The path of one axis of a base over its knots: a quadratic program with bounds, compiled.

theory: with constant acceleration `a_k` between knots `h` apart, the places and speeds at the knots' ends are
linear in `a`: `x = x_0 + v_0 t + S_2 a`, `v = v_0 + S_1 a`. The path minimises
`sum ((x_k - r_k) / s)^2 + c_a (a_k / A)^2 + c_j ((a_k - a_(k-1)) / A)^2` with `|a_k| <= A`, `|v_k| <= V` and,
as far as `A` lets it, `|v_k - r'_k| <= W`: what is before a base is not overtaken at any speed. The
acceleration before the first knot is the one that is committed. Mostly the optimum without bounds keeps them:
one product with a matrix. Else the method of multipliers in alternating directions splits the bounds off
(Boyd et al., 2011, section 5), over-relaxed, with one matrix that is inverted beforehand; what is left of a
violation is cut off, so that the bounds hold whatever the iterations came to.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array

KNOT = 0.1  # [s] of object time between knots
KNOTS = 20  # that a program lays
EFFORT, CHANGE = 0.01, 0.05  # weights c_a and c_j
RELAXATION = 1.6
SPEED_PENALTY = 10.0  # over that of accelerations, both brought to the same size: fewest iterations
MOST_ITERATIONS = 300
CONVERGED = 1e-3  # of the bounds: violation that is left, and change of the accelerations


class AxisProgram(NamedTuple):
    """The matrices of an axis, made once."""

    free: Array  # P^-1: the optimum without bounds, shape (n, n)
    split: Array  # (P + sigma I + C' R C)^-1, shape (n, n)
    places: Array  # S_2, shape (n, n)
    weight: float  # 1 / s^2
    change: float  # c_j / A^2
    sigma: float
    penalty: float  # of accelerations,
    speed_penalty: float  # and of speeds
    speed: float  # V
    acceleration: float  # A


def axis_program(speed: float, acceleration: float, scale: float) -> AxisProgram:
    """Return the program of an axis.

    Args:
        speed: bound [m/s or rad/s].
        acceleration: bound [m/s2 or rad/s2].
        scale: deviation that weighs 1 [m or rad].
    """
    n, h = KNOTS, KNOT
    sums = np.tril(np.ones((n, n)))
    places = h * h * np.tril(np.subtract.outer(np.arange(n), np.arange(n)) + 0.5)
    steps = np.eye(n) - np.eye(n, k=-1)
    weight, A2 = 1.0 / scale**2, acceleration**2
    P = 2.0 * (weight * places.T @ places + (EFFORT * np.eye(n) + CHANGE * steps.T @ steps) / A2)
    size = float(np.mean(np.diag(P)))
    sigma, speed_penalty = 1e-6 * size, SPEED_PENALTY * size / (0.5 * h * n) ** 2
    split = P + (sigma + size) * np.eye(n) + speed_penalty * h * h * sums.T @ sums
    free, inverse = np.ascontiguousarray(np.linalg.inv(P)), np.ascontiguousarray(np.linalg.inv(split))
    return AxisProgram(
        free, inverse, places, weight, CHANGE / A2, sigma, size, speed_penalty, speed, acceleration
    )


@njit(cache=True)
def solve_axis_into(
    a: Array,
    dual: Array,
    program: AxisProgram,
    x_0: float,
    v_0: float,
    a_0: float,
    wanted: Array,
    apart: float,
) -> int:
    """Write the accelerations of an axis and return the iterations that it took, 0 without bounds in force.

    Args:
        a: accelerations between the knots, shape (KNOTS,), written.
        dual: multipliers of the program before, to begin with; shape (2, KNOTS), written.
        program: of the axis.
        x_0: place at the first knot [m or rad].
        v_0: speed there.
        a_0: acceleration before it.
        wanted: places at the ends of the intervals, shape (KNOTS,).
        apart: W, by which its speed may differ from that of what is wanted [m/s or rad/s]; infinite: by any.
    """
    n, h = KNOTS, KNOT
    q, speeds = np.zeros(n), np.empty((2, n))
    _speeds_into(speeds, wanted, program.speed, apart)
    for k in range(n):
        e = 2.0 * program.weight * (x_0 + v_0 * h * (k + 1) - wanted[k])
        for i in range(k + 1):
            q[i] += program.places[k, i] * e
    q[0] -= 2.0 * program.change * a_0
    for i in range(n):
        a[i] = 0.0
        for k in range(n):
            a[i] -= program.free[i, k] * q[k]
    if _keeps_bounds(a, v_0, speeds, program.acceleration):
        dual[:] = 0.0
        return 0
    used = _split_into(a, dual, program, v_0, q, speeds)
    _cut(a, v_0, speeds, program.acceleration)
    return used


@njit(cache=True)
def _speeds_into(speeds: Array, wanted: Array, V: float, apart: float) -> None:
    """Write the least and the greatest speed at the ends of the intervals, shape (2, n)."""
    last = wanted.shape[0] - 1
    for k in range(last + 1):
        before, behind = max(k - 1, 0), min(k + 1, last)
        rate = (wanted[behind] - wanted[before]) / ((behind - before) * KNOT)
        speeds[0, k] = min(max(rate - apart, -V), V)
        speeds[1, k] = max(min(rate + apart, V), -V)


@njit(cache=True)
def _keeps_bounds(a: Array, v: float, speeds: Array, A: float) -> bool:
    """Return whether accelerations from speed `v` keep both bounds."""
    for k in range(a.shape[0]):
        v += a[k] * KNOT
        if abs(a[k]) > A or v < speeds[0, k] or v > speeds[1, k]:
            return False
    return True


@njit(cache=True)
def _split_into(a: Array, dual: Array, program: AxisProgram, v_0: float, q: Array, speeds: Array) -> int:
    """Bring accelerations from the optimum without bounds to the one with them; return the iterations."""
    n, V, A = a.shape[0], program.speed, program.acceleration
    z, right, new = np.empty((2, n)), np.empty(n), np.empty(n)
    low, high = np.empty(n), np.empty(n)  # of the change of speed
    gained = 0.0
    for k in range(n):
        reach = A * KNOT * (k + 1)
        low[k], high[k] = min(speeds[0, k] - v_0, reach), max(speeds[1, k] - v_0, -reach)
        gained += a[k] * KNOT
        z[0, k], z[1, k] = min(max(a[k], -A), A), min(max(gained, low[k]), high[k])
    for iteration in range(MOST_ITERATIONS):
        later = 0.0
        for k in range(n - 1, -1, -1):
            later += KNOT * (program.speed_penalty * z[1, k] - dual[1, k])
            right[k] = program.sigma * a[k] - q[k] + program.penalty * z[0, k] - dual[0, k] + later
        worst = gained = before = 0.0
        for i in range(n):
            new[i] = 0.0
            for k in range(n):
                new[i] += program.split[i, k] * right[k]
        for k in range(n):
            gained += new[k] * KNOT
            moved = _project(z, dual, 0, k, new[k], program.penalty, -A, A) / A
            left = _project(z, dual, 1, k, gained, program.speed_penalty, low[k], high[k])
            worst = max(worst, moved, left / V)
            before = RELAXATION * new[k] + (1.0 - RELAXATION) * a[k]
            worst = max(worst, abs(before - a[k]) / A)
            a[k] = before
        if worst < CONVERGED:
            return iteration + 1
    return MOST_ITERATIONS


@njit(cache=True)
def _project(
    z: Array, dual: Array, row: int, k: int, value: float, penalty: float, low: float, high: float
) -> float:
    """Move a bounded copy towards `value`, update its multiplier, and return how far apart they are."""
    relaxed = RELAXATION * value + (1.0 - RELAXATION) * z[row, k]
    z[row, k] = min(max(relaxed + dual[row, k] / penalty, low), high)
    dual[row, k] += penalty * (relaxed - z[row, k])
    return abs(value - z[row, k])


@njit(cache=True)
def _cut(a: Array, v: float, speeds: Array, A: float) -> None:
    """Cut accelerations from speed `v` to both bounds; a speed beyond its bound is braked at the full one."""
    for k in range(a.shape[0]):
        low, high = max((speeds[0, k] - v) / KNOT, -A), min((speeds[1, k] - v) / KNOT, A)
        a[k] = min(max(a[k], min(low, A)), max(high, -A))
        v += a[k] * KNOT
