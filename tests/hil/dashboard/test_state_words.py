"""What the page says of the state, judged by the state machine's own desk."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.live_run import LiveRun
from hil.commands.cli import main
from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.dashboard.clerk import VERBS, Clerk
from hil.dashboard.news import news
from hil.dashboard.signals import Signals
from hil.dashboard.state_words import MEANINGS, NO_CONNECTION, REFUSED, words
from hil.loop.judging.judge import Evidence, Judge
from hil.loop.judging.state_machine import MODE_TIMEOUT_NS, RUN_OVER, Machine, State
from hil.loop.solids import ArmPicture
from hil.messaging.bus import Bus
from hil.messaging.messages import Mode, Request
from hil.processes.supervisor.operator_desk import OperatorDesk
from tests.hil.robot_states import standing

ARGUMENTS: dict[str, dict[str, Any]] = {
    "push": {"force_n": [20.0, 0.0, 0.0], "duration_ms": 100.0},
    "motion": {"velocity_mm_s": [10.0, 0.0, 0.0]},
    "thresholds": {"start_sigma": 8.0},
}
MACHINES = [Machine(state, 1, "why") for state in State] + [
    Machine(State.STOPPED, 1, "by the operator", True)
]


@pytest.fixture
def desk(tmp_path: Path, cube: Configuration) -> Iterator[OperatorDesk]:
    bus = Bus(tmp_path)
    yield OperatorDesk(bus, cube, lambda: None)
    bus.close()


@pytest.mark.parametrize("machine", MACHINES, ids=lambda m: f"{m.state} {m.stopped_by_operator}")
def test_what_the_page_disables_the_desk_refuses(
    desk: OperatorDesk, cube: Configuration, machine: Machine
) -> None:
    """And what the desk refuses the page disables, in every state; `float` while floating changes nothing."""
    standing_there = Judge(cube)
    standing_there.step(0, Evidence(robot=standing(cube.robot.start + 1e-3)))
    status = standing_there.status()
    refused_there = {name: status[f"{name}_refused"] for name in REFUSED}
    told = words(machine, True, "", refused_there)["forbidden"]
    assert set(told) == {*VERBS, "motion"}
    for control, why in told.items():
        verb = "float" if control == "motion" else control
        request = Request(time.monotonic_ns(), verb, json.dumps(ARGUMENTS.get(control, {})))
        try:
            judge = Judge(cube)
            judge.step(0, Evidence(robot=standing(cube.robot.start + 1e-3)))
            judge.machine = machine
            desk._obey(judge, request)
            refused = judge.machine is machine and verb == "float"
        except OperatorError:
            refused = True
        assert refused is bool(why), f"{control} in {machine.state}: {why!r}"


@pytest.mark.parametrize("machine", MACHINES, ids=lambda m: f"{m.state} {m.stopped_by_operator}")
def test_every_state_says_what_it_means_and_what_to_do(machine: Machine) -> None:
    """Sentences; stopping is never disabled; after an operator's stop and a fault: reset."""
    told = words(machine, emulated=True)
    assert told["state"] == machine.state.value and told["reason"] == machine.reason
    assert told["meaning"].endswith(".") and told["next"][-1] in ".?"
    assert told["forbidden"]["stop"] == ""
    over = words(Machine(State.STOPPED, 1, RUN_OVER, machine.stopped_by_operator), emulated=True)
    assert over["next"].startswith("Nothing: this run has ended."), "nobody waits for READY, or resets"
    assert ("Reset" in told["next"]) is (machine.state is State.FAULT or machine.stopped_by_operator)
    assert set(MEANINGS) == set(State)


def test_a_float_that_is_refused_is_disabled_with_the_reason(cube: Configuration) -> None:
    """In READY the page says where the arm holds the object, and offers no float that the daemon refuses."""
    judge = Judge(cube)
    judge.step(0, Evidence(robot=standing(cube.robot.start + 0.3)))
    status = judge.status()
    told = news(1, judge.machine.mode(1), None, None, status, Signals(cube, ArmPicture(cube)), True)
    assert told["state"] == "READY" and "held outside the stops by" in told["meaning"]
    assert told["next"].startswith("Float is refused")
    for control in ("float", "motion"):
        assert "outside the stops" in told["forbidden"][control]
    inside = Judge(cube)
    inside.step(0, Evidence(robot=standing(cube.robot.start)))
    told = news(1, judge.machine.mode(1), None, None, inside.status(), Signals(cube, ArmPicture(cube)), True)
    assert "held inside the stops by" in told["meaning"] and told["next"].startswith("Press Float")
    assert not told["forbidden"]["float"] and not told["forbidden"]["motion"]
    assert "already" in told["forbidden"]["approach"]


