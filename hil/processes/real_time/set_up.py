"""Real-time set-up of a process, and the report of what was asked, what was got and what was refused."""

import ctypes
import gc
import json
import os
import resource
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hil.configuration.real_time import RealTimeProcess
from hil.configuration.schema import Configuration
from hil.configuration.spin import granted_spin
from hil.processes.real_time.capabilities import CAP_IPC_LOCK, is_capable
from hil.processes.real_time.idle_states import keep_cores_awake
from hil.processes.table import PROCESSES

PR_SET_TIMERSLACK, PR_GET_TIMERSLACK = 29, 30
# Only pages that have been touched are locked (MCL_ONFAULT): after warming the loop has touched all that
# it needs, and whole libraries that it never calls stay out of memory.
MCL_CURRENT_FUTURE_ONFAULT = 1 | 2 | 4
BUS_THREAD = "ZMQbg/IO"  # libzmq's name of the threads that carry the messages
SEE = "see docs/use/realtime.md"
LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Item:
    """One thing that was asked of the system; `refused` says why `got` is less."""

    name: str
    asked: str
    got: str
    refused: str = ""

    def __str__(self) -> str:
        return f"{self.got} (asked: {self.asked}; {self.refused})" if self.refused else self.got


@dataclass(frozen=True)
class Report:
    """What became of a process's wishes."""

    items: tuple[Item, ...]

    def __str__(self) -> str:
        return ", ".join(str(item) for item in self.items)

    @property
    def refused(self) -> list[str]:
        """What was not granted, in words."""
        return [str(item) for item in self.items if item.refused]

    def to_json(self) -> str:
        """Return the items as JSON, for the heartbeat."""
        return json.dumps([asdict(item) for item in self.items])


def report_from_json(text: str) -> Report:
    """Return the report that a heartbeat carries; empty text gives an empty one."""
    return Report(tuple(Item(**item) for item in json.loads(text or "[]")))


def real_time_lines(status: dict[str, Any]) -> list[str]:
    """Return a line a process, and one for the load, from a daemon's status; none from another host's."""
    lines = []
    for name, items in status.get("real_time", {}).items():
        lines.append(f"{name}: {Report(tuple(Item(**item) for item in items)) if items else 'starting'}")
    return [*lines, f"real-time load {status['real_time_load']:.0%} of a core"] if lines else []


def enter_real_time(name: str, c: Configuration) -> Report:
    """Make this process, `name` in the table of processes, as punctual as configured and permitted.

    To be called when everything is warm and all sockets are open, just before the loop.
    """
    process: RealTimeProcess = getattr(c.realtime, name)
    real_time = process.scheduler == "fifo"
    priority = process.priority or PROCESSES[name].real_time_priority
    # the kernel ignores the slack of a real-time thread: it is set while this is still an ordinary one
    items = [_timer_slack(c.realtime.timer_slack), *_cpus(process.cpus)]
    items += _scheduler(0, priority, process.nice) if real_time else [_nice(process.nice)]
    if real_time:
        if c.realtime.own_cores and not process.cpus and os.sched_getscheduler(0) == os.SCHED_FIFO:
            items += _cpus(_own_core(name))
        items += _bus_threads(priority - 1) if c.realtime.bus_threads == "fifo" else []
        items += _locked_memory() if c.realtime.memory_lock else []
        items += _awake() if c.realtime.cores_awake else []
        if c.realtime.spin:
            spin, refused = granted_spin(c)
            asked, got = f"spin {1e6 * c.realtime.spin:.0f} us", f"spin {1e6 * spin:.0f} us"
            items.append(Item("spin", asked, got, refused))
    return Report((*items, _collector(off=real_time and c.realtime.collector_off)))


def _scheduler(thread: int, priority: int, nice: int) -> list[Item]:
    asked = f"SCHED_FIFO {priority}"
    try:
        os.sched_setscheduler(thread, os.SCHED_FIFO, os.sched_param(priority))
    except OSError as error:
        return [Item("scheduler", asked, _nice(nice).got, f"{error.strerror}: {SEE}")]
    return [Item("scheduler", asked, asked)]


