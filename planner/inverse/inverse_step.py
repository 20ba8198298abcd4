"""What one command of an inverse kinematics comes to, with the residuals that prove it."""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array

POSITION_TOLERANCE = 1e-6  # [m] within which a target is reached
ORIENTATION_TOLERANCE = 1e-6  # [rad] likewise


@dataclass(frozen=True, eq=False)
class InverseStep:
    """Joints for a target, and how good they are.

    Attributes:
        q: joint positions [rad, m], shape (n,).
        position_error: distance of the tip from the target [m].
        orientation_error: angle between the tip and the target [rad].
        converged: nothing is left to gain: the target is reached, or the nearest pose that can be.
        reachable: the target is reached within the tolerances.
        iterations: steps of the solver.
    """

    q: Array
    position_error: float
    orientation_error: float
    converged: bool
    reachable: bool
    iterations: int


def reached(position_error: float, orientation_error: float, length: float) -> bool:
    """Return whether errors [m, rad] are within tolerance; orientation does not count at `length` 0."""
    return position_error <= POSITION_TOLERANCE and (
        length == 0.0 or orientation_error <= ORIENTATION_TOLERANCE
    )


def limits_of(joints: int, lower: Array | None, upper: Array | None) -> tuple[Array, Array]:
    """Return limits (n,) of a chain, infinite where there are none.

    Raises:
        ValueError: they are not one a joint, or a lower one is not below its upper one.
    """
    low = np.full(joints, -np.inf) if lower is None else np.array(lower, np.float64)
    high = np.full(joints, np.inf) if upper is None else np.array(upper, np.float64)
    if low.shape != (joints,) or high.shape != (joints,):
        raise ValueError(f"a chain of {joints} joints has {len(low)} lower and {len(high)} upper limits")
    if not np.all(low < high):
        worst = int(np.argmin(high - low))
        raise ValueError(
            f"joint {worst + 1}: lower limit {low[worst]:g} must be below upper limit {high[worst]:g}"
        )
    return low, high
