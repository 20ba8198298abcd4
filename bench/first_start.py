"""The first start of a run with an empty cache, and a start with a full one.

    python -m bench.first_start [--arguments=--dashboard] [--json OUT.json]

Each until the object floats: wall time, processor time, and the most memory that all had
together. What the time is spent on: `python -m bench.compile_table`.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path

from bench.live_run import LiveRun
from bench.recording import proportional_memory
from bench.report import Row, print_rows, write_rows
from hil.common.kernel_cache import SETTING

LOOK_S = 0.25
PATIENCE_S = 600.0
TICKS = os.sysconf("SC_CLK_TCK")
UTIME, CSTIME = 11, 15  # fields behind the name: own time, and that of processes that have ended


def family(pid: int) -> list[int]:
    """Return a process and all below it."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        below = [int(word) for task in tasks for word in (task / "children").read_text("ascii").split()]
    except OSError:
        return []
    return [pid, *(one for child in below for one in family(child))]


def processor_time(pid: int) -> float:
    """Return what a process, and those below it that have ended, have used [s]."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return sum(int(word) for word in fields[UTIME:CSTIME]) / TICKS


def memory(pids: list[int]) -> float:
    """Return the proportional set size of processes together, of those that still are [MiB]."""
    total = 0.0
    for pid in pids:
        try:
            total += proportional_memory(pid)
        except (OSError, IndexError):
            continue  # has just ended
    return total


def start(folder: Path, arguments: list[str]) -> tuple[float, float, float]:
    """Start a run and end it when the object floats; return wall time, processor time and peak memory."""
    begin, peak = time.monotonic(), 0.0
    run = LiveRun(folder, *arguments)
    try:
        while "-> FLOATING" not in run.text:
            assert run.popen.poll() is None and time.monotonic() < begin + PATIENCE_S, run.text
            peak = max(peak, memory(family(run.popen.pid)))
            time.sleep(LOOK_S)
        wall = time.monotonic() - begin
        used = sum(processor_time(pid) for pid in family(run.popen.pid))
        return wall, used, max(peak, memory(family(run.popen.pid)))
    finally:
        run.popen.terminate()
        run.popen.wait()


def main() -> None:
    """Measure both starts and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--arguments", nargs="*", default=[], help="further ones of `zerog run`")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        os.environ[SETTING] = str(Path(name) / "cache")
        for what, goal in (("first start", (30.0, 60.0, 900.0)), ("warm start", (5.0, None, 900.0))):
            wall, used, most = start(Path(name) / what.replace(" ", "_"), options.arguments)
            rows.append(Row(f"{what}, wall time", wall, goal[0], "s"))
            rows.append(Row(f"{what}, processor time", used, goal[1], "s"))
            rows.append(Row(f"{what}, most memory (proportional)", most, goal[2], "MiB"))
    print_rows(rows)
    if options.json is not None:
        write_rows(options.json, rows)


if __name__ == "__main__":
    main()
