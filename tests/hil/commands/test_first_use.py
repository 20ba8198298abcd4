"""The first use of a command that compiles is told, on a pipe and on a terminal, and nowhere but there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hil.commands import cli
from hil.commands.first_use import OWN
from hil.common.kernel_cache import SETTING
from tests.conftest import ROOT

KERNEL = """
import numpy as np
from hil.common.geometry import quat_multiply
quat_multiply(np.array([1.0, 0.0, 0.0, 0.0]), np.array([1.0, 0.0, 0.0, 0.0]))
"""
ELSEWHERE = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {KERNEL!r}], check=True)\n"
# a program whose one command does the work, through the same `main` as all others
PROGRAM = """
import argparse, sys
from hil.commands import cli
from hil.commands.grammar import add_command
work, name = sys.argv[1], sys.argv[2]

def body(options):
    exec(work, {})
    print('{"status": 0}')
    return 0

def parser():
    top = argparse.ArgumentParser()
    add_command(top.add_subparsers(), name, body, "text", "example")
    return top

cli.parser, sys.argv = parser, ["zerog", name]
sys.exit(cli.main())
"""
TOLD = "the first use compiles kernels"


def said(cache: Path, work: str, name: str = "dock", terminal: bool = False) -> tuple[str, str]:
    """What a program says on its output and on its standard error, a pipe or a terminal."""
    environment = os.environ | {SETTING: str(cache), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PROGRAM, work, name]
    ours, theirs = os.openpty() if terminal else os.pipe()
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, env=environment, check=True)
    os.close(theirs)
    error = b""
    try:
        while data := os.read(ours, 65536):
            error += data
    except OSError:  # a terminal that nobody writes to any more
        pass
    os.close(ours)
    return ended.stdout.decode(), error.decode()


@pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])
def test_the_first_use_is_told_and_the_second_is_silent(tmp_path: Path, terminal: bool) -> None:
    """On the standard error alone: what is printed for programs is the same both times."""
    output, error = said(tmp_path, KERNEL, terminal=terminal)
    assert output == '{"status": 0}\n'
    first, *_, last = error.splitlines()  # on a busy machine lines stand between them
    assert first.startswith(f"zerog: {TOLD}") and last.startswith("zerog: compiled 1 kernel in ")
    assert said(tmp_path, KERNEL, terminal=terminal) == (output, "")


def test_what_other_processes_of_a_command_compile_is_told_too(tmp_path: Path) -> None:
    """Workers of a campaign, parts of a first start: their kernels come into the same cache."""
    output, error = said(tmp_path, ELSEWHERE + "import time\ntime.sleep(1.5)\n")
    assert output == '{"status": 0}\n' and TOLD in error


def test_what_another_program_compiles_is_not_told(tmp_path: Path) -> None:
    """It uses the same cache; a command that is refused meanwhile still says one line."""
    stranger = "from pathlib import Path\nimport time\nfrom hil.common.kernel_cache import cache_folder\n"
    beside = "time.sleep(0.5)\ncache_folder().mkdir(parents=True)\n(cache_folder() / 'a.nbi').touch()\n"
    assert said(tmp_path, stranger + beside + "time.sleep(1.5)\n") == ('{"status": 0}\n', "")


def test_what_goes_on_when_all_is_compiled_is_not_told_as_compiling(tmp_path: Path) -> None:
    """An experiment of an hour compiles for a minute, and says so for a minute."""
    hasty = "import sys, time\nimport hil.commands.first_use as watch\nwatch.LINE_S = watch.QUIET_S = 0.1\n"
    _, error = said(
        tmp_path, hasty + KERNEL + "print('DONE', file=sys.stderr, flush=True)\ntime.sleep(2.0)\n"
    )
    while_it_compiles, afterwards = error.split("DONE\n")
    assert TOLD in while_it_compiles
    assert sum(" so far" in line for line in afterwards.splitlines()) <= 2
    assert afterwards.splitlines()[-1].startswith("zerog: compiled 1 kernel in ")


@pytest.mark.parametrize("name", OWN)
def test_a_run_tells_by_itself_and_is_not_watched(tmp_path: Path, name: str) -> None:
    """It shows how many are left, and nothing is to run beside its loop."""
    assert said(tmp_path, KERNEL, name) == ('{"status": 0}\n', "")


def test_a_command_that_fails_ends_the_watch(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its line and its status are as they were."""
    monkeypatch.setattr(sys, "argv", ["zerog", "workspace", "none.toml"])
    assert cli.main() == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_version_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """With the fingerprint of the sources, as a recording's head has it."""
    from importlib.metadata import version

    from hil.common.source_stamp import source_stamp

    with pytest.raises(SystemExit) as ended:
        cli.main(["--version"])
    line = capsys.readouterr().out
    assert ended.value.code == 0 and line.count("\n") == 1
    assert line.startswith(f"zerog {version('zerog-emulator')}, sources {source_stamp()}, Python ")
