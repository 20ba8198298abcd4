"""What is in a recording of ours, and its messages: of whole ones all, of damaged ones what is whole."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mcap.records import Channel, Footer, McapRecord, Metadata, Schema
from mcap.records import Message as Record

from hil.common.errors import RecordingError
from hil.common.formats.mcap_records import CHANNEL_RECORD, Damaged, mcap_records
from hil.messaging.codec import Message
from hil.recording.protobuf import PACKAGE, coder_of
from hil.recording.recorder import classes

REPAIRED = "repaired"  # metadata of a repaired copy: what is missing in it


@dataclass
class Summary:
    """What is in a recording.

    Attributes:
        whole: it has its end and its index; otherwise it was broken off.
        damaged: chunks that cannot be opened.
        spoiled: other records that cannot be read.
        unread: messages in them, as far as that is known.
        behind: bytes behind its end.
        ours: something in it is of this program.
        metadata: records by name.
        counts: messages by channel.
        sizes: bytes of their data by channel.
        begin_ns: first log time (wall time).
        end_ns: last log time.
        names: of the channels, by their number in the file.
    """

    whole: bool = False
    damaged: int = 0
    spoiled: int = 0
    unread: int = 0
    behind: int = 0
    ours: bool = False
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
        elif isinstance(record, Schema):
            self.ours = self.ours or record.name.startswith(f"{PACKAGE}.")
        elif isinstance(record, Metadata):
            if record.name != CHANNEL_RECORD:
                self.metadata[record.name] = record.metadata
        elif isinstance(record, Footer):
            self.whole = True
        elif isinstance(record, Damaged):
            self.damaged += record.chunk
            self.spoiled += not record.chunk and not record.behind
            self.behind += record.behind
            self.unread += record.messages

    def check(self, path: Path) -> None:
        """Refuse what is no recording of this program.

        Raises:
            RecordingError: neither head nor messages are of this program.
        """
        if not (self.ours or "zerog" in self.metadata):
            raise RecordingError(f"{path} is an MCAP file, but no recording of this program")

    @property
    def head(self) -> dict[str, str]:
        """What the head says of the run; empty where it is damaged."""
        return self.metadata.get("zerog", {})

    @property
    def offset_ns(self) -> int:
        """Wall time less the run's time; 0 where the head is damaged."""
        return int(self.head.get("clock_offset_ns", 0))

    @property
    def holed(self) -> bool:
        """Whether chunks are missing, in this file or in the one that it was repaired from."""
        return self.damaged > 0 or REPAIRED in self.metadata

    @property
    def damage(self) -> str:
        """What could not be read, in words; empty if nothing."""
        told = [f"{self.damaged} damaged chunks left out"] if self.damaged else []
        told += [f"{self.spoiled} other damaged records left out"] if self.spoiled else []
        told += ["the head, which tells of the run, among them"] if not self.head else []
        told += [f"at least {self.unread} messages lost with them"] if self.unread else []
        if self.behind:
            told.append(f"{self.behind} bytes behind its end, of another file perhaps, left out")
        if REPAIRED in self.metadata:
            told.append(f"a repaired copy ({self.metadata[REPAIRED].get('left_out', '')})")
        return ", ".join(told)

    @property
    def duration(self) -> float:
        """From the first message to the last [s]."""
        return 1e-9 * (self.end_ns - self.begin_ns)

    @property
    def lost(self) -> dict[str, str]:
        """Messages that the recorder missed, by topic; counted to the end of a whole recording only."""
        return self.metadata.get("lost", {})


def summary_of(path: Path) -> Summary:
    """Return what is in a recording.

    Raises:
        RecordingError: it cannot be read at all, or is not one of this program.
    """
    summary = Summary()
    for record in mcap_records(path):
        summary.note(record)
    summary.check(path)
    return summary


def messages(path: Path, *channels: str) -> Iterator[tuple[str, int, Message]]:
    """Return channel, publisher's count and message of our own messages on some channels, as they came.

    Raises:
        RecordingError: the file cannot be read, or was written by a version with other messages.
    """
    known, schemas, names = classes(), dict[int, Schema](), dict[int, str]()
    for record in mcap_records(path):
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
