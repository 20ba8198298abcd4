"""What the dashboard costs and gives: live, with a browser, and its influence on the loop.

    python -m bench.dashboard [--seconds 30] [--pairs 5] [--picture OUT.png] [--json OUT.json]

One run with a page of 800 x 600 beside a bare viser page of the same size; then, without any page, pairs
of runs with and without dashboard and recorder, at 1 ms FRI, as `bench.recording` measures them.
"""

import argparse
import io
import itertools
import json
import re
import statistics
import tempfile
import time
from contextlib import redirect_stdout
from pathlib import Path
from socket import SOCK_STREAM

import numpy as np
import viser
from playwright.sync_api import Browser, Page
from websockets.sync.client import connect
from websockets.typing import Origin

from bench.chromium import MISSING, PROGRAM, browser, open_dashboard, until
from bench.live_run import LiveRun
from bench.recording import pairs, proportional_memory
from bench.report import Row, print_rows, write_rows
from hil.common.free_port import free_port

SIZE = {"width": 800, "height": 600}
PICTURE_SIZE = {"width": 1280, "height": 800}
# a bare page is usable when its picture has been drawn for the first time
BARE_DRAWN = "() => Boolean(window.__viserSceneTree && '/box' in window.__viserSceneTree.getState())"
# counts how often the first chart gets other data: what the page has really taken up and drawn
COUNT = """() => {
  const inner = document.getElementById("drawing").contentWindow;
  const { chart } = Object.values(inner.__viserTestpoints.uplots)[0];
  let last = null;
  inner.drawn = 0;
  const look = () => {
    if (chart.data !== last) { last = chart.data; inner.drawn += 1; }
    inner.requestAnimationFrame(look);
  };
  look();
}"""
DRAWN_COUNT = "document.getElementById('drawing').contentWindow.drawn"


def intervals_ms(address: str, seconds: float) -> list[float]:
    """Return the times between two publications [ms], as the server stamps them for a listener."""
    base, token = re.fullmatch(r"(http://\S+)/\?token=(\S+)", address).groups()  # type: ignore[union-attr]
    port = base.rsplit(":", 1)[1]
    stamps: list[float] = []
    news = f"ws{base.removeprefix('http')}/news"
    cookie = {"Cookie": f"zerog-{port}={token}"}
    with connect(news, origin=Origin(base), additional_headers=cookie) as ws:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            told = json.loads(ws.recv())
            if "t_ms" in told:
                stamps.append(told["t_ms"])
    return [b - a for a, b in itertools.pairwise(stamps)]


def usable_s(page: Page, address: str, drawn: str = "") -> float:
    """Return how long a page takes until everything is drawn [s]."""
    begin = time.monotonic()
    if drawn:
        page.goto(address)
        until(page, drawn)
    else:
        open_dashboard(page, address)
    return time.monotonic() - begin


def bare_s(chromium: Browser) -> float:
    """Return how long a bare viser page takes, on the same machine at the same time [s]."""
    with redirect_stdout(io.StringIO()):
        server = viser.ViserServer(host="127.0.0.1", port=0, verbose=False)
    server.scene.add_box("/box")
    page = chromium.new_page(viewport=SIZE)
    try:
        return usable_s(page, f"http://127.0.0.1:{server.get_port()}", BARE_DRAWN)
    finally:
        page.close()
        with redirect_stdout(io.StringIO()):
            server.stop()


def rate_hz(page: Page, seconds: float) -> float:
    """Return how often in a second the page draws new data."""
    page.evaluate(COUNT)
    page.wait_for_timeout(1e3 * seconds)
    return float(page.evaluate(DRAWN_COUNT)) / seconds


def with_pages(run: LiveRun, seconds: float, picture: Path | None) -> list[Row]:
    """Return rows of a run with a page open: publication, page, memory."""
    found = re.search(r"dashboard: (http://\S+)", run.text)
    assert found
    address = found[1]
    alone = intervals_ms(address, seconds)
    with browser() as chromium:
        ours: list[float] = []
        bare: list[float] = []
        for _ in range(3):
            bare.append(bare_s(chromium))
            page = chromium.new_page(viewport=SIZE)
            ours.append(usable_s(page, address))
            page.close()
        page = chromium.new_page(viewport=SIZE)
        open_dashboard(page, address)
        hz = rate_hz(page, seconds)
        watched = intervals_ms(address, seconds)
        memory = proportional_memory(run.pid("dashboard"))
        if picture is not None:
            take_picture(page, run, picture)
    usable, plain = statistics.median(ours), statistics.median(bare)
    return [
        Row("publication, interval p99, no page", float(np.quantile(alone, 0.99)), 75.0, "ms"),
        Row("publication, interval p99, a page", float(np.quantile(watched, 0.99)), 75.0, "ms"),
        Row("page of 800 x 600 draws new data", hz, 15.0, "Hz", least=True),
        Row("bare viser page usable after", plain, None, "s"),
        Row("dashboard usable after", usable, None, "s"),
        Row("the same over the bare page's", usable / plain, 1.5, ""),
        Row("memory of the dashboard (proportional)", memory, 250.0, "MiB"),
    ]


def take_picture(page: Page, run: LiveRun, path: Path) -> None:
    """Push the mock-up and write what the page shows then."""
    page.set_viewport_size(PICTURE_SIZE)
    run.float_again()
    page.wait_for_timeout(5000)
    run.ask("push", force_n=[10.0, 25.0, 15.0], duration_ms=120.0, at_mm=[0.0, 40.0, 0.0])
    page.wait_for_timeout(2500)
    page.screenshot(path=path)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=30.0, metavar="S", help="of each look at the page")
    parser.add_argument("--pairs", type=int, default=5, metavar="N", help="of runs; 0: none")
    parser.add_argument("--pair-seconds", type=float, default=20.0, metavar="S", help="of each")
    parser.add_argument(
        "--picture", type=Path, metavar="OUT.png", help="write the page as it is after a push"
    )
    parser.add_argument("--json", type=Path, metavar="OUT.json")
    options = parser.parse_args()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        if PROGRAM is None:
            print(f"no page is measured: {MISSING}")
        elif options.seconds > 0.0:
            run = LiveRun(Path(folder) / "page", "--dashboard", "--port", str(free_port(SOCK_STREAM)))
            try:
                run.wait_floating()
                rows += with_pages(run, options.seconds, options.picture)
            finally:
                run.close()
        if options.pairs:
            beside = ("--dashboard", "--port", str(free_port(SOCK_STREAM)))
            rows += pairs(Path(folder), options.pairs, options.pair_seconds, "dashboard and recorder", beside)
    print_rows(rows)
    if options.json is not None:
        write_rows(options.json, rows)


if __name__ == "__main__":
    main()
