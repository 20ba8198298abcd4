"""The records of an MCAP file, chunks opened, as far as they are whole; the rest is told as `Damaged`.

A message is yielded behind its channel, and that behind its schema, wherever in the file those stand: in a
chunk that can be opened, in our own records of channels (`CHANNEL_RECORD`), or in the summary at the end.
"""

import base64
import json
import mmap
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import zstandard
from mcap.opcode import Opcode
from mcap.records import Channel, Chunk, Footer, McapRecord, Message, MessageIndex, Metadata, Schema
from mcap.stream_reader import breakup_chunk

from hil.common.errors import RecordingError
from hil.common.formats.mcap_frames import MAGIC, Frame, Gap, content, frames, is_end
from hil.common.input_file import refuse_unmapped

LARGEST_CHUNK = 1 << 32  # bytes, opened; more is a spoiled number
CHECK = "crc32"  # key of the check sum in metadata of ours
CHANNEL_RECORD = "channel"  # name of the metadata that tell of a channel once more
NO_SCHEMA = Schema(0, b"", "", "")


@dataclass(frozen=True)
class Damaged:
    """Stands for what cannot be read.

    Attributes:
        chunk: it was a chunk; otherwise another record, or a message whose channel nothing tells of.
        messages: that are known to have been in it.
        behind: bytes behind the file's end, which are none of it.
    """

    chunk: bool = False
    messages: int = 0
    behind: int = 0


def mcap_records(path: Path) -> Iterator[McapRecord | Damaged]:
    """Yield all records of a file in order, chunks opened and indices left out.

    Raises:
        RecordingError: it cannot be read at all, or is no MCAP file.
    """
    with mapped(path) as data:
        found = list(frames(data))
        if data[: len(MAGIC)] != MAGIC and not _has_a_chunk(data, found):
            raise RecordingError(f"{path} is no recording: it does not begin as an MCAP file does")
        if data[: len(MAGIC)] != MAGIC:
            yield Damaged()
        yield from _Opening(data).all_of(found)
        if rest := _behind(data, found):
            yield Damaged(behind=rest)


def sealed(name: str, values: Mapping[str, str]) -> dict[str, str]:
    """Return the values of a metadata record with their check sum: the format itself has none for them."""
    return dict(values) | {CHECK: _check_sum(name, values)}


def channel_values(channel: Channel, schema: Schema) -> dict[str, str]:
    """Return a channel with its schema as the values of a metadata record."""
    return {
        "id": str(channel.id),
        "topic": channel.topic,
        "message_encoding": channel.message_encoding,
        "schema_id": str(schema.id),
        "schema_name": schema.name,
        "schema_encoding": schema.encoding,
        "schema": base64.b64encode(schema.data).decode(),
    }


