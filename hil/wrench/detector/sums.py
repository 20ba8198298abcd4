"""What the impulse detector reads out of its remembered samples: edges, integrals, centroids."""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.wrench.detector.state import MASK, SMOOTHING, Record

GLITCH_SHARE = 0.8  # of the sizes of all samples: a push of which one sample makes up more is retracted


@njit(cache=True)
def smoothed_projection(s: Record, j: int, k: int, base: Array, axis: Array) -> float:
    """Return the mean of the raw samples around `j` (none after `k`), less `base`, along `axis`."""
    total, n = 0.0, 0
    for m in range(max(j - SMOOTHING, 0), min(j + SMOOTHING, k) + 1):
        for i in range(6):
            total += (s.wrench[m & MASK, i] - base[i]) * axis[i]
        n += 1
    return total / n


@njit(cache=True)
def before(s: Record, j: int, m: int, oldest: int, delay: float) -> int:
    """Return the newest sample, from `m` down to `oldest`, that lies `delay` before sample `j`."""
    while m > oldest and s.t[j & MASK] - s.t[m & MASK] < delay:
        m -= 1
    return m


@njit(cache=True)
def apart(a: Array, b: Array) -> float:
    """Return how far two vectors (6,) are apart."""
    total = 0.0
    for i in range(6):
        total += (a[i] - b[i]) ** 2
    return math.sqrt(total)


@njit(cache=True)
def towards(axis: Array, vector: Array) -> None:
    """Let `axis` (6,) be the vector's direction, or zeros."""
    total = 0.0
    for i in range(6):
        total += vector[i] ** 2
    size = math.sqrt(total)
    for i in range(6):
        axis[i] = vector[i] / size if size > 0.0 else 0.0


@njit(cache=True)
def lone_sample(s: Record) -> bool:
    """Return whether one wild sample makes up nearly all of the slice."""
    total, largest = 0.0, 0.0
    for m in range(s.slice_first, s.last + 1):
        square = 0.0
        for i in range(6):
            square += (s.wrench[m & MASK, i] - s.baseline[i]) ** 2
        total += math.sqrt(square)
        largest = max(largest, math.sqrt(square))
    return largest > GLITCH_SHARE * total


@njit(cache=True)
def integrate(s: Record, row: Array) -> None:
    """Write start, end, centroid and impulse of the present slice into `row` (9,).

    The centroid weighs each instant by the force along the impulse; where the impulse nearly cancels,
    by the size of the force.
    """
    a, b = s.slice_first, s.last
    t_a = s.t[a & MASK]
    value, moment = np.zeros(6), np.zeros(6)
    size, size_moment = 0.0, 0.0
    for m in range(a, b):
        p, q = m & MASK, (m + 1) & MASK
        half, middle = 0.5 * (s.t[q] - s.t[p]), 0.5 * (s.t[p] + s.t[q]) - t_a
        square = 0.0
        for i in range(6):
            x = half * (s.wrench[p, i] + s.wrench[q, i] - 2.0 * s.baseline[i])
            value[i] += x
            moment[i] += x * middle
            square += x * x
        size += math.sqrt(square)
        size_moment += math.sqrt(square) * middle
    net, turned = 0.0, 0.0
    for i in range(6):
        net += value[i] ** 2
        turned += value[i] * moment[i]
    centroid = 0.0
    if net > 0.01 * size * size:
        centroid = turned / net
    elif size > 0.0:
        centroid = size_moment / size
    row[0], row[1] = t_a, s.t[b & MASK]
    row[2] = min(max(t_a + centroid, row[0]), row[1])
    for i in range(6):
        row[3 + i] = value[i]
