"""A force sensor's measuring: its own clock, filter, noise, bias, drift and range, and what can go wrong.

It is told the true load now and then, and measures in between, at its own instants.
"""

import math
from typing import NamedTuple

import numpy as np

from drivers.emulation.disturbances import SENSOR_FAULTS
from drivers.sensor.rdt import SEQUENCE_MODULUS, SensorRecord, encode_record
from drivers.sensor.status import MONITOR, WELL
from hil.common.arrays import Array
from hil.configuration.schema import Sensor, SensorErrors

SEED_STREAM = 103
FIRST_MEASUREMENT = SEQUENCE_MODULUS - 1500  # so that every run sees the number begin anew
SATURATED = 0x8002_0000  # transducer saturated
NO_DATA = 0x8000_0010  # no data on the serial link
LOSSY = 0.3  # share of the records that get lost while that is what goes wrong
SILENT, IDLE, LATCHED, LOSES, RESTARTS = SENSOR_FAULTS


class Measured(NamedTuple):
    """A record's bytes, and when it was measured [s], by the emulation's time."""

    t: float
    data: bytes


class MeasuringSensor:
    """One sensor; deterministic by seed."""

    def __init__(self, sensor: Sensor, errors: SensorErrors, seed: int) -> None:
        """Switch it on: its clock starts now."""
        self._rng = np.random.default_rng(np.random.SeedSequence([seed, SEED_STREAM]))
        self._period = 1.0 / sensor.rate / (1.0 + 1e-6 * errors.clock_ppm)
        self._lag = errors.lag
        self._kept = math.exp(-self._period / errors.lag) if errors.lag else 0.0
        self._noise = np.repeat([errors.noise_force, errors.noise_torque], 3)
        self._bias = np.concatenate((errors.bias_force, errors.bias_torque))
        self._drift = np.repeat([errors.drift, 0.0], 3)
        self._range = np.repeat([errors.range_force, errors.range_torque], 3)
        self._scale = np.repeat([sensor.force_counts, sensor.torque_counts], 3)
        self._sign, self._loss = float(sensor.sign), errors.loss
        self._number, self._sequence = 0, 0  # of measurements so far, and of records in the stream
        self._idle = 0  # measurements that were not made
        self._zero = np.zeros(6)  # by the software's bias
        self._before: tuple[float, Array] | None = None
        self._filtered = self._felt_before = np.zeros(6)  # at the newest measurement
        self._frozen: tuple[int, ...] | None = None
        self._reading = np.zeros(6)
        self._fault = ""

    def take(self, t: float, truth: Array, fault: str = "") -> list[Measured]:
        """Return the records that were measured since the last call, those that get lost left out.

        Args:
            t: now [s].
            truth: the load now, about the sensor's origin, in its axes [N, N m], shape (6,).
            fault: what goes wrong with the wrench, see `drivers.emulation.disturbances`.
        """
        if fault == RESTARTS and self._fault != RESTARTS:
            self.restart()
        self._fault = fault
        if fault != "stuck":
            self._frozen = None
        t_0, w_0 = self._before or (t, truth)
        if self._before is None:
            self._filtered = self._felt_before = truth
        self._before = t, truth
        records = []
        while (at := self._number * self._period) <= t:
            share = (at - t_0) / (t - t_0) if t > t_0 else 1.0
            record = self._record(at, w_0 + share * (truth - w_0), fault)
            lost = self._rng.random() < (LOSSY if fault == LOSES else self._loss)
            if fault != SILENT and not lost:
                records.append(Measured(at, encode_record(record)))
        return records

    def restart(self) -> None:
        """Count records anew: a client asks for the stream."""
        self._sequence = 0

    def zero(self) -> None:
        """Take what it reads for nothing from now on, as the software's bias does."""
        self._zero = self._zero + self._reading

    def _record(self, at: float, felt: Array, fault: str) -> SensorRecord:
        """Return the record measured at `at` [s] of a true load."""
        # exact for a load that changes linearly between two measurements
        behind = self._lag / self._period * (felt - self._felt_before)
        self._filtered = felt - behind + self._kept * (self._filtered - self._felt_before + behind)
        self._felt_before = felt
        noise = self._noise * self._rng.standard_normal(6)
        reading = self._filtered + self._bias + self._drift * at + noise
        status = WELL
        if fault == "saturated":
            reading = self._range.copy()
        if fault == "reversed":
            reading = -reading
        if np.any(np.abs(reading) >= self._range):
            reading, status = np.clip(reading, -self._range, self._range), SATURATED
        status = {"nan": NO_DATA, LATCHED: MONITOR}.get(fault, status)
        self._reading = reading - self._zero
        counts = tuple(np.rint(self._sign * self._reading * self._scale).astype(np.int64).tolist())
        if fault == "stuck":
            self._frozen = counts = self._frozen or counts
        self._number += 1
        self._idle += fault == IDLE
        self._sequence = (self._sequence + 1) % SEQUENCE_MODULUS
        measurement = (FIRST_MEASUREMENT + self._number - self._idle) % SEQUENCE_MODULUS
        return SensorRecord(0, self._sequence, measurement, status, counts)
