"""An arm on a platform live: its vehicle frozen, killed, and replaced by an outside program."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from bench.live_base import carried as carried_configuration
from bench.live_run import PATIENCE_S, ROOT, LiveRun
from hil.messaging.base_messages import BaseCommand, BaseReport, BaseState
from hil.messaging.bus import Subscriber
from hil.messaging.codec import Kind, encode

PAGE = ROOT / "docs" / "use" / "own" / "vehicle.md"
FROZEN_S = 0.5


def strict(folder: Path) -> Path:
    """The configuration of a run whose robot waits for nobody."""
    file = carried_configuration(folder, False)
    with file.open("a", encoding="utf-8") as end:
        end.write("\n[emulator]\npatient = false\n")
    return file


@pytest.fixture(scope="module")
def carried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveRun]:
    """A run on a platform, started once."""
    folder: Path = tmp_path_factory.mktemp("base") / "r"
    made = LiveRun(folder, configuration=strict(folder))
    try:
        made.wait_floating()
        yield made
    finally:
        made.close()


def newest(run: LiveRun, reader: Subscriber[Kind]) -> Kind:
    """The next message of a topic."""
    found: list[Kind] = []
    run.wait(lambda: found.extend(reader.drain()) or found)
    return found[-1]


def test_a_vehicle_that_hangs_holds_the_object(carried: LiveRun) -> None:
    """No pose for 100 ms: HOLDING with the reason; when it goes on, so does the object."""
    carried.float_again()
    pid = carried.pid("vehicle")
    os.kill(pid, signal.SIGSTOP)
    time.sleep(FROZEN_S)
    os.kill(pid, signal.SIGCONT)
    carried.wait(lambda: "HOLDING: no path: the base's link is lost" in carried.text)
    carried.wait_state("FLOATING")
    assert carried.take_violations()[0] == 0


def test_a_restart_moves_neither_arm_nor_vehicle(carried: LiveRun) -> None:
    """The vehicle's process dies: FAULT; its successor stands where it stood, and a reset moves nothing."""
    carried.float_again()
    time.sleep(2.0)  # it is somewhere else than where it began
    before = newest(carried, carried.bus.subscriber("base_state", BaseState))
    assert np.linalg.norm(before.pose[:2]) > 0.02
    os.kill(carried.pid("vehicle"), signal.SIGKILL)
    assert "vehicle" in carried.wait_state("FAULT")["reason"]
    carried.wait(carried.stands)
    states, commands = (
        carried.bus.subscriber("base_state", BaseState),
        carried.bus.subscriber("base_command", BaseCommand),
    )
    carried.wait(lambda: not newest(carried, commands).velocity.any())
    stood = newest(carried, states)
    assert np.linalg.norm(stood.pose - before.pose) < 0.1
    assert carried.ask("reset").accepted
    carried.wait_state("READY", PATIENCE_S)
    time.sleep(0.5)
    assert carried.stands() and not newest(carried, commands).velocity.any()
    assert np.linalg.norm(newest(carried, states).pose - stood.pose) < 0.01
    carried.float_again()
    assert newest(carried, carried.bus.subscriber("base_report", BaseReport)).trouble == ""


def test_the_page_says_the_protocol_byte_for_byte() -> None:
    """Fingerprints and the bytes of a message are the program's."""
    text = PAGE.read_text(encoding="utf-8")
    state = BaseState(1_000_000_000, np.array([1.0, -0.5, 0.25]), np.array([0.1, 0.0, 0.0]), True)
    (shown,) = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    assert bytes.fromhex(shown) == encode(state, 7)
    for kind in (BaseState, BaseCommand):
        assert f"| `{kind.__name__}` | `{kind.FINGERPRINT}` |" in text


def test_an_outside_vehicle_carries_the_arm(tmp_path: Path) -> None:
    """The page's program, as it stands there: nothing is ready before it speaks; then it is driven."""
    file = strict(tmp_path / "r")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("[base]", '[base]\nvehicle = "outside"', 1), encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    run = LiveRun(tmp_path / "r", configuration=file)
    outside = None
    try:
        run.wait(lambda: "has not been heard yet" in run.text, PATIENCE_S)
        assert "READY" not in run.text
        outside = subprocess.Popen([sys.executable, "-c", program, str(run.directory)])
        run.wait_floating()
        reports = run.bus.subscriber("base_report", BaseReport)
        run.wait(lambda: np.linalg.norm(newest(run, reports).pose[:2]) > 0.1)
        assert run.status()["state"] == "FLOATING" and outside.poll() is None
        outside.kill()
        run.wait(lambda: "HOLDING: no path: the base's link is lost" in run.text)
        assert run.take_violations()[0] == 0
    finally:
        if outside is not None:
            outside.kill()
            outside.wait()
        run.close()
