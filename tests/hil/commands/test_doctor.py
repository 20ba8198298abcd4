"""`zerog doctor` against machines made of files, and once against this one."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from hil.commands.doctor import machine, network, storage
from hil.commands.doctor.finding import FAIL, OK, WARN
from hil.common.kernel_cache import COMPLETE
from hil.configuration.schema import Fri
from tests.conftest import ROOT


def written(root: Path, **files: str) -> Path:
    """A file system with these files; `__` in a name is `/`."""
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return root


RUNTIME, PERIOD = "proc__sys__kernel__sched_rt_runtime_us", "proc__sys__kernel__sched_rt_period_us"
CPU = "sys__devices__system__cpu__"


@pytest.mark.parametrize(
    ("look", "files", "verdict", "words"),
    [
        (lambda root: machine.kernel(root, "#1 SMP PREEMPT_DYNAMIC"), {}, WARN, "not PREEMPT_RT"),
        (lambda root: machine.kernel(root, "#1 SMP PREEMPT_RT"), {}, OK, "PREEMPT_RT"),
        (lambda root: machine.kernel(root, "#1"), {"sys__kernel__realtime": "1"}, OK, "PREEMPT_RT"),
        (
            machine.throttling,
            {RUNTIME: "950000", PERIOD: "1000000"},
            OK,
            "95%",
        ),
        (
            machine.throttling,
            {RUNTIME: "-1", PERIOD: "1000000"},
            WARN,
            "locks the machine",
        ),
        (machine.throttling, {}, WARN, "unknown"),
        (machine.governor, {f"{CPU}cpu0__cpufreq__scaling_governor": "powersave"}, WARN, "cpupower"),
        (machine.governor, {f"{CPU}cpu0__cpufreq__scaling_governor": "performance"}, OK, "performance"),
        (machine.governor, {}, OK, "none"),
        (machine.idle_states, {}, OK, "none"),
        (machine.idle_states, {f"{CPU}cpuidle__current_driver": "haltpoll"}, WARN, "zerog.udev"),
        (
            machine.idle_states,
            {f"{CPU}cpuidle__current_driver": "haltpoll", "dev__cpu_dma_latency": ""},
            OK,
            "keeps the cores awake",
        ),
        (machine.isolated, {f"{CPU}isolated": "2-3"}, OK, "2-3"),
        (machine.isolated, {f"{CPU}isolated": ""}, WARN, "isolcpus"),
        (
            machine.clock_source,
            {"sys__devices__system__clocksource__clocksource0__current_clocksource": "hpet"},
            WARN,
            "hpet",
        ),
        (machine.virtual, {"proc__cpuinfo": "flags\t\t: fpu hypervisor sse"}, WARN, "virtual"),
        (machine.virtual, {"proc__cpuinfo": "flags\t\t: fpu sse"}, OK, "no sign"),
        (network.receive_buffer, {"proc__sys__net__core__rmem_max": "212992"}, WARN, "rmem_max=262144"),
        (network.receive_buffer, {"proc__sys__net__core__rmem_max": "4194304"}, OK, "4194304"),
        (storage.memory, {"proc__meminfo": "MemTotal: 9 kB\nMemAvailable: 300000 kB"}, FAIL, "293 MiB"),
        (storage.memory, {"proc__meminfo": "MemAvailable: 9000000 kB"}, OK, "8789 MiB"),
    ],
)  # fmt: skip
def test_findings_of_a_machine(tmp_path: Path, look, files: dict[str, str], verdict: str, words: str) -> None:
    """Each property of the kernel's files gives its verdict, with the remedy where it is not ok."""
    finding = look(written(tmp_path, **files))
    assert finding.verdict == verdict and words in str(finding)
    assert finding.verdict == OK or finding.remedy


def test_a_busy_port_fails_unless_it_is_our_daemons() -> None:
    """The port is tried; one in use is named, but the running daemon may have it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        fri = Fri(port=taken.getsockname()[1])
        assert network.port(fri, running=False).verdict == FAIL
        assert str(fri.port) in network.port(fri, running=False).text
        assert network.port(fri, running=True).verdict == OK
    assert network.port(fri, running=False).verdict == OK
    elsewhere = network.port(Fri(bind_address="192.0.2.1"), running=False)
    assert elsewhere.verdict == FAIL and "ip addr" in elsewhere.text


def test_loopback_is_no_card_and_a_controller_without_a_way_is_warned_of(tmp_path: Path) -> None:
    """The emulated controller needs no card; one that no card leads to is said."""
    assert "loopback" in network.card("127.0.0.1", tmp_path).text
    assert network.card("not an address", tmp_path).verdict == WARN


def test_folders_and_kernels(tmp_path: Path) -> None:
    """A folder that can be made is fine; compiled kernels count as complete after a run that got ready."""
    assert storage.writable("state", tmp_path / "a" / "b", "key").verdict == OK
    assert storage.writable("state", Path("/proc/zerog"), "run.state_directory").verdict == (
        OK if os.access("/proc", os.W_OK) else FAIL
    )
    assert storage.kernels(tmp_path / "kernels").verdict == WARN
    written(tmp_path, **{f"kernels__{COMPLETE}": "", "kernels__a.nbi": ""})
    finding = storage.kernels(tmp_path / "kernels")
    assert finding.verdict == OK and finding.text.startswith("1, complete")


def test_the_command_says_fit_or_what_fails(tmp_path: Path) -> None:
    """On this machine: every line has a verdict; a busy port gives status 1 and its name, all else 0."""
    (tmp_path / "run.toml").write_text(
        (ROOT / "configs" / "cube.toml").read_text().replace('"robots/', f'"{ROOT}/configs/robots/')
    )
    command = [sys.executable, "-m", "hil", "doctor", "--json"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        with (tmp_path / "run.toml").open("a") as file:
            file.write(f"\n[fri]\nport = {taken.getsockname()[1]}\n")
        ended = subprocess.run(
            [*command, str(tmp_path / "run.toml")], capture_output=True, text=True, cwd=ROOT
        )
    report = json.loads(ended.stdout)
    failed = [finding["name"] for finding in report["findings"] if finding["verdict"] == FAIL]
    assert ended.returncode == 1 and "port" in failed and not report["fit"]
    assert all(finding["verdict"] in (OK, WARN, FAIL) for finding in report["findings"])
    names = {finding["name"] for finding in report["findings"]}
    assert {"kernel", "clock source", "wake-up, ordinary", "real-time load", "compiled kernels"} <= names
