"""A second-order lag per joint, advanced exactly for an input that is linear over the step.

`x'' = w^2 (u - x) - 2 z w x'` with `w = 2 z / lag`, so that a ramp is followed with the delay `lag`.
The step's transition is the matrix exponential of the system with its input `[x, x', u, u']`.
"""

import numpy as np
from numba import njit
from scipy.linalg import expm

from hil.common.arrays import Array


def natural_frequency(lag: float, damping: float) -> float:
    """Return the natural frequency [rad/s] that follows a ramp with the delay `lag` [s]."""
    return 2.0 * damping / lag


def lag_transition(lag: float, damping: float, step: float) -> Array:
    """Return the transition (2, 4): new `[x, x']` from `[x, x', u at start, u at end]` of a step [s]."""
    w = natural_frequency(lag, damping)
    system = np.zeros((4, 4))
    system[0, 1] = 1.0
    system[1] = [-w * w, -2.0 * damping * w, w * w, 0.0]
    system[2, 3] = 1.0
    full = expm(system * step)
    at_end = full[:2, 3] / step
    return np.column_stack((full[:2, 0], full[:2, 1], full[:2, 2] - at_end, at_end))


@njit(cache=True)
def lag_step_into(
    q: Array, dq: Array, ddq: Array, u_0: Array, u_1: Array, transition: Array, w: float, damping: float
) -> None:
    """Advance positions, speeds and accelerations of all joints by a step, input from `u_0` to `u_1`."""
    m = transition
    for i in range(q.shape[0]):
        x, v = q[i], dq[i]
        q[i] = m[0, 0] * x + m[0, 1] * v + m[0, 2] * u_0[i] + m[0, 3] * u_1[i]
        dq[i] = m[1, 0] * x + m[1, 1] * v + m[1, 2] * u_0[i] + m[1, 3] * u_1[i]
        ddq[i] = w * w * (u_1[i] - q[i]) - 2.0 * damping * w * dq[i]
