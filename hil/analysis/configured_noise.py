"""The noise of the wrench that a configuration of an emulated arm explains."""

import numpy as np

from drivers.emulation.arm.motion_noise import FAST_TIME, SLOW_TIME, slow_weight
from drivers.emulation.arm.wrench_estimate import TORQUE_SHARE
from hil.common.arrays import Array, frozen_array
from hil.configuration import Configuration
from hil.configuration.schema import WrenchErrors
from hil.wrench.worth.noise_model import NoiseModel

TIMES = frozen_array([SLOW_TIME, FAST_TIME])


def force_noise(errors: WrenchErrors, motion: float = 1.0) -> NoiseModel:
    """Return the noise of an axis of force.

    Args:
        errors: of the emulated estimate.
        motion: mean square of the share of motion noise: 0 at rest, 1 at full speed.
    """
    size = errors.motion_noise_force if errors.motion_noise else 0.0
    return NoiseModel(errors.noise_force**2, motion * size**2 * _shares(errors), TIMES)


def mean_noise(c: Configuration, motion: float) -> NoiseModel:
    """Return the mean over all six axes about the object's centre, torques divided by the filter's length.

    The estimate's noise is told about the tcp: what a force there has of it is a torque about the centre.
    """
    errors = c.emulator.wrench
    lever = float(np.linalg.norm(c.object.position)) / c.filter.length
    white = _mean_square(errors.noise_force, errors.noise_torque / c.filter.length, lever)
    size = errors.motion_noise_force if errors.motion_noise else 0.0
    moving = _mean_square(size, TORQUE_SHARE * size / c.filter.length, lever)
    return NoiseModel(white, motion * moving * _shares(errors), TIMES)


def _shares(errors: WrenchErrors) -> Array:
    slow = slow_weight(errors.motion_noise_slow_fraction)
    return np.array([slow, 1.0 - slow])


def _mean_square(force: float, torque: float, lever: float) -> float:
    """Return the mean variance of six axes; a lever gives two axes of torque their share of force."""
    return (3.0 * force**2 + 3.0 * torque**2 + 2.0 * (lever * force) ** 2) / 6.0
