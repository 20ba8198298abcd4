"""What the base does otherwise than planned, and how the arm takes it back; compiled.

theory: the measured difference e = x_measured - x_planned (world x, y, heading) goes through a critically
damped filter of second order, `f'' = w^2 (e - f) - 2 w f'`. The object keeps its place in the world if the
arm holds it at `T_B(x + f)^-1 T_B(x) T_base_object`; as a displacement of the object with rate and
acceleration this joins what a push adds to the plan (docs/theory.md, equation 24).
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array


@njit(cache=True)
def filter_into(state: Array, error: Array, w: float, h: float) -> None:
    """Carry the filter on by a step of the error, exactly for an error that stands meanwhile.

    Args:
        state: filtered error, its rate and its acceleration, shape (3, 3); written.
        error: x, y [m], heading [rad], shape (3,).
        w: rate [rad/s].
        h: [s].
    """
    decay = math.exp(-w * h)
    for i in range(3):
        left, speed = state[0, i] - error[i], state[1, i]
        slope = speed + w * left
        state[0, i] = error[i] + (left + slope * h) * decay
        state[1, i] = (speed - w * slope * h) * decay
        state[2, i] = w * w * (error[i] - state[0, i]) - 2.0 * w * state[1, i]


@njit(cache=True)
def holding(state: Array, base: Array, p_base_object: Array) -> Array:
    """Return velocity, displacement and acceleration that hold the object in the world, base axes, (3, 6).

    Args:
        state: filtered error with rate and acceleration, as of `filter_into`, shape (3, 3).
        base: planned pose, rate and acceleration of the base, shape (3, 3).
        p_base_object: where the plan holds the object, base axes [m], shape (3,).
    """
    out = np.zeros((3, 6))
    c, s, turn = math.cos(base[0, 2]), math.sin(base[0, 2]), base[1, 2]
    x, y = c * state[0, 0] + s * state[0, 1], c * state[0, 1] - s * state[0, 0]
    u = c * state[1, 0] + s * state[1, 1] + turn * y
    v = c * state[1, 1] - s * state[1, 0] - turn * x
    ax, ay = c * state[2, 0] + s * state[2, 1], c * state[2, 1] - s * state[2, 0]
    c, s, w, a = math.cos(state[0, 2]), math.sin(state[0, 2]), state[1, 2], state[2, 2]
    px, py = p_base_object[0] - x, p_base_object[1] - y
    qx, qy = c * px + s * py, c * py - s * px  # where the object is seen from the base that is off
    out[0, 0], out[0, 1] = -(c * u + s * v) + w * qy, -(c * v - s * u) - w * qx
    out[0, 5] = -w
    out[1, 0], out[1, 1], out[1, 5] = qx - p_base_object[0], qy - p_base_object[1], -state[0, 2]
    out[2, 0], out[2, 1], out[2, 5] = -(c * ax + s * ay) + a * qy, -(c * ay - s * ax) - a * qx, -a
    return out
