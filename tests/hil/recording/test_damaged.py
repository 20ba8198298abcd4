"""Damaged recordings: wherever the damage lies, every whole chunk is read, and nothing is a traceback.

Which chunks are whole is told by another library's index of the undamaged file.
"""

import random
import shutil
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from mcap.data_stream import ReadDataStream
from mcap.reader import make_reader
from mcap.records import Chunk, Message
from mcap.stream_reader import breakup_chunk

from hil.commands.cli import main
from hil.common.errors import RecordingError
from hil.common.formats.mcap_records import Damaged, mcap_records
from hil.configuration import load_configuration
from hil.messaging.messages import ImpulseSlice, Mode, SimState
from hil.messaging.topics import TOPICS
from hil.recording.columns import read_columns
from hil.recording.mcap_file import FLUSH_NS, McapFile
from hil.recording.reading import summary_of
from hil.recording.recorder import Recorder, head_of
from hil.recording.repair import repair
from tests.hil.recording.test_recording import CUBE, OFFSET_NS, made

PAGE = 4096
CHUNKS = 6
PICTURES = ("/tf", "/object", "/scene")


class Written:
    """A whole recording: its bytes, where its chunks lie and what is in each."""

    def __init__(self, path: Path) -> None:
        self.path, self.data = path, path.read_bytes()
        with open(path, "rb") as file:
            summary = make_reader(file).get_summary()
        assert summary is not None
        self.chunks = [
            (i.chunk_start_offset, i.chunk_start_offset + i.chunk_length) for i in summary.chunk_indexes
        ]
        self.summary_at = self.chunks[-1][1]
        self.inside = [
            [
                m
                for m in breakup_chunk(Chunk.read(ReadDataStream(BytesIO(self.data[a + 9 : b]))))
                if is_message(m)
            ]
            for a, b in self.chunks
        ]

    def whole(self, begin: int, end: int) -> list[tuple]:
        """The messages of all chunks outside of [begin, end)."""
        pairs = zip(self.chunks, self.inside, strict=True)
        return [said(m) for (a, b), inside in pairs if b <= begin or a >= end for m in inside]


def is_message(record: object) -> bool:
    return isinstance(record, Message)


def said(m: Message) -> tuple:
    return m.channel_id, m.sequence, m.log_time, m.data


def read(path: Path) -> list[tuple]:
    return [said(m) for m in mcap_records(path) if isinstance(m, Message)]


def holds(found: list[tuple], wanted: list[tuple]) -> bool:
    """Whether all that is wanted stands in what was found, in that order."""
    rest = iter(found)
    return all(item in rest for item in wanted)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """Six chunks of three topics, the last of which comes late."""
    path = tmp_path_factory.mktemp("damaged") / "run.mcap"
    c, rng = load_configuration(CUBE), np.random.default_rng(5)
    file = McapFile(path, OFFSET_NS, head_of(c, CUBE.read_text(encoding="utf-8"), [], OFFSET_NS))
    recorder = Recorder(file, c)
    recorder.begin(0)
    topics = {"impulse": ImpulseSlice, "sim_state": SimState, "mode": Mode}
    for n in range(CHUNKS):
        for k in range(20):
            for topic in topics if n > 2 else ("impulse", "sim_state"):
                t_ns = n * 1_000_000_000 + k * 10_000_000
                recorder.take(topic, made(TOPICS[topic].message, rng, t_ns=t_ns), 20 * n + k)
        file._flushed_ns = -2 * FLUSH_NS
        file.turn(0)
    recorder.end({})
    return Written(path)


