"""The emulated sensor's socket: one client at a time has its stream, the one that asked last."""

from collections.abc import Iterable

from drivers.emulation.sensor.measuring import Measured, MeasuringSensor
from drivers.fri.bound_socket import bound_socket
from drivers.sensor.rdt import ENDLESS, Command, decode_request
from hil.common.errors import BadMessage
from hil.configuration.schema import Sensor

BUFFER_SIZE = 512
REQUEST_LIMIT = 64  # taken at one go


class SensorServer:
    """Speaks the wire for an emulated sensor."""

    def __init__(self, emulated: MeasuringSensor, sensor: Sensor) -> None:
        """Bind the sensor's address and port.

        Raises:
            LinkError: the port is busy, or the address is not this machine's.
        """
        self._emulated = emulated
        self._socket = bound_socket(sensor.address, sensor.port, "sensor.address", "sensor.port")
        self._client: tuple[str, int] | None = None
        self._left = ENDLESS  # records of a stream that has an end

    def take_requests(self) -> None:
        """Do what clients have asked for since the last call."""
        for _ in range(REQUEST_LIMIT):
            try:
                data, sender = self._socket.recvfrom(BUFFER_SIZE)
            except BlockingIOError:
                return
            except OSError:  # of records to a client that has gone
                continue
            try:
                self._obey(*decode_request(data), sender)
            except BadMessage:
                continue  # as the device does: it says nothing

    def send(self, records: Iterable[Measured]) -> None:
        """Send records to whoever has the stream."""
        for _, data in records:
            if self._client is None:
                return
            try:
                self._socket.sendto(data, self._client)
            except OSError:  # it has gone: as a cable that is pulled
                continue
            if self._left != ENDLESS:
                self._left -= 1
                if self._left == ENDLESS:
                    self._client = None

    def close(self) -> None:
        """Release the port."""
        self._socket.close()

    def _obey(self, command: int, count: int, sender: tuple[str, int]) -> None:
        if command == Command.STREAM:
            self._client, self._left = sender, count
            self._emulated.restart()
        elif command == Command.STOP:
            self._client = None
        elif command == Command.BIAS:
            self._emulated.zero()
