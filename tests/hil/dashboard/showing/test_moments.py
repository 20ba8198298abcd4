"""A recording by time, beside the reader that goes through it from the beginning."""

import itertools
import shutil
from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import RecordingError
from hil.common.formats.mcap_chunks import McapChunks
from hil.dashboard.showing.projector import CHANNELS
from hil.messaging.messages import Mode
from hil.recording.mcap_file import Channel, McapFile
from hil.recording.moments import KEPT_CHUNKS, Moments
from hil.recording.protobuf import coder_of
from hil.recording.reading import messages, summary_of
from hil.recording.recorder import channel
from tests.hil.dashboard.showing.recorded import ns


def told(path: Path, channel: str) -> list[tuple[int, bytes]]:
    """All messages of a channel by the other reader, in the order of their times."""
    found = [(msg.t_ns, coder_of(type(msg)).encode(msg)) for _, _, msg in messages(path, channel)]
    return sorted(found, key=lambda row: row[0])


def found(moments: Moments, channel: str, begin_ns: int, end_ns: int) -> list[tuple[int, bytes]]:
    """The same by time."""
    rows = moments.between(begin_ns, end_ns, channel)[channel]
    return list(zip(rows.t_ns, rows.data, strict=True))


@pytest.mark.parametrize("channel", ["/cycle", "/truth", "/sim_state", "/mode", "/impulse", "/robot_state"])
def test_any_stretch_is_what_the_other_reader_tells(recording: Path, channel: str) -> None:
    """Stretches drawn by chance, and joined ones: every message once, at its time, to the byte."""
    moments, every = Moments(recording, CHANNELS), told(recording, channel)
    assert moments.chunks >= 8, "the recording is one of many chunks"
    rng = np.random.default_rng(3)
    for begin, end in np.sort(rng.uniform(-0.5, 7.5, (20, 2)), axis=1):
        wanted = [row for row in every if ns(begin) < row[0] <= ns(end)]
        assert found(moments, channel, ns(begin), ns(end)) == wanted
    edges = [ns(t) for t in np.linspace(-1.0, 8.0, 30)]
    joined = [found(moments, channel, a, b) for a, b in itertools.pairwise(edges)]
    assert [row for part in joined for row in part] == every


def test_the_span_is_that_of_the_messages(recording: Path) -> None:
    """Begin and end as the summary of all has them."""
    moments, summary = Moments(recording, CHANNELS), summary_of(recording)
    assert (moments.begin_ns, moments.end_ns) == (summary.begin_ns, summary.end_ns)
    assert moments.summary.head == summary.head and moments.summary.whole


def test_the_last_before_an_instant(recording: Path) -> None:
    """The newest order at an instant, or none where none is recent enough."""
    moments, every = Moments(recording, CHANNELS), told(recording, "/mode")
    before = [row for row in every if row[0] <= ns(3.21)][-1]
    last = moments.last(ns(3.21), "/mode", 10**9)
    assert last is not None and coder_of(Mode).encode(last) == before[1]
    assert moments.last(ns(-2.0), "/mode", 10**9) is None


def test_no_more_is_kept_than_there_is_room_for(recording: Path) -> None:
    """Going to and fro over a recording keeps so many chunks and no more."""
    moments = Moments(recording, CHANNELS)
    moments._spans = moments._spans * 5
    moments._sound = np.tile(moments._sound, 5)
    moments._file.chunks = moments._file.chunks * 5
    for number in range(moments.chunks):
        moments.chunk(number)
    assert moments.chunks > KEPT_CHUNKS and len(moments._open) == KEPT_CHUNKS


def test_a_damaged_chunk_is_left_out_and_told(recording: Path, tmp_path: Path) -> None:
    """A flipped byte in a chunk: its messages are missing, all others are there, and its number is noted."""
    path = tmp_path / "damaged.mcap"
    shutil.copy(recording, path)
    file = McapChunks(path)
    frame = file.chunks[4].frame
    lost = {
        raw.log_ns for raw in file.messages(4, [n for n, c in file.channels.items() if c.topic == "/cycle"])
    }
    file.close()
    data = bytearray(path.read_bytes())
    data[(frame.begin + frame.end) // 2] ^= 0x40
    path.write_bytes(data)
    moments = Moments(path, CHANNELS)
    seen = [t for t, _ in found(moments, "/cycle", 0, ns(99.0))]
    assert moments.damaged == {4} and lost
    assert seen == [t for t, _ in told(recording, "/cycle") if t not in lost]


def test_a_recording_that_was_broken_off(recording: Path, tmp_path: Path) -> None:
    """Cut within a chunk: what is before it can be read, and it is said that the end is missing."""
    path = tmp_path / "broken.mcap"
    file = McapChunks(recording)
    frame = file.chunks[6].frame
    path.write_bytes(recording.read_bytes()[: (frame.begin + frame.end) // 2])
    moments = Moments(path, CHANNELS)
    assert not moments.summary.whole and moments.chunks == 6
    every = [row for row in told(recording, "/mode") if row[0] <= moments.end_ns]
    assert found(moments, "/mode", 0, ns(99.0)) == every and every


def test_without_its_head(recording: Path, tmp_path: Path) -> None:
    """The first kilobyte zeroed: the channels stand elsewhere too, and it is read all the same."""
    path = tmp_path / "headless.mcap"
    path.write_bytes(bytes(1000) + recording.read_bytes()[1000:])
    moments = Moments(path, CHANNELS)
    assert moments.summary.spoiled and moments.summary.head
    assert found(moments, "/mode", 0, ns(99.0))


def test_refused(recording: Path, tmp_path: Path) -> None:
    """No file, an empty one, no MCAP file, one with nothing in it: each in one line that names it."""
    for name, data, why in (
        ("empty", b"", "it is empty"),
        ("text", b"t,x\n1,2\n" * 99, "no recording"),
        ("head", recording.read_bytes()[:300], "no recording of this program|nothing in it"),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(RecordingError, match=why) as refusal:
            Moments(path, CHANNELS)
        assert name in str(refusal.value) and "\n" not in str(refusal.value)
    with pytest.raises(RecordingError, match="cannot be read"):
        Moments(tmp_path / "away", CHANNELS)


def test_another_version_is_told_in_words(recording: Path, tmp_path: Path) -> None:
    """Where a message has other fields than ours, the remedy is told."""
    path = tmp_path / "other.mcap"
    ours = channel("/mode", Mode)
    file = McapFile(path, 0, {"zerog": dict(Moments(recording, CHANNELS).summary.head)})
    file.write(Channel(ours.name, ours.schema_name, ours.schema.replace(b"epoch", b"epocx")), 5, b"")
    file.close()
    with pytest.raises(RecordingError, match=r"another version of this program.*zerog info"):
        Moments(path, CHANNELS)
