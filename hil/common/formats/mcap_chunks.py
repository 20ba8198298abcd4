"""The chunks of an MCAP file, opened one at a time and in any order: for files that are too large to be read.

Only the places of the records are gone through when it is opened, and what stands outside of chunks; a chunk
is unpacked when its messages are asked for, and those of the channels that are wanted are cut out of it.
"""

import struct
import zlib
from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import zstandard
from mcap.opcode import Opcode
from mcap.records import Channel, Chunk, Footer, Metadata, Schema

from hil.common.errors import RecordingError
from hil.common.formats.mcap_frames import HEAD, MAGIC, Frame, Gap, content, frames, is_end
from hil.common.formats.mcap_records import (
    CHANNEL_RECORD,
    CHECK,
    LARGEST_CHUNK,
    is_as_sealed,
    mapped,
    opened,
    told_by,
)

_TIMES = struct.Struct("<QQ")  # first and last log time, at the beginning of a chunk
_RECORD = struct.Struct("<BQ")
_MESSAGE = struct.Struct("<HIQQ")  # channel, count, log time, time of publishing


@dataclass(frozen=True, slots=True)
class Place:
    """A chunk's place in the file, and the log times that it says it spans [ns]."""

    frame: Frame
    begin_ns: int
    end_ns: int


@dataclass(frozen=True, slots=True)
class Raw:
    """A message as it stands in the file."""

    channel: int
    sequence: int
    log_ns: int
    data: bytes


class McapChunks:
    """An open file.

    Attributes:
        chunks: in the order of the file.
        metadata: records by name; of two the last.
        schemas: by number, as far as they are known; more may be found in a chunk.
        channels: likewise.
        whole: the file has its end.
        spoiled: places outside of chunks that cannot be read.
    """

    def __init__(self, path: Path) -> None:
        """Open a file and go through the places of its records.

        Raises:
            RecordingError: it cannot be read, or is no MCAP file.
        """
        self._open = ExitStack()
        self._data = self._open.enter_context(mapped(path))
        self.chunks: list[Place] = []
        self.metadata: dict[str, dict[str, str]] = {}
        self.schemas: dict[int, Schema] = {}
        self.channels: dict[int, Channel] = {}
        self.whole, self.spoiled = False, 0
        for frame in frames(self._data):
            self._note(frame)
        begins_well = self._data[: len(MAGIC)] == MAGIC
        self.spoiled += not begins_well
        if self.chunks:
            self._look_into_first()
        if not begins_well and not self.channels:
            self.close()
            raise RecordingError(f"{path} is no recording: it does not begin as an MCAP file does")

    def close(self) -> None:
        """Close the file."""
        self._open.close()

    def messages(self, number: int, channels: Collection[int]) -> list[Raw]:
        """Return the messages of some channels in a chunk, in the order in which they stand there.

        Raises:
            ValueError: the chunk is spoiled.
        """
        body, found, at = self._unpacked(number), [], 0
        while at + HEAD <= len(body):
            opcode, size = _RECORD.unpack_from(body, at)
            begin, at = at + HEAD, at + HEAD + size
            if opcode != Opcode.MESSAGE:
                continue
            if at > len(body) or size < _MESSAGE.size:
                raise ValueError("a message that does not fit into its chunk")
            channel, sequence, log_ns, _ = _MESSAGE.unpack_from(body, begin)
            if channel in channels:
                found.append(Raw(channel, sequence, log_ns, body[begin + _MESSAGE.size : at]))
        return found

    def _unpacked(self, number: int) -> bytes:
        """Return the records in a chunk.

        Raises:
            ValueError: it is spoiled.
        """
        chunk: Chunk = content(self._data, self.chunks[number].frame)
        body = bytes(chunk.data)
        try:
            if chunk.uncompressed_size > LARGEST_CHUNK:
                raise ValueError("a chunk of another size than it says")
            if chunk.compression == "zstd":
                body = zstandard.ZstdDecompressor().decompress(body, chunk.uncompressed_size)
            elif chunk.compression:  # not of ours: the library knows more of them
                raise ValueError(f"a chunk that is packed by {chunk.compression}")
        except zstandard.ZstdError as error:
            raise ValueError("a chunk that cannot be unpacked") from error
        if len(body) != chunk.uncompressed_size:
            raise ValueError("a chunk of another size than it says")
        if chunk.uncompressed_crc and zlib.crc32(body) != chunk.uncompressed_crc:
            raise ValueError("a chunk whose check sum is another one")
        return body

    def _note(self, frame: Frame | Gap) -> None:
        if isinstance(frame, Gap):
            self.spoiled += not frame.cut
            return
        if frame.opcode == Opcode.CHUNK:
            times = _TIMES.unpack_from(self._data, frame.begin)
            self.chunks.append(Place(frame, *times))
        elif frame.opcode in (Opcode.SCHEMA, Opcode.CHANNEL, Opcode.METADATA, Opcode.FOOTER):
            try:
                record = content(self._data, frame)
            except ValueError:
                self.spoiled += 1
                return
            self._take(record, frame)

    def _take(self, record: Channel | Schema | Metadata | Footer, frame: Frame) -> None:
        """Take a record outside of chunks."""
        if isinstance(record, Footer):
            self.whole = is_end(self._data, frame.end)
            return
        channel, schema = told_by(record)
        if schema is not None:
            self.schemas.setdefault(schema.id, schema)
        if channel is not None:
            self.channels.setdefault(channel.id, channel)
        if isinstance(record, Metadata) and record.name != CHANNEL_RECORD:
            if is_as_sealed(record):
                values = {key: value for key, value in record.metadata.items() if key != CHECK}
                self.metadata[record.name] = values
            else:
                self.spoiled += 1

    def _look_into_first(self) -> None:
        """Learn of channels from the first chunk that can be opened, should nothing else tell of them."""
        for stretch in self.chunks:
            try:
                records = opened(content(self._data, stretch.frame))
            except ValueError:
                continue
            for record in records:
                if isinstance(record, Schema):
                    self.schemas.setdefault(record.id, record)
                elif isinstance(record, Channel):
                    self.channels.setdefault(record.id, record)
            return
