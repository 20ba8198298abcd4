"""How runs end, and what happens to those that would begin: live runs that are interrupted or killed."""

import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from bench.live_run import PATIENCE_S, ROOT, SETTLE_S, LiveRun
from tests.hil.processes.starvation import RING, STARVED_S, Starvation

ENDS_S = 2.0  # as README and docs/safety.md say
NAMES = ("emulator", "driver", "sim", "planner")


def wait_for_ends(pids: list[int]) -> None:
    """All those processes have ended."""
    deadline = time.monotonic() + SETTLE_S
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def ends_in_order(run: LiveRun, *signals: signal.Signals) -> None:
    """The run brakes, ends its processes, prints a summary and returns 0, within two seconds."""
    pids = [run.pid(name) for name in NAMES]
    run.take_violations()
    with Starvation([run.pid(name) for name in RING]) as watch:
        begin = time.monotonic()
        for number in signals:
            run.popen.send_signal(number)
            time.sleep(0.05)
        assert run.popen.wait(SETTLE_S) == 0, run.text
        took = time.monotonic() - begin
    assert took < ENDS_S or watch.worst > STARVED_S
    assert "floated" in run.text and "pushes" in run.text and "Traceback" not in run.text
    wait_for_ends(pids)
    count, first = run.take_violations()
    assert count == 0, first


def test_second_run_is_refused(run: LiveRun) -> None:
    """A second daemon in the same run-time directory ends at once with one clear line and status 2."""
    second = subprocess.run(
        [sys.executable, "-m", "hil", "run", str(run.configuration)],
        capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE_S,
    )  # fmt: skip
    assert second.returncode == 2
    assert f"another zerog run (process {run.popen.pid})" in second.stderr
    assert "Traceback" not in second.stderr
    assert run.popen.poll() is None and run.status()["cycles"] > 0, "the first goes on"


def test_daemon_killed_children_end_and_a_new_start_moves_nothing(shared_run: LiveRun) -> None:
    """If the daemon dies its processes end with it; the next one gets ready and waits for an operator."""
    shared_run.float_again()
    pids = [shared_run.pid(name) for name in NAMES]
    shared_run.popen.kill()
    shared_run.popen.wait()
    wait_for_ends(pids)
    shared_run.start_again()
    shared_run.wait(lambda: "READY" in shared_run.text, PATIENCE_S)
    time.sleep(0.3)
    assert shared_run.status()["state"] == "READY" and shared_run.stands()


def test_interrupted_twice_ends_within_two_seconds(shared_run: LiveRun) -> None:
    """Ctrl-C, and again from an impatient hand: the arm is braked before the processes end."""
    shared_run.float_again()
    ends_in_order(shared_run, signal.SIGINT, signal.SIGINT)


def test_terminated_ends_within_two_seconds(shared_run: LiveRun) -> None:
    """SIGTERM, as the service manager sends it: the same; a start after it is like any other."""
    shared_run.start_again()
    shared_run.wait_floating()
    ends_in_order(shared_run, signal.SIGTERM)


def test_busy_port_is_told(tmp_path: Path) -> None:
    """A UDP port in use ends the run with one line that names it, and status 2."""
    made = LiveRun(tmp_path / "r", "--duration", "1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", made.port))
        assert made.popen.wait(PATIENCE_S) == 2
    assert str(made.port) in made.text and "Traceback" not in made.text


def test_ends_by_itself(tmp_path: Path) -> None:
    """`--duration` ends the run with status 0 and a summary, with plain status lines on the way."""
    made = LiveRun(tmp_path / "r", "--duration", "2")
    status = made.popen.wait(PATIENCE_S)
    assert status == (1 if "-> FAULT" in made.text else 0), made.text  # a fault only where time is too scarce
    assert "READY" in made.text and re.search(r"FLOATING\s+t\s+\d", made.text), made.text
    assert "memory of all processes" in made.text
