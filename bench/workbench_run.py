"""A workbench started as its user does, for tests, pictures and benchmarks."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from socket import SOCK_STREAM

from playwright.sync_api import Page

from bench.chromium import until
from hil.common.free_port import free_port

ROOT = Path(__file__).resolve().parents[1]
# the light-weight arm, as `configs/assemblies/lwr4.toml` has it: component, and its turn
LWR4 = [
    ("base-l", 0), ("joint-roll-l", 0), ("link-short-l", 0), ("joint-pitch-l", 180),
    ("link-reducer-l-m", 180), ("joint-roll-m", 0), ("link-short-m", 0), ("joint-pitch-m", 0),
    ("link-short-m", 0), ("wrist-lwr4", 0),
]  # fmt: skip
USABLE = "document.body.dataset.usable === 'yes' && document.body.dataset.link === 'open'"
PARTS = "document.querySelectorAll('#chain button').length"


class WorkbenchRun:
    """`zerog workbench` with a state directory of its own."""

    def __init__(self, folder: Path, *arguments: str, port: int | None = None) -> None:
        """Start it and wait for its address.

        Args:
            folder: in which it is started, and below which its state lies.
            arguments: further ones of the command line.
            port: of the page; None: a free one.
        """
        self.port = port or free_port(SOCK_STREAM)
        folder.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state"), "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "hil", "workbench", "--no-browser", "--port", str(self.port)]
        begin = time.monotonic()
        self.process = subprocess.Popen(
            [*command, *arguments], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"workbench: (http://\S+)", line)
        assert found, line
        self.address, self.start_s = found[1], time.monotonic() - begin

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()

    def close(self) -> int:
        """End it as Ctrl-C does and return its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=30.0)


def add_part(page: Page, component: str, turn: int = 0) -> None:
    """Join a component by clicks, and turn it."""
    count = page.evaluate(PARTS)
    page.click(f"[data-component='{component}'][aria-disabled=false]")
    until(page, f"{PARTS} === {count + 1}")
    if turn:
        page.click(f"#chain button:nth-child({count + 1})")
        page.fill("#part input[aria-label='turn, degrees']", str(turn))
        page.press("#part input[aria-label='turn, degrees']", "Enter")
        until(
            page, f"document.querySelector('#chain button:nth-child({count + 1})').title.includes('{turn}')"
        )
        page.click("#part button[title^=close]")


def assemble_lwr4(page: Page) -> None:
    """Put the light-weight arm together by clicks."""
    for component, turn in LWR4:
        add_part(page, component, turn)
