"""What a core's replay reads of a recording: raw messages by instant, decoded when they are needed."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Generic, TypeVar

from mcap.records import Channel, Schema
from mcap.records import Message as Record

from hil.common.formats.mcap_records import mcap_records
from hil.messaging.codec import Message
from hil.recording.protobuf import coder_of
from hil.recording.reading import Summary, check_schema
from hil.recording.recorder import classes

Kind = TypeVar("Kind", bound=Message)


class Instants(Generic[Kind]):
    """The messages of one channel, of which no two have the same instant."""

    def __init__(self, kind: type[Kind], rows: list[tuple[int, bytes]]) -> None:
        self._coder = coder_of(kind)
        self._kind = kind
        self._data = dict(rows)
        self._newest: tuple[int, Kind] | None = None  # the same one is asked for again and again

    def __contains__(self, t_ns: int) -> bool:
        return t_ns in self._data

    def at(self, t_ns: int) -> Kind | None:
        """Return the message of an instant, or None if the recording has none."""
        if self._newest is not None and self._newest[0] == t_ns:
            return self._newest[1]
        data = self._data.get(t_ns)
        if data is None:
            return None
        msg = self._coder.decode(data)
        assert isinstance(msg, self._kind)
        self._newest = t_ns, msg
        return msg

    def newest(self, t_ns: int) -> Kind | None:
        """Return the newest message up to an instant, or None if there is none."""
        return self.at(max((known for known in self._data if known <= t_ns), default=t_ns))


class Source:
    """Some channels of a recording, in memory."""

    def __init__(self, path: Path, channels: Collection[str]) -> None:
        """Read them in one pass; a broken recording as far as it goes.

        Raises:
            RecordingError: it cannot be read, or holds messages of another version.
        """
        self.summary = Summary()
        self._rows: dict[str, list[tuple[int, bytes]]] = {name: [] for name in channels}
        known, schemas, wanted = classes(), dict[int, Schema](), dict[int, list[tuple[int, bytes]]]()
        for record in mcap_records(path):
            self.summary.note(record)
            if isinstance(record, Schema):
                schemas[record.id] = record
            elif isinstance(record, Channel) and record.topic in channels:
                check_schema(path, record.topic, schemas[record.schema_id], known[record.topic])
                wanted[record.id] = self._rows[record.topic]
            elif isinstance(record, Record) and record.channel_id in wanted:
                wanted[record.channel_id].append((record.log_time, record.data))
        self.summary.check(path)
        offset_ns = self.summary.offset_ns
        for rows in self._rows.values():
            rows[:] = [(log_ns - offset_ns, data) for log_ns, data in rows]

    def instants(self, channel: str, kind: type[Kind]) -> Instants[Kind]:
        """Return a channel's messages by instant."""
        return Instants(kind, self._rows[channel])

    def all_of(self, channel: str, kind: type[Kind]) -> Iterator[Kind]:
        """Yield a channel's messages as they came."""
        coder = coder_of(kind)
        for _, data in self._rows[channel]:
            msg = coder.decode(data)
            assert isinstance(msg, kind)
            yield msg

    @property
    def channels(self) -> list[str]:
        """The channels that were read."""
        return list(self._rows)

    def raw(self, channel: str) -> list[tuple[int, bytes]]:
        """Return instant and bytes of a channel's messages as they came."""
        return self._rows[channel]