class _Opening:
    """One pass through a file."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        self._schemas: dict[int, Schema] = {0: NO_SCHEMA}
        self._channels: dict[int, Channel] = {}
        self._late_schemas: dict[int, Schema] = {}
        self._late_channels: dict[int, Channel] = {}
        self._nameless = 0

    def all_of(self, found: list[Frame | Gap]) -> Iterator[McapRecord | Damaged]:
        """Yield the records of what was found in a file, in order."""
        self._look_ahead(found)
        spoiled: list[int] | None = None  # messages of a chunk that cannot be opened, by its indices
        for frame in found:
            opcode = frame.opcode
            if opcode == Opcode.MESSAGE_INDEX and isinstance(frame, Frame):
                if spoiled is not None:
                    spoiled.append(self._indexed(frame))
                continue
            if spoiled is not None:
                yield Damaged(True, sum(spoiled))
                spoiled = None
            if isinstance(frame, Gap):
                if not frame.cut:
                    spoiled = [] if opcode == Opcode.CHUNK else None
                    if spoiled is None:
                        yield Damaged()
            elif opcode == Opcode.CHUNK:
                try:
                    inside = opened(content(self._data, frame))
                except ValueError:
                    spoiled = []
                    continue
                for record in inside:
                    yield from self._in_order(record)
            else:
                yield from self._plain(frame)
        if spoiled is not None:
            yield Damaged(True, sum(spoiled))
        if self._nameless:
            yield Damaged(messages=self._nameless)

    def _plain(self, frame: Frame) -> Iterator[McapRecord | Damaged]:
        """Yield a record outside of chunks."""
        try:
            record = content(self._data, frame)
        except ValueError:
            yield Damaged()
            return
        if isinstance(record, Footer):
            if is_end(self._data, frame.end):
                yield record
        elif isinstance(record, Metadata):
            if is_as_sealed(record):
                record.metadata.pop(CHECK, None)
                yield record
            else:
                yield Damaged()
        elif record is not None:
            yield from self._in_order(record)

    def _in_order(self, record: McapRecord) -> Iterator[McapRecord]:
        """Yield a record behind those that it needs; a message of an unknown channel is counted."""
        if isinstance(record, Schema):
            self._schemas[record.id] = record
            yield record
        elif isinstance(record, Channel):
            yield from self._channel(record)
        elif isinstance(record, Message) and record.channel_id not in self._channels:
            late = self._late_channels.get(record.channel_id)
            if late is not None:
                yield from self._channel(late)
            if record.channel_id in self._channels:
                yield record
            else:
                self._nameless += 1
        else:
            yield record

    def _channel(self, channel: Channel) -> Iterator[McapRecord]:
        if channel.schema_id not in self._schemas:
            late = self._late_schemas.get(channel.schema_id)
            if late is None:
                return
            self._schemas[late.id] = late
        if channel.id not in self._channels:
            yield self._schemas[channel.schema_id]
        self._channels[channel.id] = channel
        yield channel

    def _look_ahead(self, found: list[Frame | Gap]) -> None:
        """Gather what stands outside of chunks about channels."""
        for frame in found:
            if isinstance(frame, Gap) or frame.opcode not in (Opcode.SCHEMA, Opcode.CHANNEL, Opcode.METADATA):
                continue
            try:
                record = content(self._data, frame)
                channel, schema = told_by(record)
            except (ValueError, KeyError):
                continue
            if schema is not None:
                self._late_schemas.setdefault(schema.id, schema)
            if channel is not None:
                self._late_channels.setdefault(channel.id, channel)

    def _indexed(self, frame: Frame) -> int:
        try:
            record = content(self._data, frame)
        except ValueError:
            return 0
        return len(record.records) if isinstance(record, MessageIndex) else 0


def opened(chunk: Chunk) -> list[McapRecord]:
    """Return the records in a chunk.

    Raises:
        ValueError: it is spoiled.
    """
    try:
        told = zstandard.frame_content_size(chunk.data) if chunk.compression == "zstd" else -1
        if chunk.uncompressed_size > LARGEST_CHUNK or told not in (-1, chunk.uncompressed_size):
            raise ValueError("a chunk of another size than it says")
        return breakup_chunk(chunk, validate_crc=True)
    except Exception as error:  # whatever a library makes of spoiled bytes
        raise ValueError("a chunk that cannot be opened") from error


def told_by(record: McapRecord) -> tuple[Channel | None, Schema | None]:
    """Return the channel and the schema that a record outside of chunks tells of, if it tells of any."""
    if isinstance(record, Channel):
        return record, None
    if isinstance(record, Schema):
        return None, record
    if not (isinstance(record, Metadata) and record.name == CHANNEL_RECORD and is_as_sealed(record)):
        return None, None
    told = record.metadata
    schema_id = int(told["schema_id"])
    data = base64.b64decode(told["schema"])
    return (
        Channel(int(told["id"]), told["topic"], told["message_encoding"], {}, schema_id),
        Schema(schema_id, data, told["schema_encoding"], told["schema_name"]),
    )


def is_as_sealed(record: Metadata) -> bool:
    """Return whether metadata are as they were written; those of others cannot be judged."""
    values = {key: value for key, value in record.metadata.items() if key != CHECK}
    return record.metadata.get(CHECK) in (None, _check_sum(record.name, values))


def _check_sum(name: str, values: Mapping[str, str]) -> str:
    return f"{zlib.crc32(json.dumps([name, sorted(values.items())]).encode()):08x}"


def _behind(data: mmap.mmap, found: list[Frame | Gap]) -> int:
    """Return the number of bytes behind the end: of another recording that was glued to it, or of nothing."""
    last = found[-1] if found else None
    if not (isinstance(last, Frame) and last.opcode == Opcode.FOOTER and is_end(data, last.end)):
        return 0
    return len(data) - last.end - len(MAGIC)


def _has_a_chunk(data: mmap.mmap, found: list[Frame | Gap]) -> bool:
    """Return whether one chunk can be opened: of a file without its beginning."""
    for frame in found:
        if isinstance(frame, Frame) and frame.opcode == Opcode.CHUNK:
            try:
                opened(content(data, frame))
            except ValueError:
                continue
            return True
    return False


@contextmanager
def mapped(path: Path) -> Iterator[mmap.mmap]:
    """Give the bytes of a file, which are read as they are looked at.

    Raises:
        RecordingError: it cannot be read, or is empty.
    """
    try:
        refuse_unmapped(path)
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield data
    except OSError as error:
        raise RecordingError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        if path.is_file() and path.stat().st_size:
            raise
        raise RecordingError(f"{path} is no recording: it is empty") from error
