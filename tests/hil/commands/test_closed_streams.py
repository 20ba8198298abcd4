"""Streams that the caller has closed or left: no traceback, the same status, nothing printed elsewhere."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

RUN = f"exec {sys.executable} -m hil"


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Run a line of a shell, which closes streams as its users do."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(["sh", "-c", line], cwd=folder, env=environment, capture_output=True, timeout=300)


def recording(folder: Path) -> Path:
    """A wrench that can be imported."""
    path = folder / "in.csv"
    rows = (f"{k / 500:.3f},{k % 3},{k % 7},0" for k in range(400))
    path.write_text("t_s,fx,fy,fz\n" + "\n".join(rows))
    return path


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", ">&- <&-"])
def test_closed_streams_change_nothing(closed: str, tmp_path: Path) -> None:
    """What is written is the file asked for, to the byte: none of it is what was to be printed."""
    recording(tmp_path)
    whole = shell(f"{RUN} import in.csv -o whole.csv", tmp_path)
    assert whole.returncode == 0, whole.stderr
    done = shell(f"{RUN} import in.csv -o out.csv {closed}", tmp_path)
    assert done.returncode == 0 and b"Traceback" not in done.stderr
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    refused = shell(f"{RUN} import none.csv -o out.csv {closed}", tmp_path)
    assert refused.returncode == 2 and b"Traceback" not in refused.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"in.csv", "whole.csv", "out.csv"}


def test_children_inherit_no_file_as_a_stream(tmp_path: Path) -> None:
    """Whatever a library prints to the number itself goes nowhere, and not into the next file."""
    code = (
        "import os, sys; from hil.common.standard_streams import open_standard_streams as o; o()\n"
        "f = open('file', 'wb'); print('hello'); os.write(1, b'x'); os.write(2, b'y')\n"
        "os.system('echo lost; echo lost >&2'); assert sys.stdin.read() == '' and f.fileno() > 2"
    )
    done = shell(f'exec {sys.executable} -c "{code}" <&- >&- 2>&-', tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "file").read_bytes() == b""


def test_a_reader_that_has_gone_ends_a_command_quietly(tmp_path: Path) -> None:
    """As `| head -1` does, and `| true`."""
    recording(tmp_path)
    for reader in ("head -1", "true"):
        done = shell(f"{{ {RUN[5:]} import in.csv -o out.csv; echo $? >status; }} | {reader}", tmp_path)
        assert done.stderr == b"" and (tmp_path / "status").read_text() == "0\n"
