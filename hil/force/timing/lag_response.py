"""What a dead time and a second-order lag make of commands that are straight lines between cycles.

    y = G(s) exp(-D s) u,   G = w^2 / (s^2 + 2 z w s + w^2),   w = 2 z / lag

Exact at the cycles' instants for any dead time: commands are sums of hats, and the response to a hat is
the second difference of the response to a ramp.
"""

import numpy as np
from scipy.signal import fftconvolve

from hil.common.arrays import Array

APART = 1e-4  # damping ratios nearer to 1 are taken for one so far beside it: the roots must be two


def lag_response(command: Array, step: float, dead_time: float, lag: float, damping: float) -> Array:
    """Return how a plant follows that stood at the first command, shape (n, m).

    Args:
        command: at the cycles' instants, shape (n, m).
        step: between two of them [s].
        dead_time: of the plant, from a command's instant on [s].
        lag: with which it follows a ramp [s]; above 0.
        damping: ratio of the lag.
    """
    first = command[0]
    t: Array = np.asarray(step * np.arange(-1, len(command) + 1) - dead_time, np.float64)
    ramp = ramp_response(t, lag, damping)
    hat = np.diff(ramp, 2) / step
    followed: Array = first + fftconvolve(command - first, hat[:, None], axes=0)[: len(command)]
    return followed


def ramp_response(t: Array, lag: float, damping: float) -> Array:
    """Return the lag's response to a ramp of slope 1 that begins at 0, shape (n,).

    theory: partial fractions of G / s^2 with its roots s_1, s_2:
    `t - 2 z / w + sum_k w^2 exp(s_k t) / (s_k^2 (s_k - s_other))`.

    Args:
        t: instants [s], shape (n,).
        lag: of the ramp, long after its beginning [s].
        damping: ratio.
    """
    z = damping if abs(damping - 1.0) > APART else 1.0 + APART
    w = 2.0 * z / lag
    root = w * np.sqrt(complex(z * z - 1.0))
    late = np.maximum(t, 0.0)
    found = late - lag + 0.0j
    for s, other in ((-z * w + root, -z * w - root), (-z * w - root, -z * w + root)):
        found += w * w * np.exp(s * late) / (s * s * (s - other))
    ramp: Array = np.where(t > 0.0, found.real, 0.0)
    return ramp
