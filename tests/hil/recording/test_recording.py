"""Recordings: nothing is lost or altered on the way into the file, whatever happens to it."""

import dataclasses
import json
import random
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from foxglove_schemas_protobuf.FrameTransforms_pb2 import FrameTransforms
from foxglove_schemas_protobuf.PoseInFrame_pb2 import PoseInFrame
from foxglove_schemas_protobuf.SceneUpdate_pb2 import SceneUpdate
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from mcap.reader import make_reader

from hil.commands.cli import main
from hil.common.errors import RecordingError
from hil.configuration import load_configuration
from hil.configuration.frames import Frames
from hil.messaging.codec import DTYPES
from hil.messaging.messages import CycleBlock, ImpulseSlice, Plan, PortBlock, RobotState, SimState, TruthBlock
from hil.messaging.topics import TOPICS
from hil.recording import mcap_file
from hil.recording.columns import read_columns
from hil.recording.export import write_npz
from hil.recording.mcap_file import FLUSH_NS, McapFile
from hil.recording.protobuf import coder_of
from hil.recording.reading import messages, summary_of
from hil.recording.recorder import Recorder, classes, head_of, recorded_topics
from hil.recording.repair import repair
from hil.recording.rows import cycles_of, port_truths_of, truths_of
from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import flange_pose

CUBE = Path(__file__).resolve().parents[3] / "configs" / "cube.toml"
OFFSET_NS = 1_700_000_000_000_000_000


def made(kind, rng, t_ns=0, rows=3):
    """A message of any kind, of random contents."""
    scalars = {
        "int": lambda: int(rng.integers(-(1 << 62), 1 << 62)),
        "float": lambda: float(rng.normal()),
        "bool": lambda: bool(rng.integers(2)),
        "str": lambda: "wörter" * int(rng.integers(3)),
    }
    values = []
    for field in dataclasses.fields(kind)[1:]:
        what, shape = field.metadata["kind"], tuple(rows if n < 0 else n for n in field.metadata["shape"])
        if what in DTYPES:
            number = rng.normal(size=shape)
            array = rng.integers(-(1 << 62), 1 << 62, shape) if what == "i8" else number.astype(DTYPES[what])
            values.append(array)
        else:
            values.append(scalars[what]())
    return kind(t_ns, *values)


def assert_same(a, b):
    for field in dataclasses.fields(a):
        one, other = getattr(a, field.name), getattr(b, field.name)
        if field.metadata["kind"] == "f4":
            other = other.astype(np.float32)  # what the field can hold of it
        assert np.array_equal(one, other), field.name
        assert np.shape(one) == np.shape(other)


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """A recording of every topic, and what went into it."""
    path = tmp_path_factory.mktemp("recording") / "run.mcap"
    c, rng = load_configuration(CUBE), np.random.default_rng(5)
    file = McapFile(path, OFFSET_NS, head_of(c, CUBE.read_text(encoding="utf-8"), ["a=1"], OFFSET_NS))
    recorder, told = Recorder(file, c), []
    recorder.begin(0)
    for n in range(40):
        for topic in recorded_topics("emulated"):
            msg = made(TOPICS[topic].message, rng, t_ns=n * 10_000_000)
            if isinstance(msg, RobotState):
                msg = dataclasses.replace(msg, q_measured=rng.uniform(-1.0, 1.0, 7))
            elif isinstance(msg, CycleBlock | TruthBlock | PortBlock):
                msg = dataclasses.replace(msg, stamps=msg.t_ns + np.abs(msg.stamps) % 1_000_000)
            told.append((topic, n, msg))
            recorder.take(topic, msg, n)
    recorder.lost(0, {"impulse": 2})
    recorder.end({"impulse": 2})
    return path, told, c


