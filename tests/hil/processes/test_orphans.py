"""A process whose supervisor died before the kernel could be asked to tell of it."""

import subprocess
import sys
from pathlib import Path

from hil.common.run_clock import SharedClock
from hil.processes.table import PROCESSES

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 240.0  # a first start compiles


def test_a_process_without_its_supervisor_ends(tmp_path: Path) -> None:
    """Started for a supervisor that is no longer there, a process ends by itself, and well."""
    gone = subprocess.Popen(["true"])
    gone.wait()
    (tmp_path / "bus").mkdir()
    SharedClock(tmp_path / "bus", new=True)
    ended = subprocess.run(
        [sys.executable, "-m", PROCESSES["planner"].module, str(ROOT / "configs/cube.toml"),
         str(tmp_path / "bus"), f"--parent={gone.pid}"],
        capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE_S,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
