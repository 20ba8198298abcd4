"""`ulimit -v`: one line at once, where a library would try again for ever or end the process its own way."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from hil.commands.address_space import LEAST, look_at_address_space
from tests.conftest import ROOT

SAID = "zerog: the limit of address space (`ulimit -v`) is {} MiB, 1024 MiB are needed"


def limited(limit: int, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in so much address space [bytes], as if the machine had many cores."""
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    return subprocess.run(
        [sys.executable, "-m", "hil", *command],
        cwd=ROOT, env=environment | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("mib", "command"), [(200, "detect none.csv"), (488, "detect none.csv"), (1023, "run none.toml")]
)
def test_too_little_is_one_line(mib: int, command: str) -> None:
    """Where numpy gives up, where OpenBLAS tries again for ever, and just below what suffices."""
    done = limited(mib << 20, *command.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(SAID.format(mib)) and done.stderr.count("\n") == 1, done.stderr


def test_what_suffices_is_calculated_in_one_thread(tmp_path: Path) -> None:
    """The least that is let through holds the libraries, whatever the number of cores."""
    path = tmp_path / "in.csv"
    path.write_text("t_s,fx,fy,fz\n" + "".join(f"{k / 500:.3f},{k % 3},{k % 7},0\n" for k in range(400)))
    done = limited(LEAST, "detect", str(path))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("limit", "threads"), [(LEAST, "1"), (resource.RLIM_INFINITY, "2")])
def test_a_limit_means_one_thread(limit: int, threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the libraries take memory for every core; what the user has set stands."""
    monkeypatch.setattr(resource, "getrlimit", lambda _: (limit, limit))
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    look_at_address_space("detect")
    assert os.environ["OPENBLAS_NUM_THREADS"] == "2"
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    look_at_address_space("detect")
    assert os.environ.get("OPENBLAS_NUM_THREADS", "2") == threads
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")  # and put back what was before the test


def test_who_stops_an_arm_is_not_refused(tmp_path: Path) -> None:
    """An arm that moves does not wait until somebody has found the limit."""
    done = limited(600 << 20, "stop", "--runtime-directory", str(tmp_path))
    assert "address space" not in done.stderr and "no daemon answers" in done.stderr
