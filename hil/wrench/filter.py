"""The exponential low-pass of the wrench and what it does to noise (docs/theory.md, paper equations 2 and 3).

`w*_t = a w*_{t-1} + (1 - a) w_t` with `a = exp(-dt / tau)`: `tau` is configured, not the rate, so that a
recording of 100 Hz and a robot of 1 kHz are smoothed alike. The closed forms hold for even sampling.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array


def centroid_lag(dt: float, tau: float) -> float:
    """Return by how much the filter delays the centroid of any signal, `dt a / (1 - a)` [s]."""
    a = math.exp(-dt / tau)
    return dt * a / (1.0 - a)


def level_gain(dt: float, tau: float) -> float:
    """Return the standard deviation of the filtered value for white noise of 1."""
    a = math.exp(-dt / tau)
    return math.sqrt((1.0 - a) / (1.0 + a))


def derivative_gain(dt: float, tau: float) -> float:
    """Return the standard deviation [1/s] of the filtered value's derivative for white noise of 1."""
    a = math.exp(-dt / tau)
    return (1.0 - a) / dt * math.sqrt(2.0 / (1.0 + a))


@njit(cache=True)
def smooth_into(filtered: Array, sample: Array, a: float) -> None:
    """Move the filtered value (6,) one sample on."""
    for i in range(6):
        filtered[i] = a * filtered[i] + (1.0 - a) * sample[i]


@njit(cache=True)
def filter_series(t: Array, wrench: Array, tau: float) -> tuple[Array, Array]:
    """Return a recording's filtered wrench and its derivative, both (N, 6).

    Args:
        t: strictly increasing times [s], (N,).
        wrench: samples [N, N m], (N, 6).
        tau: time constant [s].
    """
    filtered = np.empty_like(wrench)
    derivative = np.zeros_like(wrench)
    state = wrench[0].copy()
    filtered[0] = state
    for k in range(1, t.shape[0]):
        dt = t[k] - t[k - 1]
        smooth_into(state, wrench[k], math.exp(-dt / tau))
        filtered[k] = state
        for i in range(6):
            derivative[k, i] = (filtered[k, i] - filtered[k - 1, i]) / dt
    return filtered, derivative
