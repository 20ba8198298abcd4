"""Records of a tool's sensor over its own time, and what they read at the instants of an arm's log."""

from dataclasses import dataclass, replace

import numpy as np

from hil.common.arrays import Array, frozen_array
from hil.trials.validation.sensor_told import SensorTold

SPAN = 2.0  # periods of the sensor on either side of an instant that a reading is taken from
FEWEST = 2  # records within: fewer, and there is no reading


@dataclass(frozen=True, eq=False)
class SensorLog:
    """What a sensor measured.

    Attributes:
        t: of each record, rising [s], shape (n,).
        wrench: of each record, as `ArmRun.wrench`, bias included, shape (n, 6).
        period: from record to record as the sensor is set [s].
        told: of clock and losses.
    """

    t: Array
    wrench: Array
    period: float
    told: SensorTold

    def at(self, times: Array) -> Array:
        """Return the readings at instants [s], shape (m, 6); NaN where records are missing.

        Each is the value of the line of least squares through the records of `SPAN` periods on either side:
        it is late by nothing, and has less noise than a record.

        Args:
            times: by the same clock, rising, shape (m,).
        """
        reach = (SPAN + 0.5) * self.period
        first = np.searchsorted(self.t, times - reach)
        end = np.searchsorted(self.t, times + reach)
        out = np.full((len(times), 6), np.nan)
        for row, (begin, stop, t) in enumerate(zip(first, end, times, strict=True)):
            x = self.t[begin:stop] - t
            if len(x) < FEWEST or x[0] > 0.0 or x[-1] < 0.0:
                continue
            centred = x - x.mean()
            spread = float(centred @ centred)
            weights = np.full(len(x), 1.0 / len(x)) - (x.mean() * centred / spread if spread > 0.0 else 0.0)
            out[row] = weights @ self.wrench[begin:stop]
        return out

    def shifted(self, offset: float, error: float | None = None) -> "SensorLog":
        """Return it with `offset` [s], of that standard error [s], added to its times; it is told."""
        told = replace(self.told, offset_s=self.told.offset_s + offset, offset_error_s=error)
        return replace(self, t=frozen_array(self.t + offset), told=told)
