"""What the processes got of real time, and how much of a core their real-time threads use.

The kernel stops all real-time threads for a while when they use too much.
"""

import logging
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from hil.loop.judging.liveness import Liveness
from hil.processes.real_time.set_up import report_from_json

Tell = Callable[[str, int], None]  # with a level of `logging`
PERIOD_NS = 2_000_000_000
SAFE_LOAD = 0.6  # of a core; the kernel's own budget is 95 % (kernel.sched_rt_runtime_us), bursts need room
FIFO, ROUND_ROBIN = 1, 2  # scheduling policies in /proc/PID/stat
UTIME, STIME, POLICY = 11, 12, 38  # fields behind the name


class RealTimeWatch:
    """Tells of each process once what it asked and got, and of a load that is too high.

    Attributes:
        load: CPU time of all real-time threads over wall time, the last that was measured.
    """

    def __init__(self) -> None:
        self._told: set[int] = set()
        self._since_ns = 0
        self._before: dict[int, float] = {}
        self.load = 0.0

    def watch(self, now_ns: int, seen: Liveness, pids: Iterable[int], tell: Tell) -> None:
        """Look at the processes `pids` and their heartbeats."""
        for beat in seen.beats():
            if beat.real_time and beat.pid not in self._told:
                self._told.add(beat.pid)
                report = report_from_json(beat.real_time)
                tell(f"{beat.process}: {report}", logging.WARNING if report.refused else logging.INFO)
        if now_ns - self._since_ns >= PERIOD_NS:
            before = self.load
            self._measure(now_ns, {thread: cpu for pid in pids for thread, cpu in real_time_cpu(pid).items()})
            if before < SAFE_LOAD <= self.load:
                tell(
                    f"the real-time load is {self.load:.0%} of a core, above {SAFE_LOAD:.0%}: the "
                    "kernel may stop all real-time processes for a while; see docs/use/realtime.md",
                    logging.WARNING,
                )

    def _measure(self, now_ns: int, after: dict[int, float]) -> None:
        # what a thread used before it became real-time, as in its start, does not count
        spent = sum(
            max(0.0, cpu - self._before[thread]) for thread, cpu in after.items() if thread in self._before
        )
        if self._since_ns:
            self.load = spent / ((now_ns - self._since_ns) * 1e-9)
        self._since_ns, self._before = now_ns, after


def real_time_cpu(pid: int, proc: Path = Path("/proc")) -> dict[int, float]:
    """Return the CPU time of each real-time thread of a process [s]; none when it has ended."""
    ticks = {}
    try:
        for task in (proc / str(pid) / "task").iterdir():
            fields = (task / "stat").read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()
            if int(fields[POLICY]) in (FIFO, ROUND_ROBIN):
                ticks[int(task.name)] = int(fields[UTIME]) + int(fields[STIME])
    except OSError:
        return {}
    return {thread: count / os.sysconf("SC_CLK_TCK") for thread, count in ticks.items()}
