"""Real-time set-up: what is refused in the configuration, what is reported, how it waits, what it costs."""

import json
import os
import socket
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from hil.common.errors import ConfigurationError
from hil.common.waiting import Waiter
from hil.configuration import Configuration
from hil.configuration.loading import configuration_from
from hil.configuration.spin import granted_spin
from hil.processes.real_time.set_up import Item, Report, real_time_lines, report_from_json
from hil.processes.supervisor.real_time_watch import PERIOD_NS, RealTimeWatch, real_time_cpu
from tests.conftest import ROOT

CUBE = ROOT / "configs" / "cube.toml"


def changed(text: str) -> Configuration:
    """The default configuration with a further piece of TOML."""
    return configuration_from(tomllib.loads(CUBE.read_text(encoding="utf-8")) | tomllib.loads(text), CUBE)


@pytest.mark.parametrize("name", ["sim", "planner", "bridge"])
def test_fifo_is_refused_for_all_but_driver_and_emulator(name: str) -> None:
    """A busy process under SCHED_FIFO would stall the driver: it cannot be configured."""
    with pytest.raises(ConfigurationError, match=rf"realtime\.{name}\.scheduler = 'fifo' is refused"):
        changed(f'[realtime.{name}]\nscheduler = "fifo"')
    assert changed("[realtime.driver]\ncpus = [0]").realtime.driver.scheduler == "fifo"


def test_a_report_survives_the_heartbeat_and_names_what_was_refused() -> None:
    """What was asked, got and refused arrives unchanged and stands in the words."""
    report = Report(
        (Item("scheduler", "SCHED_FIFO 60", "SCHED_OTHER nice 0", "not permitted"), Item("a", "b", "b"))
    )
    assert report_from_json(report.to_json()) == report
    assert str(report) == "SCHED_OTHER nice 0 (asked: SCHED_FIFO 60; not permitted), b"
    assert len(report.refused) == 1
    assert not report_from_json("").items
    status = {"real_time": {"driver": [{"name": "a", "asked": "b", "got": "b", "refused": ""}], "sim": []}}
    assert real_time_lines(status | {"real_time_load": 0.25}) == [
        "driver: b", "sim: starting", "real-time load 25% of a core",
    ]  # fmt: skip
    assert real_time_lines({"state": "WAITING"}) == []


PROGRAM = """
import os, resource, sys, json
from hil.configuration import load_configuration
from pathlib import Path
c = load_configuration(Path("configs/cube.toml"), sys.argv[2:])
if sys.argv[1] == "poor":
    for limit in (resource.RLIMIT_RTPRIO, resource.RLIMIT_NICE):
        resource.setrlimit(limit, (0, 0))
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (65536, 65536))
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
from hil.processes.real_time.set_up import enter_real_time
report = enter_real_time("driver", c)
import gc
state = [gc.isenabled(), os.sched_getscheduler(0), sorted(os.sched_getaffinity(0))]
print(json.dumps([report.to_json(), *state]))
"""


def entered(*arguments: str) -> tuple[dict[str, Item], bool, int, list[int]]:
    """What a process of its own reports after real-time set-up, and how it really is."""
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, cwd=ROOT,
        env=os.environ | {"NUMBA_CACHE_DIR": "/nonexistent"},
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    text, collector, policy, cpus = json.loads(ended.stdout)
    return {item.name: item for item in report_from_json(text).items}, collector, policy, cpus


def test_without_permission_it_goes_on_and_says_so() -> None:
    """An unprivileged process gets what it may have; each refusal has a reason and where to read on."""
    items, collector, policy, _ = entered("poor")
    assert policy == os.SCHED_OTHER and not collector
    for name in ("scheduler", "memory", "idle states"):
        assert "docs/use/realtime.md" in items[name].refused, items[name]
    assert items["scheduler"].got.startswith("SCHED_OTHER nice")
    assert items["timer slack"].got == "timer slack 1 us" and not items["timer slack"].refused


def test_what_is_configured_is_what_the_kernel_shows() -> None:
    """CPU, class, spin and collector as asked; a CPU that is not there is refused by name."""
    first = min(os.sched_getaffinity(0))
    items, collector, policy, cpus = entered(
        "rich",
        f"realtime.driver.cpus=[{first}]",
        "realtime.collector_off=false",
        'realtime.driver.scheduler="other"',
    )
    assert cpus == [first] and collector and policy == os.SCHED_OTHER
    assert items["collector"].got == "collector frozen"
    items, *_ = entered("rich", "realtime.driver.cpus=[4000]")
    assert "this machine has CPUs 0 to" in items["cpus"].refused


