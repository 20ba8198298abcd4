"""ATI's Raw Data Transfer, byte by byte: requests of 8 bytes, records of 36, big endian. Pure.

Layout: Net F/T user's manual (9610-05-1022), "UDP interface using RDT".
"""

import struct
from dataclasses import dataclass
from enum import IntEnum

from hil.common.errors import BadMessage

HEADER = 0x1234
REQUEST = struct.Struct(">HHI")
RECORD = struct.Struct(">III6i")
SEQUENCE_MODULUS = 1 << 32
ENDLESS = 0  # as the number of records that are asked for


class Command(IntEnum):
    """What a request asks for."""

    STOP = 0x0000
    STREAM = 0x0002  # one record a datagram, as they are measured
    RESET_LATCH = 0x0041
    BIAS = 0x0042


@dataclass(frozen=True, slots=True)
class SensorRecord:
    """One record as it came.

    Attributes:
        arrival_ns: when, by the host's clock.
        sequence: number of the record in its stream, modulo 2^32.
        measurement: number of the measurement within the sensor, modulo 2^32.
        status: its status word, see `drivers.sensor.status`; 0 is well.
        counts: force x, y, z, then torque x, y, z, in the sensor's axes, in counts.
    """

    arrival_ns: int
    sequence: int
    measurement: int
    status: int
    counts: tuple[int, ...]


def encode_request(command: int, count: int = ENDLESS) -> bytes:
    """Return the request for a command; `count` is how many records a stream shall have."""
    return REQUEST.pack(HEADER, command, count)


def decode_request(data: bytes) -> tuple[int, int]:
    """Return the command and the number of records that a request asks for.

    Raises:
        BadMessage: the bytes are no request.
    """
    if len(data) != REQUEST.size:
        raise BadMessage(f"RDT: a request of {len(data)} bytes, expected {REQUEST.size}")
    header, command, count = REQUEST.unpack(data)
    if header != HEADER:
        raise BadMessage(f"RDT: a request begins with {header:#06x}, expected {HEADER:#06x}")
    return command, count


def encode_record(record: SensorRecord) -> bytes:
    """Return a record's bytes."""
    return RECORD.pack(record.sequence, record.measurement, record.status, *record.counts)


def decode_record(data: bytes, arrival_ns: int) -> SensorRecord:
    """Return the record in a datagram that came at `arrival_ns`.

    Raises:
        BadMessage: the bytes are no record.
    """
    if len(data) != RECORD.size:
        raise BadMessage(f"RDT: a record of {len(data)} bytes, expected {RECORD.size}")
    sequence, measurement, status, *counts = RECORD.unpack(data)
    return SensorRecord(arrival_ns, sequence, measurement, status, tuple(counts))
