"""A newcomer's first run on a machine that is busy: does it float on, how fast, and what does it say?

    python -m bench.busy_laptop [--runs 10] [--seconds 60] [--loops 2] [--real-time] [--json OUT.json]

Each run is `configs/cube.toml` with the dashboard, as `make run` starts it, its page open in a browser, and
endless loops on every core from before the start to the end. Nothing is given real time unless it is asked
for: few laptops permit it.
"""

import argparse
import ctypes
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from socket import SOCK_STREAM

from playwright.sync_api import Browser, Error, Page

from bench.chromium import DRAWN, MISSING, PROGRAM, browser
from bench.live_run import PATIENCE_S, LiveRun
from bench.report import Row, print_rows, write_rows
from hil.common.free_port import free_port

ENDLESS = "while :; do :; done"
DRAWN_S = 240.0  # until a page is there on a machine without a breath to spare
PR_CAPBSET_DROP, CAP_SYS_NICE = 24, 23


@dataclass(frozen=True)
class Busy:
    """What became of a run; times in seconds."""

    floated: float  # emulated
    wall: float  # from the first float to the end
    waited: float
    waits: int
    faults: int
    status: int
    said: str  # of its waits, in the summary
    fault: str  # the reason of the first
    drawn: bool  # the page was drawn before the end


@contextmanager
def endless_loops(number: int) -> Iterator[None]:
    """Keep the cores busy."""
    loops = [subprocess.Popen(["/bin/sh", "-c", ENDLESS]) for _ in range(number)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def busy_run(folder: Path, seconds: float, loops: int) -> Busy:
    """Float for so long [s of wall time] under load with a page open, and return what became of it."""
    arguments = ("--dashboard", "--port", str(free_port(SOCK_STREAM)))
    with endless_loops(loops), browser() as opened:
        run = LiveRun(folder, *arguments, patient=True)
        try:
            run.wait(lambda: "-> FLOATING" in run.text, PATIENCE_S)
            begin, last = time.monotonic(), run.status()
            page = opened_page(opened, re.findall(r"dashboard: (\S+)", run.text)[0])
            drawn, wall = False, 0.0
            while wall < seconds:
                time.sleep(0.2)
                drawn = drawn or is_drawn(page)
                last = run.status()
                wall = time.monotonic() - begin
        finally:
            run.close()
        return outcome(run, last, wall, drawn)


def opened_page(opened: Browser, address: str) -> Page:
    """Open the dashboard as soon as it is there."""
    page = opened.new_page(viewport={"width": 1200, "height": 800})
    deadline = time.monotonic() + DRAWN_S
    while True:
        try:
            page.goto(address, timeout=1e3 * DRAWN_S, wait_until="commit")
            return page
        except Error:  # not there yet
            assert time.monotonic() < deadline, f"no dashboard at {address}"
            time.sleep(0.5)


def is_drawn(page: Page) -> bool:
    """Return whether arm, object and charts are there; not while the page still loads."""
    try:
        return bool(page.evaluate(DRAWN))
    except Error:
        return False


def outcome(run: LiveRun, last: dict[str, object], wall: float, drawn: bool) -> Busy:
    """Return what a run that is over came to, by its summary."""
    said = re.search(r"the machine was busy: ([\d.]+) s waited in (\d+) waits.*", run.text)
    fault = re.search(r"-> FAULT: (.*)", run.text)
    return Busy(
        float(str(last["floated_s"])), wall,
        float(said[1]) if said else 0.0, int(said[2]) if said else 0,
        int(str(last["faults"])), run.popen.returncode,
        said[0] if said else "", fault[1] if fault else "", drawn,
    )  # fmt: skip


def main() -> None:
    """Run and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=60.0, help="of wall time, each run")
    parser.add_argument("--loops", type=int, default=2, help="endless ones, on each core")
    parser.add_argument("--real-time", action="store_true", help="where it is permitted")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if PROGRAM is None:
        raise SystemExit(MISSING)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # no endless loop is left behind
    if not options.real_time:
        ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_SYS_NICE, 0, 0, 0)  # of what is started from here on
    found: list[Busy] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.runs):
            loops = options.loops * len(os.sched_getaffinity(0))
            found.append(busy_run(Path(folder) / str(number), options.seconds, loops))
            last = found[-1]
            print(
                f"run {number + 1}: floated {last.floated:.1f} s in {last.wall:.1f} s, {last.faults} faults, "
                f"the page was {'drawn' if last.drawn else 'NOT DRAWN'}; "
                f"{last.said or 'nothing was waited for'}{'; FAULT: ' + last.fault if last.fault else ''}",
                flush=True,
            )
    rows = [
        Row("runs without a fault", sum(not b.faults for b in found), 0.9 * len(found), "", least=True),
        Row("emulated over wall time, least", min(b.floated / b.wall for b in found), 0.5, "", least=True),
        Row("waited, most in a run", max(b.waited for b in found), None, "s"),
    ]
    print_rows(rows)
    if options.json is not None:
        write_rows(options.json, rows, [asdict(b) for b in found])


if __name__ == "__main__":
    main()
