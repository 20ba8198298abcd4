"""The real programs with a hammer: frozen, killed, fed with garbage. One test a line of docs/safety.md.

Times are judged generously: the machine may be shared. What counts is that every way ends in a stop,
that the reason is said, and that nothing moves again by itself.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgpack
import pytest
import zmq

from hil.bus import Bus
from hil.message_codec import encode
from hil.messages import Mode, Request, RobotState

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 240.0  # a first start compiles
SETTLE_S = 20.0  # for anything that happens within a second on a quiet machine


def free_port() -> int:
    """A UDP port that nobody uses at the moment."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Run:
    """A live `zerog run` in a folder of its own."""

    def __init__(self, folder: Path, *arguments: str, **changes: str) -> None:
        self.port = free_port()
        text = (ROOT / "configs" / "cube.toml").read_text(encoding="utf-8")
        text = text.replace('"robots/', f'"{ROOT}/configs/robots/')
        text = text.replace(
            "[run]", f'[run]\nruntime_directory = "{folder}/bus"\nstate_directory = "{folder}/state"', 1
        )
        for old, new in changes.items():
            text = re.sub(old, new, text)
        text += f"\n[fri]\nport = {self.port}\n"
        folder.mkdir(parents=True, exist_ok=True)
        self.configuration = folder / "run.toml"
        self.configuration.write_text(text, encoding="utf-8")
        self.directory = folder / "bus"
        self.log = folder / "log"
        self._bus: Bus | None = None
        with self.log.open("wb") as log:
            command = [sys.executable, "-m", "hil", "run", str(self.configuration), *arguments]
            self.popen = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, cwd=ROOT)

    @property
    def text(self) -> str:
        """What the run has printed."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def ask(self, verb: str, **arguments: Any) -> Any:
        """Send an operator's request and return the reply."""
        self._bus = self._bus or Bus(self.directory)
        return self._bus.ask(Request(0, verb, json.dumps(arguments)), timeout_s=SETTLE_S)

    def status(self) -> dict[str, Any]:
        """The daemon's status."""
        return dict(json.loads(self.ask("status").status))

    def wait(self, condition, patience_s: float = SETTLE_S) -> None:
        """Wait until a condition of the run holds."""
        deadline = time.monotonic() + patience_s
        while not condition():
            assert self.popen.poll() is None, f"the run ended with {self.popen.returncode}:\n{self.text}"
            assert time.monotonic() < deadline, f"did not happen in {patience_s} s:\n{self.text}"
            time.sleep(0.05)

    def wait_state(self, state: str, patience_s: float = SETTLE_S) -> dict[str, Any]:
        """Wait until the machine is in a state and return the status."""
        self.wait(lambda: self.status()["state"] == state, patience_s)
        return self.status()

    def wait_floating(self) -> None:
        """Wait until the object floats and the arm follows."""
        self.wait(lambda: "FLOATING" in self.text, PATIENCE_S)
        self.wait(lambda: self.status()["following"])

    def pid(self, name: str) -> int:
        """The process id of one process of the ring."""
        found = subprocess.run(
            ["pgrep", "-f", f"hil.{name}_main {self.configuration}"], capture_output=True, text=True
        )
        return int(found.stdout.split()[0])

    def close(self) -> None:
        """End the run whatever its state."""
        if self._bus is not None:
            self._bus.close()
        if self.popen.poll() is None:
            self.popen.send_signal(signal.SIGINT)
            try:
                self.popen.wait(SETTLE_S)
            except subprocess.TimeoutExpired:
                self.popen.kill()
                self.popen.wait()


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """A run that floats."""
    made = Run(tmp_path / "r")
    try:
        made.wait_floating()
        yield made
    finally:
        made.close()


def stands(run: Run) -> bool:
    """Whether the arm is no longer commanded to move."""
    status = run.status()
    return not status["following"] and status["commanded_speed"] == 0.0


def test_planner_frozen_arm_brakes(run: Run) -> None:
    """A planner that hangs: the arm brakes when its plan is stale, the state says why, and stays."""
    pid = run.pid("planner")
    os.kill(pid, signal.SIGSTOP)
    try:
        status = run.wait_state("FAULT")
        assert "planner" in status["reason"]
        run.wait(lambda: stands(run))
    finally:
        os.kill(pid, signal.SIGCONT)
    assert not run.ask("float").accepted, "a fault is left by reset alone"
    assert run.ask("reset").accepted
    run.wait_state("READY")
    assert stands(run), "a reset never moves the arm"
    assert run.ask("float").accepted
    run.wait(lambda: run.status()["following"])


def test_sim_killed_faults_and_restarts(run: Run) -> None:
    """A simulation that dies is noticed at once, the arm brakes, the process is started again."""
    before = run.pid("sim")
    os.kill(before, signal.SIGKILL)
    status = run.wait_state("FAULT")
    assert "sim process was ended by signal 9" in status["reason"]
    run.wait(lambda: stands(run))
    assert run.ask("reset").accepted
    run.wait_state("READY", PATIENCE_S)
    assert run.pid("sim") != before
    assert stands(run)


def test_driver_killed_robot_brakes(run: Run) -> None:
    """A driver that dies: the controller misses its answers and brakes; nothing floats again by itself."""
    os.kill(run.pid("driver"), signal.SIGKILL)
    run.wait_state("FAULT")
    assert run.ask("reset").accepted
    run.wait_state("READY", PATIENCE_S)
    assert stands(run)
    assert run.ask("float").accepted
    run.wait(lambda: run.status()["following"])


