"""Which client reads which kind of sensor."""

from typing import Protocol

from drivers.sensor.bota import BotaClient
from drivers.sensor.client import RdtClient
from drivers.sensor.rdt import SensorRecord
from hil.common.run_clock import RunClock
from hil.configuration.schema import Sensor


class SensorClient(Protocol):
    """Takes what has come from one sensor; it never waits.

    Attributes:
        refused: what came and was no record.
    """

    refused: int

    def poll(self) -> list[SensorRecord]:
        """Return the records that have come since the last call, oldest first."""

    def close(self) -> None:
        """End the stream."""


def client_of(sensor: Sensor, clock: RunClock | None = None) -> SensorClient:
    """Return the client for a sensor, opened; `clock` stamps what arrives, None: the monotonic one.

    Raises:
        LinkError: it cannot be opened.
    """
    return BotaClient(sensor, clock) if sensor.kind == "bota" else RdtClient(sensor, clock)
