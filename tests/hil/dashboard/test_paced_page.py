"""The operator's page of a paced run, in a real browser: the same page, the same controls."""

import re
from pathlib import Path
from socket import SOCK_STREAM

import pytest

from bench.chromium import MISSING, PATIENCE_S, PROGRAM, browser, open_dashboard, until
from bench.live_run import PATIENCE_S as START_PATIENCE_S
from bench.live_run import LiveRun
from hil.common.free_port import free_port

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)
ARTEFACTS = Path(__file__).parents[3] / "out" / "dashboard"


def test_the_page_of_a_paced_run(tmp_path: Path) -> None:
    """It shows the state on virtual time, and Push, Hold, Float and Stop do what they do in a live run."""
    port = free_port(SOCK_STREAM)
    arguments = ("--paced", "--dashboard", "--port", str(port))
    run = LiveRun(tmp_path / "r", *arguments, **{r"count = \d+": "count = 0"})
    slow_ms = 1e3 * PATIENCE_S
    try:
        run.wait(lambda: "STOPPED -> FLOATING" in run.text, START_PATIENCE_S)
        found = re.search(r"dashboard: (http://\S+)", run.text)
        assert found, run.text
        with browser() as chromium:
            page = chromium.new_context(viewport={"width": 1400, "height": 800}).new_page()
            open_dashboard(page, found[1])
            until(page, "document.body.dataset.state === 'FLOATING'")
            page.click("button[data-control=push]:enabled", timeout=slow_ms)
            until(page, "find('pushes').textContent === '1'")
            ARTEFACTS.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=ARTEFACTS / "paced.png")
            page.click("button[data-control=hold]:enabled", timeout=slow_ms)
            until(page, "document.body.dataset.state === 'HOLDING'")
            page.click("button[data-control=float]:enabled", timeout=slow_ms)
            until(page, "document.body.dataset.state === 'FLOATING'")
            page.keyboard.press("Escape")
            until(page, "document.body.dataset.state === 'STOPPED'")
            # a rate is told where the machine is behind, and only there
            until(page, "find('paced').hidden || parseFloat(find('pace').textContent) < 0.95")
        assert run.status()["state"] == "STOPPED" and run.status()["pushes"] == 1
    finally:
        run.close()
    assert "none left out" in run.text
