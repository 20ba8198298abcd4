"""Processes go by the configuration that was accepted, whatever becomes of the files meanwhile."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hil.common.errors import ConfigurationError
from hil.configuration.loading import accept, stamp_of
from hil.processes.context import error_file
from hil.processes.supervisor import children as supervised
from hil.processes.supervisor.children import ACCEPTED, Children
from hil.processes.table import PROCESSES

LIVES = [sys.executable, "-c", "import time; time.sleep(60)"]


@pytest.fixture
def file(root: Path, tmp_path: Path) -> Path:
    """A copy of the default configuration with its own model of the arm."""
    shutil.copytree(root / "configs" / "robots", tmp_path / "robots")
    made = tmp_path / "run.toml"
    shutil.copy(root / "configs" / "cube.toml", made)
    return made


def test_processes_get_what_was_accepted(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Edited between acceptance and start, and then the copy itself before a process is started again."""
    seen: list[tuple[str, list[str]]] = []
    plain = subprocess.Popen

    def started(command: list[str], **how: Any) -> "subprocess.Popen[bytes]":
        seen.append(((tmp_path / ACCEPTED).read_text(encoding="utf-8"), command))
        return plain(LIVES, **how)

    monkeypatch.setattr(supervised.subprocess, "Popen", started)
    accepted = accept(file)
    file.write_text("mass_kg = -3.0", encoding="utf-8")
    there = Children([PROCESSES["sim"], PROCESSES["planner"]], file, accepted, tmp_path, [])
    try:
        (tmp_path / ACCEPTED).write_text("edited", encoding="utf-8")
        there.children["sim"].popen.kill()
        there.children["sim"].popen.wait()
        there.restart(there.children["sim"])
    finally:
        there.end()
    assert [text for text, _ in seen] == [accepted.text] * 3 and "mass_kg = 60.0" in accepted.text
    for _, command in seen:
        assert f"--content={tmp_path / ACCEPTED}" in command and f"--stamp={accepted.stamp}" in command


def test_a_process_refuses_files_that_have_changed(file: Path, tmp_path: Path) -> None:
    """The arm's model of another length, with the configuration as accepted: status 2 and the reason."""
    accepted = accept(file)
    model = accepted.configuration.robot.model
    model.write_text(model.read_text(encoding="utf-8").replace("0.31", "0.32", 1), encoding="utf-8")
    assert stamp_of(accepted.configuration) != accepted.stamp
    command = [
        *(sys.executable, "-m", PROCESSES["planner"].module, str(file), str(tmp_path)),
        *(f"--content={file}", f"--stamp={accepted.stamp}"),
    ]
    assert subprocess.run(command, timeout=60.0).returncode == 2
    assert "has changed since the run accepted it" in error_file(tmp_path, "planner").read_text()


def test_every_named_file_counts(root: Path) -> None:
    """Model, scene and interfaces; one that has vanished is told with its key."""
    docking = accept(root / "configs" / "docking.toml").configuration
    assert docking.docking is not None
    whole = stamp_of(docking)
    for key in ("scene", "interfaces"):
        other = docking.docking.model_copy(update={key: docking.robot.model})
        assert stamp_of(docking.model_copy(update={"docking": other})) != whole
    gone = docking.robot.model_copy(update={"model": Path("/nowhere.urdf")})
    with pytest.raises(ConfigurationError, match=r"robot\.model = '/nowhere.urdf' cannot be read"):
        stamp_of(docking.model_copy(update={"robot": gone}))
