"""Folders that the environment names: absolute ones only, as the XDG specification has it."""

import os
import tempfile
from pathlib import Path

import pytest

from hil.common.base_directory import base_directory
from hil.common.kernel_cache import _base
from hil.common.state_directory import state_directory
from hil.messaging.runtime_directory import runtime_directory

RELATIVE = ("relative", "./x", "~/x", "")


@pytest.mark.parametrize("said", RELATIVE)
def test_a_relative_folder_is_none(said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """State, sockets and kernels would be others in every working folder, and left in all of them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    home = tmp_path / "home"
    for name, value in (("XDG_RUNTIME_DIR", said), ("XDG_CACHE_HOME", said), ("HOME", str(home))):
        monkeypatch.setenv(name, value)
    for name in ("RUNTIME_DIRECTORY", "NUMBA_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    assert base_directory({"X": said}, "X") is None and base_directory({}, "X") is None
    assert runtime_directory("") == tmp_path / "temporary" / f"zerog-{os.getuid()}"
    assert _base() == home / ".cache" / "zerog"
    environment = {"XDG_STATE_HOME": said, "HOME": str(home)}
    assert state_directory("", environment).path == home / ".local" / "state" / "zerog"
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_an_absolute_folder_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is said."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    assert runtime_directory("") == tmp_path / f"zerog-{os.getuid()}"
    assert state_directory("", {"XDG_STATE_HOME": str(tmp_path)}).path == tmp_path / "zerog"
