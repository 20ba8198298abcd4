"""Wrenches in files of messages: MCAP of others in three encodings, ROS bags, recordings of this program."""

import dataclasses
import json
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from mcap.writer import Writer

from hil.commands.cli import main
from hil.common.errors import RecordingError
from hil.common.formats import decoders, ros_bags
from hil.configuration import load_configuration
from hil.messaging.messages import RobotState
from hil.recording.mcap_file import McapFile
from hil.recording.protobuf import coder_of
from hil.recording.recorder import channel, head_of
from hil.recording.rows import Cycle
from hil.wrench.recorded.asked import Asked
from hil.wrench.recorded.reading import read_recording, take
from tests.hil.recording.test_recording import CUBE, made

ROWS = 300
BEGIN_NS = 1_700_000_000_000_000_000
STEP_NS = 2_000_000
T = 1e-9 * STEP_NS * np.arange(ROWS)
W = np.random.default_rng(1).normal(0.0, 1.0, (ROWS, 6))
WRENCH_STAMPED = """std_msgs/Header header
geometry_msgs/Wrench wrench
================================================================================
MSG: geometry_msgs/Wrench
geometry_msgs/Vector3 force
geometry_msgs/Vector3 torque
================================================================================
MSG: geometry_msgs/Vector3
float64 x
float64 y
float64 z
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
"""
Encoded = Callable[[int], bytes]
JSON = ("Wrench", "jsonschema", b"{}")
STAMPED = ("geometry_msgs/msg/WrenchStamped", "ros2msg", WRENCH_STAMPED.encode())


def stamp_ns(k: int) -> int:
    return BEGIN_NS + STEP_NS * k


def nested(k: int) -> bytes:
    force, torque = (dict(zip("xyz", part.tolist(), strict=True)) for part in (W[k, :3], W[k, 3:]))
    return json.dumps({"force": force, "torque": torque, "status": "ok"}).encode()


def arrays(k: int) -> bytes:
    return json.dumps({"force": W[k, :3].tolist(), "torque": W[k, 3:].tolist()}).encode()


def six(k: int) -> bytes:
    return json.dumps({"wrench": W[k].tolist()}).encode()


def cdr(k: int, stamped: bool = True) -> bytes:
    """WrenchStamped by the rules of CDR: little-endian, aligned to each number's size."""
    sec, nanosec = divmod(stamp_ns(k), 10**9) if stamped else (0, 0)
    body = struct.pack("<iI", sec, nanosec) + struct.pack("<I", 3) + b"ft\0"
    body += bytes(-len(body) % 8)
    return b"\0\1\0\0" + body + struct.pack("<6d", *W[k])


def protobuf() -> tuple[tuple[str, str, bytes], Encoded]:
    """A foreign schema with two vectors, and its messages."""
    file = descriptor_pb2.FileDescriptorProto(name="w.proto", package="p", syntax="proto3")
    vector, wrench = file.message_type.add(name="V"), file.message_type.add(name="W")
    for number, name in enumerate("xyz", start=1):
        vector.field.add(name=name, number=number, type=1, label=1)
    for number, name in enumerate(("force", "torque"), start=1):
        wrench.field.add(name=name, number=number, type=11, type_name=".p.V", label=1)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    kind = message_factory.GetMessageClass(pool.FindMessageTypeByName("p.W"))
    schema = descriptor_pb2.FileDescriptorSet(file=[file]).SerializeToString()

    def encoded(k: int) -> bytes:
        made = kind()
        made.force.x, made.force.y, made.force.z = W[k, :3]
        made.torque.x, made.torque.y, made.torque.z = W[k, 3:]
        return made.SerializeToString()

    return ("p.W", "protobuf", schema), encoded


def written(path: Path, *topics: tuple[str, str, tuple[str, str, bytes] | None, Encoded]) -> Path:
    with open(path, "wb") as file:
        writer = Writer(file)
        writer.start()
        for topic, encoding, schema, encoded in topics:
            number = writer.register_schema(*schema) if schema else 0
            channel = writer.register_channel(topic, encoding, number)
            for k in range(ROWS):
                writer.add_message(channel, stamp_ns(k), encoded(k), stamp_ns(k))
        writer.finish()
    return path


