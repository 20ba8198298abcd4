"""`zerog doctor` against machines made of files, and once against this one."""

import inspect
import json
import os
import resource
import socket
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from hil.commands.cli import main
from hil.commands.doctor import examination, machine, network, storage, timing
from hil.commands.doctor.finding import FAIL, OK, WARN, Finding, looked
from hil.common.errors import LinkError
from hil.common.kernel_cache import COMPLETE
from hil.common.state_directory import StateDirectory
from hil.configuration import Configuration
from hil.configuration.schema import Fri, Run
from hil.messaging.bus import Bus
from hil.messaging.runtime_directory import LONGEST_NAME, LONGEST_PATH
from hil.messaging.topics import TOPICS
from hil.processes.real_time.capabilities import is_capable
from hil.processes.supervisor.instance_lock import InstanceLock
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
    assert storage.sockets(tmp_path / "a" / "b").verdict == OK and not (tmp_path / "a").exists()
    assert storage.lasting(StateDirectory(tmp_path)).verdict == OK
    assert storage.lasting(StateDirectory(tmp_path, "no home", stands_in=True)).verdict == WARN
    assert storage.lasting(StateDirectory(Path("/proc/x"), "cannot be written")).verdict == FAIL
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


STATUS, MAP = "proc__self__status", "proc__self__uid_map"
ALL = "CapEff:\t000001ffffffffff"


@pytest.mark.parametrize(
    ("status", "users", "capable"),
    [
        (ALL, "0 0 4294967295", {14, 23}),
        ("Name: x\nCapEff:\t0000000000004000", "0 0 4294967295", {14}),
        ("CapEff:\t00000000a80425fb", "0 0 4294967295", set()),  # root in a container, as it is by default
        (ALL, "0 1000 1", set()),  # root of a user namespace
    ],
)
def test_capabilities_are_looked_at_and_not_the_user(
    tmp_path: Path, status: str, users: str, capable: set[int]
) -> None:
    """Root without capabilities, and one whose capabilities do not count for the machine, needs limits."""
    root = written(tmp_path, **{STATUS: status, MAP: users})
    assert {number for number in (14, 23) if is_capable(number, root)} == capable
    told = {found.name: found for found in machine.limits(root)}
    for name, (word, number) in machine.CAPABILITIES.items():
        soft = resource.getrlimit(getattr(resource, f"RLIMIT_{name.upper()}"))[0]
        if soft == resource.RLIM_INFINITY:
            continue
        found = told[f"limit {name}"]
        enough = number in capable
        assert found.verdict == (OK if enough else WARN) and word in str(found)


