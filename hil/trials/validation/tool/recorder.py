"""Reads a tool's sensor live during a run: its records as they come, and whether to believe it."""

from drivers.sensor.clients import client_of
from drivers.sensor.stream import RecordStream
from drivers.sensor.watch import SensorWatch
from hil.common.errors import LinkError
from hil.common.run_clock import RunClock
from hil.configuration.schema import Sensor
from hil.trials.validation.tool.keeper import RecordKeeper
from hil.trials.validation.tool.sensor_log import SensorLog

PATIENCE_NS = 2_000_000_000  # for a sensor that has not said anything yet


class ToolRecorder:
    """Keeps all records of one sensor, and says when it cannot be believed any more."""

    def __init__(self, sensor: Sensor, clock: RunClock) -> None:
        """Ask for the stream.

        Raises:
            LinkError: the system grants no socket, or the sensor's own driver does not open it.
        """
        self._clock = clock
        self._client = client_of(sensor, clock)
        self._keeper = RecordKeeper(sensor)
        self._stream = RecordStream(sensor.rate)  # as it is known at the time
        self._watch = SensorWatch(sensor, self._stream)
        self._began_ns = clock.now_ns()

    @property
    def settled(self) -> bool:
        """Whether it has sent for long enough that its clock is known."""
        return len(self._keeper) > 0 and not self._watch.unsettled(self._clock.now_ns())

    def poll(self) -> None:
        """Take what has come.

        Raises:
            LinkError: the sensor is not there, or is lost, saturated, overloaded or at another rate.
        """
        now_ns = self._clock.now_ns()  # before: a host that is held up behind it is no silence of the sensor
        records = self._client.poll()
        self._keeper.take(records)
        for record in records:
            stamped = self._stream.take(record, steady=False)
            if stamped is not None:
                self._watch.take(stamped)
        if not len(self._keeper) and now_ns - self._began_ns < PATIENCE_NS:
            return
        if trouble := self._watch.trouble(now_ns):
            raise LinkError(f"{trouble}; the run has ended")

    def log(self, zero_ns: int) -> SensorLog:
        """Return all records so far with time zero at host time `zero_ns`."""
        return self._keeper.log(zero_ns)

    def close(self) -> None:
        """End the stream."""
        self._client.close()
