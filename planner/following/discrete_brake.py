"""Braking one joint on the grid of its commands, exactly within limits of their finite differences.

theory: with step h, v_n = (q_n - q_{n-1}) / h, a_n = (v_n - v_{n-1}) / h, j_n = (a_n - a_{n-1}) / h, rest
after N more steps asks for a sequence from a_0 to a_N = 0 with |a_i| <= A, |a_i - a_{i-1}| <= J h and
h sum a_i = -v_0. For given N the smallest such sequence is max(a_0 - i J h, -A, -(N - i) J h) at every
step at once, the largest min(a_0 + i J h, A, (N - i) J h); every mixture of both is allowed, and one has
the sum that is asked for if it lies between theirs. The sums nest as N grows, so the least N is found
by bisection. Where the steps before were longer (cycles without a command), the divided differences of
the first two steps have longer weights: G_1 = (h + h_0) / 2 for the velocity, H_1 = (h + h_0 + h_1) / 3
and H_2 = (2 h + h_0) / 3 for the acceleration; all else holds.
"""

from numba import njit

from hil.common.arrays import Array
from planner.following.stopping import stop_pieces

LONGEST = 1 << 14  # steps of a brake at most
NEAR = 3  # steps about the duration of the continuous stop, between which the number is looked for
ROUNDING = 1e-12  # relative


@njit(cache=True)
def _reach(i: int, h: float, h0: float, h1: float) -> float:
    """Return the time [s] over which `i` steps of jerk add up to acceleration."""
    if i == 0:
        return 0.0
    first = (h + h0 + h1) / 3.0
    return first if i == 1 else first + (2.0 * h + h0) / 3.0 + (i - 2) * h


@njit(cache=True)
def _extreme(i: int, n: int, a0: float, A: float, J: float, h: float, h0: float, h1: float) -> float:
    """Return the lowest acceleration at step `i` of `n` that the limits allow."""
    return max(max(a0 - J * _reach(i, h, h0, h1), -A), -(n - i) * J * h)


@njit(cache=True)
def _velocity_after(
    n: int, v0: float, a0: float, A: float, J: float, h: float, h0: float, h1: float
) -> float:
    """Return the velocity after the lowest sequence of `n` steps."""
    v = v0
    for i in range(1, n + 1):
        v += _extreme(i, n, a0, A, J, h, h0, h1) * (0.5 * (h + h0) if i == 1 else h)
    return v


@njit(cache=True)
def brake_plan(v0: float, a0: float, A: float, J: float, h: float, h0: float, h1: float) -> tuple[int, float]:
    """Return the number of steps to rest, and the share of the lowest sequence in the mixture.

    Args:
        v0: divided difference of the last two commands [rad/s].
        a0: second divided difference of the last three, times two [rad/s2].
        A: acceleration limit [rad/s2].
        J: jerk limit [rad/s3].
        h: step from now on [s].
        h0: last step before [s], a multiple of `h`.
        h1: the step before that [s], likewise.
    """
    if v0 == 0.0 and a0 == 0.0:
        return 0, 0.0
    _, t1, t2, t3 = stop_pieces(v0, a0, A, J)
    estimate = int((t1 + t2 + t3) / h)
    low, high = max(estimate - NEAR, 0), estimate + NEAR
    while high < LONGEST and not _brackets(high, v0, a0, A, J, h, h0, h1):
        low, high = high, 2 * high
    if low > 0 and _brackets(low, v0, a0, A, J, h, h0, h1):
        low, high = 0, low
    while high - low > 1:  # `low` is not enough, `high` is
        middle = (low + high) // 2
        if _brackets(middle, v0, a0, A, J, h, h0, h1):
            high = middle
        else:
            low = middle
    lowest = _velocity_after(high, v0, a0, A, J, h, h0, h1)
    highest = -_velocity_after(high, -v0, -a0, A, J, h, h0, h1)
    share = highest / (highest - lowest) if highest > lowest else 1.0
    return high, min(max(share, 0.0), 1.0)


@njit(cache=True)
def _brackets(n: int, v0: float, a0: float, A: float, J: float, h: float, h0: float, h1: float) -> bool:
    """Return whether `n` steps suffice: the lowest sequence ends at or below rest, the highest above."""
    if ((n - 1) * h + _reach(1, h, h0, h1)) * J < abs(a0) * (1.0 - ROUNDING):
        return False
    below = _velocity_after(n, v0, a0, A, J, h, h0, h1) <= 0.0
    return below and _velocity_after(n, -v0, -a0, A, J, h, h0, h1) <= 0.0


@njit(cache=True)
def brake_acceleration(
    i: int, n: int, share: float, a0: float, A: float, J: float, h: float, h0: float, h1: float
) -> float:
    """Return the acceleration [rad/s2] of step `i` (from 1) of the brake that `brake_plan` gave."""
    if i >= n:
        return 0.0
    lowest = _extreme(i, n, a0, A, J, h, h0, h1)
    highest = -_extreme(i, n, -a0, A, J, h, h0, h1)
    return share * lowest + (1.0 - share) * highest


@njit(cache=True)
def brake_extremes(
    q0: float, v0: float, a0: float, A: float, J: float, h: float, h0: float, h1: float
) -> tuple[float, float, float]:
    """Return least and greatest position [rad] and greatest speed [rad/s] of the brake from here."""
    n, share = brake_plan(v0, a0, A, J, h, h0, h1)
    q, v = q0, v0
    low = high = q0
    speed = abs(v0)
    for i in range(1, n + 1):
        v += brake_acceleration(i, n, share, a0, A, J, h, h0, h1) * (0.5 * (h + h0) if i == 1 else h)
        q += v * h
        low, high, speed = min(low, q), max(high, q), max(speed, abs(v))
    return low, high, speed


@njit(cache=True)
def brake_positions_into(
    out: Array, q0: float, v0: float, a0: float, A: float, J: float, h: float, h0: float, h1: float
) -> int:
    """Write the positions (M,) of the brake, the last repeated to the end; return the steps needed."""
    n, share = brake_plan(v0, a0, A, J, h, h0, h1)
    q, v = q0, v0
    for i in range(1, out.shape[0] + 1):
        if i < n:
            v += brake_acceleration(i, n, share, a0, A, J, h, h0, h1) * (0.5 * (h + h0) if i == 1 else h)
            q += v * h
        out[i - 1] = q
    return n
