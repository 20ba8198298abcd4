"""Debian's Chromium without a window, for tests, pictures and benchmarks of the dashboard."""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserType, Page, sync_playwright

PROGRAM = shutil.which("chromium")
MISSING = "there is no chromium: apt-get install chromium"
FLAGS = (
    "--no-sandbox",  # tests may run as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-accelerated-2d-canvas",  # charts on a software GPU stand still
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
)
PATIENCE_S = 60.0  # for what takes a second on a quiet machine
# whether viser has drawn arm, object and charts
DRAWN = """() => {
  const inner = document.getElementById("drawing").contentWindow, tree = inner.__viserSceneTree;
  const charts = (inner.__viserTestpoints || {}).uplots;
  return Boolean(tree && "/object" in tree.getState() && charts && Object.keys(charts).length >= 3);
}"""


@contextmanager
def browser() -> Iterator[Browser]:
    """Give a browser; it is closed in the end."""
    with sync_playwright() as play:
        opened = launched(play.chromium)
        try:
            yield opened
        finally:
            opened.close()


def launched(kind: BrowserType) -> Browser:
    """Return a new browser of playwright's kind `chromium`."""
    return kind.launch(executable_path=PROGRAM, args=list(FLAGS))


def until(page: Page, expression: str, argument: Any = None, patience_s: float = PATIENCE_S) -> None:
    """Wait until an expression is true in a page; playwright's own way needs `eval`, which ours forbids."""
    deadline = time.monotonic() + patience_s
    while not page.evaluate(expression, argument):
        assert time.monotonic() < deadline, f"not so within {patience_s} s: {expression}"
        page.wait_for_timeout(20)


def open_dashboard(page: Page, address: str) -> None:
    """Open the dashboard and wait until everything is drawn."""
    page.goto(address)
    until(page, DRAWN)
