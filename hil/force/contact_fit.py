"""Least squares of a contact along its line: stiffness, damping and place of the touch, from sums.

`f = k (c - zero) + d c'` over the samples above the gate. Two rows more make it solvable from the third
sample on: the touch lies between two samples, and damping is not much above critical. Without the first,
damping and touch cannot be told apart while the speed has not changed.

All sums are kept, so that one fit costs the same after three samples as after 250. Noise in position and
speed makes a port look softer and less damped, the more the longer it rests: what is known of that noise is
taken from the sums.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.force.gate import AT_ONCE
from hil.force.rows import SUMS, Record

DAMPING_PRIOR = 1.4  # spread of d over sqrt(k M)
EXCITED, WELL_EXCITED = 4.0, 16.0  # variances of a regressor over its noise's: nothing, and all, is corrected
STRONG = 10.0  # times the gate: a contact beside which a wrong bias is little

# k, d, zero, deviations of k and d; sum of squares [N2], less what noise in positions makes, and whole
Fit = tuple[float, float, float, float, float, float, float]
LEFT, WHOLE = 5, 6


@njit(cache=True, error_model="numpy")
def take_sample(c: Record, s: Record, row: Record) -> None:
    """Add a sample above the gate to the sums; what lies far back fades.

    Where the contact has been strong, so little as may be bias teaches nothing: a bias that goes on behind
    the contact would make it ever softer, and so reach ever farther.
    """
    if abs(row.force) < AT_ONCE * c.gate and s.most > STRONG * c.gate:
        return
    if s.weight >= 4.0 * c.window:
        s.weight *= 0.5
        for i in range(SUMS):
            for j in range(SUMS):
                s.sums[i, j] *= 0.5
    add_to(s, s.sums, row)


@njit(cache=True, error_model="numpy")
def add_to(s: Record, sums: Array, row: Record) -> None:
    """Add a sample to sums, and note whether it is the strongest."""
    z = (row.c, row.rate, 1.0, row.second, row.first, row.force, row.since)
    for i in range(SUMS):
        for j in range(SUMS):
            sums[i, j] += z[i] * z[j]
    s.weight += 1.0
    if abs(row.force) > s.most:
        s.most, s.most_c, s.most_second = abs(row.force), row.c, row.second


@njit(cache=True, error_model="numpy")
def solve(
    a: tuple[float, float, float, float, float, float], b: tuple[float, float, float], use: tuple[int, int]
) -> tuple[float, float, float, float, float]:
    """Solve the normal equations of (k, d, offset), scaled by their diagonal.

    Args:
        a: matrix, upper triangle by rows.
        b: right side.
        use: whether k and d are unknown; otherwise they are 0.

    Returns:
        k, d, offset, and the diagonal of the inverse for k and d.
    """
    s0 = math.sqrt(max(a[0], 1e-300))
    s1 = math.sqrt(max(a[3], 1e-300))
    s2 = math.sqrt(max(a[5], 1e-300))
    k_on, d_on = float(use[0]), float(use[1])
    a01, a02, a12 = a[1] / (s0 * s1) * k_on * d_on, a[2] / (s0 * s2) * k_on, a[4] / (s1 * s2) * d_on
    b0, b1, b2 = b[0] / s0 * k_on, b[1] / s1 * d_on, b[2] / s2
    one = 1.0 + 1e-12
    # Cholesky's factors of a matrix with ones on its diagonal
    l10, l20 = a01 / one, a02 / one
    p1 = one - l10 * a01
    l21 = (a12 - l20 * a01) / p1
    p2 = one - l20 * a02 - l21 * l21 * p1
    y1 = b1 - l10 * b0
    y2 = b2 - l20 * b0 - l21 * y1
    t2 = y2 / p2
    t1 = y1 / p1 - l21 * t2
    t0 = b0 / one - l10 * t1 - l20 * t2
    up = l10 * l21 - l20
    inverse_k = (1.0 / one + l10 * l10 / p1 + up * up / p2) / (s0 * s0)
    inverse_d = (1.0 / p1 + l21 * l21 / p2) / (s1 * s1)
    return t0 / s0, t1 / s1, t2 / s2, inverse_k, inverse_d


@njit(cache=True, error_model="numpy")
def excitation(s: Record, i: int, noise: float) -> float:
    """Return the variance of regressor `i` in the sums over that of its noise."""
    mean = s.sums[i, 2] / s.weight
    return (s.sums[i, i] / s.weight - mean * mean) / max(noise, 1e-30)


@njit(cache=True, error_model="numpy")
def corrected_share(s: Record, i: int, noise: float) -> float:
    """Return which share of a regressor's noise may be taken from the sums."""
    return min(1.0, max(0.0, (excitation(s, i, noise) - EXCITED) / (WELL_EXCITED - EXCITED)))


@njit(cache=True, error_model="numpy")
def fit(c: Record, s: Record, G: Array, mass: float, mobility: float) -> Fit:
    """Return the fit for a port of this mobility.

    `G` are the sums, or those without time. The sums of squares are infinite where there is no contact to be
    found.
    """
    u = mobility
    depth = abs(s.most_c - u * s.most_second)
    step = abs(s.touch_rate) * c.step
    k_ref = s.most / max(depth, step, 1e-9)
    variance = c.force_noise**2
    touch = k_ref * step / math.sqrt(12.0) + c.force_noise
    touch_row = 0.0 if c.latched == 1 else variance / touch**2
    damping_row = variance / (DAMPING_PRIOR**2 * k_ref * mass)
    share_c = corrected_share(s, 0, c.noise[0, 0])
    share_rate = corrected_share(s, 1, c.noise[1, 1])
    both = min(share_c, share_rate)
    a = (
        -s.weight * share_c * c.noise[0, 0] + G[0, 0] - 2.0 * u * G[0, 3] + u * u * G[3, 3],
        -s.weight * both * c.noise[0, 1] + G[0, 1] - u * (G[0, 4] + G[1, 3]) + u * u * G[3, 4],
        G[0, 2] - u * G[2, 3],
        -s.weight * share_rate * c.noise[1, 1] + G[1, 1] - 2.0 * u * G[1, 4] + u * u * G[4, 4] + damping_row,
        G[1, 2] - u * G[2, 4],
        G[2, 2] + touch_row,
    )
    b = (G[0, 5] - u * G[3, 5], G[1, 5] - u * G[4, 5], G[2, 5])
    k, d, offset, vk, vd = solve(a, b, (1, 1))
    if d < 0.0:
        k, d, offset, vk, vd = solve(a, b, (1, 0))
    if k <= 0.0:
        k, d, offset, vk, vd = solve(a, b, (0, 1))
        k = 1e-3 * k_ref
        if d < 0.0:
            return 0.0, 0.0, 0.0, 0.0, 0.0, np.inf, np.inf
    square = G[5, 5] - 2.0 * (k * b[0] + d * b[1] + offset * b[2])
    square += k * k * a[0] + d * d * a[3] + offset * offset * a[5]
    square += 2.0 * (k * d * a[1] + k * offset * a[2] + d * offset * a[4])
    taken = k * k * share_c * c.noise[0, 0] + d * d * share_rate * c.noise[1, 1]
    taken += 2.0 * k * d * both * c.noise[0, 1]
    # a wrong position is a wrong force as well
    sigma = math.sqrt(variance + (k * c.position_noise) ** 2)
    left, whole = max(square, 0.0), max(square + s.weight * taken, 0.0)
    return k, d, -offset / k, sigma * math.sqrt(vk), sigma * math.sqrt(vd), left, whole
