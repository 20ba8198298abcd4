"""A live run that is recorded: nothing is lost, and nothing that happens to the recorder reaches the arm."""

import itertools
import os
import resource
import signal
import time
from pathlib import Path

import pytest
from mcap.reader import make_reader

from bench.live_run import LiveRun
from hil.recording.reading import messages, summary_of
from hil.recording.replaying.runner import in_one_process

ENDED = (0, 1)  # 1: a machine without a breath to spare has braked the arm; the recording is as whole


@pytest.fixture
def recorded(tmp_path):
    """Start a floating run that is recorded, and end it."""
    runs = []

    def start(name: str) -> tuple[LiveRun, Path]:
        path = tmp_path / f"{name}.mcap"
        run = LiveRun(tmp_path / name, "--record", str(path))
        runs.append(run)
        run.wait_floating()
        return run, path

    yield start
    for run in runs:
        run.close()


def goes_on(run: LiveRun) -> None:
    """The arm follows, and the driver answers packets, though the recorder has ended."""
    before = run.status()["cycles"]
    run.wait(lambda: run.status()["cycles"] > before + 100)
    assert run.status()["state"] == "FLOATING"


def test_a_run_is_recorded_from_start_to_end(recorded) -> None:
    """Every cycle and every push, without a hole; the file has its index, and its replay is the same."""
    run, path = recorded("whole")
    assert run.ask("thresholds", floor_n_per_s=300.0).accepted
    assert run.ask("push", force_n=[20.0, 0.0, 0.0], duration_ms=100.0).accepted
    run.wait(lambda: run.status()["pushes"] == 1)
    assert run.ask("disturb", loss=0.02, seconds=0.5).accepted
    assert run.ask("stop").accepted and run.ask("reset").accepted
    run.wait(lambda: run.status()["state"] == "READY")
    assert run.ask("float", velocity_mm_s=[0.0, 20.0, 0.0]).accepted
    time.sleep(1.0)
    run.popen.send_signal(signal.SIGINT)
    assert run.popen.wait(20.0) in ENDED, run.text
    summary = summary_of(path)
    assert summary.whole and summary.lost == {}
    for channel in ("/cycle", "/truth", "/impulse", "/robot_state", "/sim_state", "/plan", "/mode"):
        counts = [count for _, count, _ in messages(path, channel)]
        steps = {later - count for count, later in itertools.pairwise(counts)}
        assert counts and steps <= {0, 1}, f"{channel}: rows of one block have one count, and none is missing"
    for verdict in in_one_process(path, lambda core, turns: None):
        assert verdict.same and not verdict.notes, f"{verdict.core}: {verdict.first} {verdict.notes}"
    assert {"/tf", "/scene", "/object", "/plan", "/plan_path", "/mode", "/truth"} <= set(summary.counts)


def test_a_recorder_that_is_killed_leaves_a_file_and_a_moving_arm(recorded) -> None:
    """All but the last second can be read; the run says that its recorder has ended."""
    run, path = recorded("killed")
    time.sleep(2.5)
    os.kill(run.pid("recorder"), signal.SIGKILL)
    run.wait(lambda: "the recorder has ended" in run.text)
    goes_on(run)
    summary = summary_of(path)
    assert not summary.whole and summary.counts["/cycle"] > 200


def test_a_full_disk_ends_the_recording_and_not_the_run(recorded) -> None:
    """Said with the reason; what was written before is readable."""
    run, path = recorded("full")
    run.wait(lambda: path.stat().st_size > 50_000)
    room = path.stat().st_size + 20_000
    resource.prlimit(run.pid("recorder"), resource.RLIMIT_FSIZE, (room, room))
    run.wait(lambda: f"{path} cannot be written: File too large" in run.text)
    goes_on(run)
    assert summary_of(path).counts["/cycle"] > 0


def test_a_file_that_is_there_already_is_refused_before_anything_starts(tmp_path) -> None:
    """Exit status 2 and one line; the file is as it was."""
    path = tmp_path / "there.mcap"
    path.write_bytes(b"kept")
    run = LiveRun(tmp_path / "run", "--record", str(path))
    assert run.popen.wait(20.0) == 2
    assert "it is there already" in run.text and path.read_bytes() == b"kept"


def test_a_recorder_that_stands_still_for_seconds_loses_nothing(recorded) -> None:
    """Its sockets have room: what came meanwhile is written when it goes on."""
    run, path = recorded("paused")
    os.kill(run.pid("recorder"), signal.SIGSTOP)
    time.sleep(5.0)
    os.kill(run.pid("recorder"), signal.SIGCONT)
    time.sleep(0.5)
    run.popen.send_signal(signal.SIGINT)
    assert run.popen.wait(20.0) in ENDED, run.text
    summary = summary_of(path)
    assert summary.whole and summary.lost == {}
    stamps = [msg.t_ns for _, _, msg in messages(path, "/mode")]
    assert max(b - a for a, b in itertools.pairwise(stamps)) < 1_000_000_000
    with open(path, "rb") as file:
        assert make_reader(file).get_summary() is not None
