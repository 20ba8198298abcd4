"""`zerog calibrate load` at a terminal, with a live run of the emulated arm: from the key to the table."""

import os
import pty
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.live_run import PATIENCE_S, LiveRun

STROKE_S = 0.04  # between two characters of a key that is held


@pytest.fixture
def run(tmp_path: Path) -> Iterator[LiveRun]:
    changes = {r"count = \d+": "count = 0", "float_at_start = true": "float_at_start = false"}
    made = LiveRun(tmp_path / "r", patient=True, **changes)
    try:
        made.wait_state("READY", PATIENCE_S)
        yield made
    finally:
        made.close()


def test_a_hand_that_holds_gets_the_table(run: LiveRun) -> None:
    """However often a busy machine takes the hand for gone: at last it is over, and the table is right."""
    master, slave = pty.openpty()
    command = subprocess.Popen(
        [sys.executable, "-m", "hil", "calibrate", "load", "--runtime-directory", str(run.directory)],
        stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + PATIENCE_S
        while command.poll() is None and time.monotonic() < deadline:
            os.write(master, b" ")
            time.sleep(STROKE_S)
        command.kill()
        said = command.communicate()[0]
    finally:
        os.close(master)
        os.close(slave)
    assert command.returncode == 0 and "CALIBRATING" in said, said
    table = tomllib.loads(said[said.index("[mockup.found]") :])["mockup"]["found"]
    assert abs(table["mass_kg"] - 0.5) <= 2.0 * table["mass_interval_kg"] < 0.3
    assert re.search(r"mass +0\.\d+ \+- 0\.\d+ kg\n", said)
    assert run.stands() and run.take_violations()[0] == 0