def test_a_real_time_process_keeps_to_a_core_of_its_own() -> None:
    """The driver to the last core, unless told otherwise; without SCHED_FIFO, or with one core, to none."""
    allowed = sorted(os.sched_getaffinity(0))
    _, _, policy, cpus = entered("rich")
    alone = policy == os.SCHED_FIFO and len(allowed) > 1
    assert cpus == (allowed[-1:] if alone else allowed)
    assert entered("rich", "realtime.own_cores=false")[3] == allowed
    assert entered("poor")[3] == allowed


def test_the_wish_to_keep_cores_awake_lasts_as_long_as_the_process(tmp_path: Path) -> None:
    """The kernel's device gets a 32-bit zero and stays open; one that is not there is refused with why."""
    program = (
        "import os, sys\nfrom pathlib import Path\n"
        "from hil.processes.real_time.idle_states import keep_cores_awake\n"
        "print([keep_cores_awake(Path(sys.argv[1])) for _ in range(2)])\n"
        "print([os.path.realpath(f'/proc/self/fd/{n}') for n in range(20)].count(sys.argv[1]))"
    )
    device, missing = tmp_path / "latency", tmp_path / "none"
    device.write_bytes(b"")
    for place, words, held in ((device, "['', '']", 1), (missing, "No such file or directory", 0)):
        ended = subprocess.run(
            [sys.executable, "-c", program, place], capture_output=True, text=True, cwd=ROOT
        )
        refusals, count = ended.stdout.splitlines()
        assert words in refusals and int(count) == held
    assert device.read_bytes() == bytes(4)


def test_spinning_needs_more_cores_than_processes_that_spin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two spinning processes on two cores are refused, on three granted; without a wish nothing is said."""
    for cores, granted in ((1, 0.0), (2, 0.0), (3, 150e-6)):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, n=cores: set(range(n)))
        spin, refused = granted_spin(changed("[realtime]\nspin_us = 150.0"))
        assert spin == pytest.approx(granted) and bool(refused) == (granted == 0.0)
        assert granted_spin(changed("")) == (0.0, "")


@pytest.mark.parametrize("spin", [0.0, 0.02])
def test_waiting_ends_with_the_datagram_or_in_time(spin: float) -> None:
    """Asleep or spinning: a datagram that is there is seen, none is waited for beyond the deadline."""
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with near, far:
        waiter = Waiter(near, spin)
        begin = time.monotonic()
        assert not waiter.wait(begin + 0.05, begin + 0.03)
        assert time.monotonic() >= begin + 0.05
        far.send(b"x")
        assert waiter.wait(time.monotonic() + 5.0, time.monotonic())
        assert not waiter.wait(time.monotonic() - 1.0, 0.0), "too late is too late, whatever has come"


def task(folder: Path, pid: int, thread: int, policy: int, ticks: int) -> None:
    """A thread as the kernel shows it."""
    place = folder / str(pid) / "task" / str(thread)
    place.mkdir(parents=True, exist_ok=True)
    fields = ["S"] + ["0"] * 49
    fields[11], fields[12], fields[38] = str(ticks), "0", str(policy)
    (place / "stat").write_text(f"{thread} (a b) c) " + " ".join(fields))


def test_only_real_time_threads_count(tmp_path: Path) -> None:
    """CPU time of SCHED_FIFO and SCHED_RR threads, whatever their names; an ended process has none."""
    task(tmp_path, 7, 7, os.SCHED_FIFO, 50)
    task(tmp_path, 7, 8, os.SCHED_OTHER, 1000)
    task(tmp_path, 7, 9, os.SCHED_RR, 20)
    hz = os.sysconf("SC_CLK_TCK")
    assert real_time_cpu(7, tmp_path) == {7: 50 / hz, 9: 20 / hz}
    assert real_time_cpu(8, tmp_path) == {}


def test_a_load_above_the_safe_one_is_warned_of_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """70 % of a core for several periods: one warning; CPU time from before real time does not count."""
    from hil.loop.judging.liveness import Liveness
    from hil.processes.supervisor import real_time_watch

    now = [0]
    monkeypatch.setattr(real_time_watch, "real_time_cpu", lambda pid: {pid: 100.0 + 0.7e-9 * now[0]})
    watch, told = RealTimeWatch(), []
    for n in range(1, 6):
        now[0] = n * PERIOD_NS
        watch.watch(now[0], Liveness([]), [1], lambda text, level: told.append(text))
    assert watch.load == pytest.approx(0.7)
    assert len(told) == 1 and "70% of a core" in told[0]
