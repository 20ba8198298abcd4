"""What a sensor reads at rest beside the load's weight: its offset, and how that goes with the place."""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from hil.common.arrays import Array
from hil.wrench.load.weighing import Sensed, Weighed

CONFIDENCE = 0.95
ALL: Array = np.ones(6)
NOTHING: Array = np.zeros(6)
NO_FORCE: Array = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0])
PLACE = slice(2, 5)  # of an offset's shapes: one, time, place


@dataclass(frozen=True, eq=False)
class FoundOffset:
    """Where it is measured: in base axes about the tcp (placed), or in the sensor's own about its origin.

    Attributes:
        placed: which of the two. Then the missed weight's force is part of it: it does not turn either.
        bias: at the origin of places [N, N m], shape (6,).
        bias_interval: half of its 95 % interval, shape (6,).
        slope: over the place in base axes [N/m, N m/m], shape (6, 3); zeros of a sensor that turns.
        slope_interval: half of its interval, shape (6, 3).
        drift: with time [N/s, N m/s], shape (6,).
    """

    placed: bool
    bias: Array
    bias_interval: Array
    slope: Array
    slope_interval: Array
    drift: Array


def found_offset(
    rows: Weighed, sensed: Sensed, value: Array, information: Array, weighs: bool
) -> FoundOffset:
    """Return the offset beside a load.

    Args:
        rows: of the rests.
        sensed: where they were measured.
        value: of the load's ten parameters, shape (10,).
        information: of them, shape (10, 10).
        weighs: whether the load's weight is missed.
    """
    told: Array = NOTHING if not weighs else NO_FORCE if sensed.placed else ALL
    covariance = np.asarray(np.linalg.inv(information), np.float64)
    offset, deviation = rows.offsets(value, covariance, told)
    half = float(stdtrit(len(rows.w) - rows.nuisance.shape[1], 0.5 + 0.5 * CONFIDENCE)) * deviation
    slope = half_slope = np.zeros((6, 3))
    if sensed.placed:
        slope, half_slope = offset[PLACE].T, half[PLACE].T
    return FoundOffset(sensed.placed, offset[0], half[0], slope, half_slope, offset[1])
