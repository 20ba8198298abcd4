"""The standard deviation of the best unbiased linear estimate of an impulse (docs/theory.md, 18)."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from hil.common.arrays import Array
from hil.configuration.schema import Detector
from hil.wrench.worth.noise_model import NoiseModel

AROUND = 0.25  # [s] of samples on either side of a push; more of them gain hardly anything


@dataclass(frozen=True)
class Swing:
    """How the arm swings back after a push: `exp(-u / decay) sin(2 pi u / period)`, of unknown size.

    Attributes:
        period: [s].
        decay: time constant [s].
    """

    period: float
    decay: float

    @classmethod
    def of(cls, detector: Detector) -> "Swing":
        """Return the swing that a detector expects."""
        return cls(detector.echo_period, detector.echo_decay)


def impulse_deviation(noise: NoiseModel, duration: float, step: float, swing: Swing) -> float:
    """Return the least standard deviation of an impulse on one axis [N s].

    Nothing is known of a push but its two ends. Outside them the wrench is noise, an offset that runs
    straight, and behind the push the swing. The impulse is the integral of the samples within, less what
    those outside tell of noise and offset in there: equation (75).

    Args:
        noise: of the axis.
        duration: of the push [s].
        step: from sample to sample [s].
        swing: behind the push.
    """
    around, inside = max(2, round(AROUND / step)), max(1, round(duration / step))
    t: Array = np.float64(step) * (np.arange(2 * around + inside) - around + 0.5)  # from the push's start
    within = slice(around, around + inside)
    without = np.r_[0:around, around + inside : len(t)]
    if noise.white + noise.variances.sum() <= 0.0:
        return 0.0
    unknown = _unknown(t - inside * step, duration, swing)
    known = cho_factor(noise.covariance(t[without, None] - t[without]))
    # sums over the push's samples: of their covariance with those outside, and among themselves
    outer = step * noise.covariance(t[without, None] - t[within]).sum(axis=1)
    apart: Array = np.float64(step) * np.arange(inside)
    pairs = np.concatenate([[inside], 2 * np.arange(inside - 1, 0, -1)])
    inner = step**2 * float(pairs @ noise.covariance(apart))
    weights = cho_solve(known, outer)
    spread = unknown[without].T @ cho_solve(known, unknown[without])
    left = step * unknown[within].sum(axis=0) - unknown[without].T @ weights
    # a swing that is over before the next sample is none: least squares, not an inverse
    variance = inner - outer @ weights + left @ np.linalg.lstsq(spread, left)[0]
    return float(np.sqrt(max(variance, 0.0)))


def _unknown(since_end: Array, duration: float, swing: Swing) -> Array:
    """Return the shapes of what is unknown beside the noise: offset, slope, swing; shape (n, 3).

    Args:
        since_end: instants, from the push's end [s], shape (n,).
        duration: of the push [s].
        swing: behind it.
    """
    u = np.maximum(since_end, 0.0)
    swings = np.exp(-u / swing.decay) * np.sin(2.0 * np.pi * u / swing.period)
    # a slope counts from the middle of the push: the equations for the unknown ones are well conditioned
    return np.column_stack([np.ones(len(u)), since_end + 0.5 * duration, swings])
