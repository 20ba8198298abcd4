"""A recording's records of a force sensor, turn by turn, as the driver's core was given them."""

from collections.abc import Iterator
from typing import NamedTuple

from drivers.sensor.rdt import SensorRecord
from hil.loop.sensor_log import record_of
from hil.messaging.sensor_messages import SensorInputs
from hil.recording.replaying.blocks import in_a_row
from hil.recording.replaying.comparison import Verdict
from hil.recording.replaying.source import Source
from hil.recording.replaying.turns import Turns


class SensedRow(NamedTuple):
    """A record as it was given to a core: whose, after how many samples, row of `SensorInputs`."""

    process: int
    taken: int
    row: list[int]


class SensedRecords:
    """Hands out the records in the order in which they were consumed."""

    def __init__(self, source: Source, verdict: Verdict) -> None:
        self._turns = Turns(self._told(source, verdict))

    def before(self, process: int, taken: int) -> list[SensorRecord]:
        """Return the records given to a core when it had taken so many samples."""
        return [record_of(turn.row) for turn in self._turns.until(process, taken)]

    @staticmethod
    def _told(source: Source, verdict: Verdict) -> Iterator[SensedRow]:
        for _, block in in_a_row(source.all_of("/sensor_inputs", SensorInputs), verdict):
            for row in block.rows.tolist():
                yield SensedRow(block.process, row[0], row)
