"""The topics of an MCAP file, ours or another's, that hold what is looked for, as tables."""

from collections.abc import Callable
from pathlib import Path

from mcap.records import Channel, Message, Schema

from hil.common.errors import RecordingError
from hil.common.formats.decoders import Decoder, decoder_of
from hil.common.formats.mcap_records import NO_SCHEMA, Damaged, mcap_records
from hil.common.formats.table import Table
from hil.common.formats.topics import TopicTable


def tables_of_mcap(path: Path, wanted: Callable[[list[str]], bool]) -> tuple[list[Table], list[str]]:
    """Return the wanted topics, and notes of what was left out.

    Args:
        path: of the file.
        wanted: says from the columns' names whether a topic is.

    Raises:
        RecordingError: it cannot be read at all; or nothing in it is wanted, and something cannot be decoded.
    """
    schemas: dict[int, Schema] = {0: NO_SCHEMA}
    decoders: dict[int, tuple[TopicTable, Decoder] | None] = {}
    unknown: dict[str, str] = {}
    lost = broken = 0
    for record in mcap_records(path):
        if isinstance(record, Schema):
            schemas[record.id] = record
        elif isinstance(record, Channel) and record.id not in decoders:
            decoders[record.id] = _opened(record, schemas[record.schema_id], unknown)
        elif isinstance(record, Damaged):
            lost += 1
        elif isinstance(record, Message) and (known := decoders[record.channel_id]) is not None:
            gathered, decode = known
            try:
                gathered.add(decode(record.data), record.log_time)
            except Exception:  # whatever a decoder makes of bytes that are no such message
                broken += 1
                continue
            if not wanted(gathered.names):
                decoders[record.channel_id] = None
    tables = [gathered.table() for gathered, _ in filter(None, decoders.values()) if gathered.names]
    if not tables and unknown:
        reasons = "; ".join(f"{topic}: {why}" for topic, why in unknown.items())
        raise RecordingError(f"{path}: no topic with forces can be read: {reasons}")
    notes = [f"{lost} damaged parts of the file are left out"] if lost else []
    notes += [f"{broken} messages cannot be decoded and are left out"] if broken else []
    return tables, notes


def _opened(channel: Channel, schema: Schema, unknown: dict[str, str]) -> tuple[TopicTable, Decoder] | None:
    try:
        decode = decoder_of(channel, schema)
    except RecordingError as error:
        unknown[channel.topic] = str(error)
        return None
    if decode is None:
        unknown[channel.topic] = f"messages in {channel.message_encoding or 'no encoding'} are not known here"
        return None
    return TopicTable(channel.topic), decode
