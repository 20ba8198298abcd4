"""The client of a sensor that speaks RDT: asks for its stream and takes what has come; it never waits.

A sensor serves one client at a time, and a second one takes the stream away without a word. So who hears
nothing asks again: a sensor that was switched off and on goes on by itself.
"""

import socket

from drivers.sensor.rdt import Command, SensorRecord, decode_record, encode_request
from hil.common.errors import BadMessage, LinkError
from hil.common.run_clock import RunClock
from hil.configuration.schema import Sensor

BUFFER_BYTES = 262_144
BUFFER_SIZE = 512  # bytes; a record has 36
POLL_LIMIT = 512  # records taken at one go: a flood cannot keep the loop from its work
ASK_AGAIN_NS = 500_000_000


class RdtClient:
    """A socket of its own towards one sensor.

    Attributes:
        refused: datagrams from elsewhere, or that were no record.
        unsent: requests that the system did not take: no route, a cable pulled.
    """

    def __init__(self, sensor: Sensor, clock: RunClock | None = None) -> None:
        """Make the socket; `clock` stamps what arrives, None: the monotonic one.

        Raises:
            LinkError: the system grants no socket.
        """
        self._place = sensor.address, sensor.port
        self._clock = clock or RunClock()
        self._asked_ns: int | None = None
        self._heard_ns = 0
        self.refused = self.unsent = 0
        try:
            self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER_BYTES)
        except OSError as error:
            raise LinkError(f"sensor: no socket: {error.strerror or error}") from error
        self._socket.setblocking(False)

    def poll(self) -> list[SensorRecord]:
        """Return the records that have come since the last call, oldest first; ask anew if none does."""
        records: list[SensorRecord] = []
        for _ in range(POLL_LIMIT):
            try:
                data, sender = self._socket.recvfrom(BUFFER_SIZE)
            except BlockingIOError:
                break
            except OSError:  # of a request that found nobody: records may lie behind it
                continue
            now_ns = self._clock.now_ns()
            if sender != self._place:
                self.refused += 1
                continue
            try:
                records.append(decode_record(data, now_ns))
            except BadMessage:
                self.refused += 1
        self._keep_asking(bool(records))
        return records

    def close(self) -> None:
        """End the stream and release the socket."""
        self._send(Command.STOP)
        self._socket.close()

    def _keep_asking(self, heard: bool) -> None:
        now_ns = self._clock.now_ns()
        if heard:
            self._heard_ns = now_ns
            return
        since_ns = self._heard_ns if self._asked_ns is None else max(self._asked_ns, self._heard_ns)
        if self._asked_ns is None or now_ns - since_ns >= ASK_AGAIN_NS:
            self._asked_ns = now_ns
            self._send(Command.STREAM)

    def _send(self, command: Command) -> None:
        try:
            self._socket.sendto(encode_request(command), self._place)
        except OSError:  # nobody is there, or the network is gone: the silence is told
            self.unsent += 1