def damages(written: Written, count: int) -> Iterator[tuple[int, int, bytes]]:
    """Flipped bits, other bytes, zeroed pages and cuts; many where records begin and end."""
    rng, data = random.Random(7), written.data
    edges = [
        0,
        8,
        len(data) - 8,
        len(data) - 37,
        written.summary_at,
        *(x for ab in written.chunks for x in ab),
    ]
    for n in range(count):
        at = rng.randrange(len(data))
        if n % 2:
            at = min(max(rng.choice(edges) + rng.randrange(-30, 40), 0), len(data) - 1)
        spoiled, begin, end = bytearray(data), at, at + 1
        if n % 4 == 0:
            spoiled[at] ^= 1 << rng.randrange(8)
        elif n % 4 == 1:
            spoiled[at] = rng.randrange(256)
        elif n % 4 == 2:
            begin, end = at // PAGE * PAGE, min(at // PAGE * PAGE + PAGE, len(data))
            spoiled[begin:end] = bytes(end - begin)
        else:
            del spoiled[at:]
            end = len(data)
        yield begin, end, bytes(spoiled)


def test_every_whole_chunk_is_read_wherever_the_damage_lies(written: Written, tmp_path: Path) -> None:
    """Four hundred damages in header, head, chunks, indices, summary, footer and magic."""
    path = tmp_path / "spoiled.mcap"
    for begin, end, data in damages(written, 400):
        path.write_bytes(data)
        wanted = written.whole(begin, end)
        try:
            found = read(path)
        except RecordingError:
            assert not wanted, (begin, end)
            continue
        assert holds(found, wanted), (begin, end)
        assert len(found) <= sum(map(len, written.inside)), (begin, end)


def test_every_byte_of_small_records_may_be_spoiled(written: Written, tmp_path: Path) -> None:
    """Each byte about the ends of chunks, of the header, of the footer: no chunk beside it is lost."""
    path = tmp_path / "spoiled.mcap"
    a, b = written.chunks[2]
    places = [
        *range(0, 40),
        *range(a - 12, a + 50),
        *range(b - 4, b + 24),
        *range(len(written.data) - 40, len(written.data)),
    ]
    for at in places[::2]:
        spoiled = bytearray(written.data)
        spoiled[at] ^= 0xFF
        path.write_bytes(spoiled)
        assert holds(read(path), written.whole(at, at + 1)), at


