"""Keeps a sensor's records of a whole run and brings them to the host's clock afterwards. Pure.

While a run goes on a stamp is as good as what is known by then (`drivers.sensor.stream`). Afterwards all
arrivals are known, and one line over the whole stream says it better,

    t = a + b count,

through the least lateness of each second: a record may come late, but never early.
"""

from collections.abc import Iterable

import numpy as np

from drivers.sensor.rdt import SensorRecord
from drivers.sensor.stream import RecordStream
from hil.common.arrays import Array, frozen_array
from hil.configuration.schema import Sensor
from hil.trials.validation.sensor_told import SensorTold
from hil.trials.validation.tool.sensor_log import SensorLog

WINDOW = 1.0  # [s] of which the least lateness counts
FEWEST = 3  # such windows that tell a drift


class RecordKeeper:
    """Keeps one sensor's records.

    Attributes:
        stream: orders and counts them.
    """

    def __init__(self, sensor: Sensor) -> None:
        self._sensor = sensor
        self.stream = RecordStream(sensor.rate)
        self._rows: list[tuple[int, ...]] = []  # which stream, number in it, arrival, six counts

    def __len__(self) -> int:
        """Return how many records came in order."""
        return len(self._rows)

    def take(self, records: Iterable[SensorRecord]) -> None:
        """Take records as they came."""
        for record in records:
            if self.stream.take(record, steady=False) is not None:
                self._rows.append(
                    (self.stream.restarts, self.stream.count, record.arrival_ns, *record.counts)
                )

    def log(self, zero_ns: int) -> SensorLog:
        """Return all records with time zero at host time `zero_ns`; without any: an empty log."""
        rows = np.array(self._rows, np.int64).reshape(-1, 9)
        t, drift, late = np.zeros(len(rows)), 0.0, 0.0
        for part in np.unique(rows[:, 0]):
            of = rows[:, 0] == part
            arrival = 1e-9 * (rows[of, 2] - zero_ns)
            t[of], drift = self._line(rows[of, 1], arrival)
            late = float(np.max(arrival - t[of]))
        s = self._sensor
        scale = s.sign / np.repeat([s.force_counts, s.torque_counts], 3)
        rising = np.concatenate(([True], t[1:] > np.maximum.accumulate(t)[:-1]))[: len(t)]
        told = SensorTold(
            records=len(rows),
            lost=self.stream.lost,
            restarts=self.stream.restarts,
            offset_s=float(t[0]) if len(t) else 0.0,
            drift_ppm=1e6 * drift,
            jitter_ms=1e3 * late,
        )
        wrench = rows[:, 3:] * scale
        return SensorLog(frozen_array(t[rising]), frozen_array(wrench[rising]), 1.0 / s.rate, told)

    def _line(self, count: Array, arrival: Array) -> tuple[Array, float]:
        """Return times of records, shape (n,), and by how much the sensor's second is too long."""
        own = count / self._sensor.rate
        lateness = arrival - own
        window = ((own - own[0]) / WINDOW).astype(int)
        least = [
            int(np.flatnonzero(window == k)[np.argmin(lateness[window == k])]) for k in np.unique(window)
        ]
        if len(least) < FEWEST:
            return np.asarray(own + lateness.min()), 0.0
        drift, offset = np.polyfit(own[least], lateness[least], 1)
        return np.asarray(own * (1.0 + drift) + offset), float(drift)
