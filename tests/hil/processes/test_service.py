"""The daemon as a service: one live run that systemd, an operator and a power cut have their way with."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from socket import SOCK_DGRAM

import pytest

from bench.live_run import ROOT, LiveRun
from hil.common.errors import LinkError
from hil.common.free_port import free_port
from hil.messaging.bus import Bus
from hil.messaging.messages import Request

PATIENCE_S = 240.0
PROCESSES = ("emulator", "driver", "sim", "planner")


class Systemd:
    """The other end of the notify socket; reads as promptly as systemd does."""

    def __init__(self, path: Path) -> None:
        self.address = str(path)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.address)
        self.heard: list[str] = []
        self._taken = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while True:
            self.heard.append(self._socket.recv(4096).decode())

    def hear(self) -> list[str]:
        """Everything that has come since the last call."""
        fresh = self.heard[self._taken :]
        self._taken += len(fresh)
        return fresh

    def feeds_in(self, seconds: float) -> int:
        """How often the watchdog is fed within so long."""
        self.hear()
        time.sleep(seconds)
        return self.hear().count("WATCHDOG=1")


class Service:
    """A live run below a fake systemd; it runs through the tests of this file in their order."""

    def __init__(self, folder: Path) -> None:
        self.systemd = Systemd(folder / "notify")
        (folder / "r").mkdir()
        log = folder / "r" / "log"
        log.touch()
        status = log.stat()
        os.environ["NOTIFY_SOCKET"] = self.systemd.address
        os.environ["JOURNAL_STREAM"] = f"{status.st_dev}:{status.st_ino}"
        try:
            self.run = LiveRun(folder / "r")
        finally:
            del os.environ["NOTIFY_SOCKET"], os.environ["JOURNAL_STREAM"]
        self.state = folder / "r" / "state"

    def pids(self) -> list[int]:
        return [self.run.pid(name) for name in PROCESSES]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that floats."""
    made = Service(tmp_path_factory.mktemp("service"))
    try:
        made.run.wait(lambda: "-> FLOATING" in made.run.text, PATIENCE_S)
        made.run.wait(lambda: made.run.status()["following"])
        yield made
    finally:
        made.run.close()


def test_systemd_hears_of_readiness_state_and_commands(service: Service) -> None:
    """READY=1 once, STATUS= with the state, and the watchdog is fed while the arm is commanded."""
    service.run.float_again()
    assert service.systemd.feeds_in(1.5) >= 3
    heard = service.systemd.heard
    assert heard.count("READY=1") == 1
    assert any(line.startswith("STATUS=FLOATING") and "missed answers" in line for line in heard)


def test_the_journal_gets_levels_and_no_live_line(service: Service) -> None:
    """Every line has its level; the state goes to `systemctl status`, not into the journal."""
    lines = service.run.text.splitlines()
    assert all(line[0] == "<" and line[1].isdigit() and line[2] == ">" for line in lines), lines
    assert "<6>READY" in lines and not any("mm/s" in line for line in lines)


def test_status_says_what_real_time_was_got(service: Service) -> None:
    """Each process reports what it asked and got; the kernel agrees; the load is a number."""
    status = service.run.status()
    assert set(status["real_time"]) == set(PROCESSES)
    items = {item["name"]: item for item in status["real_time"]["driver"]}
    policy = os.sched_getscheduler(service.run.pid("driver"))
    if items["scheduler"]["refused"]:
        assert policy == os.SCHED_OTHER and "docs/use/realtime.md" in items["scheduler"]["refused"]
    else:
        assert policy == os.SCHED_FIFO and items["scheduler"]["got"] == "SCHED_FIFO 60"
    assert os.sched_getscheduler(service.run.pid("sim")) == os.SCHED_OTHER
    assert 0.0 <= status["real_time_load"] < 4.0


def test_no_second_busy_thread_in_the_driver(service: Service) -> None:
    """Besides the loop only libzmq's threads have run; none of them as much as a tenth of the loop."""
    pid = service.run.pid("driver")
    cpu = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        fields = (task / "stat").read_text().rsplit(")", 1)[1].split()
        cpu[int(task.name)] = ((task / "comm").read_text().strip(), int(fields[11]) + int(fields[12]))
    _, main = cpu.pop(pid)
    assert main > 0
    for name, ticks in cpu.values():
        assert name.startswith("ZMQbg") or ticks <= 1, f"{name} has used {ticks} ticks"
        assert ticks < 0.1 * main, f"{name} has used {ticks} ticks of {main}"


def test_reload_is_refused_while_the_arm_may_move(service: Service) -> None:
    """A reload of a floating arm changes nothing and says why."""
    service.run.float_again()
    before = service.pids()
    reply = service.run.ask("reload")
    assert not reply.accepted and "refused in FLOATING" in reply.text
    assert service.pids() == before


def test_frozen_driver_ends_the_watchdogs_feed(service: Service) -> None:
    """The daemon's loop turns, but no commands are written: the watchdog is not fed."""
    pid = service.run.pid("driver")
    os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(0.5)  # for reports that were on their way
        assert service.systemd.feeds_in(1.5) == 0
        assert service.run.status()["state"] == "FAULT", "the daemon itself goes on"
    finally:
        os.kill(pid, signal.SIGCONT)
    service.run.wait(lambda: service.systemd.feeds_in(0.5) > 0)


