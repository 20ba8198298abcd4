"""The hard stops of a joint: stiff, damped, on either end of its range."""

import math
from dataclasses import dataclass
from typing import Any

from numba import njit

from hil.common.errors import DriveError

NO_END = 1e30  # [rad, m] where a joint without stops ends
NEAR = 1e-12  # [rad, m] way in a step below which the mean of the forces stands for the energies'


@dataclass(frozen=True)
class EndStop:
    """What a joint meets at the ends of its range.

    Equation: `p` beyond the end, `tau = -k p (1 + c dp/dt)` where that pushes the joint back, else 0: a stop
    never pulls, and its damping grows with the depth, so that no force jumps where it is met (Hunt and
    Crossley 1975). At rest it holds a load tau at `p = tau/k`.

    Attributes:
        lower: end of the range [rad, m].
        upper: the other [rad, m].
        stiffness: k [N m/rad, N/m].
        damping: c [s/rad, s/m].
    """

    lower: float
    upper: float
    stiffness: float
    damping: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what is no stop."""
        if not self.lower < self.upper:
            raise DriveError(f"end stop: lower = {self.lower} must be below upper = {self.upper}")
        if not (math.isfinite(self.stiffness) and self.stiffness > 0.0):
            raise DriveError(f"end stop: stiffness = {self.stiffness} must be finite and above 0")
        if not (math.isfinite(self.damping) and self.damping >= 0.0):
            raise DriveError(f"end stop: damping = {self.damping} must be finite and at least 0")


@njit(cache=True)
def stop_energy(d: Any, q: float) -> float:
    """Return what the stops' springs hold with the joint at q [J]."""
    depth = max(q - d.upper, d.lower - q, 0.0)
    return 0.5 * d.stop_stiffness * depth * depth


@njit(cache=True)
def stop_torque(d: Any, before: float, after: float, h: float) -> tuple[float, float]:
    """Return the stops' mean torque on the joint in a step [N m, N] and its slope by the end's position.

    The spring's mean torque is the difference of the energies by that of the positions, so that the account
    is exact at any step; the damping takes `c v dV >= 0` of it.
    """
    if d.lower <= before <= d.upper and d.lower <= after <= d.upper:
        return 0.0, 0.0
    k, side = d.stop_stiffness, 1.0 if max(before, after) > d.upper else -1.0
    end = d.upper if side > 0.0 else d.lower
    first, last = max(side * (before - end), 0.0), max(side * (after - end), 0.0)
    way = side * (after - before)
    if (first > 0.0 and last > 0.0) or abs(way) < NEAR:
        push, slope = 0.5 * k * (first + last), 0.5 * k if last > 0.0 else 0.0
    else:
        push = 0.5 * k * (last * last - first * first) / way
        slope = (k * last - push) / way
    hard = 1.0 + d.stop_damping * way / h
    if hard <= 0.0:
        return 0.0, 0.0
    return -side * push * hard, -(slope * hard + push * d.stop_damping / h)
