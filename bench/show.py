"""What showing a large recording costs: an hour at 1 kHz, copied from some seconds of the lock-step loop.

    python -m bench.show [--minutes 60] [--picture OUT.png] [--json OUT.json]

The copies are whole chunks whose log times are moved on; the instants within the messages are not, so that
of a later copy nothing is drawn: it is read, cut and decoded all the same. Times are those of the processor,
in a process of its own; only the opening is told by the wall clock.
"""

import argparse
import multiprocessing
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from socket import SOCK_STREAM

import numpy as np
import zstandard
from mcap.opcode import Opcode

from bench.chromium import browser, open_dashboard, until
from bench.report import Row, print_rows, write_rows
from hil.common.formats.mcap_chunks import McapChunks
from hil.common.formats.mcap_frames import HEAD
from hil.common.free_port import free_port
from hil.configuration.loading import accept
from hil.dashboard.showing.main import Showing
from hil.loop.lockstep import LockStep
from hil.recording.lockstep_file import lockstep_recorder

CUBE = Path(__file__).resolve().parents[1] / "configs" / "cube.toml"
SETTINGS = ["fri.sample_time_ms=1", "operator.random.first_s=1.0"]
SEED_S = 10.0  # of the loop, which the hour is made of
LOG_TIME = HEAD + 6  # where a message has its log time
UP_TO_NOW = """() => {
  const inner = document.getElementById("drawing").contentWindow;
  const [times] = Object.values(inner.__viserTestpoints.uplots)[0].chart.data;
  return times.length > 20 && times.length < 200 && times[times.length - 1] > -0.1;
}"""
SEEKS, TICK_S, PLAYED_S = 20, 0.05, 5.0


def seed(path: Path) -> None:
    """Record some seconds at 1 kHz."""
    accepted = accept(CUBE, SETTINGS)
    recorder = lockstep_recorder(path, accepted.configuration, accepted.text, SETTINGS)
    LockStep(accepted.configuration, None, recorder.take).run(SEED_S)
    recorder.end({})


def copies(file: McapChunks, data: bytes, count: int) -> Iterator[bytes]:
    """Yield the chunks of a file again and again, each time later."""
    length_ns = max(p.end_ns for p in file.chunks) - min(p.begin_ns for p in file.chunks) + 1_000_000
    bodies = []
    for number, place in enumerate(file.chunks):
        body = np.frombuffer(file._unpacked(number), np.uint8).copy()
        bodies.append((body, message_times(body.tobytes()), place, data[place.frame.begin : place.frame.end]))
    packer = zstandard.ZstdCompressor()
    for copy in range(1, count):
        for body, where, place, _ in bodies:
            moved = body.copy()
            moved[where] = (body[where].copy().view("<u8") + np.uint64(copy * length_ns)).view(np.uint8)
            raw = moved.tobytes()
            packed = packer.compress(raw)
            times = place.begin_ns + copy * length_ns, place.end_ns + copy * length_ns
            content = struct.pack("<QQQII", *times, len(raw), zlib.crc32(raw), 4) + b"zstd"
            content += struct.pack("<Q", len(packed)) + packed
            yield struct.pack("<BQ", Opcode.CHUNK, len(content)) + content


def message_times(body: bytes) -> np.ndarray:
    """Return where in a chunk's records the log times of messages are, shape (n, 8)."""
    found, at = [], 0
    while at + HEAD <= len(body):
        opcode, size = struct.unpack_from("<BQ", body, at)
        if opcode == Opcode.MESSAGE:
            found.append(at + LOG_TIME)
        at += HEAD + size
    return np.array(found)[:, None] + np.arange(8)


def make(path: Path, minutes: float) -> None:
    """Write the long recording."""
    beside = path.with_suffix(".seed")
    seed(beside)
    file, data = McapChunks(beside), beside.read_bytes()
    end = file.chunks[-1].frame.end
    with path.open("wb") as out:
        out.write(data[:end])
        for chunk in copies(file, data, round(60.0 * minutes / SEED_S)):
            out.write(chunk)
        out.write(data[end:])


def anonymous_mib() -> float:
    """Return the memory that this process has written [MiB]; what it maps of a file does not count."""
    text = Path("/proc/self/smaps_rollup").read_text(encoding="ascii")
    return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Private_Dirty")) / 1024


