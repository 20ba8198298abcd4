"""The mark that a run goes on, and where what outlives it lies."""

from pathlib import Path

from hil.common.state_directory import state_directory
from hil.processes.supervisor.run_mark import RunMark


def test_a_mark_that_was_left_raises_doubt(tmp_path: Path) -> None:
    """Killed: the next start in the same run-time directory doubts, one elsewhere does not."""
    state, bus = tmp_path / "state", tmp_path / "bus"
    assert not RunMark(state, bus).doubt
    assert "no orderly end" in RunMark(state, bus).doubt
    assert not RunMark(state, tmp_path / "other").doubt
    again = RunMark(state, bus)
    again.remove()
    assert not RunMark(state, bus).doubt


def test_a_run_that_ended_in_fault_tells_why_and_floats_again(tmp_path: Path) -> None:
    """Ended in FAULT by its operator or by its duration: told with the reason, told apart, and no doubt."""
    said = []
    for how in ("fault", "over"):
        RunMark(tmp_path, tmp_path).ended(how, "the planner process\nhas been silent for 1.0 s")
        mark = RunMark(tmp_path, tmp_path)
        assert not mark.doubt and mark.last.endswith(": the planner process has been silent for 1.0 s")
        assert "power cut" not in mark.last
        said.append(mark.last)
        mark.remove()
    assert "duration" not in said[0] and "duration" in said[1]
    assert RunMark(tmp_path, tmp_path).last == ""


def test_a_run_that_failed_raises_doubt_and_tells_why(tmp_path: Path) -> None:
    """A failure in which the arm may have moved: nothing floats by itself, and no power cut is claimed."""
    RunMark(tmp_path, tmp_path).ended("failed", "the sim is given up")
    mark = RunMark(tmp_path, tmp_path)
    assert mark.doubt == mark.last == "the last run failed: the sim is given up"


def test_a_mark_that_was_cut_off_raises_doubt(tmp_path: Path) -> None:
    """The power cut while a mark was written: whatever is left of it, nobody knows how the run ended."""
    for left in ("", "process 7 in /bus", "process 7 in /bus\n", "process 7 in /bus\nov", "\n\n\x00"):
        RunMark(tmp_path, tmp_path)
        (file,) = tmp_path.iterdir()
        file.write_text(left)
        assert "no orderly end" in RunMark(tmp_path, tmp_path).doubt


def test_a_mark_that_cannot_be_written_raises_doubt(tmp_path: Path) -> None:
    """Without a state directory nobody knows how the last run ended."""
    (tmp_path / "file").write_text("")
    mark = RunMark(tmp_path / "file", tmp_path)
    assert "cannot be written" in mark.doubt
    mark.remove()


def test_where_state_lives() -> None:
    """Configured, then systemd's, then the user's folder; always one of them."""
    service = {"STATE_DIRECTORY": "/var/lib/zerog:/x", "XDG_STATE_HOME": "/s", "HOME": "/h"}
    assert state_directory("/mine", service) == Path("/mine")
    assert state_directory("", service) == Path("/var/lib/zerog")
    assert state_directory("", {"XDG_STATE_HOME": "/s", "HOME": "/h"}) == Path("/s/zerog")
    assert state_directory("", {"HOME": "/h"}) == Path("/h/.local/state/zerog")
    assert state_directory("", {}).is_absolute()
