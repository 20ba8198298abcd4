"""The recording's file: chunks written out every second, whatever happens to the process later.

Log time is wall time: the monotonic clock of the run plus one offset that the file records. Whatever a reader
needs stands in two places: the head's metadata at both ends, each channel also beside the chunks.
"""

import contextlib
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from mcap.records import Channel as ChannelRecord
from mcap.records import Schema
from mcap.writer import CompressionType, Writer

from hil.common.errors import RecordingError
from hil.common.formats.mcap_records import CHANNEL_RECORD, channel_values, sealed

FLUSH_NS = 1_000_000_000
CHUNK_BYTES = 1 << 20
LATEST_NS = (1 << 64) - 1  # of what the format holds,
COUNTS = 1 << 32  # and of a publisher's count
ENCODING = "protobuf"
THERE = "it is there already; give another name, or move it away"


@dataclass(frozen=True)
class Channel:
    """One channel of a recording: its name in the file, and the schema of its messages."""

    name: str
    schema_name: str
    schema: bytes


class McapFile:
    """A recording that is being written."""

    def __init__(self, path: Path, offset_ns: int, metadata: dict[str, dict[str, str]]) -> None:
        """Begin the file.

        Args:
            path: must not be there yet.
            offset_ns: wall time less the run's time.
            metadata: records by name.

        Raises:
            RecordingError: the file exists, or cannot be written.
        """
        self._path, self.offset_ns, self._head = path, offset_ns, metadata
        self.written = 0  # messages
        self._flushed_ns = time.monotonic_ns()
        self._channels: dict[str, int] = {}
        self._schemas: dict[str, int] = {}
        try:
            self._file = open(path, "xb")
        except OSError as error:
            raise RecordingError(f"{path} cannot be begun: {_why(error)}") from error
        self._writer = Writer(self._file, chunk_size=CHUNK_BYTES, compression=CompressionType.ZSTD)
        try:
            self._writer.start(profile="", library="zerog")
            self.metadata(metadata)
        except RecordingError:
            self.abandon()
            raise

    def metadata(self, records: dict[str, dict[str, str]]) -> None:
        """Write records of names and values."""
        with self._told():
            for name, values in records.items():
                self._writer.add_metadata(name, sealed(name, values))

    def write(self, channel: Channel, t_ns: int, data: bytes, sequence: int = 0) -> None:
        """Write a message.

        Args:
            channel: made known to the file with its first message.
            t_ns: the run's time (monotonic) of what it says.
            data: as the channel's schema says.
            sequence: its publisher's count.

        Raises:
            RecordingError: the file cannot be written; what was flushed before stays readable.
        """
        log_ns = min(max(t_ns + self.offset_ns, 0), LATEST_NS)
        with self._told():
            number = self._channels.get(channel.name) or self._register(channel)
            self._writer.add_message(number, log_ns, data, log_ns, sequence % COUNTS)
        self.written += 1

    def turn(self, now_ns: int) -> None:
        """Let everything so far reach the file if a second is over; `now_ns` is monotonic."""
        if now_ns - self._flushed_ns >= FLUSH_NS:
            self._flushed_ns = now_ns
            with self._told():
                self._writer.flush()

    def head_says(self, more: dict[str, str]) -> None:
        """Let the record `zerog` of the head say more when it is written again at the end."""
        if more:
            self._head = self._head | {"zerog": self._head.get("zerog", {}) | more}

    def close(self) -> None:
        """Write the head once more and the index, and close the file."""
        self.metadata(self._head)
        with self._told():
            self._writer.finish()
            self._file.close()

    def abandon(self) -> None:
        """Close the file as it is: `zerog info --repair` gives it an index."""
        with contextlib.suppress(OSError):
            self._file.close()

    def _register(self, channel: Channel) -> int:
        if channel.schema_name not in self._schemas:
            made = self._writer.register_schema(channel.schema_name, ENCODING, channel.schema)
            self._schemas[channel.schema_name] = made
        schema = self._schemas[channel.schema_name]
        number = self._writer.register_channel(channel.name, ENCODING, schema)
        self._channels[channel.name] = number
        made = ChannelRecord(number, channel.name, ENCODING, {}, schema)
        values = channel_values(made, Schema(schema, channel.schema, ENCODING, channel.schema_name))
        self._writer.add_metadata(CHANNEL_RECORD, sealed(CHANNEL_RECORD, values))
        return number

    def _told(self) -> "_Told":
        return _Told(self._path)


class _Told:
    """Turns what the operating system says of a file into a line for people."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, OSError):
            raise RecordingError(f"{self._path} cannot be written: {_why(error)}") from error


def _why(error: OSError) -> str:
    if isinstance(error, FileExistsError):
        return THERE
    return str(error.strerror)
