"""How much the sensor's noise moves the quantities that the detector compares with thresholds."""

import dataclasses
import math

import numpy as np

from hil.common.arrays import Array
from hil.configuration.schema import Detector, Filter
from hil.wrench.filter import derivative_gain, filter_series, level_gain

SCALED_AXES = 6


@dataclasses.dataclass(frozen=True)
class NoiseScales:
    """Standard deviations per axis, torques divided by the filter's length.

    Attributes:
        sample: of a sample [N].
        level: of the filtered wrench [N].
        slow_level: of the slowly filtered wrench less the baseline [N].
        derivative: of the filtered wrench's derivative [N/s].
    """

    sample: float
    level: float
    slow_level: float
    derivative: float


def noise_from_configuration(detector: Detector, filter_: Filter, dt: float) -> NoiseScales:
    """Return the scales of white noise as configured, through the filters' analytic gains."""
    sample = max(detector.noise_force, detector.noise_torque / filter_.length)
    slow = math.hypot(level_gain(dt, detector.level_time), level_gain(dt, detector.baseline_time))
    return NoiseScales(
        sample=sample,
        level=sample * level_gain(dt, filter_.tau),
        slow_level=sample * slow,
        derivative=sample * derivative_gain(dt, filter_.tau),
    )


def noise_from_idle(t: Array, wrench: Array, detector: Detector, filter_: Filter) -> NoiseScales:
    """Return the scales found in an untouched stretch of a recording.

    Args:
        t: strictly increasing times [s], (N,).
        wrench: samples [N, N m], (N, 6).
        detector: names the baseline's time constants.
        filter_: names the low-pass.
    """
    scaled = wrench / np.repeat([1.0, filter_.length], 3)
    filtered, derivative = filter_series(t, scaled, filter_.tau)
    slow, _ = filter_series(t, scaled, detector.level_time)
    base, _ = filter_series(t, scaled, detector.baseline_time)
    back = np.searchsorted(t, t - detector.level_delay, side="right") - 1
    settled = back > 0
    change = slow[settled] - base[back[settled]] if settled.any() else np.zeros((1, SCALED_AXES))
    return NoiseScales(
        sample=_rms(scaled - base),
        level=_rms(filtered - base),
        slow_level=_rms(change),
        derivative=_rms(derivative),
    )


def _rms(values: Array) -> float:
    """Return the root mean square over samples and axes."""
    return float(np.sqrt(np.mean(values**2)))
