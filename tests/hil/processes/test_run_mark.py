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
