"""A force sensor as the loop sees it: records in, readings at an instant out, and whether to believe them.

A pure core: records and instants are given to it, and the same records give the same bits.
"""

from collections.abc import Iterable

import numpy as np

from drivers.sensor.rdt import SensorRecord
from drivers.sensor.status import is_serious
from drivers.sensor.stream import RecordStream
from drivers.sensor.watch import SensorWatch
from drivers.sensor.window import ReadingWindow
from hil.common.arrays import Array
from hil.configuration.schema import Sensor


class ForceSensor:
    """One sensor.

    Attributes:
        stream: what came, and how its clock lies to the host's.
        watch: what is wrong with it.
    """

    def __init__(self, sensor: Sensor, cycle: float) -> None:
        """Read it every `cycle` [s]."""
        self.stream = RecordStream(sensor.rate)
        self.watch = SensorWatch(sensor, self.stream)
        self._window = ReadingWindow(self.stream.period, cycle)
        self._scale = sensor.sign / np.repeat([sensor.force_counts, sensor.torque_counts], 3)

    def take(self, records: Iterable[SensorRecord], steady: bool) -> bool:
        """Take records as they came; return whether time has a gap before or within them.

        Args:
            records: oldest first.
            steady: the object floats: no stamp may step.
        """
        gap = False
        for record in records:
            stamped = self.stream.take(record, steady)
            if stamped is None:
                continue
            self.watch.take(stamped)
            if self.stream.count == 0 or is_serious(record.status):
                self._window.clear()  # what it read before, or reads while broken, counts for no instant
            if not is_serious(record.status):
                self._window.add(stamped)
            gap |= self.stream.gap
        return gap

    def at(self, t_ns: int) -> Array | None:
        """Return the reading at host time `t_ns`; None before the first record.

        Returns:
            What the environment exerts on the mock-up's side, its weight and the sensor's bias included,
            about the sensor's origin, in its axes [N, N m], shape (6,).
        """
        counts = self._window.at(t_ns)
        return None if counts is None else counts * self._scale