def test_emulator_killed_faults(run: Run) -> None:
    """A robot that vanishes is a fault."""
    os.kill(run.pid("emulator"), signal.SIGKILL)
    assert "emulator" in run.wait_state("FAULT")["reason"]


def test_daemon_killed_children_end(run: Run) -> None:
    """If the daemon dies, its processes end with it and the arm is no longer commanded."""
    pids = [run.pid(name) for name in ("emulator", "driver", "sim", "planner")]
    run.popen.kill()
    run.popen.wait()
    deadline = time.monotonic() + SETTLE_S
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_daemon_frozen_arm_brakes(run: Run) -> None:
    """A daemon that hangs: its order grows old, the arm brakes; when it goes on again it is a FAULT."""
    bus = Bus(run.directory)
    robots = bus.subscriber("robot_state", RobotState)
    os.kill(run.popen.pid, signal.SIGSTOP)
    try:
        deadline = time.monotonic() + SETTLE_S
        robot = None
        while robot is None or robot.following or robot.dq_command.any():
            assert time.monotonic() < deadline, "the arm did not come to rest"
            time.sleep(0.02)
            robot = robots.newest() or robot
    finally:
        os.kill(run.popen.pid, signal.SIGCONT)
        bus.close()
    assert "stalled" in run.wait_state("FAULT")["reason"]
    assert stands(run)


def test_operators_commands_and_refusals(run: Run) -> None:
    """Push, hold, float, stop, and what is refused: one live run through all states."""
    before = run.status()["pushes"]
    assert run.ask("push", force_n=[40.0, 0.0, 0.0], duration_ms=100.0, at_mm=[0.0, 0.0, 0.0]).accepted
    run.wait(lambda: run.status()["pushes"] > before)
    assert run.ask("hold").accepted
    run.wait(lambda: run.status()["rate"] == 0.0)
    assert run.ask("float").accepted
    run.wait(lambda: run.status()["rate"] == 1.0)
    assert not run.ask("reset").accepted
    assert run.ask("stop").accepted
    run.wait(lambda: stands(run))
    refusal = run.ask("push", force_n=[40.0, 0.0, 0.0], duration_ms=100.0, at_mm=[0.0, 0.0, 0.0])
    assert not refusal.accepted and "refused in STOPPED" in refusal.text
    assert not run.ask("dance").accepted


def test_garbage_on_the_fri_port_is_refused(run: Run) -> None:
    """Random, truncated and foreign packets on the robot's port do not disturb the float."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for size in (0, 1, 375, 376, 915, 916, 917, 1400):
            for _ in range(20):
                sender.sendto(os.urandom(size), ("127.0.0.1", run.port))
    time.sleep(0.5)
    status = run.status()
    assert status["state"] == "FLOATING" and status["following"]


def test_other_version_on_the_bus_is_refused(run: Run) -> None:
    """Requests of another version and garbage are answered with a refusal, and the run goes on."""
    parts = msgpack.unpackb(encode(Request(0, "stop", "{}")))
    parts[1] = "0" * 16
    context = zmq.Context()
    for data in (msgpack.packb(parts), b"garbage", encode(Mode(0, "FAULT", 1, "", False))):
        asker = context.socket(zmq.REQ)
        asker.linger = 0
        asker.connect(f"ipc://{run.directory}/request")
        asker.send(data)
        assert asker.poll(int(1000 * SETTLE_S))
        asker.close()
    context.term()
    assert run.status()["state"] == "FLOATING"


def test_second_run_is_refused(run: Run) -> None:
    """A second daemon in the same run-time directory ends at once with one clear line and status 2."""
    second = subprocess.run(
        [sys.executable, "-m", "hil", "run", str(run.configuration)],
        capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE_S,
    )  # fmt: skip
    assert second.returncode == 2
    assert f"another zerog run (process {run.popen.pid})" in second.stderr
    assert "Traceback" not in second.stderr
    assert run.status()["state"] == "FLOATING"


def test_interrupt_ends_within_two_seconds(run: Run) -> None:
    """Ctrl-C brakes the arm, ends all processes and prints a summary; two seconds on a quiet machine."""
    begin = time.monotonic()
    run.popen.send_signal(signal.SIGINT)
    assert run.popen.wait(SETTLE_S) == 0
    assert time.monotonic() - begin < 3 * 2.0
    assert "floated" in run.text and "pushes" in run.text


def test_busy_port_is_told(tmp_path: Path) -> None:
    """A UDP port in use ends the run with one line that names it, and status 2."""
    made = Run(tmp_path / "r", "--duration", "1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", made.port))
        assert made.popen.wait(PATIENCE_S) == 2
    assert str(made.port) in made.text and "Traceback" not in made.text


def test_ends_by_itself(tmp_path: Path) -> None:
    """`--duration` ends the run with status 0 and a summary, with plain status lines on the way."""
    made = Run(tmp_path / "r", "--duration", "3")
    assert made.popen.wait(PATIENCE_S) == 0, made.text
    assert "READY" in made.text and re.search(r"FLOATING\s+t\s+\d", made.text), made.text
    assert "memory of all processes" in made.text


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
