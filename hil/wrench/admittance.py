"""The force side of an admittance law: every sample of the wrench acts, filtered and less a dead band.

It stands in the detector's place: what it hands on are slices too, one every 10 ms, each told once. The other
side, mass and damping, is the simulated body's (`sim.world.flight.damped`).

theory: with the offset w_0 that the sensor had before floating began,
    tau f' = w - w_0 - f,    F = f max(0, 1 - band / |f|), force and torque each,
and the object obeys m v' = F - d v. No threshold, no beginning and no end of a push, no lead.
"""

import math

import numpy as np

from hil.common.arrays import Array
from hil.configuration.admittance import Admittance
from hil.configuration.schema import Detector
from hil.messaging.messages import ImpulseSlice
from hil.wrench.detector.push_report import PushReport

SLICE = 0.01  # [s] of wrench that a slice stands for
OFFSET_TIME = 0.1  # [s] time constant of the mean that is the offset when floating begins


class AdmittanceForce:
    """Makes impulse slices of a wrench, whatever it is.

    Attributes:
        quiet: the newest sample lies within the dead bands.
    """

    def __init__(self, setting: Admittance, length: float, sample_time: float) -> None:
        """Prepare for samples `sample_time` [s] apart; reports have torques divided by `length` [m]."""
        self._length, self._dt = length, sample_time
        self._share = 1.0 if setting.filter == 0.0 else -math.expm1(-sample_time / setting.filter)
        self._offset_share = -math.expm1(-sample_time / OFFSET_TIME)
        self._bands = setting.dead_band_force, setting.dead_band_torque
        self._samples = max(1, round(SLICE / sample_time))
        self._mean: Array | None = None  # of all samples, slowly
        self._offset: Array | None = None  # None: floating has not begun
        self._filtered, self._sum = np.zeros(6), np.zeros(6)
        self._taken = self._slices = 0
        self.quiet = True

    def restart(self) -> None:
        """Take what the sensor shows now for its offset: floating begins."""
        self._offset = np.zeros(6) if self._mean is None else self._mean.copy()
        self._filtered, self._sum, self._taken = np.zeros(6), np.zeros(6), 0

    def retune(self, detector: Detector) -> None:
        """Do nothing: there are no thresholds."""

    def mark_gap(self, t_ns: int) -> None:
        """Begin a new slice: samples before a gap and behind it are no mean of what lies between."""
        self._sum, self._taken = np.zeros(6), 0

    def take(self, t_ns: int, wrench: Array) -> PushReport | None:
        """Take one sample and return the slice that it completes, if it does and is not all zero.

        Args:
            t_ns: when it was measured [ns].
            wrench: about the object's centre of mass, object axes [N, N m], shape (6,).
        """
        if not np.isfinite(wrench).all():
            return None
        mean = wrench if self._mean is None else self._mean
        self._mean = mean + self._offset_share * (wrench - mean)
        if self._offset is None:
            return None
        self._filtered += self._share * (wrench - self._offset - self._filtered)
        self._sum += self._beyond_bands() * self._dt
        self._taken += 1
        if self._taken < self._samples:
            return None
        impulse, self._sum, self._taken = self._sum, np.zeros(6), 0
        return self._report(t_ns, impulse) if impulse.any() else None

    def _beyond_bands(self) -> Array:
        acting = np.zeros(6)
        for part, band in zip((slice(0, 3), slice(3, 6)), self._bands, strict=True):
            size = math.sqrt(float(self._filtered[part] @ self._filtered[part]))
            if size > band:
                acting[part] = self._filtered[part] * (1.0 - band / size)
        self.quiet = not acting.any()
        return acting

    def _report(self, t_ns: int, impulse: Array) -> PushReport:
        self._slices += 1
        lasted_ns = round(1e9 * self._samples * self._dt)
        # ended and of its own number: nothing can be led by how it grows
        item = ImpulseSlice(
            t_ns, self._slices, 0, 0, True, True, False, False, t_ns - lasted_ns, t_ns, t_ns - lasted_ns // 2,
            impulse, np.zeros(6),
        )  # fmt: skip
        return PushReport.of(item, 0, self._length)