def test_a_library_of_others_reads_every_message_by_the_files_own_schema(recording):
    """Index, times, counts and each field, with nothing but what the file says of itself."""
    path, told, _ = recording
    kinds = {}
    with open(path, "rb") as file:
        reader = make_reader(file, validate_crcs=True)
        statistics = reader.get_summary().statistics
        lasted_ns = statistics.message_end_time - statistics.message_start_time
        assert summary_of(path).duration == pytest.approx(1e-9 * lasted_ns) and 0.3e9 < lasted_ns < 0.4e9
        counts = statistics.channel_message_counts
        assert sum(counts.values()) == sum(summary_of(path).counts.values())
        impulses = [msg for topic, _, msg in told if isinstance(msg, ImpulseSlice)]
        found = list(reader.iter_messages(topics=["/impulse"]))
        assert len(found) == len(impulses)
        for n, ((schema, _, record), msg) in enumerate(zip(found, impulses, strict=True)):
            if schema.name not in kinds:
                pool = descriptor_pool.DescriptorPool()
                for described in descriptor_pb2.FileDescriptorSet.FromString(schema.data).file:
                    pool.Add(described)
                kinds[schema.name] = message_factory.GetMessageClass(pool.FindMessageTypeByName(schema.name))
            read = kinds[schema.name].FromString(record.data)
            assert record.log_time == msg.t_ns + OFFSET_NS and record.sequence == n
            assert list(read.impulse_object) == msg.impulse_object.tolist()
            assert (read.t_centroid_ns, read.final) == (msg.t_centroid_ns, msg.final)


def test_every_message_comes_back_as_it_went_in(recording):
    """To the bit; blocks as their cycles, plans as their news and now and then in full."""
    path, told, _ = recording
    found = {}
    for channel, _, msg in messages(path, *classes()):
        found.setdefault(channel, []).append(msg)
    for topic in recorded_topics("emulated"):
        sent = [msg for name, _, msg in told if name == topic]
        if topic == "cycles":
            sent = [row for block in sent for row in cycles_of(block)]
        elif topic == "truth":
            sent = [row for block in sent for row in truths_of(block)]
        elif topic == "port":
            sent = [row for block in sent for row in port_truths_of(block)]
        elif topic == "plan":
            paths = found["/plan_path"]
            assert len(paths) == 1, "one a second"
            assert_same(paths[0], sent[0])
            assert [msg.number for msg in found["/plan"]] == [msg.number for msg in sent]
            assert len({msg.digest for msg in found["/plan"]}) == len(sent)
            continue
        channel = {"cycles": "/cycle"}.get(topic, f"/{topic}")
        assert len(found[channel]) == len(sent)
        for a, b in zip(found[channel], sent, strict=True):
            assert_same(a, b)


def test_every_message_class_survives_protobuf():
    """Also those that are not recorded, with empty arrays as well."""
    rng = np.random.default_rng(3)
    for kind in {topic.message for topic in TOPICS.values()} | set(classes().values()):
        for rows in (0, 1, 4):
            msg = made(kind, rng, rows=rows)
            assert_same(msg, coder_of(kind).decode(coder_of(kind).encode(msg)))


def test_pictures_show_the_arm_where_kinematics_has_it(recording):
    """The flange of the picture, and the mock-up's copy on the simulated object, against our own kernels."""
    path, told, c = recording
    model, frames = load_arm_model(c.robot.model), Frames.from_configuration(c)
    states = [msg for _, _, msg in told if isinstance(msg, RobotState)]
    flanges, frames_named = [], set()
    with open(path, "rb") as file:
        for _, _, record in make_reader(file).iter_messages(topics=["/tf"]):
            for frame in FrameTransforms.FromString(record.data).transforms:
                frames_named.add(frame.child_frame_id)
                if frame.child_frame_id == "flange":
                    flanges.append([frame.translation.x, frame.translation.y, frame.translation.z])
        file.seek(0)
        ((_, _, record),) = make_reader(file).iter_messages(topics=["/scene"])
    expected = [
        (frames.T_world_base @ flange_pose(model.geometry, state.q_measured))[:3, 3]
        for state in states[::2]  # 50 a second of 100
    ]
    np.testing.assert_allclose(flanges, expected, atol=1e-9)
    scene = SceneUpdate.FromString(record.data)
    assert {entity.frame_id for entity in scene.entities} <= frames_named | {"world"}
    cubes = {entity.frame_id: entity.cubes for entity in scene.entities}
    assert cubes["mockup"][0].size == cubes["object"][0].size and cubes["object"][0].color.a < 0.5
    centre = frames.T_tcp_object @ [*_xyz(cubes["object"][0].pose.position), 1.0]
    np.testing.assert_allclose(centre[:3], _xyz(cubes["mockup"][0].pose.position), atol=1e-12)


