"""Every command against the limits, by finite differences of the commanded stream."""

import numpy as np
from numba import njit

from hil.common.arrays import Array, BoolArray, IntArray
from hil.loop.trace.fields import Trace

RELATIVE_TOLERANCE = 1e-6  # of velocity, acceleration and jerk
POSITION_TOLERANCE = 1e-9  # [rad]
ROUNDING = 4.0e-15  # [rad] of a commanded joint; divided by dt^order it is allowed for as well


def violations(trace: Trace) -> BoolArray:
    """Return the rows whose command breaks a limit or is not finite, shape (n,).

    Velocity, acceleration and jerk are `k!` times the divided difference of order k = 1, 2, 3 of the
    newest k + 1 commands: a mean of the derivative over their span, so that a motion within the
    limits never shows a larger value. Commands that only mirror the robot are not judged; the first of
    the driver's own must not jump from them, but acceleration and jerk are those of its own alone.
    """
    return _checked(trace)[0]


def largest_ratios(trace: Trace) -> Array:
    """Return the largest velocity, acceleration and jerk of a command over their limits, NaN for none."""
    return _checked(trace)[1]


def speed_ratio(trace: Trace) -> float | None:
    """Return the largest commanded joint speed over its limit."""
    ratio = float(largest_ratios(trace)[0])
    return None if np.isnan(ratio) else ratio


def limit_figures(trace: Trace) -> dict[str, int]:
    """Return `{violations}`: the number of commands outside any limit."""
    return {"violations": int(np.count_nonzero(violations(trace)))}


def _checked(trace: Trace) -> tuple[BoolArray, Array]:
    found: tuple[BoolArray, Array] = _check(
        np.rint(1e9 * trace.t).astype(np.int64),
        trace.q_command,
        trace.commanded,
        np.array([trace.limit_lower, trace.limit_upper]),
        np.array([trace.limit_velocity, trace.limit_acceleration, trace.limit_jerk]),
    )
    return found


@njit(cache=True)
def _check(
    t_ns: IntArray, q: Array, commanded: BoolArray, positions: Array, limits: Array
) -> tuple[BoolArray, Array]:
    """Return which commands break a limit, and the largest ratios of the three derivatives."""
    broken = np.zeros(len(t_ns), dtype=np.bool_)
    largest = np.full(3, np.nan)
    run = 0  # commands of the driver's own, up to this row
    for k in range(len(t_ns)):
        run = run + 1 if commanded[k] else 0
        if run == 0:
            continue
        for joint in range(q.shape[1]):
            value = q[k, joint]
            low = positions[0, joint] - POSITION_TOLERANCE
            high = positions[1, joint] + POSITION_TOLERANCE
            if not low <= value <= high:  # so that NaN is a violation as well
                broken[k] = True
            for order in range(1, 1 + min(k, max(1, run - 1), 3)):
                derivative = abs(_derivative(t_ns, q, k, joint, order))
                limit = limits[order - 1, joint]
                slack = RELATIVE_TOLERANCE * limit + ROUNDING * (2e9 / (t_ns[k] - t_ns[k - 1])) ** order
                if not derivative <= limit + slack:
                    broken[k] = True
                ratio = derivative / limit
                if not ratio <= largest[order - 1]:
                    largest[order - 1] = ratio
    return broken, largest


@njit(cache=True)
def _derivative(t_ns: IntArray, q: Array, k: int, joint: int, order: int) -> float:
    """Return `order!` times the divided difference of the newest `order + 1` commands."""
    table = np.empty(4)
    for j in range(order + 1):
        table[j] = q[k - j, joint]
    for level in range(1, order + 1):
        for j in range(order + 1 - level):
            table[j] = level * (table[j] - table[j + 1]) / (1e-9 * (t_ns[k - j] - t_ns[k - j - level]))
    return float(table[0])
