"""The service manager's side of the daemon: unit file, readiness and watchdog."""

import os
import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from bench.live_run import ROOT


def test_watchdog_and_unit_file(tmp_path: Path) -> None:
    """The unit file is accepted by systemd, and the daemon tells readiness and watchdog to its socket."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    unit = (ROOT / "systemd" / "zerog.service").read_text(encoding="utf-8")
    # systemd looks whether the program exists; the installed one need not be here
    local = tmp_path / "zerog.service"
    local.write_text(re.sub(r"ExecStart=\S+", f"ExecStart={shutil.which('true')}", unit), encoding="utf-8")
    checked = subprocess.run(["systemd-analyze", "verify", str(local)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    from hil.supervisor.notify import notify

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        os.environ["NOTIFY_SOCKET"] = str(tmp_path / "notify")
        try:
            notify("WATCHDOG=1")
        finally:
            del os.environ["NOTIFY_SOCKET"]
        listener.settimeout(5.0)
        assert listener.recv(64) == b"WATCHDOG=1"
