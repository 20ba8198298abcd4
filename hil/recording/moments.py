"""A recording by time: its messages of any stretch, however large the file; what is damaged is left out.

Times are those of the run (`t_ns` of messages), not the wall's.
"""

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from hil.common.errors import RecordingError
from hil.common.formats.mcap_chunks import McapChunks
from hil.messaging.codec import Message
from hil.recording.protobuf import PACKAGE, coder_of
from hil.recording.reading import Summary, check_schema
from hil.recording.recorder import classes

KEPT_CHUNKS = 32  # unpacked, of about a megabyte each
FAR_NS = 10 * 86_400_000_000_000  # from the other chunks: a spoiled time


@dataclass(slots=True)
class Rows:
    """Messages of one channel in the order of their times [ns], as they stand in the file."""

    t_ns: list[int] = field(default_factory=list)
    data: list[bytes] = field(default_factory=list)


class Moments:
    """An open recording.

    Attributes:
        summary: of it, as far as is known without reading all.
        begin_ns: its first instant.
        end_ns: its last.
        damaged: chunks that were asked for and cannot be opened, by number.
        names: of the channels that it has of those that are wanted.
    """

    def __init__(self, path: Path, channels: Collection[str]) -> None:
        """Open a recording for some channels of our own messages.

        Raises:
            RecordingError: it cannot be read, is none of this program, has nothing in it, or was written by a
                version with other messages.
        """
        self._file, self._path = McapChunks(path), path
        known = classes()
        file, self.damaged = self._file, set[int]()
        self.summary = Summary(whole=file.whole, spoiled=file.spoiled, metadata=file.metadata)
        self.summary.ours = any(s.name.startswith(f"{PACKAGE}.") for s in file.schemas.values())
        self.summary.names = {number: channel.topic for number, channel in file.channels.items()}
        self.summary.check(path)
        self._numbers: dict[int, str] = {}
        for number, channel in file.channels.items():
            if channel.topic in channels and channel.schema_id in file.schemas:
                check_schema(path, channel.topic, file.schemas[channel.schema_id], known[channel.topic])
                self._numbers[number] = channel.topic
        self.names = set(self._numbers.values())
        times = np.array([(c.begin_ns, c.end_ns) for c in file.chunks], np.uint64).astype(np.float64)
        if not len(times):
            raise RecordingError(f"{path}: there is nothing in it")
        middle = np.median(times)
        self._sound = (np.abs(times - middle) < FAR_NS).all(axis=1) & (times[:, 0] <= times[:, 1])
        offset = self.summary.offset_ns
        self._spans = [(c.begin_ns - offset, c.end_ns - offset) for c in file.chunks]
        sound = [span for span, well in zip(self._spans, self._sound, strict=True) if well]
        if not sound:
            raise RecordingError(f"{path}: none of its chunks tells a time that can be")
        self.begin_ns, self.end_ns = min(b for b, _ in sound), max(e for _, e in sound)
        self._begins = np.array([b for b, _ in self._spans], np.float64)
        self._ends = np.array([e for _, e in self._spans], np.float64)
        self._open: OrderedDict[int, dict[str, Rows]] = OrderedDict()

    @property
    def chunks(self) -> int:
        """How many chunks there are."""
        return len(self._spans)

    def span(self, number: int) -> tuple[int, int]:
        """Return the first and the last instant of a chunk, as it says."""
        return self._spans[number]

    def chunk(self, number: int) -> dict[str, Rows]:
        """Return the wanted messages of a chunk by channel; none where it is damaged.

        It stays at hand for the next one who asks, as long as there is room.
        """
        if (rows := self._open.get(number)) is not None:
            self._open.move_to_end(number)
            return rows
        self._open[number] = rows = self.read(number, self.names)
        if len(self._open) > KEPT_CHUNKS:
            self._open.popitem(last=False)
        return rows

    def read(self, number: int, channels: Collection[str]) -> dict[str, Rows]:
        """Return the messages of some of the wanted channels in a chunk, which is forgotten again."""
        found: dict[str, Rows] = {}
        if not self._sound[number]:
            self.damaged.add(number)
            return found
        wanted = {k for k, name in self._numbers.items() if name in channels}
        try:
            messages = self._file.messages(number, wanted)
        except ValueError:
            self.damaged.add(number)
            return found
        offset = self.summary.offset_ns
        for raw in messages:
            rows = found.setdefault(self._numbers[raw.channel], Rows())
            rows.t_ns.append(raw.log_ns - offset)
            rows.data.append(raw.data)
        return {name: _ordered(rows) for name, rows in found.items()}

    def between(self, begin_ns: int, end_ns: int, *channels: str) -> dict[str, Rows]:
        """Return the messages of some channels after `begin_ns` and until `end_ns`, in the order of time."""
        overlapping = np.flatnonzero(self._sound & (self._begins <= end_ns) & (self._ends > begin_ns))
        parts = [self.chunk(int(number)) for number in overlapping]
        return {
            name: _cut([part[name] for part in parts if name in part], begin_ns, end_ns) for name in channels
        }

    def last(self, t_ns: int, channel: str, back_ns: int) -> Message | None:
        """Return the last message of a channel until an instant, of the `back_ns` before it; None: none."""
        rows = self.between(t_ns - back_ns, t_ns, channel)[channel]
        return decoded(channel, rows.data[-1]) if rows.data else None

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def decoded(channel: str, data: bytes) -> Message:
    """Return the message in the bytes of a channel.

    Raises:
        BadMessage: they are none.
    """
    return coder_of(classes()[channel]).decode(data)


def _ordered(rows: Rows) -> Rows:
    if all(a <= b for a, b in zip(rows.t_ns, rows.t_ns[1:], strict=False)):
        return rows
    order = sorted(range(len(rows.t_ns)), key=rows.t_ns.__getitem__)
    return Rows([rows.t_ns[k] for k in order], [rows.data[k] for k in order])


def _cut(parts: list[Rows], begin_ns: int, end_ns: int) -> Rows:
    """Return what lies in a stretch of some rows, joined."""
    joined = Rows()
    for rows in parts:
        first, last = bisect_right(rows.t_ns, begin_ns), bisect_right(rows.t_ns, end_ns)
        joined.t_ns += rows.t_ns[first:last]
        joined.data += rows.data[first:last]
    return _ordered(joined)
