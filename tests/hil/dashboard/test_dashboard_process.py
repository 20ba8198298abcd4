"""The dashboard's process beside a live run, without a browser: how it lives, ends and is started again."""

import os
import re
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from socket import SOCK_STREAM

import pytest

from bench.live_run import LiveRun
from hil.common.free_port import free_port
from hil.processes.supervisor.daemon import MAX_RESTARTS
from tests.hil.messaging.test_sockets import LOCAL, network_sockets


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveRun]:
    port = free_port(SOCK_STREAM)
    made = LiveRun(tmp_path_factory.mktemp("process") / "r", "--dashboard", "--port", str(port))
    try:
        made.wait_floating()
        yield made
    finally:
        made.close()


def address_of(run: LiveRun) -> str:
    found = re.search(r"dashboard: (http://\S+)", run.text)
    assert found, run.text
    return found[1]


def serves(run: LiveRun) -> bool:
    """Whether the page is served."""
    try:
        with urllib.request.urlopen(address_of(run), timeout=5.0) as answer:
            return b"STOP" in answer.read()
    except (urllib.error.URLError, ConnectionError):
        return False


def goes_on(run: LiveRun) -> None:
    cycles = run.status()["cycles"]
    run.wait(lambda: run.status()["cycles"] > cycles + 100)
    assert run.status()["state"] == "FLOATING" and run.status()["faults"] == 0


def test_it_is_polite_without_kernels_and_listens_on_loopback_only(run: LiveRun) -> None:
    """Nice 10; no compiler in its memory; all of its sockets are local ones."""
    run.wait(lambda: serves(run))
    pid = run.pid("dashboard")
    run.wait(lambda: os.getpriority(os.PRIO_PROCESS, pid) == 10)
    assert "llvmlite" not in Path(f"/proc/{pid}/maps").read_text(encoding="ascii")
    found = network_sockets(pid)
    assert ("tcp", "0100007F", int(address_of(run).split(":")[2].split("/")[0])) in found
    assert all(address in LOCAL for _, address, _ in found), found


def test_a_reload_starts_it_again(run: LiveRun) -> None:
    """It must know the new configuration; the page is served as before."""
    assert run.ask("stop").accepted
    run.wait(run.stands)
    before = run.pid("dashboard")
    assert run.ask("reload").accepted
    run.wait(lambda: serves(run))
    assert run.pid("dashboard") != before
    run.float_again()


def test_killed_it_is_started_again_but_not_for_ever(run: LiveRun) -> None:
    """Killed as soon as it serves, over and over: after some times it is given up; the arm never notices."""
    for _ in range(MAX_RESTARTS):
        run.wait(lambda: serves(run))
        os.kill(run.pid("dashboard"), signal.SIGKILL)
        goes_on(run)
    told = run.text.count("the dashboard has ended")
    run.wait(lambda: serves(run))
    os.kill(run.pid("dashboard"), signal.SIGKILL)
    run.wait(lambda: run.text.count("the dashboard has ended") == told + 1)
    last = [line for line in run.text.splitlines() if "the dashboard has ended" in line][-1]
    goes_on(run)
    assert "started again" not in last and not serves(run)
