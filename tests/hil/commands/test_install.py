"""Installing and uninstalling into a folder, and the unit as systemd reads it; no root is needed."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

ETC, UNIT = "etc/zerog/run.toml", "etc/systemd/system/zerog.service"


def script(name: str, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run one of the two scripts."""
    return subprocess.run(
        [ROOT / "systemd" / name, *arguments], capture_output=True, text=True, env=os.environ | environment
    )


def test_install_and_uninstall_leave_what_is_the_operators(tmp_path: Path) -> None:
    """Sources, unit and user are put there; an edited configuration survives both, until it is purged."""
    where = {"DESTDIR": str(tmp_path), "PREFIX": "/srv/float"}
    assert script("install", **where).returncode == 0
    program = tmp_path / "srv/float"
    for folder in ("hil", "drivers", "sim", "planner"):
        ours = {p.relative_to(ROOT) for p in (ROOT / folder).rglob("*.py")}
        assert ours == {p.relative_to(program) for p in (program / folder).rglob("*.py")}
    assert not list(program.rglob("__pycache__")) and not (program / ".new").exists()
    unit = (tmp_path / UNIT).read_text()
    assert "ExecStart=/srv/float/.venv/bin/zerog run /etc/zerog/run.toml" in unit and "/opt/zerog" not in unit
    assert (tmp_path / "usr/lib/sysusers.d/zerog.conf").read_text().splitlines()[-1].startswith("u zerog - ")
    assert "cpu_dma_latency" in (tmp_path / "usr/lib/udev/rules.d/60-zerog.rules").read_text()
    (tmp_path / ETC).write_text("edited")
    assert script("install", **where).returncode == 0, "an update"
    assert (tmp_path / ETC).read_text() == "edited"
    assert script("uninstall", **where).returncode == 0
    assert not program.exists() and not (tmp_path / UNIT).exists()
    assert (tmp_path / ETC).read_text() == "edited"
    assert script("install", **where).returncode == 0
    assert script("uninstall", "--purge", **where).returncode == 0
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_mistakes_are_refused_in_one_line(tmp_path: Path) -> None:
    """Nothing to uninstall, an unknown option, a relative prefix, a place that cannot be written."""
    (tmp_path / "file").write_text("")
    for ended, words in (
        (script("uninstall", DESTDIR=str(tmp_path)), "has no such program"),
        (script("uninstall", "--all", DESTDIR=str(tmp_path)), "--all is unknown"),
        (script("install", DESTDIR=str(tmp_path), PREFIX="zerog"), "must be an absolute path"),
        (script("install", DESTDIR=str(tmp_path / "file")), "cannot be written"),
    ):
        assert ended.returncode == 2
        assert words in ended.stderr and len(ended.stderr.splitlines()) == 1


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_the_unit_is_accepted_and_its_filter_lets_real_time_through(tmp_path: Path) -> None:
    """systemd finds no fault; the calls for SCHED_FIFO and locked memory are within what is allowed."""
    text = (ROOT / "systemd" / "zerog.service").read_text(encoding="utf-8")
    # systemd looks whether the program exists; the installed one need not be here
    local = tmp_path / "zerog.service"
    local.write_text(re.sub(r"(Exec\w+)=\S+", rf"\1={shutil.which('true')}", text), encoding="utf-8")
    checked = subprocess.run(["systemd-analyze", "verify", str(local)], capture_output=True, text=True)
    assert checked.returncode == 0 and not checked.stderr, checked.stderr
    assert "RestrictRealtime=" not in re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    (group,) = re.findall(r"^SystemCallFilter=(\S+)$", text, re.MULTILINE)
    sets = subprocess.run(["systemd-analyze", "syscall-filter", group], capture_output=True, text=True).stdout
    for needed, call in (("@resources", "sched_setscheduler"), ("@memlock", "mlockall")):
        assert needed in sets.split()
        inner = subprocess.run(["systemd-analyze", "syscall-filter", needed], capture_output=True, text=True)
        assert call in inner.stdout.split()
