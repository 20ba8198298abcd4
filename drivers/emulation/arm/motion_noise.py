"""Coloured noise of the wrench estimate while the arm moves: two first-order processes.

A first-order process of correlation time `c` has the share `2/pi atan(2 pi f c)` of its power below
the frequency `f`. A slow one (0.3 s) and a fast one (0.02 s) are mixed such that a configured share of
the power lies below 3 Hz; shares outside what the two reach alone are the nearest of both.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array

SLOW_TIME = 0.3  # [s]
FAST_TIME = 0.02  # [s]
BOUNDARY = 3.0  # [Hz]


def power_below(frequency: float, correlation_time: float) -> float:
    """Return the share of a first-order process' power below a frequency [Hz]."""
    return 2.0 / math.pi * math.atan(2.0 * math.pi * frequency * correlation_time)


def slow_weight(slow_fraction: float) -> float:
    """Return the slow process' share of the variance that puts `slow_fraction` of the power below 3 Hz."""
    slow, fast = power_below(BOUNDARY, SLOW_TIME), power_below(BOUNDARY, FAST_TIME)
    return min(1.0, max(0.0, (slow_fraction - fast) / (slow - fast)))


def process_constants(slow_fraction: float, step: float) -> Array:
    """Return decay, drive and weight (amplitude) of the slow and of the fast process, shape (2, 3)."""
    weight = slow_weight(slow_fraction)
    rows = []
    for time, share in ((SLOW_TIME, weight), (FAST_TIME, 1.0 - weight)):
        decay = math.exp(-step / time)
        rows.append([decay, math.sqrt(1.0 - decay * decay), math.sqrt(share)])
    return np.array(rows)


@njit(cache=True)
def motion_noise_step(processes: Array, normals: Array, constants: Array, axis: int) -> float:
    """Advance both processes of an axis (unit variance each) and return their mixture.

    Args:
        processes: state, shape (2, 6), updated.
        normals: standard normal numbers, shape (2, 6).
        constants: of `process_constants`.
        axis: which of the six.
    """
    total = 0.0
    for i in range(2):
        processes[i, axis] = constants[i, 0] * processes[i, axis] + constants[i, 1] * normals[i, axis]
        total += constants[i, 2] * processes[i, axis]
    return total
