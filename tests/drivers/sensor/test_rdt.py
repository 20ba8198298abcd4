"""The wire against bytes laid out by hand from the sensor's manual."""

import numpy as np
import pytest

from drivers.sensor.rdt import (
    RECORD,
    Command,
    SensorRecord,
    decode_record,
    decode_request,
    encode_record,
    encode_request,
)
from hil.common.errors import BadMessage


def by_hand(sequence: int, measurement: int, status: int, *counts: int) -> bytes:
    """A record as the manual draws it: nine words of 32 bits, the highest byte first."""
    heads = (value.to_bytes(4, "big") for value in (sequence, measurement, status))
    return b"".join(heads) + b"".join(value.to_bytes(4, "big", signed=True) for value in counts)


def test_a_request_has_the_manuals_bytes() -> None:
    """0x1234, the command, the number of records: eight bytes, big endian."""
    assert encode_request(Command.STREAM) == bytes.fromhex("1234 0002 00000000")
    assert encode_request(Command.STOP) == bytes.fromhex("1234 0000 00000000")
    assert encode_request(Command.BIAS, 1) == bytes.fromhex("1234 0042 00000001")
    assert decode_request(bytes.fromhex("1234 0041 00000000")) == (Command.RESET_LATCH, 0)


@pytest.mark.parametrize("counts", [(1, -2, 3, -4, 5, -6), (2**31 - 1, -(2**31), 0, 1, -1, 1_000_000)])
def test_a_record_has_the_manuals_bytes(counts: tuple[int, ...]) -> None:
    """Three unsigned words, six signed ones: there and back."""
    data = by_hand(4_294_967_295, 7, 0x80020000, *counts)
    record = SensorRecord(5, 4_294_967_295, 7, 0x80020000, counts)
    assert decode_record(data, 5) == record
    assert encode_record(record) == data
    assert len(data) == RECORD.size == 36


def test_any_other_bytes_are_refused() -> None:
    """Of no length but the right one is anything a record or a request; a request needs its header."""
    rng = np.random.default_rng(3)
    for size in (0, 1, 7, 9, 35, 37, 72):
        with pytest.raises(BadMessage, match=f"of {size} bytes"):
            decode_record(rng.bytes(size), 0)
    for data in (b"", rng.bytes(7), rng.bytes(9), bytes.fromhex("3412 0002 00000000")):
        with pytest.raises(BadMessage, match="RDT: a request"):
            decode_request(data)