def test_pictures_are_stamped_with_the_hosts_time(recording):
    """A picture tells the time at which the file has it: a viewer shows it beside what it belongs to."""
    path, _, _ = recording
    seen = Counter()
    with open(path, "rb") as file:
        for _, channel, record in make_reader(file).iter_messages(topics=["/tf", "/object", "/scene"]):
            kind = {"/tf": FrameTransforms, "/object": PoseInFrame, "/scene": SceneUpdate}[channel.topic]
            shown = kind.FromString(record.data)
            many = {"/tf": "transforms", "/scene": "entities"}.get(channel.topic)
            for part in getattr(shown, many) if many else [shown]:
                assert part.timestamp.ToNanoseconds() == record.log_time, channel.topic
                seen[channel.topic] += 1
    assert min(seen[topic] for topic in ("/tf", "/object", "/scene")) > 5


def test_losses_are_told_when_they_have_changed(tmp_path):
    """Nothing lost, twice two, and three: two records."""
    path, c = tmp_path / "run.mcap", load_configuration(CUBE)
    recorder = Recorder(McapFile(path, OFFSET_NS, head_of(c, "", [], OFFSET_NS)), c)
    for n, counts in enumerate(({}, {"impulse": 2}, {"impulse": 2}, {"impulse": 2, "mode": 1})):
        recorder.lost(n, counts)
    recorder.end({})
    told = [(msg.t_ns, msg.lost, json.loads(msg.topics)) for _, _, msg in messages(path, "/recorder")]
    assert told == [(1, 2, {"impulse": 2}), (3, 3, {"impulse": 2, "mode": 1})]


def test_a_full_disk_is_one_clear_line(tmp_path, monkeypatch):
    """The device that is always full; whoever records is told which file, and why."""
    monkeypatch.setattr(mcap_file, "open", lambda path, mode: open("/dev/full", "wb"), raising=False)
    file = McapFile(tmp_path / "run.mcap", 0, {})
    with pytest.raises(RecordingError, match=r"run\.mcap cannot be written: No space left on device"):
        file.close()
    file.abandon()


def _xyz(v):
    return [v.x, v.y, v.z]


def test_a_recording_broken_anywhere_is_read_as_far_as_it_goes(recording, tmp_path):
    """A hundred cuts and a hundred spoiled bytes: a beginning of the whole, and no other exception."""
    path, _, _ = recording
    data, rng = path.read_bytes(), random.Random(1)
    whole = [(c, s) for c, s, _ in messages(path, *classes())]
    broken = tmp_path / "broken.mcap"
    for n in range(200):
        cut = rng.randrange(8, len(data))
        spoiled = bytearray(data)
        spoiled[cut] ^= 0x55
        broken.write_bytes(data[:cut] if n % 2 else bytes(spoiled))
        try:
            found = [(c, s) for c, s, _ in messages(broken, *classes())]
        except RecordingError:
            continue
        rest = iter(whole)
        assert all(item in rest for item in found), "in the order in which they were written"