def measured(path: Path) -> list[Row]:
    """Open, seek, play and look through a recording."""
    before = anonymous_mib()
    begin = time.perf_counter()
    showing = Showing(path)
    showing.turn(0.0, watched=True)
    opening = time.perf_counter() - begin
    showing.obey("pause", {}, 0)
    now, moments, whole = 0.0, [], []
    rng = np.random.default_rng(1)
    for t in rng.uniform(20.0, showing.player.length - 20.0, SEEKS):
        showing.obey("seek", {"t_s": float(t)}, 0)
        now += 1e-3
        for found, wait in ((moments, 1e-3), (whole, 1.0)):
            now += wait
            begin = time.process_time()
            showing.turn(now, watched=True)
            found.append(time.process_time() - begin)
    shares = {speed: played(showing, speed) for speed in (1.0, 10.0)}
    looking, begin = showing._looking, time.process_time()
    already = looking.share
    while not looking.timeline.complete:
        looking.turn(1.0)
    through = (time.process_time() - begin) / max(1e-9, 1.0 - already)
    return [
        Row("size of the recording", path.stat().st_size / 1e9, None, "GB"),
        Row("its length", showing.player.length / 60.0, None, "min"),
        Row("until it is open, by the wall clock", opening, 5.0, "s"),
        Row("a seek: the moment, median", 1e3 * float(np.median(moments)), 100.0, "ms"),
        Row("a seek: its curves, median", float(np.median(whole)), 1.0, "s"),
        Row("played at 1x: of a core, without the drawing", shares[1.0], 0.3, ""),
        Row("played at 10x: of a core, without the drawing", shares[10.0], 1.0, ""),
        Row("looking through all of it", through, 120.0, "s"),
        Row("memory that showing it adds", anonymous_mib() - before, 400.0, "MiB"),
    ]


def played(showing: Showing, speed: float) -> float:
    """Return which share of a core playing takes, by the time that it takes for what it shows."""
    showing.obey("speed", {"factor": speed}, 0)
    showing.obey("seek", {"t_s": 30.0}, 0)
    showing._looking.timeline.complete = True  # is measured on its own
    showing.turn(1e6, watched=True)
    showing.turn(1e6 + 1.0, watched=True)
    showing.obey("play", {}, 0)
    begin = time.process_time()
    for tick in range(round(PLAYED_S / TICK_S)):
        showing.turn(1e6 + 1.0 + (tick + 1) * TICK_S, watched=True)
    spent = time.process_time() - begin
    showing.obey("pause", {}, 0)
    showing._looking.timeline.complete = False
    return spent / PLAYED_S


def picture(recording: Path, path: Path) -> None:
    """Show a recording to a browser and keep what it sees half a second after its first push."""
    command = [sys.executable, "-m", "hil", "show", str(recording), "--port", str(free_port(SOCK_STREAM))]
    popen = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert popen.stdout is not None
        address = popen.stdout.readline().split()[-1]
        with browser() as chromium:
            page = chromium.new_context(viewport={"width": 1280, "height": 800}).new_page()
            open_dashboard(page, address)
            until(page, "player.told && player.told.looked === 1")
            page.evaluate("send({ verb: 'pause' })")
            until(page, "!player.told.playing")
            page.evaluate("seek(0)")
            until(page, "player.told.t_s === 0")
            page.evaluate("jump('push', false)")
            until(page, "player.told.t_s > 0")
            page.keyboard.press("ArrowRight")
            until(page, UP_TO_NOW)
            page.wait_for_timeout(2000)
            page.screenshot(path=path)
    finally:
        popen.terminate()
        popen.wait()


def main() -> None:
    """Make the recording, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60.0, help="of the recording")
    parser.add_argument("--picture", type=Path, metavar="OUT.png", help="draw the page, and measure nothing")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.mcap"
        if options.picture is not None:
            seed(path)
            picture(path, options.picture)
            return
        make(path, options.minutes)
        with multiprocessing.get_context("spawn").Pool(1) as other:
            rows = other.apply(measured, (path,))
    print_rows(rows)
    if options.json is not None:
        write_rows(options.json, rows)


if __name__ == "__main__":
    main()