def assert_read(path: Path, asked: Asked | None = None) -> list[str]:
    taken = take(path, asked or Asked(whole=True))
    np.testing.assert_allclose(taken.t, T, atol=1e-9)
    assert taken.wrench.tolist() == W.tolist()
    return taken.told


def test_mcap_of_others(tmp_path: Path) -> None:
    """JSON with and without a schema, vectors as lists, protobuf by the file's own schema."""
    schema, encoded = protobuf()
    pictures = ("/camera", "json", JSON, lambda k: b'{"data": "0000"}')
    assert_read(written(tmp_path / "a.mcap", pictures, ("/ft", "json", JSON, nested)))
    assert_read(written(tmp_path / "b.mcap", ("/ft", "json", None, arrays)))
    told = assert_read(written(tmp_path / "c.mcap", pictures, ("/ft", "protobuf", schema, encoded)))
    assert told[0] == "topic /ft" and "log_time" in told[1]


def test_what_messages_leave_open_is_asked(tmp_path: Path) -> None:
    """Which of two topics; which numbers of a list; encodings that nothing here reads."""
    two = written(
        tmp_path / "two.mcap",
        ("/ft1", "json", JSON, six),
        ("/ft2", "json", JSON, nested),
        ("/ft3", "json", JSON, nested),
    )
    with pytest.raises(RecordingError, match=r"/ft2 \(300 messages\), /ft3 .* --sensor /ft2"):
        take(two, Asked())
    assert_read(two, Asked(sensor="/ft3"))
    lists = written(tmp_path / "lists.mcap", ("/ft", "json", JSON, six))
    with pytest.raises(RecordingError, match=r"wrench\[0\].*--columns"):
        take(lists, Asked())
    roles = ("fx", "fy", "fz", "tx", "ty", "tz")
    assert_read(lists, Asked(columns={role: f"wrench[{k}]" for k, role in enumerate(roles)}))
    with pytest.raises(RecordingError, match="/ft: messages in cbor are not known here"):
        take(written(tmp_path / "cbor.mcap", ("/ft", "cbor", None, lambda k: b"\xa0")), Asked())


def test_damaged_and_empty_ones(tmp_path: Path) -> None:
    """What is whole is read and the rest counted; messages that are none are left out."""
    path = written(tmp_path / "a.mcap", ("/ft", "json", JSON, lambda k: b"{" if k == 7 else nested(k)))
    taken = take(path, Asked())
    assert len(taken.t) == ROWS - 1 and "1 messages cannot be decoded" in taken.notes[0]
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 1
    path.write_bytes(data)
    with pytest.raises(RecordingError):  # its only chunk
        take(path, Asked())


def test_ros_messages_need_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its name is said, for MCAP and for both kinds of bags."""
    for name in ("rosbags", "rosbags.typesys", "rosbags.highlevel"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    folder = tmp_path / "bag"
    folder.mkdir()
    (folder / ros_bags.FOLDER_FILE).write_text("x")
    old = tmp_path / "old.bag"
    old.write_bytes(b"#ROSBAG V2.0\n" + bytes(99))
    for path in (written(tmp_path / "a.mcap", ("/ft", "cdr", STAMPED, cdr)), folder, old):
        with pytest.raises(RecordingError) as refusal:
            take(path, Asked())
        assert decoders.EXTRA in str(refusal.value) and "zerog-emulator[rosbags]" in str(refusal.value)


def test_a_folder_or_database_without_its_description_is_no_bag(tmp_path: Path) -> None:
    """One clear line."""
    lone = tmp_path / "lone.db3"
    lone.write_bytes(b"SQLite format 3\x00" + bytes(99))
    for path in (tmp_path, lone):
        with pytest.raises(RecordingError, match=r"a folder with a ROS bag has its metadata\.yaml"):
            take(path, Asked())


def test_ros2_in_mcap(tmp_path: Path) -> None:
    """By the header's stamps, or when they are unset by those of the recording."""
    pytest.importorskip("rosbags", reason="the extra `rosbags` is not installed")
    assert "header.stamp" in assert_read(written(tmp_path / "a.mcap", ("/ft", "cdr", STAMPED, cdr)))[1]
    unset = written(tmp_path / "b.mcap", ("/ft", "cdr", STAMPED, lambda k: cdr(k, stamped=False)))
    assert "log_time" in assert_read(unset)[1]
    spoiled = ("geometry_msgs/msg/WrenchStamped", "ros2msg", b"no {{ definition")
    with pytest.raises(RecordingError):
        take(written(tmp_path / "c.mcap", ("/ft", "cdr", spoiled, cdr)), Asked())