def test_what_is_lost_is_counted(
    written: Written, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One chunk of six: its messages by its own indices, told by `info`; the rest is repaired and read."""
    path, mended = tmp_path / "spoiled.mcap", tmp_path / "mended.mcap"
    a, b = written.chunks[3]
    spoiled = bytearray(written.data)
    spoiled[(a + b) // 2] ^= 1
    path.write_bytes(spoiled)
    summary = summary_of(path)
    assert (summary.damaged, summary.spoiled, summary.unread) == (1, 0, len(written.inside[3]))
    assert main(["info", str(path), "--repair", str(mended)]) == 0
    assert (
        f"1 damaged chunks left out, at least {len(written.inside[3])} messages lost"
        in capsys.readouterr().out
    )
    wanted = [item[1:] for item in written.whole(a, b)]
    assert [item[1:] for item in read(mended)] == wanted
    assert "1 damaged chunks" in summary_of(mended).metadata["repaired"]["left_out"]
    assert "a repaired copy (1 damaged" in summary_of(mended).damage and summary_of(mended).holed
    assert sum(len(columns["t_ns"]) for columns in read_columns(path)[1].values()) == sum(
        count for name, count in summary.counts.items() if name not in PICTURES
    )


def test_channels_are_known_without_the_chunk_that_names_them(written: Written, tmp_path: Path) -> None:
    """Neither the first chunk nor an end: what stands beside the chunks is enough."""
    path = tmp_path / "spoiled.mcap"
    a, b = written.chunks[0]
    spoiled = bytearray(written.data[: written.summary_at - 100])
    spoiled[a + 60 : b] = bytes(b - a - 60)
    path.write_bytes(spoiled)
    found, wanted = read(path), written.whole(a, b)
    cut = [said(m) for m in written.inside[-1]]
    assert holds(found, [item for item in wanted if item not in cut]) and len(wanted) > 100


def test_a_spoiled_head_is_never_believed(written: Written, tmp_path: Path) -> None:
    """A letter of the configuration: the copy at the end is taken; without one nothing is said of the run."""
    at = written.data.index(b"mass_kg")
    spoiled = bytearray(written.data)
    spoiled[at] ^= 1
    path = tmp_path / "spoiled.mcap"
    path.write_bytes(spoiled)
    assert summary_of(path).spoiled == 1
    assert summary_of(path).head == summary_of(written.path).head
    path.write_bytes(spoiled[: written.chunks[-1][0]])
    summary = summary_of(path)
    assert summary.head == {} and "the head" in summary.damage and summary.counts["/impulse"] > 50


def test_nothing_is_told_of_a_whole_one(
    written: Written, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its tables are whole."""
    path = tmp_path / "whole.mcap"
    path.write_bytes(written.data)
    assert main(["export", str(path), "--npz", str(tmp_path / "all.npz")]) == 0
    assert not capsys.readouterr().err


@pytest.mark.parametrize("where", ["head", "first chunk", "chunk", "index", "summary", "magic", "cut"])
def test_no_command_ends_in_a_traceback(
    written: Written, tmp_path: Path, where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Info with repair, export in its forms, report and replay."""
    a, b = written.chunks[0 if where == "first chunk" else 3]
    spoiled = bytearray(written.data)
    place = {
        "head": 300, "first chunk": (a + b) // 2, "chunk": a + 1, "index": b + 1,
        "summary": written.summary_at + 4000, "magic": 2, "cut": 0,
    }[where]  # fmt: skip
    spoiled[place] ^= 0xFF
    path = tmp_path / "spoiled.mcap"
    path.write_bytes(spoiled[: (a + b) // 2] if where == "cut" else spoiled)
    shutil.rmtree(tmp_path / "csv", ignore_errors=True)
    out = {name: str(tmp_path / name) for name in ("mended.mcap", "csv", "all.npz", "w.csv", "r.html")}
    assert main(["info", str(path), "--repair", out["mended.mcap"]]) == 0
    capsys.readouterr()
    assert main(["export", str(path), "--csv", out["csv"]]) == 0
    told = capsys.readouterr().err  # tables do not look as if they were whole
    assert told.startswith(f"zerog: {path}: ") and told.endswith(": what can be read is written\n")
    assert ("broken off" in told) == (where == "cut")
    assert main(["export", str(path), "--npz", out["all.npz"]]) == 0
    assert main(["export", str(path), "--wrench", out["w.csv"]]) == 2  # it has no cycles
    assert main(["report", str(path), "-o", out["r.html"]]) in (0, 1, 2)
    assert main(["replay", str(path), "--one-process"]) == 2  # and no inputs


def test_an_undamaged_recording_has_no_damage(written: Written, tmp_path: Path) -> None:
    """Nothing is said to be damaged, and repair changes no message."""
    assert not any(isinstance(record, Damaged) for record in mcap_records(written.path))
    assert summary_of(written.path).damage == "" and summary_of(written.path).whole
    mended = tmp_path / "mended.mcap"
    assert repair(written.path, mended) == sum(map(len, written.inside))
    assert [m[1:] for m in read(mended)] == [m[1:] for m in read(written.path)]


def test_what_stands_behind_the_end_is_told(written: Written, tmp_path: Path) -> None:
    """Another recording glued to it, or junk: all of the first is read, and how much is not is said."""
    for behind in (written.data, b"junk" * 9, bytes(70_000)):
        path = tmp_path / "glued.mcap"
        path.write_bytes(written.data + behind)
        summary = summary_of(path)
        assert summary.whole and summary.damaged == summary.spoiled == 0
        assert summary.damage == f"{len(behind)} bytes behind its end, of another file perhaps, left out"
        assert read(path) == read(written.path)