def test_a_damaged_chunk_is_left_out_and_what_follows_is_read(tmp_path, capsys):
    """One byte in the middle of three chunks costs one of them, and is told."""
    path, msg = tmp_path / "run.mcap", made(ImpulseSlice, np.random.default_rng(2))
    c = load_configuration(CUBE)
    file = McapFile(path, OFFSET_NS, head_of(c, "", [], OFFSET_NS))
    recorder, ends = Recorder(file, c), []
    for n in range(3):
        recorder.take("impulse", dataclasses.replace(msg, impulse_id=n), n)
        file.turn(time.monotonic_ns() + 2 * FLUSH_NS * (n + 1))
        ends.append(path.stat().st_size)
    recorder.end({})
    data = bytearray(path.read_bytes())
    data[(ends[0] + ends[1]) // 2] ^= 0xFF
    path.write_bytes(data)
    assert [msg.impulse_id for _, _, msg in messages(path, "/impulse")] == [0, 2]
    assert main(["info", str(path)]) == 0
    assert "whole, 1 damaged chunks left out" in capsys.readouterr().out


def test_repair_gives_a_whole_file_with_an_index(recording, tmp_path, capsys):
    """What can be read is in it; a library of others finds its end."""
    path, _, _ = recording
    broken, mended = tmp_path / "broken.mcap", tmp_path / "mended.mcap"
    broken.write_bytes(path.read_bytes()[:-2000])
    assert main(["info", str(broken), "--repair", str(mended)]) == 0
    assert "broken off" in capsys.readouterr().out
    with open(mended, "rb") as file:
        assert make_reader(file).get_summary().statistics.message_count == summary_of(mended).counts.total()
    assert summary_of(mended).whole and summary_of(mended).counts == summary_of(broken).counts
    assert summary_of(mended).metadata["zerog"] == summary_of(path).metadata["zerog"]
    with pytest.raises(RecordingError, match="there already"):
        repair(broken, mended)


def test_info_and_export_say_what_is_there(recording, tmp_path, capsys):
    """Rates, losses, version; flat tables with units and seconds; arrays by channel and column."""
    path, told, _ = recording
    assert main(["info", str(path)]) == 0
    text = capsys.readouterr().out
    assert "whole" in text and "2 of impulse" in text and "/cycle" in text
    assert main(["export", str(path), "--csv", str(tmp_path / "csv")]) == 0
    head = (tmp_path / "csv" / "robot_state.csv").read_text(encoding="utf-8").splitlines()[0]
    assert head.startswith("t_s,") and "q_measured_a7_rad" in head and "delay_s" in head
    assert not set("[] ") & set(head)
    assert main(["export", str(path), "--csv", str(tmp_path / "csv")]) == 2
    assert "not empty" in capsys.readouterr().err
    write_npz(path, tmp_path / "all.npz")
    with np.load(tmp_path / "all.npz") as arrays:
        expected = np.concatenate([msg.q_command for _, _, msg in told if isinstance(msg, CycleBlock)])
        found = [arrays[f"cycle/q_command_a{joint}_rad"] for joint in range(1, 8)]
        assert np.array_equal(np.column_stack(found), expected)
        rows = [len(msg.slices) for _, _, msg in told if isinstance(msg, SimState)]
        assert all(arrays[name].ndim == 1 for name in arrays.files)
        assert arrays["sim_state/slices_rows"].tolist() == rows
    assert read_columns(path)[1]["/plan"]["nodes"].tolist() == [
        len(msg.q) for _, _, msg in told if isinstance(msg, Plan)
    ]


@pytest.mark.parametrize("command", [["info"], ["export", "--npz", "out.npz"]])
def test_what_is_no_recording_is_one_clear_line(command, tmp_path, capsys):
    """Missing, foreign, another program's."""
    foreign, missing = tmp_path / "foreign.mcap", tmp_path / "missing.mcap"
    foreign.write_text("nothing of the kind", encoding="utf-8")
    other = tmp_path / "other.mcap"
    McapFile(other, 0, {"another": {"program": "x"}}).close()
    lines = {foreign: "does not begin as an MCAP file", missing: "No such file", other: "of this program"}
    for path, words in lines.items():
        if command[0] == "export" and path is other:
            continue
        assert main([command[0], str(path), *command[1:]]) == 2
        assert words in capsys.readouterr().err


def test_another_versions_messages_are_refused(recording, tmp_path, monkeypatch):
    """Never read as what they are not."""
    path, _, _ = recording
    monkeypatch.setattr(coder_of(ImpulseSlice), "schema", b"another")
    with pytest.raises(RecordingError, match="another version"):
        list(messages(path, "/impulse"))


def test_the_head_tells_configuration_units_and_clock(recording):
    """As it was resolved, with what stood in for the file's values."""
    path, _, c = recording
    metadata = summary_of(path).metadata
    assert metadata["configuration"]["object.mass"] == f"{c.object.mass:.6g}"
    assert metadata["units"]["Cycle.q_command"] == "rad"
    assert json.loads(metadata["zerog"]["settings"]) == ["a=1"]
    assert int(metadata["zerog"]["clock_offset_ns"]) == OFFSET_NS
