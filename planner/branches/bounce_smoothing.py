"""Preview smoothing: a sudden change of joint speed at a predicted bounce is spread around it.

theory: two moving averages of lengths a > b turn a ramp's kink of size D at s_b into D r(s - s_b), with
acceleration D r'' a trapezoid of area D, plateau 1 / a, flanks of length b, from -(a + b) / 2 to
(a + b) / 2. What they add to the unsmoothed path is D g(u), g(u) = r(u) - max(u, 0): even, zero outside
that window, so nothing is delayed and nothing else is touched. Acceleration stays at D / a, jerk at
D / (a b).
"""

import numpy as np
from numba import njit

from hil.common.arrays import Array, BoolArray, IntArray

LONG = 0.15  # [s] bounds the acceleration
SHORT = 0.05  # [s] bounds the jerk
REACH = 0.5 * (LONG + SHORT)  # [s] to both sides of a bounce
ROUNDING = 1e-6  # of a bounce's time in steps


@njit(cache=True)
def kink_smoothing(u: float) -> tuple[float, float, float]:
    """Return what smoothing adds to a unit kink at distance `u` [s], with its two derivatives.

    The first derivative is taken against the step from 0 to 1, the second is the trapezoid itself.
    """
    x = abs(u)
    if x >= REACH:
        return 0.0, 0.0, 0.0
    scale = 1.0 / (6.0 * LONG * SHORT)
    outer, inner = REACH - x, max(0.0, 0.5 * (LONG - SHORT) - x)
    g = (outer**3 - inner**3) * scale
    slope = -3.0 * (outer**2 - inner**2) * scale
    curve = 6.0 * (outer - inner) * scale
    return g, slope if u > 0.0 else -slope, curve


@njit(cache=True)
def smooth_bounces(
    q: Array, dq: Array, ddq: Array, s_0: float, step: float, bounces: Array, jumps: Array
) -> None:
    """Add the smoothing of all bounces to a joint path, in place.

    Args:
        q: joints of the unsmoothed path at the nodes [rad], shape (n, 7).
        dq: their speeds [rad/s], shape (n, 7).
        ddq: their accelerations, one-sided beside a bounce [rad/s2], shape (n, 7).
        s_0: object time of the first node [s].
        step: from node to node [s].
        bounces: object times of the bounces [s], shape (b,).
        jumps: changes of the joint speeds there [rad/s], shape (b, 7).
    """
    for b in range(bounces.shape[0]):
        for i in range(q.shape[0]):
            g, slope, curve = kink_smoothing(s_0 + i * step - bounces[b])
            if curve > 0.0:
                for j in range(q.shape[1]):
                    q[i, j] += g * jumps[b, j]
                    dq[i, j] += slope * jumps[b, j]
                    ddq[i, j] += curve * jumps[b, j]


def intervals_of(bounces: Array, s_0: float, step: float) -> IntArray:
    """Return the node that begins the interval of each bounce; one at a node belongs behind it."""
    return np.floor((bounces - s_0) / step + ROUNDING).astype(np.int64)


def one_an_interval(bounces: Array, s_0: float, step: float) -> Array:
    """Return the bounces with those of one interval merged into their mean: nodes see only their sum."""
    nodes = intervals_of(bounces, s_0, step)
    return np.array([float(np.mean(bounces[nodes == node])) for node in np.unique(nodes)])


def intervals_with(bounces: Array, s_0: float, step: float, count: int) -> BoolArray:
    """Return whether the interval behind each of `count` nodes holds a bounce, shape (count,)."""
    holds = np.zeros(count, dtype=np.bool_)
    nodes = intervals_of(bounces, s_0, step)
    holds[nodes[(nodes >= 0) & (nodes < count)]] = True
    return holds
