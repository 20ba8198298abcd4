"""What the workbench's page costs: time until it is usable, memory of its server and of what works for it.

    python -m bench.workbench [--pages 5] [--json OUT.json]

Each page is opened anew, with the arm of `configs/assemblies/lwr4.toml` and with nothing; usable is a page
whose catalogue can be clicked and whose arm is drawn. Memory is the proportional set size, after the kernels
are compiled, with a page open and the arm simulated.
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page

from bench.chromium import MISSING, PROGRAM, browser, until
from bench.recording import proportional_memory
from bench.report import Row, print_rows, write_rows
from bench.workbench_run import ROOT, USABLE, WorkbenchRun

SIZE = {"width": 1440, "height": 900}
DRAWN = "Number(document.getElementById('stage').dataset.drawn) > 0"
ARM = ROOT / "configs" / "assemblies" / "lwr4.toml"
RECKONED = "document.getElementById('judged').textContent === ''"
COMPILING_S = 600.0


def usable_s(chromium: Browser, address: str, drawn: bool) -> float:
    """Return how long a new page takes [s]."""
    page = chromium.new_page(viewport=SIZE)
    begin = time.monotonic()
    page.goto(address)
    until(page, f"{USABLE} && {DRAWN}" if drawn else USABLE)
    passed = time.monotonic() - begin
    page.close()
    return passed


def opened(chromium: Browser, run: WorkbenchRun) -> Page:
    """Return a page with the arm drawn and reckoned."""
    page = chromium.new_page(viewport=SIZE)
    page.goto(run.address)
    until(page, f"{USABLE} && {DRAWN} && {RECKONED}", patience_s=COMPILING_S)
    return page


def simulate(page: Page) -> None:
    """Begin the simulation and wait until it runs."""
    page.click("#simulate")
    until(page, "document.body.dataset.run === 'running'", patience_s=COMPILING_S)


def children(pid: int) -> list[int]:
    """Return the processes that a process has started, by whichever of its threads."""
    listed = [file.read_text(encoding="ascii") for file in Path(f"/proc/{pid}/task").glob("*/children")]
    return [int(child) for of_thread in listed for child in of_thread.split()]


def workers(pid: int) -> float:
    """Return the memory of all processes that a process has started [MiB]."""
    found = [child for child in children(pid) if "spawn_main" in _command(child)]
    return sum(proportional_memory(child) for child in found)


def _command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()


def measured(chromium: Browser, folder: Path, pages: int) -> list[Row]:
    """Return the rows."""
    warm = WorkbenchRun(folder / "warm", str(ARM))  # compiles what is not compiled yet
    try:
        simulate(opened(chromium, warm))
    finally:
        warm.close()
    empty = WorkbenchRun(folder / "empty")
    try:
        plain = [usable_s(chromium, empty.address, drawn=False) for _ in range(pages)]
    finally:
        empty.close()
    run = WorkbenchRun(folder / "arm", str(ARM))
    try:
        with_arm = [usable_s(chromium, run.address, drawn=True) for _ in range(pages)]
        page = opened(chromium, run)
        standing = proportional_memory(run.process.pid)
        simulate(page)
        page.wait_for_timeout(3000)
        running = proportional_memory(run.process.pid)
        beside = workers(run.process.pid)
        page.close()
    finally:
        run.close()
    return [
        Row("server answers after its start", run.start_s, None, "s"),
        Row("page usable after, no arm", statistics.median(plain), 2.0, "s"),
        Row("page usable after, seven joints drawn", statistics.median(with_arm), 2.0, "s"),
        Row("memory of the server, arm assembled", standing, 250.0, "MiB"),
        Row("memory of the server, arm simulated", running, 250.0, "MiB"),
        Row("memory of its workers then: figures and simulation", beside, None, "MiB"),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=5, metavar="N", help="opened of each kind")
    parser.add_argument("--json", type=Path, metavar="OUT.json")
    options = parser.parse_args()
    if PROGRAM is None:
        print(f"no page is measured: {MISSING}")
        sys.exit(1)
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        rows = measured(chromium, Path(folder), options.pages)
    print_rows(rows)
    if options.json is not None:
        write_rows(options.json, rows)


if __name__ == "__main__":
    main()