@pytest.mark.parametrize("place", ["/proc/none", "/dev/null/x", "n" * 300, "n" * LONGEST_PATH])
def test_a_place_where_no_sockets_can_be_is_told_by_its_key(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By `doctor` and `check` as by `run`, in one line; nothing is left."""
    monkeypatch.chdir(tmp_path)
    finding = storage.sockets(Path(place))
    assert finding.verdict == FAIL and "run.runtime_directory" in finding.text
    path = tmp_path / "run.toml"
    text = (ROOT / "configs" / "cube.toml").read_text().replace('"robots/', f'"{ROOT}/configs/robots/')
    path.write_text(text.replace("[run]\n", f'[run]\nruntime_directory = "{place}"\n'))
    for command, status in (("check", 1), ("run", 2)):
        assert main([command, str(path)]) == status
        error = capsys.readouterr().err
        assert f"run.runtime_directory {place} " in error and error.count("\n") == 1
    assert [file.name for file in tmp_path.iterdir()] == ["run.toml"]


def test_the_longest_place_that_is_allowed_takes_every_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound is the kernel's: at it each topic's socket can be bound, one byte above it none is tried."""
    monkeypatch.chdir(tmp_path)  # a path from here has room for more than the test's own folder
    place = Path("n" * (LONGEST_PATH - LONGEST_NAME - 1))
    bus = Bus(place)
    for topic in TOPICS:
        bus.publisher(topic)
    bus.close()
    with pytest.raises(LinkError, match=r"run\.runtime_directory .* bytes long"):
        Bus(place.with_name(place.name + "n"))


@pytest.mark.skipif(os.geteuid() != 0, reason="makes another user's folder")
def test_another_users_place_is_not_used_for_sockets(tmp_path: Path) -> None:
    """Whoever owns the folder could speak as a process of the run."""
    theirs = tmp_path / "theirs"
    theirs.mkdir(0o700)
    os.chown(theirs, 65534, 65534)
    with pytest.raises(LinkError, match="belongs to user 65534"):
        InstanceLock(theirs)
    theirs.chmod(0o777)
    os.chown(theirs, 0, 0)
    with pytest.raises(LinkError, match="everybody can write there"):
        InstanceLock(theirs)


PROBES = [
    (examination, "running_status"),
    *((machine, name) for name in ("kernel", "limits", "throttling", "governor", "idle_states")),
    *((machine, name) for name in ("isolated", "clock_source", "virtual")),
    *((network, name) for name in ("port", "receive_buffer", "card")),
    *((storage, name) for name in ("kernels", "sockets", "lasting", "disk", "memory")),
    *((storage, name) for name in ("use_kernel_cache", "state_directory", "runtime_directory")),
    (examination, "wake_up"),
    (examination, "expected_load"),
]
BROKEN = (ValueError("two\nlines"), OSError(5, "Input/output error"), StopIteration(), AssertionError())


@pytest.mark.parametrize(
    ("module", "name", "error"),
    [(*probe, BROKEN[k % len(BROKEN)]) for k, probe in enumerate(PROBES)],
    ids=[name for _, name in PROBES],
)
def test_a_probe_that_fails_is_a_line_and_the_others_hold(
    cube: Configuration, monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str, error: Exception
) -> None:
    """Whichever, and by whatever: it is warned of by the name of the line that it would have been."""
    for measured in ("wake_up", "expected_load"):  # which take their time
        monkeypatch.setattr(examination, measured, lambda _, n=measured: Finding(n, OK, ""))
    monkeypatch.setattr(examination, "running_status", lambda _: {})
    whole = {finding.name for finding in examination.examine(cube)}

    def breaks(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(module, name, breaks)
    found = examination.examine(cube)
    told = [finding for finding in found if type(error).__name__ in finding.text]
    assert told and all(finding.verdict == WARN and "\n" not in str(finding) for finding in told)
    gone = whole - {finding.name for finding in found}
    assert len(gone) <= (3 if name == "limits" else 1)


def test_every_probe_is_broken_in_the_test_above() -> None:
    """All functions of the rooms' files that find something."""
    finding = {
        (module, name)
        for module in (machine, network, storage, timing)
        for name, made in vars(module).items()
        if inspect.isfunction(made) and made.__module__ == module.__name__ and not name.startswith("_")
        and made.__annotations__.get("return") in (Finding, list[Finding])
    }  # fmt: skip
    measured = {(timing, "wake_up"), (timing, "expected_load"), (timing, "running_load")}
    assert finding - measured <= set(PROBES) and len(finding) > len(measured)


def test_files_of_a_strange_machine_end_no_examination(tmp_path: Path) -> None:
    """Numbers that are none, in every file that is read for one; what our own errors say is a failure."""
    root = written(
        tmp_path,
        **{RUNTIME: "often", PERIOD: "0", "proc__meminfo": "MemAvailable: much", "proc__cpuinfo": "flags"},
        **{"proc__sys__net__core__rmem_max": "-", "proc__self__status": "CapEff:\tzz"},
    )
    looks = [*machine.machine_looks(root), *network.network_looks(Fri(), True, root)]
    looks += storage.storage_looks(Run(), root)
    found = {finding.name: finding for finding in looked(looks)}
    for name in ("rt throttling", "free memory", "receive buffer"):
        assert found[name].verdict == WARN and "could not be looked at" in found[name].text

    def refuses() -> Finding:
        raise LinkError("no way")

    assert looked([("way", refuses)]) == [Finding("way", FAIL, "no way")]