def _nice(nice: int) -> Item:
    """Set the nice value, or the nearest to it that the limit allows."""
    before, limit = os.getpriority(os.PRIO_PROCESS, 0), resource.getrlimit(resource.RLIMIT_NICE)[0]
    lowest = -20 if limit == resource.RLIM_INFINITY else 20 - limit
    refused = ""
    for value in (nice, max(nice, min(before, lowest))):
        try:
            os.setpriority(os.PRIO_PROCESS, 0, value)
            break
        except OSError as error:
            refused = f"{error.strerror}: {SEE}"
    got = os.getpriority(os.PRIO_PROCESS, 0)
    return Item("nice", f"nice {nice}", f"SCHED_OTHER nice {got}", refused if got > nice else "")


def _bus_threads(priority: int) -> list[Item]:
    """Put libzmq's threads one priority below the loop: see docs/use/realtime.md for what that brings.

    Not by libzmq's own option, which ends the process when the system refuses.
    """
    asked = f"bus threads SCHED_FIFO {priority}"
    try:
        for thread in bus_threads(os.getpid()):
            os.sched_setscheduler(thread, os.SCHED_FIFO, os.sched_param(priority))
    except OSError as error:
        return [Item("bus threads", asked, "bus threads SCHED_OTHER", f"{error.strerror}: {SEE}")]
    return [Item("bus threads", asked, asked)]


def bus_threads(pid: int) -> list[int]:
    """Return the ids of the threads of a process that carry messages."""
    tasks = Path(f"/proc/{pid}/task")
    return [int(t.name) for t in tasks.iterdir() if (t / "comm").read_text().startswith(BUS_THREAD)]


def _own_core(name: str) -> list[int]:
    """Return the core that a real-time process keeps to; none where there is only one for all."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        return []
    return [cores[-1] if name == "driver" else cores[0]]


def _cpus(cpus: Iterable[int]) -> list[Item]:
    wanted = set(cpus)
    if not wanted:
        return []
    asked = "CPU " + " ".join(map(str, sorted(wanted)))
    refused = ""
    try:
        for task in Path("/proc/self/task").iterdir():
            os.sched_setaffinity(int(task.name), wanted)
    except OSError as error:
        refused = f"{error.strerror}: this machine has CPUs 0 to {(os.cpu_count() or 1) - 1}"
    got = "CPU " + " ".join(map(str, sorted(os.sched_getaffinity(0))))
    if got != asked and not refused:  # the kernel silently leaves out what it has not got
        refused = f"this machine has CPUs 0 to {(os.cpu_count() or 1) - 1}"
    return [Item("cpus", asked, got, refused)]


def _timer_slack(slack: float) -> Item:
    LIBC.prctl(PR_SET_TIMERSLACK, max(1, round(1e9 * slack)), 0, 0, 0)
    got = LIBC.prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0)
    refused = "" if got <= round(1e9 * slack) else "the kernel did not take it"
    return Item("timer slack", f"timer slack {1e6 * slack:g} us", f"timer slack {1e-3 * got:g} us", refused)


def _locked_memory() -> list[Item]:
    asked = "memory locked"
    # with a limit, every later allocation beyond it would fail: then rather nothing is locked
    if resource.getrlimit(resource.RLIMIT_MEMLOCK)[0] != resource.RLIM_INFINITY and not is_capable(
        CAP_IPC_LOCK
    ):
        return [Item("memory", asked, "memory not locked", f"limit on locked memory: {SEE}")]
    if LIBC.mlockall(MCL_CURRENT_FUTURE_ONFAULT) != 0:
        return [Item("memory", asked, "memory not locked", f"{os.strerror(ctypes.get_errno())}: {SEE}")]
    return [Item("memory", asked, asked)]


def _awake() -> list[Item]:
    refused = keep_cores_awake()
    got = "cores may sleep" if refused else "cores awake"
    return [Item("idle states", "cores awake", got, f"{refused}: {SEE}" if refused else "")]


def _collector(off: bool) -> Item:
    """Freeze what lives now, so that no collection looks at it again; off: collect no more at all.

    Only for loops that make no cyclic garbage.
    """
    gc.collect()
    gc.freeze()
    if off:
        gc.disable()
    got = "collector off" if not gc.isenabled() else "collector frozen"
    return Item("collector", "collector off" if off else "collector frozen", got)
