"""The page's button that calibrates the load, in a browser before a real run: from finger to table."""

import re
import tomllib
from collections.abc import Iterator
from socket import SOCK_STREAM

import pytest
from playwright.sync_api import Page

from bench.chromium import MISSING, PROGRAM, browser, until
from bench.live_run import PATIENCE_S, SETTLE_S, LiveRun
from hil.common.free_port import free_port

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)

TRIES = 10  # a machine that is shared may take a hand for gone
BEGUN = "document.body.dataset.state === 'CALIBRATING' && document.getElementById('shown').value > 0.01"
OVER = "document.getElementById('shown').hidden && document.body.dataset.state === 'READY'"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveRun]:
    port = free_port(SOCK_STREAM)
    changes = {r"count = \d+": "count = 0", "float_at_start = true": "float_at_start = false"}
    folder = tmp_path_factory.mktemp("calibrate") / "r"
    made = LiveRun(folder, "--dashboard", "--port", str(port), patient=True, **changes)
    try:
        made.wait(lambda: "dashboard: http" in made.text, PATIENCE_S)
        made.wait_state("READY", PATIENCE_S)
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def page(run: LiveRun) -> Iterator[Page]:
    with browser() as opened:
        page = opened.new_page(viewport={"width": 640, "height": 400})
        found = re.search(r"dashboard: (http://\S+)", run.text)
        assert found, run.text
        page.goto(found[1])
        until(page, "document.body.dataset.state === 'READY'")
        until(page, "!document.getElementById('calibrate').disabled")
        yield page


def hold(page: Page) -> bool:
    """Press the button and wait until the motion has begun; whether it has."""
    page.mouse.move(1.0, 1.0)
    page.hover("#calibrate")
    page.mouse.down()
    for _ in range(60):
        if page.evaluate(BEGUN):
            return True
        page.wait_for_timeout(50)
    page.mouse.up()
    return False


def test_letting_go_stops_it_and_finds_nothing(page: Page, run: LiveRun) -> None:
    assert any(hold(page) for _ in range(TRIES)), page.inner_text("#answer")
    page.mouse.up()
    run.wait(lambda: run.status()["state"] == "READY" and run.stands(), SETTLE_S)
    until(page, OVER)
    page.wait_for_timeout(600)
    assert not page.inner_text("#found") and not page.inner_text("#table")


def test_a_finger_that_holds_gets_the_table(page: Page, run: LiveRun) -> None:
    """However often a busy machine takes the finger for gone; what was identified, how well, what to do."""
    for _ in range(TRIES):
        if not hold(page):
            continue
        until(page, OVER)
        page.mouse.up()
        page.wait_for_timeout(1500)
        if page.inner_text("#table"):
            break
    else:
        pytest.skip(f"half a minute of heartbeats: the machine took the finger for gone in {TRIES} tries")
    until(page, "document.getElementById('table').textContent")
    words = page.inner_text("#found")
    assert re.search(r"mass +0\.\d+ \+- 0\.\d+ kg\n", words) and "zerog reload" in words
    table = tomllib.loads(page.inner_text("#table"))["mockup"]["found"]
    assert abs(table["mass_kg"] - 0.5) <= 2.0 * table["mass_interval_kg"] < 0.3
    assert run.stands() and run.take_violations()[0] == 0
