"""A recording's records of a force sensor, turn by turn, as the driver's core was given them."""

from collections.abc import Iterator

from drivers.sensor.rdt import SensorRecord
from hil.loop.sensor_log import record_of
from hil.messaging.sensor_messages import SensorInputs
from hil.recording.replaying.blocks import in_a_row
from hil.recording.replaying.comparison import Verdict
from hil.recording.replaying.source import Source


class SensedRecords:
    """Hands out the records in the order in which they were consumed."""

    def __init__(self, source: Source, verdict: Verdict) -> None:
        self._rows = self._told(source, verdict)
        self._next = next(self._rows, None)
        self._process: int | None = None  # whose core is followed

    def before(self, process: int, taken: int) -> list[SensorRecord]:
        """Return the records given to a core when it had taken so many samples.

        Args:
            process: whose core; what is left of another one before it is passed over.
            taken: samples.
        """
        if process != self._process:
            self._process = process
            while self._next is not None and self._next[0] != process:
                self._next = next(self._rows, None)
        given = []
        while self._next is not None and self._next[0] == process and self._next[1][0] <= taken:
            given.append(record_of(self._next[1]))
            self._next = next(self._rows, None)
        return given

    @staticmethod
    def _told(source: Source, verdict: Verdict) -> Iterator[tuple[int, list[int]]]:
        for _, block in in_a_row(source.all_of("/sensor_inputs", SensorInputs), verdict):
            for row in block.rows.tolist():
                yield block.process, row
