"""Surroundings as containers have them: another user without a name, file systems that cannot be written.

Made by `unshare`, which needs no rights where user namespaces are allowed; skipped where they are not.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

UNSHARE = shutil.which("unshare")
STRANGE = ("-U", "--map-user=54321", "--map-group=54321")  # no entry of the password file


def may(*options: str) -> bool:
    """Return whether namespaces of a kind can be made here."""
    return bool(UNSHARE) and not subprocess.run(["unshare", *options, "true"], capture_output=True).returncode


in_namespaces = pytest.mark.skipif(not may("-Urm"), reason="no user namespaces: unshare -Urm is not allowed")


def inside(
    options: tuple[str, ...], line: str, folder: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell in namespaces of its own."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("XDG_") and k != "HOME"}
    clean |= {"PYTHONPATH": str(ROOT), "ZEROG": f"{sys.executable} -m hil", "TMPDIR": str(folder)}
    return subprocess.run(
        ["unshare", *options, "sh", "-c", line],
        cwd=ROOT, env=clean | environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip


def recording(folder: Path) -> Path:
    """A wrench that can be imported."""
    path = folder / "in.csv"
    path.write_text("t_s,fx,fy,fz\n" + "".join(f"{k / 500:.3f},{k % 3},{k % 7},0\n" for k in range(400)))
    return path


@in_namespaces
@pytest.mark.skipif(not may(*STRANGE), reason="unshare cannot map users")
def test_a_user_without_name_and_home(tmp_path: Path) -> None:
    """Reads, writes where it may, and keeps its state where it says."""
    path, out = recording(tmp_path), tmp_path / "out.csv"
    done = inside(STRANGE, f"$ZEROG import {path} -o {out} && $ZEROG status", tmp_path, NUMBA_CACHE_DIR="")
    assert out.exists() and done.returncode == 2
    told = done.stderr.splitlines()
    assert (
        "zerog-cache-54321" in told[0] and "no daemon answers" in told[-1] and "Traceback" not in done.stderr
    )


@in_namespaces
def test_everything_is_read_only(tmp_path: Path) -> None:
    """One line that says what helps, for want of a place for anything; nothing is a traceback."""
    path = recording(tmp_path)
    shut = f"mount --bind {tmp_path} {tmp_path} && mount -o remount,ro,bind {tmp_path} && cd {tmp_path} && "
    home = {"HOME": str(tmp_path / "home"), "NUMBA_CACHE_DIR": ""}
    for command, words in (
        (f"import {path} -o out.csv", "--output out.csv cannot be written: Read-only file system"),
        (f"detect {path} --json out.json", "--json out.json cannot be written: Read-only file system"),
        ("check none.toml", "none.toml: cannot be read"),
    ):
        done = inside(("-Urm",), f"{shut}$ZEROG {command}", tmp_path, **home)
        assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr, done.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == ["in.csv"]


@in_namespaces
def test_a_disk_that_fills_while_a_file_is_written(tmp_path: Path) -> None:
    """The look before leaves room for a small file; the large one is a line with its name, and its status."""
    path, full = recording(tmp_path), tmp_path / "full"
    full.mkdir()
    path.write_text("t_s,fx,fy,fz\n" + "".join(f"{k / 500:.3f},{k % 3},{k % 7},0\n" for k in range(9000)))
    disk = f"mount -t tmpfs -o size=128k none {full} && "
    done = inside(("-Urm",), f"{disk}$ZEROG import {path} -o {full}/out.csv", tmp_path)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1] == f"zerog: {full}/out.csv cannot be written: No space left on device"


@pytest.mark.skipif(not may(*STRANGE), reason="unshare cannot map users")
def test_a_umask_that_shuts_files_to_their_owner(tmp_path: Path) -> None:
    """The umask's bits for the owner are left out: caches, state and results are ours to read."""
    path, out = recording(tmp_path), tmp_path / "out.csv"
    home = {"HOME": str(tmp_path / "home"), "NUMBA_CACHE_DIR": ""}
    line = f"umask 0777 && $ZEROG import {path} -o {out} && cat {out} >/dev/null && $ZEROG status"
    done = inside(STRANGE, line, tmp_path, **home)
    assert done.returncode == 2 and "no daemon answers" in done.stderr
    assert "Traceback" not in done.stderr and "cannot be written" not in done.stderr, done.stderr
    assert out.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(not may("-Urn"), reason="unshare cannot make networks")
def test_no_loopback_is_one_line(tmp_path: Path) -> None:
    """A new network's is down: the emulated robot says so before it starts, and doctor what helps."""
    code = (
        "from pathlib import Path; from drivers.emulation.process import run\n"
        "from hil.configuration import load_configuration as l\n"
        "try: run(l(Path('configs/cube.toml')), None)\nexcept Exception as e: print(type(e).__name__, e)\n"
        "from hil.commands.doctor.network import card\n"
        "print(card('127.0.0.1', Path('/')))"
    )
    done = inside(("-Urn",), f'{sys.executable} -c "{code}"', tmp_path)
    line, found = done.stdout.splitlines()
    assert line.startswith("LinkError nothing can be sent to UDP 127.0.0.1 port ") and "ip link" in line
    assert "fail" in found and "loopback is down" in found and "ip link set lo up" in found
