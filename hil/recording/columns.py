"""A recording's messages as columns, one array a field: all of a channel at once, none made singly."""

import dataclasses
from array import array
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import numpy as np
from mcap.records import Channel, Schema
from mcap.records import Message as Record

from hil.common.errors import BadMessage
from hil.common.formats.mcap_records import mcap_records
from hil.messaging.codec import DTYPES, Message
from hil.recording.protobuf import coder_of
from hil.recording.reading import Summary, check_schema
from hil.recording.recorder import classes

Columns = dict[str, Any]
CODES = {"int": "q", "float": "d", "bool": "b"}  # of `array`, by kind of scalar
NUMBERS = {"int": np.int64, "float": np.float64, "bool": np.bool_, "str": np.str_}
TOLD = 20_000  # records between two reports of progress


def read_columns(
    path: Path, channels: Collection[str] | None = None, progress: Callable[[int], None] | None = None
) -> tuple[Summary, dict[str, Columns]]:
    """Return what is in a recording, and the columns of its channels by name and field, in one pass.

    Fields of a fixed shape become arrays (n, …). Of those that differ in length from message to message
    all rows are joined, and `FIELD_rows` says how many each message has. A channel without messages has
    no columns.

    Args:
        path: of the recording; broken ones are read as far as they go.
        channels: that are wanted; None: all with messages of our own.
        progress: is told now and then how many messages were read.

    Raises:
        RecordingError: the file cannot be read, or was written by a version with other messages.
    """
    summary, known, schemas = Summary(), classes(), dict[int, Schema]()
    wanted = set(known) if channels is None else set(channels)
    gatherers: dict[int, Gatherer] = {}
    for count, record in enumerate(mcap_records(path)):
        summary.note(record)
        if isinstance(record, Record):
            if (gatherer := gatherers.get(record.channel_id)) is not None:
                gatherer.add(record.data)
        elif isinstance(record, Schema):
            schemas[record.id] = record
        elif isinstance(record, Channel) and record.topic in wanted and record.id not in gatherers:
            kind = known[record.topic]
            check_schema(path, record.topic, schemas[record.schema_id], kind)
            gatherers[record.id] = Gatherer(kind)
        if progress is not None and count % TOLD == 0:
            progress(count)
    summary.check(path)
    found = {summary.names[number]: made.columns() for number, made in gatherers.items() if made.count}
    return summary, dict(sorted(found.items()))


class Gatherer:
    """Takes the messages of one channel apart into growing columns."""

    def __init__(self, kind: type[Message]) -> None:
        """Begin without any."""
        self._coder = coder_of(kind)
        self._fields = dataclasses.fields(kind)
        self._scalars: list[tuple[str, Any]] = []
        self._arrays: list[tuple[str, Any, Any]] = []  # name, numbers, how many each message has
        self.count = 0
        for field in self._fields:
            what = field.metadata["kind"]
            if what in DTYPES:
                self._arrays.append((field.name, array(DTYPES[what].char), array("q")))
            else:
                self._scalars.append((field.name, array(CODES[what]) if what in CODES else []))

    def add(self, data: bytes) -> None:
        """Take one message.

        Raises:
            BadMessage: the bytes are none of this class.
        """
        made = self._coder.parsed(data)
        for name, column in self._scalars:
            column.append(getattr(made, name))
        for name, numbers, lengths in self._arrays:
            values = getattr(made, name)
            numbers.extend(values)
            lengths.append(len(values))
        self.count += 1

    def columns(self) -> Columns:
        """Return all columns, in the order of the message's fields.

        Raises:
            BadMessage: an array of a message is not as long as its class says.
        """
        gathered = {name: column for name, column, *_ in (*self._scalars, *self._arrays)}
        lengths = {name: rows for name, _, rows in self._arrays}
        found: Columns = {}
        for field in self._fields:
            name, shape, what = field.name, field.metadata["shape"], field.metadata["kind"]
            if what not in DTYPES:
                found[name] = np.array(gathered[name], NUMBERS[what])
                continue
            each = np.array(lengths[name])
            values = np.array(gathered[name], DTYPES[what])
            size = int(np.prod(np.abs(shape)))
            if np.any(each % size if -1 in shape else each != size):
                raise BadMessage(f"recording: {self._coder.name}.{name} is no array of shape {shape}")
            found[name] = values.reshape((-1, *shape[1:]) if -1 in shape else (self.count, *shape))
            if -1 in shape:
                found[f"{name}_rows"] = each // size
        return found
