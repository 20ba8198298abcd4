"""Rates of a stream of commands over several strides, and what 32-bit rounding adds to them (compiled)."""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray

STRIDES = (1, 2, 4, 8, 16)  # cycles
SPAN = 3 * STRIDES[-1] + 1  # commands that are looked at, at most
JOINTS = 7


@njit(cache=True)
def outermost(q: Array, lower: Array, upper: Array) -> tuple[int, float]:
    """Return the joint that is farthest beyond its limits, or nearest to one, and by how much [rad]."""
    joint, most = 0, -math.inf
    for i in range(q.shape[0]):
        beyond = max(lower[i] - q[i], q[i] - upper[i])
        if beyond > most:
            joint, most = i, beyond
    return joint, most


@njit(cache=True)
def rounding_into(out: Array, q: Array) -> None:
    """Write half a unit in the last place of each `q` as a 32-bit float [rad]."""
    for i in range(q.shape[0]):
        _, exponent = math.frexp(q[i])
        out[i] = math.ldexp(1.0, max(exponent - 25, -150))


@njit(cache=True)
def row_before(packets: IntArray, row: int, stride: int) -> int:
    """Return the row of the newest command that is at least `stride` packets older than that of `row`."""
    latest = packets[row] - stride
    found = row - stride  # packets grow from row to row, so this one is old enough
    while packets[found + 1] <= latest:
        found += 1
    return found


@njit(cache=True)
def rates(
    packets: IntArray, q: Array, rounding: Array, last: int, stride: int, T: float
) -> tuple[Array, Array]:
    """Return velocity, acceleration and jerk at `last` over a stride, and the roundings' share of each.

    Divided differences over the true times. Their weights alternate in sign, so the sum of all
    |w_i| e_i is the divided difference of roundings that alternate in sign.

    Args:
        packets: counters of the commands, growing, shape (M,).
        q: commands [rad], shape (M, 7).
        rounding: the rounding that each may have [rad], shape (M, 7).
        last: row of the newest; `SPAN - 1` rows must lie before it.
        stride: [cycles].
        T: the cycle [s].

    Returns:
        Both in [rad/s], [rad/s2], [rad/s3], shape (3, 7).
    """
    value, share = np.empty((4, q.shape[1])), np.empty((4, q.shape[1]))
    t = np.empty(4)
    row = last
    for k in range(4):
        t[k] = packets[row] * T
        for i in range(q.shape[1]):
            value[k, i] = q[row, i]
            share[k, i] = rounding[row, i] if k % 2 == 0 else -rounding[row, i]
        if k < 3:
            row = row_before(packets, row, stride)
    out, added = np.empty((3, q.shape[1])), np.empty((3, q.shape[1]))
    for order in range(1, 4):
        for k in range(4 - order):
            span = (t[k] - t[k + order]) / order
            for i in range(q.shape[1]):
                value[k, i] = (value[k, i] - value[k + 1, i]) / span
                share[k, i] = (share[k, i] - share[k + 1, i]) / span
        for i in range(q.shape[1]):
            out[order - 1, i], added[order - 1, i] = value[0, i], share[0, i]
    return out, added


@njit(cache=True)
def worst_into(
    worst: Array, packets: IntArray, q: Array, rounding: Array, last: int, bounds: Array, T: float
) -> tuple[float, int, int, int]:
    """Raise `worst` to the shares of `bounds` that the newest rates surely have.

    Args:
        worst: largest shares so far, shape (strides, 3, 7), written.
        packets: as in `rates`.
        q: as in `rates`.
        rounding: as in `rates`.
        last: as in `rates`.
        bounds: of velocity, acceleration and jerk, shape (3, 7).
        T: the cycle [s].

    Returns:
        The newest command's largest share, with the numbers of its stride, quantity and joint.
    """
    highest, at_stride, at_order, at_joint = -np.inf, 0, 0, 0
    for s in range(len(STRIDES)):
        value, added = rates(packets, q, rounding, last, STRIDES[s], T)
        for k in range(3):
            for i in range(q.shape[1]):
                share = (abs(value[k, i]) - added[k, i]) / bounds[k, i]
                worst[s, k, i] = max(worst[s, k, i], share)
                if share > highest:
                    highest, at_stride, at_order, at_joint = share, s, k, i
    return highest, at_stride, at_order, at_joint
