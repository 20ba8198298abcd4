"""What the terminal cannot encode is replaced, in whatever command; nothing ends for its sake."""

import io
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hil.commands.cli import main
from hil.processes.supervisor.output import Output
from tests.conftest import ROOT
from tests.hil.commands.test_outputs import subcommands


def terminal(encoding: str) -> io.TextIOWrapper:
    """A stream as Python opens one for a terminal of that encoding."""
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict", newline="\n")


def said(stream: io.TextIOWrapper) -> str:
    """What has been written to it."""
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode(stream.encoding)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_what_a_terminal_lacks_is_replaced(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names of files in a refusal and in a result, and every command's help."""
    out, err = terminal(encoding), terminal(encoding)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    name = "prüfstand-€-試験-\udcff"
    path = tmp_path / f"{name}.toml"
    assert main(["check", str(path)]) == 2
    path.write_text((ROOT / "configs/cube.toml").read_text().replace('"robots/', f'"{ROOT}/configs/robots/'))
    assert main(["simulate", str(path), "--json", str(tmp_path / "none" / name)]) == 2
    for command in subcommands():
        with pytest.raises(SystemExit):
            main([command, "--help"])
    assert "試" not in said(err) and "?" in said(err)
    assert said(out).count("example: zerog") == len(subcommands())


def test_a_table_with_signs_is_printed() -> None:
    """A whole command in a terminal of such an account, tables of `rich` and all."""
    run = subprocess.run(
        [sys.executable, "-m", "hil", "mate", "o-ring"], cwd=ROOT, capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert run.returncode in (0, 1) and len(run.stdout) > 500
    assert "Error" not in run.stderr.decode("ascii"), "on it only who compiles for the first time is told so"


def test_the_daemons_lines_are_encoded_as_the_terminal_wants() -> None:
    """Its own writer replaces as well, and loses no line."""
    written = bytearray()

    def write(_: int, data: bytes) -> int:
        written.extend(data)
        return len(data)

    output = Output(1, write, "ascii")
    output.put("  … größer\n")
    output.close()
    deadline = time.monotonic() + 5.0
    while not written and time.monotonic() < deadline:
        time.sleep(0.01)
    assert bytes(written) == b"  ? gr??er\n" and output.lost == 0
