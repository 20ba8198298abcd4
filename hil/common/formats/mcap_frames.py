"""Where the records of an MCAP file lie, whatever has happened to the file.

A record is an opcode, the length of its content in eight bytes, and the content. Walking goes from one to the
next. Where a length is spoiled that chain breaks: then the next place is looked for at which a record stands
whose inner lengths fill it exactly, and that is followed by another one. In random bytes such a place is less
likely than one in 2^40.
"""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from mmap import mmap
from typing import Any

from mcap import records
from mcap.data_stream import ReadDataStream
from mcap.opcode import Opcode

MAGIC = b"\x89MCAP0\r\n"
HEAD = 9  # bytes before a content
_OWN = 0x80  # from here on opcodes are a writer's own
_KINDS: dict[int, Any] = {
    Opcode.HEADER: records.Header,
    Opcode.FOOTER: records.Footer,
    Opcode.SCHEMA: records.Schema,
    Opcode.CHANNEL: records.Channel,
    Opcode.MESSAGE: records.Message,
    Opcode.CHUNK: records.Chunk,
    Opcode.MESSAGE_INDEX: records.MessageIndex,
    Opcode.CHUNK_INDEX: records.ChunkIndex,
    Opcode.ATTACHMENT: records.Attachment,
    Opcode.ATTACHMENT_INDEX: records.AttachmentIndex,
    Opcode.STATISTICS: records.Statistics,
    Opcode.METADATA: records.Metadata,
    Opcode.METADATA_INDEX: records.MetadataIndex,
    Opcode.SUMMARY_OFFSET: records.SummaryOffset,
    Opcode.DATA_END: records.DataEnd,
}
_MAY_BEGIN = re.compile(rb"(?=[\x01-\x0f].{5}\x00\x00\x00)", re.DOTALL)  # lengths below 2^40
_CHUNK_HEAD = struct.Struct("<QQQII")  # times, size, check sum, length of the compression's name


@dataclass(frozen=True, slots=True)
class Frame:
    """A record's place: its opcode, and where its content begins and ends."""

    opcode: int
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Gap:
    """Bytes that are no record.

    Attributes:
        opcode: of the record that began there, as far as it can be read.
        cut: the file ends within it.
    """

    opcode: int
    cut: bool


def frames(data: mmap) -> Iterator[Frame | Gap]:
    """Yield the records of a file in order, and what is between them; ends behind the footer."""
    at = len(MAGIC)
    while at < len(data):
        frame = frame_at(data, at)
        if frame is not None and (_goes_on(data, frame.end) or _is_exact(data, frame)):
            yield frame
            if frame.opcode == Opcode.FOOTER and is_end(data, frame.end):
                return
            at = frame.end
            continue
        following = _next_sound(data, at + 1)
        yield Gap(data[at], following is None)
        if following is None:
            return
        at = following


def is_end(data: mmap, at: int) -> bool:
    """Return whether a file ends as it must at a place; what may follow there is none of it."""
    return data[at : at + len(MAGIC)] == MAGIC


def frame_at(data: mmap, at: int) -> Frame | None:
    """Return the record that seems to begin at a place, or None."""
    if at + HEAD > len(data):
        return None
    opcode = data[at]
    end = at + HEAD + int.from_bytes(data[at + 1 : at + HEAD], "little")
    known = opcode in _KINDS or opcode >= _OWN
    return Frame(opcode, at + HEAD, end) if known and end <= len(data) else None


def content(data: mmap, frame: Frame) -> Any:
    """Return the record itself; None for one of a writer's own.

    Raises:
        ValueError: its bytes are none, or do not fill it exactly.
    """
    kind = _KINDS.get(frame.opcode)
    if kind is None:
        return None
    stream = ReadDataStream(BytesIO(data[frame.begin : frame.end]))
    size = frame.end - frame.begin
    try:
        made = kind.read(stream, size) if kind is records.Message else kind.read(stream)
    except Exception as error:  # whatever the library makes of spoiled bytes
        raise ValueError(f"a spoiled {kind.__name__}") from error
    if stream.count != size:
        raise ValueError(f"a {kind.__name__} that does not fill its record")
    return made


def _is_exact(data: mmap, frame: Frame) -> bool:
    """Return whether the lengths inside a record fill it exactly."""
    if frame.opcode == Opcode.CHUNK:
        return _is_exact_chunk(data, frame)
    if frame.opcode not in _KINDS or frame.opcode == Opcode.MESSAGE:
        return False
    try:
        content(data, frame)
    except ValueError:
        return False
    return True


def _is_exact_chunk(data: mmap, frame: Frame) -> bool:
    at = frame.begin + _CHUNK_HEAD.size
    if at > frame.end:
        return False
    at += _CHUNK_HEAD.unpack(data[frame.begin : at])[-1]
    if at + 8 > frame.end:
        return False
    return at + 8 + int.from_bytes(data[at : at + 8], "little") == frame.end


def _goes_on(data: mmap, at: int) -> bool:
    """Return whether the file ends well at a place, or another record begins there, be it cut off."""
    if at == len(data) or data[at : at + len(MAGIC)] == MAGIC:
        return True
    return frame_at(data, at) is not None


def _next_sound(data: mmap, at: int) -> int | None:
    """Return the next place where a record stands that is beyond doubt."""
    for found in _MAY_BEGIN.finditer(data, at):
        frame = frame_at(data, found.start())
        if frame is not None and _is_exact(data, frame):
            ended = frame.opcode == Opcode.FOOTER
            if ended or frame.opcode == Opcode.CHUNK or _goes_on(data, frame.end):
                return found.start()
    return None
