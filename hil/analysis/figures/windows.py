"""Which stretches of a trace a figure may look at, and the arm's velocity in them."""

import numpy as np
from numba import njit

from hil.common.arrays import Array, BoolArray, IntArray
from hil.common.geometry import quat_conjugate, quat_multiply, rotvec_from_quat
from hil.loop.judging.state_machine import MOVING, State
from hil.loop.trace.fields import Trace

LENGTH = 0.2  # [m] torques are divided by it, angular velocities multiplied
TWIST_SCALE = np.array([1.0, 1.0, 1.0, LENGTH, LENGTH, LENGTH])
BEFORE = 0.05  # [s] before a push; there the ideal body is set to the simulated one
HOLE = 5.0  # median cycles; a longer way from row to row is a hole
# [s] after a slice was reported; until then the simulation takes it in. The simulation's states count for
# 50 ms: a row may rest on one that was made when the slice was still on its way, and so old
SETTLING = 0.1
FIT = 0.01  # [s] on either side of an instant; velocity is the slope of a straight line fitted there


def moving_rows(trace: Trace) -> BoolArray:
    """Return the rows at which the object floats or is held, shape (n,)."""
    moving: BoolArray = np.isin(trace.state, MOVING)
    return moving


def holes(trace: Trace) -> BoolArray:
    """Return the rows before which rows are missing, shape (n,): nobody knows what happened meanwhile."""
    step = np.diff(trace.t, prepend=trace.t[:1])
    missing: BoolArray = step > HOLE * np.median(step[1:]) if len(step) > 1 else np.zeros(len(step), bool)
    return missing


def taking_in(trace: Trace) -> BoolArray:
    """Return the rows at which the simulation may not have taken in a reported slice yet, shape (n,)."""
    newest = np.searchsorted(trace.slice_t, trace.t, side="right") - 1
    since = trace.t - np.concatenate([trace.slice_t, [-np.inf]])[newest]
    found: BoolArray = since < SETTLING
    return found


def free_pushes(trace: Trace, after: float) -> IntArray:
    """Return the pushes whose window has nothing in it but the push itself.

    The window reaches from 50 ms before the push to `after` [s] behind its end. It lies within the
    trace; the object floats at full pace throughout; neither the simulated nor the ideal body touches
    a stop; no other push, nor the 50 ms before one, reaches into it.
    """
    t = trace.t
    if not len(t):
        return np.empty(0, dtype=np.int64)
    start, end = trace.push_t_start - BEFORE, trace.push_t_end + after
    disturbed = (trace.state != State.FLOATING) | (trace.rate < 1.0 - 1e-9)
    disturbed |= trace.contact_sim | trace.contact_ideal
    count = np.concatenate([[0], np.cumsum(disturbed)])
    inside = (start >= t[0]) & (end + FIT <= t[-1])
    first = np.searchsorted(t, start)
    last = np.searchsorted(t, end, side="right")
    latest_end = np.concatenate([[-np.inf], np.maximum.accumulate(trace.push_t_end)[:-1]])
    next_start = np.concatenate([trace.push_t_start[1:], [np.inf]])
    alone = (latest_end < start) & (next_start - BEFORE > end)
    return np.flatnonzero(inside & alone & (count[last] == count[first]))


@njit(cache=True)
def fitted_twists(t: Array, p: Array, quat: Array, first: int, last: int) -> Array:
    """Return velocities of a recorded motion, world axes [m/s, rad/s], shape (last - first, 6).

    A straight line is fitted to the positions, and to the rotation vectors from the attitude in the
    middle, over 10 ms on either side (at least one row). No lag: the window is symmetric.

    Args:
        t: instants [s], shape (n,).
        p: positions in world [m], shape (n, 3).
        quat: attitudes in world, shape (n, 4).
        first: first row wanted.
        last: row after the last one wanted.
    """
    twists = np.empty((last - first, 6))
    x = np.empty(6)
    for k in range(first, last):
        low, high = max(0, k - 1), min(len(t) - 1, k + 1)
        while low > 0 and t[k] - t[low - 1] <= FIT + 1e-9:
            low -= 1
        while high < len(t) - 1 and t[high + 1] - t[k] <= FIT + 1e-9:
            high += 1
        rows = high - low + 1
        mean_t, mean_x = 0.0, np.zeros(6)
        products, squares = np.zeros(6), 0.0
        back = quat_conjugate(quat[k])
        for j in range(low, high + 1):
            x[:3] = p[j] - p[k]
            x[3:] = rotvec_from_quat(quat_multiply(quat[j], back))
            dt = t[j] - t[k]
            mean_t += dt / rows
            mean_x += x / rows
            products += dt * x
            squares += dt * dt
        twists[k - first] = (products - rows * mean_t * mean_x) / (squares - rows * mean_t * mean_t)
    return twists


def spread(values: Array) -> dict[str, float | None]:
    """Return median and 95th percentile, None where there is nothing to measure."""
    if not len(values):
        return {"median": None, "p95": None}
    return {"median": float(np.median(values)), "p95": float(np.quantile(values, 0.95))}
