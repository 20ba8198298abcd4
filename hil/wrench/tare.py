"""A sensor's bias, found while the arm stands: the mean of what it reads beyond the load's weight. Pure.

Again and again, so that whatever begins next begins with the newest: drift counts from there only. What
moves is no rest and gives none; what is too large is no bias: somebody leans on the mock-up, or the load's
mass, the sensor's sign or its frame are wrong. Once tared, one rest takes away no more than drift explains: a
weight that is hung at the mock-up shows in the wrench. While the arm moves the bias stays as it is.
"""

import math

import numpy as np

from hil.common.arrays import Array
from hil.configuration.schema import Sensor


class Tare:
    """Finds the bias.

    Attributes:
        bias: in force, sensor axes [N, N m], shape (6,).
        tared: whether one was found.
        loaded: what is read beyond drift while it rests, in words; empty if nothing is.
    """

    def __init__(self, sensor: Sensor, cycle: float, length: float) -> None:
        """Take the mean of readings `cycle` [s] apart; torques are divided by `length` [m]."""
        self._sensor, self._length = sensor, length
        self._rows = max(2, round(sensor.tare_time / cycle))
        self._restless = self._beyond = self.loaded = ""
        self.forget()

    def forget(self) -> None:
        """The sensor began anew: nothing is known of its bias."""
        self.bias, self.tared = np.zeros(6), False
        self.interrupt()

    def interrupt(self) -> None:
        """The arm moves, or nothing is measured: what was read so far is no rest."""
        self._anchor = self.bias  # from which one rest drifts
        self._begin_block()

    def _begin_block(self) -> None:
        self._n, self._sum, self._squares = 0, np.zeros(6), np.zeros(6)

    def rest(self, unloaded: Array) -> bool:
        """Take a reading at rest; return whether the bias is another one with it.

        Args:
            unloaded: the reading without the load's weight, sensor axes [N, N m], shape (6,).
        """
        self._n += 1
        self._sum += unloaded
        self._squares += unloaded * unloaded
        if self._n < self._rows:
            return False
        mean = self._sum / self._n
        spread = np.sqrt(np.maximum(self._squares / self._n - mean * mean, 0.0))
        self._begin_block()
        self._judge(mean, spread)
        if self._restless or self._beyond:
            return False
        if self.tared and self._is_load(mean - self._anchor):
            return False
        if not self.tared:
            self._anchor = mean
        self.bias, self.tared = mean, True
        return True

    @property
    def missing(self) -> str:
        """Why there is no bias yet, in words; empty if there is one."""
        if self.tared:
            return ""
        return self._beyond or self._restless or "the force sensor is being tared: hands off the mock-up"

    def _is_load(self, change: Array) -> bool:
        """Whether a change of what is read within one rest is more than drift."""
        force, torque = math.hypot(*change[:3]), math.hypot(*change[3:])
        load = not max(force, torque / self._length) <= self._sensor.tare_drift
        self.loaded = (
            f"the force sensor reads {force:.1f} N, {torque:.2f} N m more than when it was tared "
            f"(sensor.tare_drift_n = {self._sensor.tare_drift:g}): something hangs or leans on the mock-up"
            if load
            else ""
        )
        return load

    def _judge(self, mean: Array, spread: Array) -> None:
        s = self._sensor
        restless = max(float(spread[:3].max()), float(spread[3:].max()) / self._length)
        self._restless = self._beyond = ""
        if not restless <= s.tare_quiet:
            self._restless = (
                f"the force sensor is not at rest: its readings vary by {restless:.2g} N "
                f"(sensor.tare_quiet_n = {s.tare_quiet:g}): hands off the mock-up"
            )
        force, torque = math.hypot(*mean[:3]), math.hypot(*mean[3:])
        if not (force <= s.tare_force and torque <= s.tare_torque):
            self._beyond = (
                f"the force sensor reads {force:.1f} N, {torque:.2f} N m beyond the mock-up's weight "
                f"(sensor.tare_force_n = {s.tare_force:g}, tare_torque_n_m = {s.tare_torque:g}): somebody "
                "leans on it, or mockup.mass_kg, sensor.sign or sensor.rotvec_deg are wrong"
            )
