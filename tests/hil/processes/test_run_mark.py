"""The mark that a run goes on, and where what outlives it lies."""

import os
import tempfile
from pathlib import Path

import pytest

from hil.common.private_folder import is_private, private_folder
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


def test_where_state_lives(tmp_path: Path) -> None:
    """Configured, then systemd's, then the user's folder; what is kept in these lasts."""
    home, state, service = (str(tmp_path / name) for name in ("h", "s", "v"))
    told = {"STATE_DIRECTORY": f"{service}:/x", "XDG_STATE_HOME": state, "HOME": home}
    for configured, environment, place in (
        (str(tmp_path / "mine"), told, tmp_path / "mine"),
        ("", told, Path(service)),
        ("", {"XDG_STATE_HOME": state, "HOME": home}, Path(state) / "zerog"),
        ("", {"HOME": home}, Path(home) / ".local/state/zerog"),
    ):
        found = state_directory(configured, environment)
        assert (found.path, found.forgets, found.stands_in) == (place, "", False)


@pytest.mark.parametrize(
    "environment", [{}, {"HOME": ""}, {"HOME": "/proc/none"}, {"XDG_STATE_HOME": "/dev/null"}]
)
def test_without_a_home_state_is_private_and_known_not_to_last(
    environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lies among the temporary files, shut to all others, is found again, and says that it may be lost."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    found = state_directory("", environment)
    assert found.stands_in and "does not outlive" in found.forgets and "\n" not in found.forgets
    assert found.path.parent == tmp_path and found.path.stat().st_mode & 0o777 == 0o700
    assert state_directory("", environment).path == found.path


def test_a_configured_place_that_cannot_be_written_is_told_and_nothing_stands_in(tmp_path: Path) -> None:
    """Who names a folder is told that it cannot be, by the key."""
    (tmp_path / "file").touch()
    found = state_directory(str(tmp_path / "file" / "x"), {})
    assert not found.stands_in and found.forgets.startswith("run.state_directory ")
    assert "STATE_DIRECTORY" in state_directory("", {"STATE_DIRECTORY": "/proc/none"}).forgets


def test_what_lies_there_and_is_not_ours_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link, a file or a folder that is open to others may have been put there by anybody."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    place = tmp_path / f"zerog-state-{os.geteuid()}"
    (tmp_path / "theirs").mkdir(0o700)
    for made in (lambda: place.symlink_to(tmp_path / "theirs"), place.touch, lambda: place.mkdir(0o755)):
        made()
        folder, found_again = private_folder("state")
        assert not found_again and folder != place and is_private(folder)
        place.rmdir() if place.is_dir() and not place.is_symlink() else place.unlink()
    if os.geteuid() == 0:
        place.mkdir(0o700)
        os.chown(place, 65534, 65534)
        assert private_folder("state")[0] != place


def test_where_marks_may_be_lost_no_mark_is_a_doubt(tmp_path: Path) -> None:
    """A run that ended in order says so; after a restart of the machine nobody does."""
    first = RunMark(tmp_path, tmp_path, lasting=False)
    assert "may have lost it" in first.doubt
    first.remove()
    second = RunMark(tmp_path, tmp_path, lasting=False)
    assert second.doubt == second.last == ""
    assert "no orderly end" in RunMark(tmp_path, tmp_path, lasting=False).doubt
    second.ended("fault", "it was hot")
    third = RunMark(tmp_path, tmp_path, lasting=False)
    assert third.last.endswith("FAULT: it was hot") and not third.doubt
