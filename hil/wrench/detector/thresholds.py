"""What must be passed for a change of the wrench to be a push: the part that an operator may change live."""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.configuration.schema import Detector


@dataclass(frozen=True)
class PushThresholds:
    """The thresholds in force.

    Attributes:
        start_sigma: standard deviations of the derivative's noise.
        floor: of the derivative's norm [N/s].
        level_floor: of the slow change of force [N].
    """

    start_sigma: float
    floor: float
    level_floor: float

    @classmethod
    def of(cls, detector: Detector) -> "PushThresholds":
        """Return the configured ones."""
        return cls(detector.start_sigma, detector.floor, detector.level_floor)

    @classmethod
    def from_order(cls, values: Array, detector: Detector) -> "PushThresholds":
        """Return those of an order (`Mode.thresholds`): the configured ones if it says nothing of them."""
        return cls(*values.tolist()) if len(values) else cls.of(detector)

    def as_order(self) -> Array:
        """Return the values for an order, shape (3,)."""
        return np.array([self.start_sigma, self.floor, self.level_floor])

    def within(self, detector: Detector) -> Detector:
        """Return the detector's table with these values."""
        update = {
            "start_sigma": self.start_sigma,
            "floor": self.floor,
            "level_floor": self.level_floor,
        }
        return detector.model_copy(update=update)

    def derivative(self, noise: float) -> float:
        """Return what the derivative's norm must pass [N/s], given its noise's standard deviation."""
        return max(self.start_sigma * noise, self.floor)

    def as_status(self) -> dict[str, float]:
        """Return them as plain values, units in the names."""
        return {
            "start_sigma": self.start_sigma,
            "floor_n_per_s": self.floor,
            "level_floor_n": self.level_floor,
        }