def test_reload_with_a_wrong_file_keeps_the_old_configuration(service: Service) -> None:
    """A fault in the new file refuses the reload, by command and by SIGHUP, and no process is touched."""
    run = service.run
    assert run.ask("reset").accepted
    run.wait_state("READY")
    before, text = service.pids(), run.configuration.read_text(encoding="utf-8")
    run.configuration.write_text(text.replace("mass_kg = 60.0", "mass_kg = -3.0"), encoding="utf-8")
    command = [sys.executable, "-m", "hil", "reload", "--runtime-directory", str(run.directory)]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert ended.returncode == 2 and "object.mass_kg = -3.0 must be above 0" in ended.stderr
    os.kill(run.popen.pid, signal.SIGHUP)
    run.wait(lambda: "<4>" in run.text and "object.mass_kg = -3" in run.text)
    # a process that is started again meanwhile gets what the others have
    os.kill(run.pid("planner"), signal.SIGKILL)
    assert "planner process was ended by signal 9" in run.wait_state("FAULT")["reason"]
    assert run.ask("reset").accepted
    run.wait_state("READY", PATIENCE_S)
    assert service.pids()[:3] == before[:3]
    run.configuration.write_text(text, encoding="utf-8")


def test_reload_starts_all_processes_and_never_floats(service: Service) -> None:
    """Done in READY: new processes, READY again although `float_at_start` is set, and systemd is told."""
    run = service.run
    before = service.pids()
    text = run.configuration.read_text(encoding="utf-8")
    run.configuration.write_text(text.replace("mass_kg = 60.0", "mass_kg = 61.0"), encoding="utf-8")
    begin, epoch = len(service.systemd.heard), run.status()["epoch"]
    assert run.ask("reload").accepted
    run.wait(lambda: "READY=1" in service.systemd.heard[begin:])
    heard = service.systemd.heard[begin:]
    assert heard[heard.index("READY=1") - 1].startswith("RELOADING=1\nMONOTONIC_USEC=")
    run.wait_state("READY", PATIENCE_S)
    assert not set(service.pids()) & set(before)
    time.sleep(0.3)
    assert run.status()["epoch"] == epoch, "it has floated"
    changed = run.configuration.read_text(encoding="utf-8").replace('/bus"', '/other"')
    run.configuration.write_text(changed, encoding="utf-8")
    refused = run.ask("reload")
    assert not refused.accepted and "run.runtime_directory" in refused.text
    run.configuration.write_text(text, encoding="utf-8")


def test_a_start_after_a_kill_never_floats_by_itself(service: Service) -> None:
    """The mark that a run was going on outlives SIGKILL: the arm waits for an operator."""
    run = service.run
    (mark,) = service.state.iterdir()
    run.popen.kill()
    run.popen.wait()
    assert mark.exists()
    run.start_again()
    run.wait(lambda: "READY" in run.text, PATIENCE_S)
    assert "no orderly end" in run.text
    time.sleep(0.3)
    assert run.status()["epoch"] == 0, "it has floated"
    run.wait_state("READY")
    assert run.ask("float").accepted
    run.wait(lambda: run.status()["following"])


def test_second_interrupt_does_not_cut_the_braking_short(service: Service) -> None:
    """SIGINT twice ends in order: the arm has come to rest, the summary is printed, the mark is gone."""
    run = service.run
    run.popen.send_signal(signal.SIGINT)
    time.sleep(0.1)
    run.popen.send_signal(signal.SIGINT)
    assert run.popen.wait(20.0) == 0
    assert "FLOATING -> STOPPED: the run is over" in run.text and "memory of all processes" in run.text
    assert "Traceback" not in run.text
    assert not list(service.state.iterdir())


def test_full_disk_for_the_log_stops_nothing(tmp_path: Path) -> None:
    """With every line refused by the disk the run floats, ends in order and leaves no traceback."""
    settings = {
        "run.runtime_directory": json.dumps(str(tmp_path / "bus")),
        "run.state_directory": json.dumps(str(tmp_path / "state")),
        "fri.port": str(free_port(SOCK_DGRAM)),
    }
    command = [sys.executable, "-m", "hil", "run", "configs/cube.toml", "--duration", "1"]
    command += [f"--set={key}={value}" for key, value in settings.items()]
    with open("/dev/full", "wb") as full:
        run = subprocess.Popen(command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT)
        bus, lost = Bus(tmp_path / "bus"), 0
        while run.poll() is None:
            try:
                lost = max(lost, json.loads(bus.ask(Request(0, "status", "{}"), 1.0).status)["lost_lines"])
            except LinkError:
                continue  # not there yet, or no longer
            time.sleep(0.1)
        bus.close()
    assert run.returncode in (0, 1), "1 is a fault of a loop on a machine that is too busy"
    assert run.stderr is not None and not run.stderr.read()
    assert lost > 0
