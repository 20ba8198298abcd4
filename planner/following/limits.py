"""The limits that every joint command keeps: position, velocity, acceleration and jerk."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hil.common.arrays import Array, frozen_array
from hil.configuration.schema import Limits
from planner.kinematics.arm_model import ArmModel

LOWER, UPPER, VELOCITY, ACCELERATION, JERK = range(5)  # rows of `MotionLimits.bounds`


@dataclass(frozen=True)
class MotionLimits:
    """Bounds of the seven joints, each (7,): [rad], [rad], [rad/s], [rad/s2], [rad/s3]."""

    lower: Array
    upper: Array
    velocity: Array
    acceleration: Array
    jerk: Array

    @classmethod
    def from_configuration(cls, model: ArmModel, limits: Limits) -> "MotionLimits":
        """Return the configured limits joined with the model's: positions less the margin, lesser speeds."""
        return cls(
            lower=frozen_array(model.lower + limits.position_margin),
            upper=frozen_array(model.upper - limits.position_margin),
            velocity=frozen_array(np.minimum(limits.velocity, model.velocity)),
            acceleration=frozen_array(limits.acceleration),
            jerk=frozen_array(limits.jerk),
        )

    def scaled(self, fraction: float, reserve: float = 0.0) -> "MotionLimits":
        """Return limits with `fraction` of the rates, and positions narrowed by `reserve` [rad]."""
        return MotionLimits(
            lower=frozen_array(self.lower + reserve),
            upper=frozen_array(self.upper - reserve),
            velocity=frozen_array(self.velocity * fraction),
            acceleration=frozen_array(self.acceleration * fraction),
            jerk=frozen_array(self.jerk * fraction),
        )

    @cached_property
    def bounds(self) -> Array:
        """All limits in one writable array (5, 7) for compiled code: rows LOWER ... JERK."""
        return np.array([self.lower, self.upper, self.velocity, self.acceleration, self.jerk])
