"""The mark that a run goes on, and what a reload must not change."""

from pathlib import Path

import pytest

from hil.common.errors import OperatorError
from hil.common.state_directory import state_directory
from hil.configuration import Configuration
from hil.loop.judging.state_machine import Machine, State
from hil.processes.supervisor.reloading import may_reload, same_run
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


@pytest.mark.parametrize("state", list(State))
def test_a_reload_needs_an_arm_that_stands(state: State) -> None:
    """Refused exactly in the states in which the arm may move."""
    machine = Machine(state)
    if machine.moving:
        with pytest.raises(OperatorError, match=f"refused in {state}"):
            may_reload(machine, None)
    else:
        may_reload(machine, None)


def test_a_reload_keeps_folders_and_kind(cube: Configuration) -> None:
    """What only a restart can change is named; everything else may change."""
    run = cube.run.model_copy(update={"runtime_directory": "/elsewhere"})
    with pytest.raises(OperatorError, match=r"run\.runtime_directory has changed"):
        same_run(cube, cube.model_copy(update={"run": run}))
    same_run(cube, cube.model_copy(update={"object": cube.object.model_copy(update={"mass": 61.0})}))
