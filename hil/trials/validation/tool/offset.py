"""By how much a sensor's clock lies beside the arm's, found from what both of them felt.

What acts at the tool shows in the joints' torques at the same instant,

    tau(t) = J(q(t))^T w(t + d) + friction(dq) + a + b t,

with `d` the offset that is looked for, and per joint dry and viscous friction, a bias and a drift that nobody
knows. For each `d` these are a linear least squares; the best `d` is looked for on a grid, then by a
parabola.
"""

from collections.abc import Callable

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import RecordingError
from hil.trials.validation.tool.sensor_log import SensorLog

STEP = 0.005  # [s] of the grid
MOVING = 1e-3  # [rad/s] from which on a joint's dry friction has its sign
TOLD = 4.0  # by which the sum of squares must be larger without the wrench: less, and nothing was felt
MOST_ERROR = 0.02  # [s] standard error beyond which the courses do not tell the offset
_UNTOLD = (
    "the tool's sensor: its course and the joints' torques do not tell how their clocks lie to each other: "
    "nothing was touched, or sign, axes or place of [sensor] are wrong"
)


def find_offset(
    t: Array, q: Array, external: Array, jacobians: Array, sensor: SensorLog, reach: float
) -> tuple[float, float]:
    """Return what is to be added to the sensor's times [s], and its standard error [s].

    Args:
        t: of the arm's log [s], rising, shape (n,).
        q: joints [rad], shape (n, 7).
        external: torques of the environment on the joints [N m], shape (n, 7).
        jacobians: of the sensor's origin, sensor axes, shape (n, 6, 7).
        sensor: records over their own time.
        reach: largest offset that is looked for either way [s].

    Raises:
        RecordingError: the courses do not tell it: too little was felt, or it lies beyond the reach.
    """
    cost = _cost(t, q, external, jacobians, sensor, reach)
    grid = np.arange(-round(reach / STEP), round(reach / STEP) + 1) * STEP
    costs = np.array([cost(d) for d in grid])
    if not np.isfinite(costs).any():
        raise RecordingError(
            f"the tool's sensor: no record lies within the arm's log, also {reach:g} s earlier or later: "
            "they are of different runs"
        )
    best = int(np.nanargmin(costs))
    least = float(costs[best])
    if _cost(t, q, external, 0.0 * jacobians, sensor, reach)(float(grid[best])) < TOLD * least:
        raise RecordingError(_UNTOLD)
    if best in (0, len(grid) - 1) or not np.isfinite(costs[best - 1 : best + 2]).all():
        raise RecordingError(
            f"the tool's sensor: its clock lies more than {reach:g} s beside the arm's: begin both logs "
            "together; or sign, axes or place of [sensor] are wrong"
        )
    before, _, after = costs[best - 1 : best + 2]
    curvature = before - 2.0 * least + after
    shift = 0.5 * (before - after) / curvature
    # of a sum of squares with its curve: variance s^2 / (half of the second derivative)
    error = float(STEP * np.sqrt(least / (7 * len(t)) / (0.5 * curvature)))
    if error > MOST_ERROR:
        raise RecordingError(f"{_UNTOLD}; standard error {1e3 * error:.0f} ms")
    return float(grid[best] + STEP * shift), error


def _cost(
    t: Array, q: Array, external: Array, jacobians: Array, sensor: SensorLog, reach: float
) -> Callable[[float], float]:
    """Return the function of the offset: sum of squares that wrench, friction and lines leave [N2 m2]."""
    speed = np.gradient(q, t, axis=0)
    sign = np.clip(speed / MOVING, -1.0, 1.0)
    ones, ramp = np.ones(len(t)), t - t.mean()
    bases = []
    for joint in range(7):
        bases.append(np.linalg.qr(np.column_stack([ones, ramp, sign[:, joint], speed[:, joint]]))[0])

    fine = np.arange(t[0] - reach - STEP, t[-1] + reach + STEP, STEP)
    read = sensor.at(fine)

    def cost(offset: float) -> float:
        wrench = np.column_stack([np.interp(t - offset, fine, column) for column in read.T])
        known = np.isfinite(wrench[:, 0])
        if known.mean() < 0.5:
            return float("nan")
        shown = np.einsum("nij,ni->nj", jacobians, np.nan_to_num(wrench))
        total = 0.0
        for joint, basis in enumerate(bases):
            left = np.where(known, external[:, joint] - shown[:, joint], 0.0)
            left = left - basis @ (basis.T @ left)
            total += float(left[known] @ left[known])
        return total / known.mean()

    return cost
