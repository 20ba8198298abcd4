"""The spring of a gear: three lines of the torque, backlash, torque sensor in series. Compiled.

theory: between two twists the mean torque is the difference of the energies by that of the twists (a discrete
gradient): so a step of any length neither makes nor loses energy in the spring, at kinks and backlash either.
"""

import math
from typing import Any

from numba import njit

NEAR = 1e-9  # [rad, m] twists so near that the mean of the torques stands for the difference of energies


@njit(cache=True)
def lines(d: Any) -> tuple[float, float, float, float, float]:
    """Return the stiffness of the three lines, sensor in series, and the twists where they meet."""
    soft = 1.0 / d.sensor_stiffness
    k1, k2, k3 = 1.0 / (1.0 / d.k1 + soft), 1.0 / (1.0 / d.k2 + soft), 1.0 / (1.0 / d.k3 + soft)
    x1 = d.t1 / k1
    return k1, k2, k3, x1, x1 + (d.t2 - d.t1) / k2


@njit(cache=True)
def torque_of(d: Any, twist: float) -> tuple[float, float, float, int]:
    """Return torque [N m], stored energy [J], stiffness and line (-3 to 3; 0 in the backlash) at a twist."""
    k1, k2, k3, x1, x2 = lines(d)
    x = abs(twist) - 0.5 * d.backlash
    if d.backlash > 0.0 and x <= 0.0:
        return 0.0, 0.0, 0.0, 0
    if x < x1:
        torque, stored, k, line = k1 * x, 0.5 * k1 * x * x, k1, 1
    elif x < x2:
        y = x - x1
        torque, k, line = d.t1 + k2 * y, k2, 2
        stored = 0.5 * d.t1 * x1 + d.t1 * y + 0.5 * k2 * y * y
    else:
        y = x - x2
        torque, k, line = d.t2 + k3 * y, k3, 3
        stored = 0.5 * d.t1 * x1 + 0.5 * (d.t1 + d.t2) * (x2 - x1) + d.t2 * y + 0.5 * k3 * y * y
    if twist < 0.0:
        return -torque, stored, k, -line if d.backlash > 0.0 or line > 1 else line
    return torque, stored, k, line


@njit(cache=True)
def mean_torque(d: Any, before: float, after: float) -> tuple[float, float]:
    """Return the mean torque between two twists, and its derivative by the second."""
    torque_0, stored_0, _, line_0 = torque_of(d, before)
    torque_1, stored_1, k, line_1 = torque_of(d, after)
    way = after - before
    if line_0 == line_1 or abs(way) < NEAR:
        return 0.5 * (torque_0 + torque_1), 0.5 * k
    mean = (stored_1 - stored_0) / way
    return mean, (torque_1 - mean) / way


@njit(cache=True)
def touching(d: Any, before: float, after: float) -> float:
    """Return the share of the way between two twists on which the flanks touch."""
    if d.backlash <= 0.0:
        return 1.0
    half = 0.5 * d.backlash
    low, high = min(before, after), max(before, after)
    if high - low < NEAR:
        return 1.0 if abs(0.5 * (low + high)) > half else 0.0
    return 1.0 - max(0.0, min(high, half) - max(low, -half)) / (high - low)


@njit(cache=True)
def twist_of(d: Any, torque: float) -> float:
    """Return the twist at which a torque is held."""
    k1, k2, k3, x1, x2 = lines(d)
    size = abs(torque)
    if size < d.t1:
        x = size / k1
    elif size < d.t2:
        x = x1 + (size - d.t1) / k2
    else:
        x = x2 + (size - d.t2) / k3
    return 0.0 if torque == 0.0 else math.copysign(x + 0.5 * d.backlash, torque)
