"""Limits of an account or a container: the line names the limit, and is no traceback; faults stay faults."""

import errno
import os
import resource
import subprocess
import sys

import pytest
import zmq

from hil.commands.cli import main
from hil.commands.exhausted import FILES, MEMORY, PROCESSES
from tests.conftest import ROOT

UNLOADED = OSError("Could not load shared object file")
UNLOADED.__context__ = OSError("liby.so: failed to map segment from shared object")

USED_UP = (
    (UNLOADED, MEMORY),
    (MemoryError(), MEMORY),
    (OSError(errno.ENOMEM, "Cannot allocate memory"), MEMORY),
    (ImportError("libx.so: failed to map segment from shared object"), MEMORY),
    (OSError(errno.EMFILE, "Too many open files", "x.toml"), FILES),
    (zmq.ZMQError(errno.EMFILE), FILES),
    (BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"), PROCESSES),
    (RuntimeError("can't start new thread"), PROCESSES),
)


def raising(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> int:
        raise error

    monkeypatch.setattr("hil.commands.checking.check_configuration", fails)


@pytest.mark.parametrize(("error", "words"), USED_UP, ids=lambda v: type(v).__name__)
def test_what_is_used_up_is_a_line_with_its_limit(
    error: Exception, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, and the name that `ulimit` has for it."""
    raising(error, monkeypatch)
    assert main(["check", "x.toml"]) == 2
    assert capsys.readouterr().err == f"zerog: {words}\n" and "ulimit -" in words


@pytest.mark.parametrize(
    "error", [RuntimeError("a fault"), ImportError("no module"), zmq.Again(), OSError(5)]
)
def test_a_fault_of_ours_is_not_hidden(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever mends it needs to see where it was."""
    raising(error, monkeypatch)
    with pytest.raises(type(error)):
        main(["check", "x.toml"])


def test_too_few_open_files() -> None:
    """In a process that may open no more than the few that it has."""
    code = (
        "import hil.commands.cli as c, resource, sys\nresource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))\n"
        "sys.exit(c.main(['check', 'configs/cube.toml']))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert run.returncode == 2 and "Traceback" not in run.stderr, run.stderr
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 3
