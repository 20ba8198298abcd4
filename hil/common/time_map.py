"""Object time against wall time: the rate slews linearly to its target, object time is its integral.

theory: with rate r(t) moving from r_a towards r_t at the slew c, the way to the target takes
u = |r_t - r_a| / c; within it s = s_a + r_a (t - t_a) + sign c (t - t_a)^2 / 2, behind it
s runs on at r_t. The map is monotonic, since rates lie in [0, 1].
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array

TIME_RATE_SLEW = 5.0  # [1/s]; a full stop of object time takes 0.2 s


@njit(cache=True)
def object_time_at(time_map: Array, t: float) -> tuple[float, float, float]:
    """Return object time [s], rate [1] and slew of the rate [1/s] at wall time `t` [s].

    Args:
        time_map: `[t_a, s_a, rate_a, target]`, shape (4,); `t` counts from the same origin as `t_a`.
        t: wall time; before `t_a` the rate is taken to have been `rate_a`.
    """
    t_a, s_a, rate_a, target = time_map[0], time_map[1], time_map[2], time_map[3]
    u = t - t_a
    if u <= 0.0:
        return s_a + rate_a * u, rate_a, 0.0
    slew = math.copysign(TIME_RATE_SLEW, target - rate_a)
    ramp = abs(target - rate_a) / TIME_RATE_SLEW
    if u < ramp:
        return s_a + rate_a * u + 0.5 * slew * u * u, rate_a + slew * u, slew
    s_ramp = s_a + 0.5 * (rate_a + target) * ramp
    return s_ramp + target * (u - ramp), target, 0.0


@njit(cache=True)
def retargeted(time_map: Array, t: float, target: float) -> Array:
    """Return the map that follows `time_map` up to wall time `t` and then slews to `target`."""
    s, rate, _ = object_time_at(time_map, t)
    return np.array([t, s, rate, target])
