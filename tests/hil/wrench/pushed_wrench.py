"""Wrenches of known pushes for the detector's tests."""

import numpy as np

from hil.common.arrays import Array
from hil.configuration.schema import Detector, Filter
from hil.messaging.messages import ImpulseSlice
from hil.wrench.detector.impulse_detector import ImpulseDetector

NOISE = np.repeat([0.06, 0.012], 3)
ORIGIN_NS = 77_000_000_000_000
DIRECTION = np.array([0.6, -0.64, 0.48, 0.03, 0.02, -0.05])


def time_axis(seconds: float, dt: float = 0.002) -> Array:
    return np.arange(round(seconds / dt)) * dt


def half_sine(t: Array, start: float, lasts: float, impulse: Array) -> Array:
    """A push whose exact integral is `impulse` (6,)."""
    shape = np.where((t >= start) & (t <= start + lasts), np.sin(np.pi * (t - start) / lasts), 0.0)
    return shape[:, None] * np.pi / (2 * lasts) * np.asarray(impulse)


def counter_swing(t: Array, end: float, peak: Array) -> Array:
    """20 % of the peak, 8 Hz, decay 0.15 s, from the push's end."""
    u = np.maximum(t - end, 0.0)
    return -0.2 * (np.exp(-u / 0.15) * np.sin(2 * np.pi * 8.0 * u))[:, None] * np.asarray(peak)


def noise(t: Array, seed: int, size: float = 1.0) -> Array:
    return size * np.random.default_rng(seed).normal(size=(len(t), 6)) * NOISE


def run(t: Array, wrench: Array, detector: Detector | None = None) -> list[ImpulseSlice]:
    """All slices in the order in which they came."""
    core = ImpulseDetector(detector or Detector(), Filter(), float(np.median(np.diff(t))))
    out: list[ImpulseSlice] = []
    for instant, sample in zip(t, wrench, strict=True):
        out += core.step(ORIGIN_NS + round(instant * 1e9), sample)
    return out


def seconds(t_ns: int) -> float:
    return (t_ns - ORIGIN_NS) * 1e-9


def relative_error(found: Array, true: Array) -> float:
    scale = np.repeat([1.0, 5.0], 3)
    return float(np.linalg.norm((found - true) * scale) / np.linalg.norm(true * scale))
