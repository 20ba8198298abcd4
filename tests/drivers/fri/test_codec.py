"""The wire format against the table of offsets, typed in independently of the codec."""

import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.fri.codec import (
    CommandDatagram,
    MonitorDatagram,
    decode_command,
    decode_monitor,
    encode_command,
    encode_monitor,
)
from hil.common.errors import BadMessage

# offset, struct format, how to read the value from the object
MONITOR_TABLE = [
    (0, "H", lambda d: [d.sequence]),
    (2, "H", lambda d: [d.reflected]),
    (4, "H", lambda d: [916]),
    (6, "H", lambda d: [0x2006]),
    (8, "16f", lambda d: d.krl_real),
    (72, "16i", lambda d: d.krl_int),
    (136, "H", lambda d: [d.krl_bool]),
    (138, "H", lambda d: [0]),
    (140, "f", lambda d: [d.timestamp]),
    (144, "H", lambda d: [d.state]),
    (146, "H", lambda d: [d.quality]),
    (148, "f", lambda d: [d.sample_time]),
    (152, "f", lambda d: [d.command_sample_time]),
    (156, "f", lambda d: [d.safety_limits]),
    (160, "f", lambda d: [d.answer_rate]),
    (164, "f", lambda d: [d.latency]),
    (168, "f", lambda d: [d.jitter]),
    (172, "f", lambda d: [d.miss_rate]),
    (176, "I", lambda d: [d.miss_counter]),
    (180, "H", lambda d: [d.power]),
    (182, "H", lambda d: [d.control]),
    (184, "H", lambda d: [d.error]),
    (186, "H", lambda d: [d.warning]),
    (188, "7f", lambda d: d.part("temperature")),
    (216, "7f", lambda d: d.q_measured),
    (244, "12f", lambda d: d.part("pose_measured")),
    (292, "7f", lambda d: d.part("q_commanded")),
    (320, "7f", lambda d: d.part("q_offset")),
    (348, "12f", lambda d: d.part("pose_commanded")),
    (396, "12f", lambda d: d.part("pose_offset")),
    (444, "7f", lambda d: d.part("torque_measured")),
    (472, "7f", lambda d: d.part("torque_external")),
    (500, "3f", lambda d: d.wrench_external[:3]),
    (512, "3f", lambda d: d.wrench_external[[5, 4, 3]]),
    (524, "21f", lambda d: d.jacobian[:3].ravel()),
    (608, "21f", lambda d: d.jacobian[[5, 4, 3]].ravel()),
    (692, "49f", lambda d: d.part("mass_matrix")),
    (888, "7f", lambda d: d.part("gravity")),
]
COMMAND_TABLE = [
    (0, "H", lambda d: [d.sequence]),
    (2, "H", lambda d: [d.reflected]),
    (4, "H", lambda d: [376]),
    (6, "H", lambda d: [0x1005]),
    (8, "16f", lambda d: d.krl_real),
    (72, "16i", lambda d: d.krl_int),
    (136, "H", lambda d: [d.krl_bool]),
    (138, "H", lambda d: [0]),
    (140, "I", lambda d: [d.flags]),
    (144, "7f", lambda d: d.q),
    (172, "12f", lambda d: d.part("pose")),
    (220, "7f", lambda d: d.part("torque")),
    (248, "3f", lambda d: d.part("wrench")[:3]),
    (260, "3f", lambda d: d.part("wrench")[[5, 4, 3]]),
    (272, "7f", lambda d: d.part("joint_stiffness")),
    (300, "7f", lambda d: d.part("joint_damping")),
    (328, "3f", lambda d: d.part("cartesian_stiffness")[:3]),
    (340, "3f", lambda d: d.part("cartesian_stiffness")[[5, 4, 3]]),
    (352, "3f", lambda d: d.part("cartesian_damping")[:3]),
    (364, "3f", lambda d: d.part("cartesian_damping")[[5, 4, 3]]),
]


def example_monitor() -> MonitorDatagram:
    return MonitorDatagram(
        65535,
        12345,
        tuple(float(i) for i in range(16)),
        tuple(-i * 70000 for i in range(16)),
        0x8421,
        *(1.5, 2, 3, 0.03125, 0.375, 0.5, 0.25, 0.125, 0.0625, 0.75, 4_000_000_000, 0x7F, 3, 5, 6),
        np.arange(182) + 0.5,
    )


def example_command() -> CommandDatagram:
    return CommandDatagram(
        7, 65535, tuple(0.5 * i for i in range(16)), tuple(range(-8, 8)), 3, 0x35, np.arange(58) - 9.25
    )


@pytest.mark.parametrize(
    ("table", "encode", "decode", "example", "size"),
    [
        (MONITOR_TABLE, encode_monitor, decode_monitor, example_monitor, 916),
        (COMMAND_TABLE, encode_command, decode_command, example_command, 376),
    ],
)
def test_every_field_stands_at_its_offset(table, encode, decode, example, size):
    """Raw bytes at each tabulated offset are the field's value, and the table covers every byte once."""
    datagram = example()
    data = encode(datagram)
    assert len(data) == size
    covered = np.zeros(size, int)
    again = decode(data)
    for offset, layout, read in table:
        expected = list(read(datagram))
        assert list(struct.unpack_from("<" + layout, data, offset)) == expected, offset
        assert list(read(again)) == expected, offset
        covered[offset : offset + struct.calcsize("<" + layout)] += 1
    assert np.all(covered == 1)


def test_known_struct_formats_give_the_sizes():
    """The single-format description of both datagrams has their sizes and reads the same joint angles."""
    monitor = struct.unpack(
        "<4H 16f 16i 2H f 2H 3f 4f I 4H 7f 7f 12f 7f 7f 12f 12f 7f 7f 6f 42f 49f 7f",
        encode_monitor(example_monitor()),
    )
    command = struct.unpack("<4H 16f 16i 2H I 7f 12f 7f 6f 7f 7f 6f 6f", encode_command(example_command()))
    assert list(monitor[-182 + 7 : -182 + 14]) == list(example_monitor().q_measured)
    assert list(command[39:46]) == list(example_command().q)


def test_the_word_0x40490fdb_reads_as_pi():
    """Floats are little-endian IEEE-754 binary32."""
    data = bytearray(encode_monitor(example_monitor()))
    data[216:220] = (0x40490FDB).to_bytes(4, "little")
    assert decode_monitor(bytes(data)).q_measured[0] == pytest.approx(np.pi, abs=1e-7)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=1000))
def test_any_bytes_decode_or_are_refused(data):
    """Garbage never escapes as another exception."""
    for decode in (decode_monitor, decode_command):
        with pytest.raises(BadMessage):
            decode(data)


@pytest.mark.parametrize(
    "decode, data",
    [
        (decode_monitor, encode_monitor(example_monitor())),
        (decode_command, encode_command(example_command())),
    ],
)
def test_truncated_or_mislabelled_datagrams_are_refused(decode, data):
    """Size, declared size and identifier are each checked, and the text names the fault."""
    with pytest.raises(BadMessage, match="bytes"):
        decode(data[:-1])
    with pytest.raises(BadMessage, match="bytes"):
        decode(data + b"\0")
    with pytest.raises(BadMessage, match="declares 7 bytes"):
        decode(data[:4] + b"\x07\x00" + data[6:])
    with pytest.raises(BadMessage, match="id 0x0907"):
        decode(data[:6] + b"\x07\x09" + data[8:])