def test_bags_of_ros2(tmp_path: Path) -> None:
    """In a database and in MCAP, the folder or its file."""
    rosbag2 = pytest.importorskip("rosbags.rosbag2", reason="the extra `rosbags` is not installed")
    typesys = pytest.importorskip("rosbags.typesys")
    store = typesys.get_typestore(typesys.Stores.ROS2_HUMBLE)
    for plugin in rosbag2.StoragePlugin:
        folder = tmp_path / plugin.name
        with rosbag2.Writer(folder, version=9, storage_plugin=plugin) as bag:
            connection = bag.add_connection("/ft", "geometry_msgs/msg/WrenchStamped", typestore=store)
            for k in range(ROWS):
                bag.write(connection, stamp_ns(k), cdr(k))
        (file,) = (path for path in folder.iterdir() if path.suffix != ".yaml")
        assert_read(folder)
        assert_read(file)


def test_bags_of_ros1(tmp_path: Path) -> None:
    """A whole one is read; half of one is refused in one line."""
    rosbag1 = pytest.importorskip("rosbags.rosbag1", reason="the extra `rosbags` is not installed")
    typesys = pytest.importorskip("rosbags.typesys")
    store = typesys.get_typestore(typesys.Stores.ROS1_NOETIC)
    kinds = {name.split("/")[-1]: kind for name, kind in store.types.items() if "geometry_msgs" in name}
    header, time = store.types["std_msgs/msg/Header"], store.types["builtin_interfaces/msg/Time"]
    path = tmp_path / "one.bag"
    with rosbag1.Writer(path) as bag:
        connection = bag.add_connection("/ft", "geometry_msgs/msg/WrenchStamped", typestore=store)
        for k in range(ROWS):
            vectors = [kinds["Vector3"](*map(float, part)) for part in (W[k, :3], W[k, 3:])]
            told = header(k, time(*divmod(stamp_ns(k), 10**9)), "ft")
            message = kinds["WrenchStamped"](told, kinds["Wrench"](*vectors))
            data = store.serialize_ros1(message, "geometry_msgs/msg/WrenchStamped")
            bag.write(connection, stamp_ns(k), data)
    assert_read(path)
    (tmp_path / "half.bag").write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(RecordingError, match="cannot be read as a ROS bag"):
        take(tmp_path / "half.bag", Asked())


def test_a_recording_of_this_program_is_one_of_its_wrench(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The cycles' wrench, by import and by the reader that detect and replay have, beside other wrenches."""
    run, out = tmp_path / "run.mcap", tmp_path / "out.csv"
    rng, c = np.random.default_rng(2), load_configuration(CUBE)
    file = McapFile(run, BEGIN_NS, head_of(c, "", [], BEGIN_NS))
    for k in range(ROWS):
        cycle = dataclasses.replace(made(Cycle, rng, STEP_NS * k), wrench_object=W[k].astype(np.float32))
        file.write(channel("/cycle", Cycle), cycle.t_ns, coder_of(Cycle).encode(cycle))
        state = made(RobotState, rng, STEP_NS * k)
        file.write(channel("/robot_state", RobotState), state.t_ns, coder_of(RobotState).encode(state))
    file.close()
    assert main(["import", str(run), "-o", str(out)]) == 0
    assert "topic /cycle" in capsys.readouterr().out
    for found in (read_recording(run), read_recording(out)):
        np.testing.assert_allclose(found.t, T, atol=1e-9)
        np.testing.assert_array_equal(found.wrench, W.astype(np.float32))
