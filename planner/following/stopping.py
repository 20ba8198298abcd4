"""The time-optimal stop of one joint, in closed form: where it ends, and its next step.

theory: from velocity v and acceleration a, with |jerk| <= J and |acceleration| <= A, rest is reached
soonest by three pieces of jerk d J, 0, -d J. The sign d opposes v + a |a| / (2 J), the velocity that
would remain if the acceleration were merely brought to zero. In coordinates multiplied by d the peak
acceleration is p = min(A, sqrt(a^2 / 2 - J v)); the pieces last (p - a) / J, the rest of the velocity
over A, and p / J.
"""

import math

from numba import njit

NEGLIGIBLE = 1e-12  # [rad/s]; a remaining velocity below this needs no turn of the acceleration


@njit(cache=True)
def stop_pieces(v: float, a: float, A: float, J: float) -> tuple[float, float, float, float]:
    """Return the signed first jerk [rad/s3] and the durations of the three pieces [s]."""
    remaining = v + a * abs(a) / (2.0 * J)
    if abs(remaining) <= NEGLIGIBLE:
        return (-J if a > 0.0 else J), abs(a) / J, 0.0, 0.0
    d = -1.0 if remaining > 0.0 else 1.0
    v, a = d * v, d * a
    peak = math.sqrt(max(0.5 * a * a - J * v, 0.0))
    hold = 0.0
    if peak > A:
        peak = max(A, a)
        hold = max(0.0, (-v - (2.0 * peak * peak - a * a) / (2.0 * J)) / peak)
    return d * J, max(0.0, (peak - a) / J), hold, peak / J


@njit(cache=True)
def moved(q: float, v: float, a: float, j: float, t: float) -> tuple[float, float, float]:
    """Return position, velocity and acceleration after constant jerk `j` for `t`."""
    return q + t * (v + t * (a / 2.0 + t * j / 6.0)), v + t * (a + t * j / 2.0), a + t * j


@njit(cache=True)
def stop_step(q: float, v: float, a: float, A: float, J: float, h: float) -> tuple[float, float, float]:
    """Return the joint's state after `h` seconds of the stop; exact rest once it is reached."""
    j, t1, t2, t3 = stop_pieces(v, a, A, J)
    t = min(t1, h)
    q, v, a = moved(q, v, a, j, t)
    if h < t1:
        return q, v, a
    t = min(t2, h - t1)
    q, v, a = moved(q, v, a, 0.0, t)
    if h < t1 + t2:
        return q, v, a
    t = min(t3, h - t1 - t2)
    q, v, a = moved(q, v, a, -j, t)
    return (q, v, a) if h < t1 + t2 + t3 else (q, 0.0, 0.0)


@njit(cache=True)
def stop_range(q: float, v: float, a: float, A: float, J: float) -> tuple[float, float]:
    """Return the least and the greatest position [rad] on the way to rest.

    The velocity changes its sign once at most, within the first piece.
    """
    j, t1, t2, t3 = stop_pieces(v, a, A, J)
    low = high = q
    root = a * a - 2.0 * j * v
    if v * j > 0.0 > a * j and root > 0.0:
        t = (abs(a) - math.sqrt(root)) / J
        turn, _, _ = moved(q, v, a, j, t)
        low, high = min(q, turn), max(q, turn)
    q, v, a = moved(q, v, a, j, t1)
    q, v, a = moved(q, v, a, 0.0, t2)
    q, v, a = moved(q, v, a, -j, t3)
    return min(low, q), max(high, q)


@njit(cache=True)
def is_safe(
    q: float, v: float, a: float, lower: float, upper: float, V: float, A: float, J: float
) -> tuple[bool, bool]:
    """Return whether the joint can be stopped from here within its (velocity, position) limits."""
    fast = abs(v) <= V and abs(v + a * abs(a) / (2.0 * J)) <= V
    low, high = stop_range(q, v, a, A, J)
    return fast, lower <= low and high <= upper
