"""Poses that an arm cannot reach however it bends, told by lengths alone: the cheap filter. Compiled.

theory: the origins of the joints' frames are a polyline whose first and last points are known: a joint that
turns does not move its own frame's origin, so the first stands still, and the last follows from the tip's
pose where that is prescribed. Its ends are at most the sum of its edges apart, and at least what the longest
edge is longer than all others. A sliding joint gives its edge a least and a greatest length.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array
from sim.chain.serial_chain import SerialChain

ROUNDING = 1e-9  # [m]


@njit(cache=True)
def edges(chain: SerialChain, lower: Array, upper: Array) -> tuple[Array, Array]:
    """Return least and greatest lengths of the polyline from the first joint's frame to the tip [m], (n,).

    Edge i ends at the frame of joint i + 2, the last at the tip. A sliding joint's stroke counts to the edge
    that ends at it, that of the first joint to the first edge.
    """
    n = chain.axes.shape[0]
    least, most = np.empty(n), np.empty(n)
    for i in range(n):
        T = chain.T_last_tip if i == n - 1 else chain.placements[i + 1]
        square = T[0, 3] ** 2 + T[1, 3] ** 2 + T[2, 3] ** 2
        least[i] = most[i] = math.sqrt(square)
    for i in range(n):
        if chain.linear[i]:
            k, stroke = max(i - 1, 0), max(abs(lower[i]), abs(upper[i]))
            least[k] = max(least[k] - stroke, 0.0)
            most[k] += stroke
    return least, most


@njit(cache=True)
def first_out_of_reach(
    chain: SerialChain, lower: Array, upper: Array, targets: Array, prescribed: Array, tolerances: Array
) -> int:
    """Return the first pose that is too far or too near for certain; -1 if there is none.

    Args:
        chain: of n joints.
        lower: least joint positions [rad, m], shape (n,).
        upper: greatest, likewise.
        targets: the poses in base, shape (m, 4, 4).
        prescribed: whether the whole orientation counts, 1 or 0, shape (m,).
        tolerances: of position [m] and orientation [rad], shape (m, 2).
    """
    n, start, away = chain.axes.shape[0], np.empty(3), np.empty(3)
    least, most = edges(chain, lower, upper)
    for k in range(3):
        start[k] = chain.placements[0, k, 3]
        away[k] = 0.0  # the last joint's frame, seen from the tip
        for j in range(3):
            away[k] -= chain.T_last_tip[j, k] * chain.T_last_tip[j, 3]
    for m in range(targets.shape[0]):
        count = n - 1 if prescribed[m] > 0.0 and n > 1 else n
        square, slack = 0.0, tolerances[m, 0] + ROUNDING
        for k in range(3):
            end = targets[m, k, 3]
            if count < n:
                slack += tolerances[m, 1] * abs(away[k])
                for j in range(3):
                    end += targets[m, k, j] * away[j]
            square += (end - start[k]) ** 2
        distance, total, nearest = math.sqrt(square), 0.0, 0.0
        for i in range(count):
            total += most[i]
        for i in range(count):
            nearest = max(nearest, least[i] - (total - most[i]))
        if distance > total + slack or distance < nearest - slack:
            return m
    return -1
