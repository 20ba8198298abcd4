"""Recordings read record by record: whole ones to their end, broken ones as far as they go.

A chunk that is damaged is left out and counted; where the file's own structure is, reading ends.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from mcap.records import Channel, Chunk, Footer, McapRecord, Metadata, Schema
from mcap.records import Message as Record
from mcap.stream_reader import StreamReader, breakup_chunk

from hil.common.errors import RecordingError
from hil.messaging.codec import Message
from hil.recording.protobuf import coder_of
from hil.recording.recorder import classes

MAGIC = b"\x89MCAP0\r\n"


class Damaged:
    """Stands for a chunk that cannot be opened."""


@dataclass
class Summary:
    """What is in a recording.

    Attributes:
        whole: it has its end and its index; otherwise it was broken off.
        damaged: chunks that cannot be opened.
        metadata: records by name.
        counts: messages by channel.
        sizes: bytes of their data by channel.
        begin_ns: first log time (wall time).
        end_ns: last log time.
        names: of the channels, by their number in the file.
    """

    whole: bool = False
    damaged: int = 0
    metadata: dict[str, dict[str, str]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    sizes: Counter[str] = field(default_factory=Counter)
    begin_ns: int = 0
    end_ns: int = 0
    names: dict[int, str] = field(default_factory=dict)

    def note(self, record: McapRecord | Damaged) -> None:
        """Count one record."""
        if isinstance(record, Record):
            name = self.names[record.channel_id]
            self.counts[name] += 1
            self.sizes[name] += len(record.data)
            self.begin_ns = min(self.begin_ns or record.log_time, record.log_time)
            self.end_ns = max(self.end_ns, record.log_time)
        elif isinstance(record, Channel):
            self.names[record.id] = record.topic
        elif isinstance(record, Metadata):
            self.metadata[record.name] = record.metadata
        elif isinstance(record, Footer):
            self.whole = True
        elif isinstance(record, Damaged):
            self.damaged += 1

    def check(self, path: Path) -> None:
        """Refuse what is no recording of this program.

        Raises:
            RecordingError: its head is missing.
        """
        if "zerog" not in self.metadata:
            raise RecordingError(f"{path} is an MCAP file, but no recording of this program")

    @property
    def duration(self) -> float:
        """From the first message to the last [s]."""
        return 1e-9 * (self.end_ns - self.begin_ns)

    @property
    def lost(self) -> dict[str, str]:
        """Messages that the recorder missed, by topic; counted to the end of a whole recording only."""
        return self.metadata.get("lost", {})


def records(path: Path) -> Iterator[McapRecord | Damaged]:
    """Return all records of a recording, chunks opened; ends where the file is broken.

    Raises:
        RecordingError: it cannot be read at all, or is no MCAP file.
    """
    try:
        file = open(path, "rb")
    except OSError as error:
        raise RecordingError(f"{path} cannot be read: {error.strerror}") from error
    with file:
        if file.read(len(MAGIC)) != MAGIC:
            raise RecordingError(f"{path} is no recording: it does not begin as an MCAP file does")
        file.seek(0)
        yield from _as_far_as_it_goes(file)


def summary_of(path: Path) -> Summary:
    """Return what is in a recording.

    Raises:
        RecordingError: it cannot be read at all, or is not one of this program.
    """
    summary = Summary()
    for record in records(path):
        summary.note(record)
    summary.check(path)
    return summary


def messages(path: Path, *channels: str) -> Iterator[tuple[str, int, Message]]:
    """Return channel, publisher's count and message of our own messages on some channels, as they came.

    Raises:
        RecordingError: the file cannot be read, or was written by a version with other messages.
    """
    known, schemas, names = classes(), dict[int, Schema](), dict[int, str]()
    for record in records(path):
        if isinstance(record, Schema):
            schemas[record.id] = record
        elif isinstance(record, Channel) and record.topic in channels:
            check_schema(path, record.topic, schemas[record.schema_id], known[record.topic])
            names[record.id] = record.topic
        elif isinstance(record, Record) and record.channel_id in names:
            name = names[record.channel_id]
            yield name, record.sequence, coder_of(known[name]).decode(record.data)


def check_schema(path: Path, channel: str, schema: Schema, kind: type[Message]) -> None:
    """Refuse messages of a channel that are not those of this version's class.

    Raises:
        RecordingError: the schema is another one.
    """
    if schema.data != coder_of(kind).schema:
        raise RecordingError(
            f"{path}: messages of {channel} are those of another version of this program: "
            "read the recording with the version that its metadata names (`zerog info`)"
        )


def _as_far_as_it_goes(file: IO[bytes]) -> Iterator[McapRecord | Damaged]:
    found = iter(StreamReader(file, emit_chunks=True).records)
    while True:
        try:
            record = next(found)
        except StopIteration:
            return
        except Exception:  # whatever a library makes of a file that is none any more
            return
        if not isinstance(record, Chunk):
            yield record
            continue
        try:
            opened = breakup_chunk(record, validate_crc=True)
        except Exception:  # or of damaged bytes
            yield Damaged()
            continue
        yield from opened
