"""A run on two hosts, as real as it gets on one machine: own networks, own clocks, own processes.

The tests share one run and each begins from whatever state the one before left.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.live_run import SET_OFF_S
from tests.hil.processes.bridge.two_hosts import PATIENCE_S, ROOT, Host, TwoHosts


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoHosts]:
    """Both hosts, the object floating."""
    made = TwoHosts(tmp_path_factory.mktemp("two"))
    try:
        made.robot.wait(lambda: "FLOATING" in made.robot.text, PATIENCE_S)
        yield made
    finally:
        made.close()


def stands(robot: Host) -> bool:
    """Whether the arm is no longer commanded to move."""
    status = robot.status()
    return not status["following"] and status["commanded_speed"] == 0.0


def float_again(robot: Host) -> None:
    """Bring the run to floating, whatever the machine's load has done to it."""

    def floats() -> bool:
        status = robot.status()
        if status["state"] == "FAULT":
            robot.ask("reset")
        elif status["state"] in ("READY", "HOLDING"):  # a hold too is the operator's to end
            robot.ask("float")
        return bool(status["state"] == "FLOATING" and status["following"])

    robot.wait(floats)


def test_a_push_goes_round_the_two_hosts(hosts: TwoHosts) -> None:
    """Detected on one host, simulated and planned on the other whose clock is 1000 s ahead, followed here."""
    robot = hosts.robot
    float_again(robot)
    robot.wait(lambda: robot.status()["rate"] == 1.0)
    time.sleep(SET_OFF_S)
    before = robot.status()
    push = {"force_n": [0.0, 60.0, 0.0], "duration_ms": 100.0, "at_mm": [0.0, 0.0, 0.0]}
    assert robot.ask("push", **push).accepted
    # 3.8 N s on 60 kg: 64 mm/s; that the speed changes at all proves that the impulse was placed in time
    robot.wait(lambda: robot.status()["pushes"] > before["pushes"])
    robot.wait(lambda: abs(robot.status()["speed_mm_s"] - before["speed_mm_s"]) > 10.0)
    # a plan that contains the push was accepted by the driver
    robot.wait(lambda: robot.status()["ring_p50_us"] > 0.0)


def test_the_offset_is_within_its_uncertainty(hosts: TwoHosts) -> None:
    """Each host knows the other's clock, and says how well; both see the link alive."""
    for host, sign in ((hosts.robot, 1), (hosts.compute, -1)):
        host.wait(lambda h=host: h.status()["link"] == "live")
        status = host.status()
        error_us = abs(status["clock_offset_us"] - sign * 1e6 * hosts.ahead_s)
        assert error_us <= status["clock_uncertainty_us"] <= 20_000.0
        assert status["link_round_trip_us"] > 0.0
    assert hosts.compute.status()["state"] == hosts.robot.status()["state"]
    refusal = hosts.compute.ask("float")
    assert not refusal.accepted and "give it on the robot's host" in refusal.text


def test_link_cut_arm_brakes_and_comes_back_by_hand(hosts: TwoHosts) -> None:
    """The arm brakes, FAULT names the link; nothing moves when it is back until reset and float."""
    robot = hosts.robot
    float_again(robot)
    hosts.cut()
    try:
        robot.wait(lambda: robot.status()["state"] == "FAULT")
        assert "link to the other host: no answer from tcp://" in robot.status()["reason"]
        robot.wait(lambda: stands(robot))
        assert not robot.ask("float").accepted
        assert robot.ask("reset").accepted
        robot.wait(lambda: "no answer from" in robot.status()["reason"])
        assert robot.status()["state"] == "STOPPED"
    finally:
        hosts.mend()
    robot.wait(lambda: robot.status()["state"] == "READY")
    assert stands(robot), "nothing moves by itself"
    float_again(robot)


def test_a_process_of_the_compute_host_dies(hosts: TwoHosts) -> None:
    """Its supervisor starts it again; the daemon on the robot's host says FAULT, and floats after a reset."""
    robot, compute = hosts.robot, hosts.compute
    float_again(robot)
    before = compute.pid("hil.processes.mains.planner")
    os.kill(before, signal.SIGKILL)
    robot.wait(lambda: robot.status()["state"] == "FAULT")
    # silent for too long; or, started again sooner, its plans are where the object has gone on to meanwhile
    reason = robot.status()["reason"]
    assert "planner process" in reason or "the arm has not followed" in reason
    robot.wait(lambda: stands(robot))
    compute.wait(lambda: compute.status()["restarts"]["planner"] == 1)
    assert "planner process was ended by signal 9; it is started again" in compute.text
    assert robot.ask("reset").accepted
    robot.wait(lambda: robot.status()["state"] == "READY", PATIENCE_S)
    assert stands(robot)


def test_a_bridge_dies(hosts: TwoHosts) -> None:
    """The compute host's bridge started anew is a new session: FAULT here, and well again after a reset."""
    robot, compute = hosts.robot, hosts.compute
    float_again(robot)
    os.kill(compute.pid("hil.processes.bridge.main"), signal.SIGKILL)
    robot.wait(lambda: robot.status()["state"] == "FAULT")
    assert "link to the other host" in robot.status()["reason"]
    robot.wait(lambda: stands(robot))
    assert robot.ask("reset").accepted
    robot.wait(lambda: robot.status()["state"] == "READY")
    assert stands(robot)


def test_a_mistake_with_the_keys_ends_in_one_line(hosts: TwoHosts, tmp_path: Path) -> None:
    """Keys that are not there end a run with status 2 and one line, before anything has started."""
    text = hosts.robot.configuration.read_text(encoding="utf-8")
    text = text.replace(str(hosts.robot.directory), str(tmp_path / "bus"))
    file = tmp_path / "run.toml"
    file.write_text(text.replace("key_folder = ", 'key_folder = "nowhere" #'), encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-m", "hil", "run", str(file), "--only", "driver"],
        capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE_S,
    )  # fmt: skip
    assert ended.returncode == 2 and len(ended.stderr.splitlines()) == 1, ended.stderr
    words = f"{tmp_path}/nowhere/robot.key_secret: this key file is missing: `zerog keys` makes them"
    assert words in ended.stderr


def test_both_end_on_a_signal(hosts: TwoHosts) -> None:
    """Ctrl-C ends each host by itself, in order and with its summary; the arm is brought to rest before."""
    robot, compute = hosts.robot, hosts.compute
    float_again(robot)
    assert robot.end() in (0, 1)
    assert "floated" in robot.text
    compute.wait(lambda: compute.status()["state"] == "WAITING")
    assert compute.end() == 0
    assert "processes were started again" in compute.text
    assert "Traceback" not in robot.text + compute.text
