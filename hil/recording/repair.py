"""A broken recording copied, as far as it is whole, into a new one with an index."""

from pathlib import Path

from mcap.records import Channel, Schema
from mcap.records import Message as Record

from hil.common.formats.mcap_records import mcap_records
from hil.recording.mcap_file import Channel as OurChannel
from hil.recording.mcap_file import McapFile
from hil.recording.reading import REPAIRED, summary_of


def repair(broken: Path, target: Path) -> int:
    """Write the messages of `broken` to `target`, which must not be there yet; return how many.

    Raises:
        RecordingError: the one is no recording, or the other cannot be written.
    """
    summary = summary_of(broken)
    metadata = dict(summary.metadata)
    if summary.damage:
        metadata[REPAIRED] = {"left_out": summary.damage}
    file = McapFile(target, 0, metadata)
    schemas, channels = dict[int, Schema](), dict[int, OurChannel]()
    try:
        for record in mcap_records(broken):
            if isinstance(record, Schema):
                schemas[record.id] = record
            elif isinstance(record, Channel):
                schema = schemas[record.schema_id]
                channels[record.id] = OurChannel(record.topic, schema.name, schema.data)
            elif isinstance(record, Record):
                file.write(channels[record.channel_id], record.log_time, record.data, record.sequence)
        file.close()
    finally:
        file.abandon()
    return file.written