def test_an_unchecked_real_arm_is_told_before_anybody_asks(real_arm: Configuration) -> None:
    """READY: what lacks, and no float; what is set aside by hand shows in every state, with its reason."""
    judge = Judge(real_arm)
    judge.step(0, Evidence(robot=standing(real_arm.robot.start)))
    signals = Signals(real_arm, ArmPicture(real_arm))
    told = news(1, judge.machine.mode(1), None, None, judge.status(), signals, False)
    assert "Not checked for a real arm: the wrench was not checked" in told["meaning"]
    assert "until this configuration is checked" in told["next"]
    for control in ("float", "motion"):
        assert "a real arm moves only on a checked configuration" in told["forbidden"][control]
    for state in State:
        aside = {"overridden": ["certificate (measured by hand)"]}
        told = news(1, Machine(state, 1, "why").mode(1), None, None, aside, signals, False)
        assert "OVERRIDDEN by hand: certificate (measured by hand)." in told["meaning"]
        told = news(1, Machine(state, 1, "why").mode(1), None, None, {}, signals, False)
        assert "OVERRIDDEN" not in told["meaning"] and "Not checked" not in told["meaning"]


def test_a_real_mock_up_is_pushed_by_hand() -> None:
    """The page offers no push, and says so."""
    machine = Machine(State.FLOATING)
    assert "by hand" in words(machine, emulated=False)["forbidden"]["push"]
    assert "by hand" in words(machine, emulated=False)["next"]


def test_old_news_are_no_news(cube: Configuration) -> None:
    """An order older than the driver itself would obey shows as no connection, never as FLOATING."""
    signals = Signals(cube, ArmPicture(cube))
    mode = Machine(State.FLOATING, 1, "").mode(10_000_000_000)
    fresh = news(mode.t_ns + MODE_TIMEOUT_NS, mode, None, None, {}, signals, True)
    old = news(mode.t_ns + MODE_TIMEOUT_NS + 1, mode, None, None, {}, signals, True)
    never = news(1, None, None, None, {}, signals, True)
    assert fresh["live"] and fresh["state"] == "FLOATING"
    for told in (old, never):
        assert not told["live"] and told["state"] == NO_CONNECTION
        assert told["forbidden"].pop("stop") == "" and all(told["forbidden"].values())
    assert isinstance(mode, Mode) and not np.any(mode.initial_twist)


def test_a_clerk_without_a_daemon_says_so(tmp_path: Path) -> None:
    """And does not carry what is no control of the dashboard."""
    clerk = Clerk(tmp_path)
    assert "no control" in clerk.obey("reload", {}, 0)["text"]
    answer = clerk.obey("stop", {}, 0)
    clerk.close()
    assert not answer["accepted"] and "no daemon answers" in answer["text"]


def test_the_process_has_no_compiled_kernels() -> None:
    """Neither numba nor llvmlite is imported with the dashboard's process."""
    code = "import sys, hil.dashboard.main; print([m for m in ('numba', 'llvmlite') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_a_port_without_a_dashboard_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """One line with the remedy; a port out of range is the grammar's business."""
    assert main(["run", "configs/cube.toml", "--port", "8081"]) == 2
    assert capsys.readouterr().err == "zerog: --port 8081 is the dashboard's: add --dashboard\n"
    with pytest.raises(SystemExit):
        main(["run", "configs/cube.toml", "--dashboard", "--port", "80"])


def test_a_taken_port_ends_the_run_before_anything_starts(tmp_path: Path) -> None:
    """Exit status 2 and one line that names the port; no process was started."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run = LiveRun(tmp_path / "run", "--dashboard", "--port", str(port))
        assert run.popen.wait(20.0) == 2
    assert run.text.count("\n") == 1 and f":{port}" in run.text and "--port" in run.text
    assert not (tmp_path / "run" / "bus" / "accepted.toml").exists()
