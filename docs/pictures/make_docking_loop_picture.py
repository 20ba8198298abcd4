"""Draw the page of a docking in the loop, as a browser shows it once the pins are seated.

python -m docs.pictures.make_docking_loop_picture

Starts a live run with the emulated arm. Needs Chromium.
"""

import io
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import Error

from bench.chromium import DRAWN, PATIENCE_S, browser

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "pictures" / "docking-loop.png"
SIZE = {"width": 1400, "height": 800}
PORT = 8095
READY_S = 300.0  # the first start compiles
COLOURS = 200


def address(log: Path) -> str:
    """Return the dashboard's address, once the run floats and has printed it."""
    deadline = time.monotonic() + READY_S
    while "FLOATING" not in log.read_text():
        if time.monotonic() > deadline:
            sys.exit(f"the run does not float:\n{log.read_text()}")
        time.sleep(0.2)
    found = re.search(r"http://\S+", log.read_text())
    return found.group(0) if found else sys.exit("no dashboard")


def photograph(url: str) -> bytes:
    """Return a picture of the page one second after the pins are seated, PNG."""
    with browser() as opened:
        page = opened.new_page(viewport=SIZE)
        page.goto(url)
        page.wait_for_function(DRAWN, timeout=1000 * PATIENCE_S)
        try:
            page.wait_for_function(
                "() => document.getElementById('docking').textContent === 'docked'",
                timeout=1000 * PATIENCE_S,
            )
        except Error:
            sys.exit(f"not docked, but {page.inner_text('#docking')!r}")
        page.wait_for_timeout(1000)
        return page.screenshot()


def main() -> None:
    """Run, look, and write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        command = [
            sys.executable,
            "-m",
            "hil",
            "run",
            "configs/docking.toml",
            "--dashboard",
            "--port",
            str(PORT),
        ]
        command += [
            "--set",
            f'run.runtime_directory="{folder}/bus"',
            "--set",
            f'run.state_directory="{folder}/state"',
        ]
        with log.open("wb") as out:
            run = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT)
        try:
            data = photograph(address(log))
        finally:
            run.send_signal(signal.SIGINT)
            run.wait(30)
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
